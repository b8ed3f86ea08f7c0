//===- ExpandAttention.cpp - Attention as products and softmax ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ExpandAttention.h"

#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class Expansion {
public:
  Expansion(OpBuilder &builder, AttentionOp op)
      : op(op), make(builder, op.getLoc()) {}
  Value build();

private:
  Value ofGroups(Value value);
  Value product(Value lhs, bool transposeLhs, Value rhs, bool transposeRhs,
                ActivationAttr function = {});
  Value capped(Value query, Value key);
  Value turned(Value value);
  Value withTerms(Value scores);
  Value weightsOf(Value scores);

  AttentionOp op;
  AneBuilder make;
};

} // namespace

// [.., groups, heads of a group, ..] of [.., heads, ..], where several heads
// have the same keys.
Value Expansion::ofGroups(Value value) {
  int64_t dim = int64_t(shapeOf(value).size()) - 3;
  if (dim < 0)
    return value;
  int64_t heads = shapeOf(op.getQuery())[dim];
  int64_t groups = shapeOf(op.getKey())[dim], own = shapeOf(value)[dim];
  if (groups == 1 || groups == heads)
    return value;
  SmallVector<int64_t> shape(shapeOf(value));
  shape[dim] = own == heads ? heads / groups : 1;
  shape.insert(shape.begin() + dim, own == 1 ? 1 : groups);
  // One image needs no dimension.
  if (dim > 0 && shapeOf(op.getQuery())[dim - 1] == 1)
    shape.erase(shape.begin() + dim - 1);
  return make.reshape(value, shape);
}

Value Expansion::product(Value lhs, bool transposeLhs, Value rhs,
                         bool transposeRhs, ActivationAttr function) {
  return MatmulOp::create(make.builder, make.loc, lhs, rhs, transposeLhs,
                          transposeRhs, function);
}

// The engine multiplies a function of a product by a number afterwards.
Value Expansion::capped(Value query, Value key) {
  ActivationAttr cap = op.getCapAttr(), function = cap;
  bool isMultiple =
      cap && cap.getKind() == ActivationKind::ScaledTanh && cap.getBeta() == 1;
  if (isMultiple)
    function = ActivationAttr::get(op.getContext(), ActivationKind::Tanh);
  Value scores = op.getTransposeScores()
                     ? product(key, op.getTransposeKey(), query,
                               !op.getTransposeQuery(), function)
                     : product(query, op.getTransposeQuery(), key,
                               !op.getTransposeKey(), function);
  return isMultiple ? make.binary(ElementwiseKind::Mul, scores, cap.getAlpha())
                    : scores;
}

Value Expansion::turned(Value value) {
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(value).size()));
  std::swap(perm.back(), perm[perm.size() - 2]);
  return make.transpose(value, perm);
}

// Keys are the pixels of an image, whose rows or columns have a number each.
Value Expansion::withTerms(Value scores) {
  if (op.getTerms().empty())
    return scores;
  bool isTransposed = op.getTransposeScores();
  if (isTransposed)
    scores = turned(scores);
  SmallVector<int64_t> shape(shapeOf(scores));
  int64_t keys = shape.back(), queries = shape[shape.size() - 2];
  int64_t heads = ShapedType::getNumElements(ArrayRef(shape).drop_back(2));
  for (auto [term, stride] : llvm::zip(op.getTerms(), op.getTermStrides())) {
    int64_t count = shapeOf(term).back(), rows = count, columns = 1;
    if (stride == 1)
      std::swap(rows, columns);
    int64_t all = stride == 1 ? keys / count : count;
    scores = make.reshape(scores, {heads, queries, all, keys / all});
    scores =
        make.add(scores, make.reshape(term, {heads, queries, rows, columns}));
  }
  scores = make.reshape(scores, shape);
  return isTransposed ? turned(scores) : scores;
}

Value Expansion::weightsOf(Value scores) {
  int64_t axis = shapeOf(scores).size() - (op.getTransposeScores() ? 2 : 1);
  int64_t keys = shapeOf(scores)[axis];
  if (Value sink = op.getSink()) {
    sink = ofGroups(sink);
    scores = make.concat(
        {scores, op.getTransposeScores() ? turned(sink) : sink}, axis);
  }
  Value weights = SoftmaxOp::create(make.builder, make.loc, scores,
                                    make.builder.getI64IntegerAttr(axis));
  return make.slice(weights, axis, 0, keys);
}

Value Expansion::build() {
  Value query = op.getQuery();
  if (double scale = op.getScale().convertToDouble(); scale != 1)
    query = make.binary(ElementwiseKind::Mul, query, scale);
  Value scores = capped(ofGroups(query), ofGroups(op.getKey()));
  if (op.getMask())
    scores = make.add(scores, ofGroups(op.getMask()));
  Value weights = weightsOf(withTerms(scores));
  Value value = ofGroups(op.getValue());
  Value result = op.getTransposeResult()
                     ? product(value, !op.getTransposeValue(), weights,
                               !op.getTransposeScores())
                     : product(weights, op.getTransposeScores(), value,
                               op.getTransposeValue());
  return make.reshape(result, shapeOf(op.getResult()));
}

void mlir::ane::expandAttention(Operation *scope) {
  SmallVector<AttentionOp> ops;
  scope->walk([&](AttentionOp op) { ops.push_back(op); });
  for (AttentionOp op : ops) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(Expansion(builder, op).build());
    op.erase();
  }
}
