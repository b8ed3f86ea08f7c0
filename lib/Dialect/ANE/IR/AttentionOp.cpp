//===- AttentionOp.cpp - Attention ----------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane.attention: rules, type of the result, and what a part of it reads. The
// engine has no such pass; ane-decompose-attention takes it apart.
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Rows and columns of the matrices in `type`.
static std::pair<int64_t, int64_t> matrixOf(RankedTensorType type,
                                            bool isTransposed) {
  ArrayRef<int64_t> last = type.getShape().take_back(2);
  return isTransposed ? std::pair(last[1], last[0])
                      : std::pair(last[0], last[1]);
}

/// A dimension of `type` that is not `expected`; 1 where `mayBeOne`.
static LogicalResult checkDims(EmitError emit, StringRef name,
                               RankedTensorType type,
                               ArrayRef<int64_t> expected, bool mayBeOne) {
  for (auto [dim, size] : llvm::enumerate(expected))
    if (int64_t own = type.getDimSize(dim);
        own != size && !(mayBeOne && own == 1))
      return fail(emit, "dimension ", dim, " of ", name, " is ", own,
                  ", but must be ", size, mayBeOne ? " or 1" : "");
  return success();
}

/// Leading dimensions of keys and values; returns how many have the heads.
static LogicalResult checkGroups(EmitError emit, RankedTensorType query,
                                 RankedTensorType key, RankedTensorType value) {
  ArrayRef<int64_t> leading = query.getShape().drop_back(2);
  if (leading.empty())
    return success();
  ArrayRef<int64_t> images = leading.drop_back();
  if (failed(checkDims(emit, "key", key, images, /*mayBeOne=*/false)))
    return failure();
  int64_t dim = images.size(), groups = key.getDimSize(dim);
  if (groups == 0 || leading.back() % groups != 0)
    return fail(emit, "has keys for ", groups, " groups of its ",
                leading.back(), " heads, but groups must be of one size");
  return checkDims(emit, "value", value, key.getShape().drop_back(2),
                   /*mayBeOne=*/false);
}

/// Terms have a number for each column, or each row, of keys.
static LogicalResult checkTerms(EmitError emit, AttentionOp::Adaptor op,
                                ArrayRef<int64_t> ofQueries, int64_t keys) {
  if (failed(checkArray(emit, "term_strides", op.getTermStrides(),
                        op.getTerms().size(), 1)))
    return failure();
  for (auto [term, stride] : llvm::zip(op.getTerms(), op.getTermStrides())) {
    RankedTensorType type = typeOf(term);
    if (failed(checkDims(emit, "term", type, ofQueries, /*mayBeOne=*/false)))
      return failure();
    int64_t count = type.getShape().back();
    if (count == 0 || keys % count != 0 ||
        (stride != 1 && stride != keys / count))
      return fail(emit, "has a term with ", count, " numbers and stride ",
                  stride, " for ", keys,
                  " keys, but the numbers must divide the keys, and the stride "
                  "must be 1 or the quotient");
  }
  return success();
}

static InferredType inferAttention(AttentionOp::Adaptor op, EmitError emit) {
  SmallVector<RankedTensorType> types;
  for (Value operand : op.getOperands())
    types.push_back(typeOf(operand));
  // attention_c1: element types agree, but for f32 constants.
  FailureOr<Type> element = getDataType(emit, types);
  if (failed(element))
    return failure();
  // attention_c2: ranks are equal and at least 2.
  RankedTensorType query = types[0], key = types[1], value = types[2];
  int64_t rank = query.getRank();
  for (RankedTensorType type : types)
    if (rank < 2 || type.getRank() != rank)
      return fail(emit, "has a query of rank ", rank,
                  " and an operand of rank ", type.getRank(),
                  ", but all must have one rank, at least 2");
  // attention_c3: each group of heads has its keys and values.
  if (failed(checkGroups(emit, query, key, value)))
    return failure();
  // attention_c4: queries and keys are as long, and there is a value for each
  // key.
  auto [queries, depth] = matrixOf(query, op.getTransposeQuery());
  auto [keys, depthOfKeys] = matrixOf(key, op.getTransposeKey());
  auto [values, width] = matrixOf(value, op.getTransposeValue());
  if (depth != depthOfKeys)
    return fail(emit, "has queries of ", depth, " numbers, but keys of ",
                depthOfKeys);
  if (keys != values)
    return fail(emit, "has ", keys, " keys, but ", values, " values");
  // attention_c5: the mask is of the scores.
  SmallVector<int64_t> shape(query.getShape().drop_back(2));
  SmallVector<int64_t> scores(shape), ofQueries(shape);
  scores.append({queries, keys});
  if (op.getTransposeScores())
    std::swap(scores[rank - 2], scores[rank - 1]);
  if (op.getMask() && failed(checkDims(emit, "mask", typeOf(op.getMask()),
                                       scores, /*mayBeOne=*/true)))
    return failure();
  // attention_c6: the sink is of the queries.
  ofQueries.push_back(queries);
  if (op.getSink()) {
    SmallVector<int64_t> ofSink(ofQueries);
    ofSink.push_back(1);
    if (failed(checkDims(emit, "sink", typeOf(op.getSink()), ofSink,
                         /*mayBeOne=*/false)))
      return failure();
  }
  // attention_c7: terms are of the queries, and of rows or columns of keys.
  if (failed(checkTerms(emit, op, ofQueries, keys)))
    return failure();
  // attention_c8: the scale is a number.
  if (float scale = op.getScale().convertToFloat(); !std::isfinite(scale))
    return fail(emit, "scale is ", scale, ", but must be finite");
  // attention_c9: the result has the inferred type.
  shape.append({queries, width});
  if (op.getTransposeResult())
    std::swap(shape[rank - 2], shape[rank - 1]);
  return RankedTensorType::get(shape, *element);
}
ANE_DEFINE_INFERENCE(AttentionOp, inferAttention)

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

DimMap AttentionOp::getMapOfOperand(unsigned operand, int64_t dim) {
  ArrayRef<int64_t> shape = shapeOf(getOperand(operand));
  int64_t last = shape.size() - 1;
  auto along = [&](int64_t own) {
    return shape[own] == 1 ? DimMap::broadcast() : DimMap::parallel(own);
  };
  if (dim < last - 1) {
    int64_t heads = shapeOf(getResult())[dim];
    return shape[dim] == heads || shape[dim] == 1
               ? along(dim)
               : DimMap::blocks(dim, heads / shape[dim], 1);
  }
  bool isOfQueries = (dim == last) == getTransposeResult();
  if (operand == 2)
    return isOfQueries ? DimMap::broadcast()
                       : along(getTransposeValue() ? last - 1 : last);
  if (!isOfQueries || operand == 1)
    return DimMap::broadcast();
  bool isMask = getMask() && operand == 3;
  bool isTransposed =
      operand == 0 ? getTransposeQuery() : isMask && getTransposeScores();
  return along(isTransposed ? last : last - 1);
}
