//===- FunctionEmitter.h - Writes one MIL function --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL wants a name for everything: results, and the constants that are the
// parameters of an operation. The emitter gives them. The third convolution of
// a function becomes
//
//    %v7_conv_pad     = mil.const dense<...>     one for each parameter
//    %v7_conv_strides = mil.const dense<...>
//    %v7_conv         = mil.op "conv"(pad = ..., strides = ..., x = ...)
//
// and a constant of the source is written where it is first used, in the
// element type and shape of that use.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOMIL_FUNCTIONEMITTER_H
#define ANE_LIB_CONVERSION_ANETOMIL_FUNCTIONEMITTER_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::ane {

class FunctionEmitter {
public:
  /// An argument of a statement: values, or a constant still to be written.
  struct Argument {
    Argument(StringRef name, Value value) : name(name), values({value}) {}
    Argument(StringRef name, TypedAttr constant)
        : name(name), constant(constant) {}
    Argument(StringRef name, SmallVector<Value> values)
        : name(name), values(std::move(values)), isTuple(true) {}

    StringRef name;
    TypedAttr constant;
    SmallVector<Value> values;
    bool isTuple = false;
  };

  FunctionEmitter(OpBuilder &builder, bool halfBorder, unsigned opset)
      : builder(builder), halfBorder(halfBorder), opset(opset) {}

  /// Writes `source` as a function called `name` at the builder's position.
  LogicalResult run(func::FuncOp source, StringRef name, StringRef opsetName);

  //===--------------------------------------------------------------------===//
  // For the conversions of ops
  //===--------------------------------------------------------------------===//

  unsigned getOpset() const { return opset; }
  /// What `type` is in the program: f32 and integers are fp16 unless the
  /// border is that of Core ML, and of more dimensions than MIL has, the first
  /// are one.
  RankedTensorType convert(Type type) const;
  /// The value in the program, constants in the given element type and shape.
  Value operand(Value value, Type element, ArrayRef<int64_t> shape);
  Value operand(Value value, Type element);
  Value operand(Value value);
  /// A statement with one result.
  Value emit(StringRef type, SmallVector<Argument> arguments, Type result);
  /// `emit` for a function of two values, `x` and `y`, and for one of one.
  Value emitBinary(StringRef type, Value x, Value y, Type result);
  Value emitUnary(StringRef type, Value x, Type result);
  /// `x` op a scalar of the element type.
  Value emitScalar(StringRef type, Value x, double y);
  /// The function applied to `x`; no function is the identity.
  Value emitActivation(Value x, ActivationAttr function);
  /// `value` at each element.
  Value emitFill(RankedTensorType type, double value);
  /// `a` where `condition` is true, else `b`; either may be repeated.
  Value emitSelect(Value condition, Value a, Value b, RankedTensorType result);

  /// The elements of `x` under another shape.
  Value emitReshape(Value x, ArrayRef<int64_t> shape);

  TypedAttr string(StringRef value);
  TypedAttr boolean(bool value) { return builder.getBoolAttr(value); }
  TypedAttr integer(int64_t value) { return builder.getI32IntegerAttr(value); }
  TypedAttr integers(ArrayRef<int64_t> values);
  TypedAttr number(Type element, double value);
  /// A number that keeps a divisor from 0: the smallest one where it would be
  /// 0.
  TypedAttr guard(Type element, double value);
  /// One that results show, as those of norms do not, which are 0 there: with a
  /// warning where it is another one in fp16.
  TypedAttr reachedGuard(Type element, double value);

  /// The most dimensions that a tensor of MIL has.
  static constexpr int64_t maxRank = 5;

  void map(Value source, Value value) { values[source] = value; }
  /// What `source` was mapped to, as it is: a comparison is a bool. Null for
  /// constants.
  Value lookup(Value source) { return values.lookup(source); }
  OpBuilder &getBuilder() { return builder; }

private:
  SmallVector<std::string> nameBorder(func::FuncOp source,
                                      ArrayRef<std::string> given, bool inputs);
  std::string makeName(const Twine &name);
  Value emitConstant(TypedAttr value, Type type, const Twine &name);
  Value constant(ConstantOp op, RankedTensorType type);
  LogicalResult nameOutputs(func::FuncOp source, func::ReturnOp end,
                            ArrayRef<std::string> names);

  OpBuilder &builder;
  bool halfBorder;
  unsigned opset;
  Location loc = builder.getUnknownLoc();
  llvm::StringSet<> names;
  unsigned counter = 0;
  std::optional<double> overflow; // a number that its type cannot hold
  std::optional<double> vanished; // one that is 0 in its type
  std::optional<double> raised;   // a guard that its type cannot hold
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<std::pair<Value, Type>, Value> constants;
};

/// Writes `op` (not a constant, not a return), or says why not.
LogicalResult convertOp(FunctionEmitter &emitter, Operation *op);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOMIL_FUNCTIONEMITTER_H
