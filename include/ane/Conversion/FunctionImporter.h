//===- FunctionImporter.h - One function into the ane dialect ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every front end (TOSA, linalg) shares: which function is imported, where
// f32 becomes f16, how an op that nobody knows is reported. A front end gives
// the importer one handler for each op; the importer walks the function once,
// in order. It is not a dialect conversion: whether a value is f16 or f32
// depends on whether it is computed from constants, which the walk knows and a
// type does not, and an op that cannot be imported has exactly one error.
//
// Element types. A value that depends on an argument is data and f16. A value
// computed from constants alone keeps the type of the source, so in an f32
// network "is f32" and "is known at compile time" mean the same. An integer
// that depends on an argument is an index that a search found, and a whole
// number in f16; ops that compute with integers refuse it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_FUNCTIONIMPORTER_H
#define ANE_CONVERSION_FUNCTIONIMPORTER_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace mlir {
namespace ane {

/// The numbers in `dense`: one where they are all the same, however many these
/// are. A file of few bytes may say that there are billions.
inline auto distinctNumbers(DenseElementsAttr dense) {
  auto values = dense.getValues<APInt>();
  bool isOne = dense.isSplat() && !dense.empty();
  return llvm::make_range(values.begin(),
                          isOne ? std::next(values.begin()) : values.end());
}

/// The function of `module` called `name`, or the only one that has a body when
/// `name` is empty. Emits an error when there is none or there are several.
FailureOr<func::FuncOp> findFunction(ModuleOp module, StringRef name);

/// Branches whose conditions are constants become one of their sides, and loops
/// whose conditions follow from constants their iterations; others stay. Those
/// that never end have this attribute then.
constexpr StringLiteral endlessAttr = "ane.endless";
void flattenBranches(func::FuncOp function);
/// Loops over strips, with bounds that are constants, become the strips; other
/// loops stay.
void unrollLoops(func::FuncOp function);
/// Ops of ours of which only slices are used compute no more than these.
void shrinkStrips(func::FuncOp function);
/// Erases all functions of `module` but one, which becomes public.
void keepOnly(ModuleOp module, func::FuncOp function);

/// Fails with an error at every op and argument of `function` that is below
/// tensors: a buffer, a loop over one, a vector.
LogicalResult checkTensorLevel(func::FuncOp function);

class FunctionImporter {
public:
  /// Imports one op: maps its results, or emits an error and fails.
  using Handler = std::function<LogicalResult(FunctionImporter &, Operation *)>;

  explicit FunctionImporter(MLIRContext *context) : builder(context) {}

  /// `fn` takes (FunctionImporter &, OpTy).
  template <typename OpTy, typename Fn> void add(Fn fn) {
    handlers[OperationName(OpTy::getOperationName(), builder.getContext())] =
        [fn = std::move(fn)](FunctionImporter &importer, Operation *op) {
          return fn(importer, cast<OpTy>(op));
        };
  }

  /// The same for an op of one result, which `fn` (FunctionImporter &,
  /// Location, SmallVector<Value> &operands) makes of the imported operands.
  template <typename OpTy, typename Fn> void addFunction(Fn fn) {
    add<OpTy>([fn = std::move(fn)](FunctionImporter &importer,
                                   OpTy op) -> LogicalResult {
      SmallVector<Value> operands;
      if (failed(importer.operands(op, operands)))
        return failure();
      importer.map(op->getResult(0), fn(importer, op.getLoc(), operands));
      return success();
    });
  }

  /// The same for every op that has the interface `OpTy` and no handler of its
  /// own.
  template <typename OpTy, typename Fn> void addInterface(Fn fn) {
    interfaceHandlers.push_back(
        {[](Operation *op) { return llvm::isa<OpTy>(op); },
         [fn = std::move(fn)](FunctionImporter &importer, Operation *op) {
           return fn(importer, llvm::cast<OpTy>(op));
         }});
  }

  /// Imports the function called `name`, or the only one that has a body when
  /// `name` is empty, and removes the others.
  LogicalResult importModule(ModuleOp module, StringRef name);

  struct Probe {
    std::string reason; ///< why the op cannot be imported; empty: it can
    /// Whether its results are tensors of ours, and can leave a program:
    /// accumulators of integers are not.
    bool hasValues = true;
  };
  /// Tries every op of `function`, which has one block, in order. What an op
  /// that cannot be imported makes counts as data that comes from outside.
  /// `function` is of no use afterwards.
  SmallVector<Probe> probe(func::FuncOp function);

  /// Whether `op` is a constant or a shape, which any part of a network can
  /// have for itself.
  static bool isParameter(Operation *op);

  //===--------------------------------------------------------------------===//
  // For handlers
  //===--------------------------------------------------------------------===//

  OpBuilder builder;

  /// The imported value of operand `index` of `op`, or an error at `op`.
  FailureOr<Value> operand(Operation *op, unsigned index);
  /// Fails with an error at `op` if a result is not f32 or f16. Integer
  /// constants are imported as floats, which is right as long as nothing
  /// computes with them as integers.
  static LogicalResult checkFloat(Operation *op);
  /// Fails with an error at `op` if an operand is a constant of integers that
  /// f16 does not hold exactly, as data has to.
  static LogicalResult checkWhole(Operation *op);
  /// The imported values of all operands of `op`.
  LogicalResult operands(Operation *op, SmallVectorImpl<Value> &values);
  /// The imported value of `source`, or null if it has none.
  Value lookup(Value source);
  void map(Value source, Value imported) { values[source] = imported; }

  /// An accumulator of integers, `factor` times what f16 holds for it. Only ops
  /// that know about it see it; everybody else finds no value.
  struct Scaled {
    Value data;
    double factor;
  };
  std::optional<Scaled> lookupScaled(Value source) const {
    auto it = scaled.find(source);
    return it == scaled.end() ? std::nullopt : std::optional(it->second);
  }
  void mapScaled(Value source, Value data, double factor) {
    scaled[source] = {data, factor};
  }
  /// Imports an op on scalars that stand for tensors of rank `rank`.
  LogicalResult importScalar(Operation *op, int64_t rank);
  /// The constant that `source` is, if it is one.
  static ElementsAttr constant(Value source);
  /// Its one value, or the value that all of its elements have.
  static std::optional<double> splat(Value source);
  /// The number that an element of `type` is: with a sign, but of unsigned types
  /// and bools.
  static int64_t integer(const APInt &value, Type type);

  /// f16 as soon as one of `values` is, else their type.
  static Type elementType(ArrayRef<Value> values);
  /// `value` with `type` as element type.
  Value castTo(Location loc, Value value, Type type);
  /// Brings `values` to one element type.
  void unify(Location loc, MutableArrayRef<Value> values);
  Value transpose(Location loc, Value value, ArrayRef<int64_t> perm);
  Value reshape(Location loc, Value value, ArrayRef<int64_t> shape);
  Value toNCHW(Location loc, Value value);
  Value toNHWC(Location loc, Value value);
  /// What a window moves over: NCHW, and f16 where a constant is still f32,
  /// which only coefficients and elementwise operands may be.
  Value toImage(Location loc, Value value, bool isNHWC = true);

private:
  LogicalResult checkTypes(func::FuncOp function);
  LogicalResult checkIntegers(Operation *op);
  LogicalResult importOp(Operation *op);
  void importArguments(func::FuncOp function);
  void finishArguments(func::FuncOp function);
  LogicalResult importFunction(func::FuncOp function);
  LogicalResult importReturn(func::ReturnOp op);
  LogicalResult report(Operation *op);

  llvm::DenseMap<OperationName, Handler> handlers;
  SmallVector<std::pair<std::function<bool(Operation *)>, Handler>>
      interfaceHandlers;
  /// Rank of the tensors that scalars stand for.
  int64_t scalarRank = 0;
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<Value, Scaled> scaled;
  SmallVector<UnrealizedConversionCastOp> stands;
};

/// Teaches `importer` the elementwise ops of arith and math, on tensors and on
/// the scalars of a body.
void addArithImport(FunctionImporter &importer);

/// Ops on imported values of equal rank, which may be repeated. Booleans are 1
/// and 0, so "and" is a minimum and "or" a maximum.
Value createUnary(FunctionImporter &importer, Location loc, ActivationKind kind,
                  Value input, double alpha = 0, double beta = 0);
Value createBinary(FunctionImporter &importer, Location loc,
                   ElementwiseKind kind, Value lhs, Value rhs);
/// Of data with itself the answer is that there is no NaN, with a warning.
Value createCompare(FunctionImporter &importer, Location loc, CompareKind kind,
                    Value lhs, Value rhs);
/// The angle of the point (x, y), between -pi and pi.
Value createAtan2(FunctionImporter &importer, Location loc, Value y, Value x);
Value createSelect(FunctionImporter &importer, Location loc, Value condition,
                   Value trueValue, Value falseValue);
Value createNot(FunctionImporter &importer, Location loc, Value input);
/// One number as a tensor of ones of the rank of `like`.
Value createNumber(FunctionImporter &importer, Location loc, Value like,
                   double number);

/// The product of all elements along `axis`, which becomes 1: the engine has no
/// such reduction, so a short one is a chain of multiplications. An error at
/// `op` if it is not short.
FailureOr<Value> multiplyAlong(FunctionImporter &importer, Operation *op,
                               Value value, int64_t axis);

/// How a value of `type` enters and leaves a program, or null: floats and
/// unsigned bytes as they are, bf16 as f32, signed bytes as f16, booleans as
/// bytes that are 1 or 0. Inside, all of them are f16.
Type borderType(Type type);
/// The same of a result, which may be of integers: the host makes them of whole
/// numbers in f16.
Type resultBorderType(Type type);

/// The sizes of an elementwise op on `lhs` and `rhs`, which may broadcast.
SmallVector<int64_t> broadcastShape(Value lhs, Value rhs);

/// `type` with other sizes.
RankedTensorType withShape(Type type, ArrayRef<int64_t> shape);
/// `type` with another element type.
RankedTensorType withElementType(Type type, Type elementType);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_FUNCTIONIMPORTER_H
