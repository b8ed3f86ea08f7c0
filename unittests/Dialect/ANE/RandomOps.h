//===- RandomOps.h - Ops with random shapes and attributes ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with one op on its arguments, for tests that compare what is said
// of the op, or made of it, with the definition of its result.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_DIALECT_ANE_RANDOMOPS_H
#define ANE_UNITTESTS_DIALECT_ANE_RANDOMOPS_H

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <random>

namespace mlir::ane {

class RandomOpTest : public ::testing::Test {
protected:
  using Shape = SmallVector<int64_t>;

  RandomOpTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<ANEDialect, func::FuncDialect>();
  }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool flip() { return pick(0, 1); }
  Shape pickShape(size_t rank, int64_t most = 4, int64_t least = 1) {
    Shape shape(rank);
    for (int64_t &size : shape)
      size = pick(least, most);
    return shape;
  }
  Shape pickPerm(size_t rank) {
    Shape perm = llvm::to_vector<6>(llvm::seq<int64_t>(0, rank));
    std::shuffle(perm.begin(), perm.end(), random);
    return perm;
  }
  Shape pickAxes(size_t rank) {
    Shape axes = llvm::to_vector<6>(llvm::seq<int64_t>(0, rank));
    while (axes.size() > 1 && flip())
      axes.erase(axes.begin() + pick(0, axes.size() - 1));
    return axes;
  }
  /// Sizes of 1 in place of some.
  Shape pickBroadcast(Shape shape) {
    for (int64_t &size : shape)
      size = pick(0, 2) ? size : 1;
    return shape;
  }

  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF16Type());
  }
  Value argument(ArrayRef<int64_t> shape) {
    return function.front().addArgument(tensor(shape), loc);
  }
  APFloat number(float value) { return APFloat(value); }

  /// Begins a function, which finish() ends after its op.
  void start() {
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    function = func::FuncOp::create(builder, loc, "net",
                                    builder.getFunctionType({}, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
  }
  void finish(Value result) {
    func::ReturnOp::create(builder, loc, result);
    function.setFunctionType(builder.getFunctionType(
        function.front().getArgumentTypes(), result.getType()));
    op = result.getDefiningOp();
    ASSERT_TRUE(succeeded(verify(*module)));
  }

  Array evaluateOn(ArrayRef<Array> arguments) {
    return evaluate(function, arguments)->front();
  }
  std::vector<Array> pickArguments(bool isZeroFirst) {
    std::vector<Array> arguments;
    for (Value value : function.getArguments()) {
      Array &array = arguments.emplace_back(shapeOf(value));
      for (float &element : array.data)
        element = isZeroFirst && arguments.size() == 1
                      ? 0
                      : float(pick(1, 400)) / 100 * (flip() ? 1 : -1);
    }
    return arguments;
  }

  Value makeElementwise() {
    Shape shape = pickShape(pick(1, 4), 3);
    Value lhs = argument(pickBroadcast(shape)),
          rhs = argument(pickBroadcast(shape));
    auto kind = flip() ? ElementwiseKind::Add : ElementwiseKind::Mul;
    return ElementwiseOp::create(builder, loc,
                                 ElementwiseKindAttr::get(&context, kind), lhs,
                                 rhs, builder.getF32FloatAttr(1),
                                 builder.getF32FloatAttr(0), ActivationAttr());
  }

  Value makeCompare() {
    Shape shape = pickShape(pick(1, 3), 3);
    Value lhs = argument(pickBroadcast(shape)),
          rhs = argument(pickBroadcast(shape));
    return CompareOp::create(
        builder, loc, CompareKindAttr::get(&context, CompareKind::Greater), lhs,
        rhs);
  }

  Value makeSelect() {
    Shape shape = pickShape(pick(1, 3), 3);
    Value condition = argument(pickBroadcast(shape)),
          yes = argument(pickBroadcast(shape)),
          no = argument(pickBroadcast(shape));
    return SelectOp::create(builder, loc, condition, yes, no);
  }

  Value makeSoftmax() {
    Value input = argument(pickShape(pick(1, 3), 3, 2));
    return SoftmaxOp::create(
        builder, loc, input,
        builder.getI64IntegerAttr(pick(0, shapeOf(input).size() - 1)));
  }

  /// Two or four keys, of which none is the only one that counts.
  Value makeAttention() {
    int64_t groups = pick(1, 2), rank = pick(2, 4), queries = pick(1, 3);
    int64_t keys = 2 * pick(1, 2), depth = pick(1, 2), width = pick(1, 3);
    Shape leading = pickShape(rank - 2, 2);
    Shape ofKeys = leading;
    if (rank > 2) {
      ofKeys.back() = groups;
      leading.back() = groups * pick(1, 2);
    }
    auto flag = [&] { return flip() ? builder.getUnitAttr() : UnitAttr(); };
    UnitAttr query = flag(), key = flag(), value = flag(), scores = flag();
    auto matrices = [&](Shape shape, int64_t rows, int64_t columns,
                        bool isTransposed) {
      shape.append(
          {isTransposed ? columns : rows, isTransposed ? rows : columns});
      return shape;
    };
    Value q = argument(matrices(leading, queries, depth, bool(query)));
    Value k = argument(matrices(ofKeys, keys, depth, bool(key)));
    Value v = argument(matrices(ofKeys, keys, width, bool(value)));
    Value mask, sink;
    SmallVector<Value> terms;
    Shape strides;
    if (flip())
      mask = argument(
          pickBroadcast(matrices(leading, queries, keys, bool(scores))));
    if (flip())
      sink = argument(matrices(leading, queries, 1, /*isTransposed=*/false));
    while (flip()) {
      terms.push_back(argument(matrices(leading, queries, keys / 2, false)));
      strides.push_back(pick(1, 2));
    }
    return AttentionOp::create(
        builder, loc, q, k, v, mask, sink, terms,
        builder.getDenseI64ArrayAttr(strides), builder.getF32FloatAttr(0.0625),
        flip() ? ActivationAttr::get(&context, ActivationKind::ScaledTanh, 2, 1)
               : ActivationAttr(),
        query, key, value, scores, flag());
  }

  Value makeNorm() {
    Value input = argument(pickShape(pick(1, 3), 3, 2));
    Shape axes = pickAxes(shapeOf(input).size()), sizes;
    for (int64_t axis : axes)
      sizes.push_back(shapeOf(input)[axis]);
    Value gamma = argument(sizes);
    if (flip())
      return Value(RmsNormOp::create(builder, loc, input, gamma,
                                     builder.getDenseI64ArrayAttr(axes),
                                     builder.getF32FloatAttr(1)));
    Value beta = flip() ? argument(sizes) : Value();
    return Value(LayerNormOp::create(builder, loc, input, gamma, beta,
                                     builder.getDenseI64ArrayAttr(axes),
                                     builder.getF32FloatAttr(1)));
  }

  Value makeReduce() {
    Value input = argument(pickShape(pick(1, 4), 3));
    auto kind = flip() ? ReduceKind::Sum : ReduceKind::Max;
    return ReduceOp::create(builder, loc, kind, input,
                            pickAxes(shapeOf(input).size()));
  }

  Value makeConcat() {
    Shape shape = pickShape(pick(1, 4), 3);
    int64_t axis = pick(0, shape.size() - 1);
    SmallVector<Value> inputs;
    for (int64_t count = pick(1, 3); count > 0; --count) {
      shape[axis] = pick(1, 3);
      inputs.push_back(argument(shape));
    }
    return ConcatOp::create(builder, loc, inputs,
                            builder.getI64IntegerAttr(axis));
  }

  Value makeSlice() {
    Shape shape = pickShape(pick(1, 4)), offsets, sizes, strides;
    for (int64_t size : shape) {
      offsets.push_back(pick(0, size - 1));
      strides.push_back(pick(1, 2));
      sizes.push_back(
          pick(1, (size - 1 - offsets.back()) / strides.back() + 1));
    }
    Value input = argument(shape);
    return SliceOp::create(builder, loc, input,
                           builder.getDenseI64ArrayAttr(offsets),
                           builder.getDenseI64ArrayAttr(sizes),
                           builder.getDenseI64ArrayAttr(strides));
  }

  Value makePad() {
    Value input = argument(pickShape(pick(1, 4), 3));
    Shape low, high;
    for (size_t dim = 0; dim < shapeOf(input).size(); ++dim) {
      low.push_back(flip() ? pick(0, 2) : 0);
      high.push_back(flip() ? pick(0, 2) : 0);
    }
    return PadOp::create(builder, loc, input, builder.getDenseI64ArrayAttr(low),
                         builder.getDenseI64ArrayAttr(high),
                         builder.getF32FloatAttr(7));
  }

  Value makeTile() {
    Value input = argument(pickShape(pick(1, 4), 3));
    Shape repeats;
    for (size_t dim = 0; dim < shapeOf(input).size(); ++dim)
      repeats.push_back(flip() ? pick(1, 3) : 1);
    return TileOp::create(builder, loc, input,
                          builder.getDenseI64ArrayAttr(repeats));
  }

  static constexpr unsigned seed = 41;
  std::mt19937 random{seed};
  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Operation *op = nullptr;
};

} // namespace mlir::ane

#endif // ANE_UNITTESTS_DIALECT_ANE_RANDOMOPS_H
