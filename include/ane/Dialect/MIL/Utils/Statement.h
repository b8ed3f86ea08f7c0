//===- Statement.h - Look at and make MIL statements ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes and conversions see statements by the names that MIL gives: the
// operation, its arguments, its results. Whether a statement is a generic
// `mil.op` or an op of its own makes no difference here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_UTILS_STATEMENT_H
#define ANE_DIALECT_MIL_UTILS_STATEMENT_H

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace mlir::ane::mil {

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

/// A statement with its arguments at hand.
class Statement {
public:
  explicit Statement(MILOpInterface op)
      : op(op), type(op.getMILType()), arguments(op.getMILArguments()) {}

  StringRef getType() const { return type; }
  bool is(StringRef name) const { return type == name; }
  ArrayRef<NamedArgument> getArguments() const { return arguments; }

  /// The value of an argument; null if it is absent or a tuple of several.
  Value get(StringRef name) const;
  /// The values of an argument, none if it is absent.
  ValueRange getTuple(StringRef name) const;
  bool has(StringRef name) const { return !getTuple(name).empty(); }
  /// Null if the argument is absent or no constant.
  ConstOp getConst(StringRef name) const;
  /// Of a constant of integers or bools (0 and 1).
  std::optional<SmallVector<int64_t>> getIntegers(StringRef name) const;
  std::optional<int64_t> getInteger(StringRef name) const;
  /// Of a constant; `otherwise` if the argument is absent or no constant.
  bool getBool(StringRef name, bool otherwise) const;
  StringRef getString(StringRef name, StringRef otherwise) const;
  /// Of a constant scalar.
  std::optional<double> getNumber(StringRef name) const;
  /// Null if the value is no tensor.
  RankedTensorType getTensor(StringRef name) const;
  Value getResult() const { return op->getResult(0); }
  RankedTensorType getResultTensor() const;

  mutable MILOpInterface op;

private:
  StringRef type;
  SmallVector<NamedArgument> arguments;
};

/// The function called `name`, or the only one when `name` is empty; an error
/// where there is none or there are several.
FailureOr<FuncOp> findFunction(ProgramOp program, StringRef name);
/// Whether `value` is the statement of this constant: some published programs
/// state one twice under the same name.
bool isConstant(Value value, Attribute constant);
/// The statement that defines a value, or null (also for constants).
MILOpInterface getStatement(Value value);
/// The name of a value in the text; "" where the printer chooses one.
StringRef getValueName(Value value);
/// Whether a value is a constant that stands where it is used.
bool isInline(Value value);
/// The name of each value of a function that the file gets, but for constants
/// in place: its own, or `v<number>`. An error if what it returns has none.
FailureOr<DenseMap<Value, std::string>> nameValues(FuncOp func);
/// Names of what a function returns, each another one and none that of an
/// input: what is an input, a state or returned before gets `_out` after its
/// name. "" where the value has none.
SmallVector<std::string> nameOutputs(FuncOp func, ValueRange outputs);
/// `name`, with `_` for what no identifier has and in front of a digit.
std::string makeIdentifier(StringRef name);
/// Gives a value another name; `names` must know it. Not for arguments.
void setValueName(Value value, StringRef name);

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// The names of a function.
class NameTable {
public:
  explicit NameTable(FuncOp func);
  /// `wanted`, or that with underscores after it, and a number after many.
  std::string makeUnique(const Twine &wanted);

private:
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> numbers;
};

/// An argument of a new statement: one value, or a tuple.
struct NewArgument : StatementArgument {
  NewArgument(StringRef name, Value value)
      : StatementArgument{name, {value}, false} {}
  NewArgument(StringRef name, ValueRange tuple)
      : StatementArgument{name, llvm::to_vector<1>(tuple), true} {}
};
/// The arguments of a statement, without those that are named.
SmallVector<NewArgument> copyArguments(const Statement &statement,
                                       ArrayRef<StringRef> without = {});

/// Makes the statements that take the place of one, with names that start like
/// its own. Arguments may stand in any order; they are sorted.
class StatementBuilder {
public:
  StatementBuilder(OpBuilder &builder, NameTable &names, Location loc,
                   StringRef base)
      : builder(builder), names(names), loc(loc), base(base) {}

  Value constant(TypedAttr value, const Twine &suffix) {
    return constant(value, value.getType(), suffix);
  }
  /// A tensor of f32 may stand for one of f16, which the writer rounds.
  Value constant(TypedAttr value, Type type, const Twine &suffix);
  Value string(StringRef value, const Twine &suffix);
  Value boolean(bool value, const Twine &suffix);
  Value integer(int64_t value, const Twine &suffix);
  Value integers(ArrayRef<int64_t> values, const Twine &suffix);
  /// A scalar of the element type.
  Value number(Type element, double value, const Twine &suffix);

  /// A constant that stands where it is used.
  Value parameter(TypedAttr value);

  Value emit(StringRef type, ArrayRef<NewArgument> arguments, Type result,
             const Twine &suffix);
  /// With several results, whose names end with numbers.
  SmallVector<Value> emitAll(StringRef type, ArrayRef<NewArgument> arguments,
                             TypeRange results);
  /// The statement that computes the results of `original`, under their names
  /// and with its attributes. `original` still has to be replaced and erased.
  Operation *emitInPlaceOf(MILOpInterface original, StringRef type,
                           ArrayRef<NewArgument> arguments);

  Value binary(StringRef type, Value x, Value y, const Twine &suffix);
  Value transpose(Value x, ArrayRef<int64_t> permutation, const Twine &suffix);
  Value reshape(Value x, ArrayRef<int64_t> shape, const Twine &suffix);
  /// The same elements under another shape: of a constant another constant.
  Value widen(Value value, ArrayRef<int64_t> shape, const Twine &suffix);

  OpBuilder &builder;

private:
  NameTable &names;
  Location loc;
  std::string base;
};

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The same elements under another shape; null where the attribute has none.
/// Bytes are shared.
TypedAttr reshapeConstant(TypedAttr value, ArrayRef<int64_t> shape);
/// Axes in another order, as transpose(perm). Null where the bytes are not at
/// hand, unless only axes of extent 1 move.
TypedAttr permuteConstant(TypedAttr value, ArrayRef<int64_t> permutation);
/// The bytes of a constant whose elements have 8 bits or more; a splat has one
/// element. Nothing where they are not at hand.
std::optional<ArrayRef<char>> getConstantBytes(TypedAttr value, bool &isSplat);
/// A constant tensor of these bytes; long ones become resources.
TypedAttr makeConstant(RankedTensorType type, ArrayRef<char> bytes,
                       StringRef name);

} // namespace mlir::ane::mil

#endif // ANE_DIALECT_MIL_UTILS_STATEMENT_H
