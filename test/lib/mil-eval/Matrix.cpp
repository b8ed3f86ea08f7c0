//===- Matrix.cpp - Products of matrices, attention, einsum ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

void mileval::multiplyAdd(const double *a, const double *b, double *c,
                          int64_t m, int64_t n, int64_t k) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j) {
      double factor = a[i * k + j];
      const double *from = b + j * n;
      double *to = c + i * n;
      for (int64_t l = 0; l < n; ++l)
        to[l] += factor * from[l];
    }
}

// The last two dimensions of a copy, exchanged.
static Tensor transposed(const Tensor &from) {
  Tensor result = from;
  int64_t rank = from.rank();
  std::swap(result.shape[rank - 1], result.shape[rank - 2]);
  int64_t rows = from.shape[rank - 2], columns = from.shape[rank - 1];
  int64_t area = rows * columns;
  for (int64_t i = 0, e = area ? from.size() / area : 0; i < e; ++i)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        result.data[i * area + c * rows + r] =
            from.data[i * area + r * columns + c];
  return result;
}

// Both of rank 2 at least. A result of rank >= 2.
static FailureOr<Tensor> multiply(Call &call, const Tensor &x,
                                  const Tensor &y) {
  ArrayRef<int64_t> xs(x.shape), ys(y.shape);
  std::optional<Shape> batch = broadcast(xs.drop_back(2), ys.drop_back(2));
  int64_t m = xs[xs.size() - 2], k = xs.back(), n = ys.back();
  if (!batch || ys[ys.size() - 2] != k)
    return call.fail("factors are " + shapeText(xs) + " and " + shapeText(ys) +
                     ", which do not fit");
  Shape shape = *batch;
  shape.append({m, n});
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  Shape xb = broadcastStrides(xs.drop_back(2), *batch);
  Shape yb = broadcastStrides(ys.drop_back(2), *batch);
  forEachIndex(*batch, [&](ArrayRef<int64_t> index, int64_t position) {
    multiplyAdd(x.data.data() + dot(index, xb) * m * k,
                y.data.data() + dot(index, yb) * k * n,
                result->data.data() + position * m * n, m, n, k);
  });
  return result;
}

static LogicalResult evalMatmul(Call &call) {
  Tensor x = call["x"], y = call["y"];
  bool isRow = x.rank() == 1, isColumn = y.rank() == 1;
  bool flipX = call.flag("transpose_x", false);
  bool flipY = call.flag("transpose_y", false);
  if (call.failed())
    return failure();
  if (x.rank() == 0 || y.rank() == 0)
    return call.fail("a factor is a scalar");
  if (isRow)
    x.shape.insert(x.shape.begin(), 1);
  else if (flipX)
    x = transposed(x);
  if (isColumn)
    y.shape.push_back(1);
  else if (flipY)
    y = transposed(y);
  FailureOr<Tensor> result = multiply(call, x, y);
  if (failed(result))
    return failure();
  if (isColumn)
    result->shape.pop_back();
  if (isRow)
    result->shape.erase(result->shape.end() - (isColumn ? 1 : 2));
  return call.yield(std::move(*result));
}

static LogicalResult evalLinear(Call &call) {
  Tensor x = call["x"];
  const Tensor &weight = call["weight"];
  const Tensor *bias = call.find("bias");
  if (weight.rank() != 2 || x.rank() < 1)
    return call.fail("weight is " + shapeText(weight.shape) +
                     ", expected rank 2");
  int64_t outputs = weight.shape[0];
  if (bias && bias->size() != outputs)
    return call.fail("bias has " + Twine(bias->size()) + " elements, but " +
                     Twine(outputs) + " values leave");
  Shape shape = x.shape;
  shape.back() = outputs;
  int64_t depth = x.shape.back();
  x.shape = {depth ? x.size() / depth : 0, depth};
  FailureOr<Tensor> result = multiply(call, x, transposed(weight));
  if (failed(result))
    return failure();
  if (bias)
    for (int64_t i = 0, e = result->size(); i < e; ++i)
      result->data[i] += bias->data[i % outputs];
  result->shape = shape;
  return call.yield(std::move(*result));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static void softmaxRow(double *row, int64_t n) {
  double top = *std::max_element(row, row + n), sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += row[i] = std::exp(row[i] - top);
  for (int64_t i = 0; i < n; ++i)
    row[i] /= sum;
}

static LogicalResult evalAttention(Call &call) {
  const Tensor &query = call["query"], &key = call["key"];
  const Tensor &value = call["value"];
  const Tensor *mask = call.find("attn_mask");
  for (const Tensor *t : {&query, &key, &value})
    if (t->rank() < 2)
      return call.fail("an argument has rank " + Twine(t->rank()) +
                       ", expected at least 3");
  FailureOr<Tensor> scores = multiply(call, query, transposed(key));
  if (failed(scores))
    return failure();
  double scale = 1 / std::sqrt(double(query.shape.back()));
  for (double &score : scores->data)
    score *= scale;
  if (mask) {
    std::optional<Shape> shape = broadcast(scores->shape, mask->shape);
    if (!shape || *shape != scores->shape)
      return call.fail("attn_mask is " + shapeText(mask->shape) +
                       ", but the scores " + shapeText(scores->shape));
    Shape strides = broadcastStrides(mask->shape, scores->shape);
    bool isBool = mask->element.isSignlessInteger(1);
    forEachIndex(scores->shape, [&](ArrayRef<int64_t> index, int64_t position) {
      double m = mask->data[dot(index, strides)];
      scores->data[position] += !isBool ? m : m != 0 ? 0.0 : -INFINITY;
    });
  }
  int64_t columns = scores->shape.back();
  if (columns == 0)
    return call.fail("there are no keys");
  for (int64_t i = 0; i < scores->size(); i += columns)
    softmaxRow(scores->data.data() + i, columns);
  FailureOr<Tensor> result = multiply(call, *scores, value);
  return failed(result) ? failure() : call.yield(std::move(*result));
}

//===----------------------------------------------------------------------===//
// einsum
//===----------------------------------------------------------------------===//

namespace {
// A letter of the equation: its extent, and the strides of all three tensors.
struct Label {
  int64_t extent = 0, strides[3] = {0, 0, 0};
};
} // namespace

static LogicalResult readLabels(Call &call, StringRef letters, int which,
                                ArrayRef<int64_t> shape,
                                std::map<char, Label> &labels) {
  if (letters.size() != shape.size())
    return call.fail("equation has '" + letters + "' for a tensor of rank " +
                     Twine(shape.size()));
  Shape strides = stridesOf(shape);
  for (size_t i = 0; i < letters.size(); ++i) {
    Label &label = labels[letters[i]];
    if (label.extent && label.extent != shape[i])
      return call.fail("equation gives '" + Twine(letters[i]) +
                       "' the extents " + Twine(label.extent) + " and " +
                       Twine(shape[i]));
    label.extent = shape[i];
    label.strides[which] += strides[i];
  }
  return success();
}

static LogicalResult evalEinsum(Call &call) {
  ArrayRef<TensorRef> values = call.tuple("values");
  std::string equation = call.text("equation", "").str();
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  auto [first, second] = left.split(',');
  if (values.size() != 2 || second.empty() || second.contains(',') ||
      !StringRef(equation).contains("->"))
    return call.fail("equation is '" + equation +
                     "', expected two tensors and their product");
  std::map<char, Label> labels;
  if (failed(readLabels(call, first, 0, values[0]->shape, labels)) ||
      failed(readLabels(call, second, 1, values[1]->shape, labels)))
    return failure();
  Shape shape;
  for (char letter : right) {
    if (!labels.count(letter))
      return call.fail("equation has '" + Twine(letter) +
                       "' in the result only");
    shape.push_back(labels[letter].extent);
  }
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result) || failed(readLabels(call, right, 2, shape, labels)))
    return failure();
  Shape extents;
  Shape strides[3];
  for (auto &[letter, label] : labels) {
    extents.push_back(label.extent);
    for (int i = 0; i < 3; ++i)
      strides[i].push_back(label.strides[i]);
  }
  const double *a = values[0]->data.data(), *b = values[1]->data.data();
  forEachIndex(extents, [&](ArrayRef<int64_t> index, int64_t) {
    result->data[dot(index, strides[2])] +=
        a[dot(index, strides[0])] * b[dot(index, strides[1])];
  });
  return call.yield(std::move(*result));
}

void mileval::addMatrixOps(OpTable &table) {
  table.add("matmul", "x y", evalMatmul);
  table.add("linear", "x weight", evalLinear);
  table.add("scaled_dot_product_attention", "query key value", evalAttention);
  table.add("einsum", "", evalEinsum);
}
