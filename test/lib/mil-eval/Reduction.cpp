//===- Reduction.cpp - Reductions, normalisations, softmax ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of them first sort the elements into groups that are looked at together.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

namespace {
/// The elements of a tensor by group: those that differ in `axes` only. Members
/// of a group keep their order.
class Groups {
public:
  Groups(const Tensor &x, ArrayRef<int64_t> axes) {
    Shape outer, inner, strides = stridesOf(x.shape);
    for (int64_t d = 0; d < x.rank(); ++d) {
      bool isInner = llvm::is_contained(axes, d);
      (isInner ? inner : outer).push_back(x.shape[d]);
      (isInner ? innerStrides : outerStrides).push_back(strides[d]);
    }
    forEachIndex(inner, [&](ArrayRef<int64_t> index, int64_t) {
      offsets.push_back(dot(index, innerStrides));
    });
    forEachIndex(outer, [&](ArrayRef<int64_t> index, int64_t) {
      starts.push_back(dot(index, outerStrides));
    });
  }

  std::vector<int64_t> starts;  // of each group
  std::vector<int64_t> offsets; // of its members

private:
  Shape outerStrides, innerStrides;
};
} // namespace

static Shape reducedShape(const Tensor &x, ArrayRef<int64_t> axes, bool keep) {
  Shape shape;
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (!llvm::is_contained(axes, d))
      shape.push_back(x.shape[d]);
    else if (keep)
      shape.push_back(1);
  }
  return shape;
}

using Reducer = double (*)(ArrayRef<double>);

static LogicalResult evalReduce(Call &call, Reducer reducer) {
  const Tensor &x = call["x"];
  Shape axes = call.axes("axes", x.rank());
  bool keep = call.flag("keep_dims", false);
  if (call.failed())
    return failure();
  FailureOr<Tensor> result = call.make(reducedShape(x, axes, keep));
  if (failed(result))
    return failure();
  Groups groups(x, axes);
  std::vector<double> members(groups.offsets.size());
  for (auto [i, start] : llvm::enumerate(groups.starts)) {
    for (auto [k, offset] : llvm::enumerate(groups.offsets))
      members[k] = x.data[start + offset];
    result->data[i] = reducer(members);
  }
  return call.yield(std::move(*result));
}

static double sum(ArrayRef<double> v) {
  double total = 0;
  for (double x : v)
    total += x;
  return total;
}

static double sumSquares(ArrayRef<double> v) {
  double total = 0;
  for (double x : v)
    total += x * x;
  return total;
}

static double logSumExp(ArrayRef<double> v) {
  if (v.empty())
    return -INFINITY;
  double top = *llvm::max_element(v), total = 0;
  if (std::isinf(top))
    return top;
  for (double x : v)
    total += std::exp(x - top);
  return top + std::log(total);
}

static void addReductions(OpTable &table) {
  auto add = [&](StringRef name, Reducer reducer) {
    table.add(name, "x", [=](Call &call) { return evalReduce(call, reducer); });
  };
  add("reduce_sum", sum);
  add("reduce_mean", [](ArrayRef<double> v) { return sum(v) / v.size(); });
  add("reduce_max", [](ArrayRef<double> v) {
    return v.empty() ? -INFINITY : *llvm::max_element(v);
  });
  add("reduce_min", [](ArrayRef<double> v) {
    return v.empty() ? INFINITY : *llvm::min_element(v);
  });
  add("reduce_prod", [](ArrayRef<double> v) {
    double product = 1;
    for (double x : v)
      product *= x;
    return product;
  });
  add("reduce_l1_norm", [](ArrayRef<double> v) {
    double total = 0;
    for (double x : v)
      total += std::fabs(x);
    return total;
  });
  add("reduce_l2_norm",
      [](ArrayRef<double> v) { return std::sqrt(sumSquares(v)); });
  add("reduce_sum_square", sumSquares);
  add("reduce_log_sum", [](ArrayRef<double> v) { return std::log(sum(v)); });
  add("reduce_log_sum_exp", logSumExp);
}

// The first of equals wins.
static LogicalResult evalArg(Call &call, bool isMax) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", -1, x.rank());
  bool keep = call.flag("keep_dims", false);
  if (call.failed())
    return failure();
  FailureOr<Tensor> result = call.make(reducedShape(x, axis, keep));
  if (failed(result))
    return failure();
  Groups groups(x, axis);
  for (auto [i, start] : llvm::enumerate(groups.starts)) {
    size_t best = 0;
    for (size_t k = 1; k < groups.offsets.size(); ++k) {
      double value = x.data[start + groups.offsets[k]];
      double known = x.data[start + groups.offsets[best]];
      if (isMax ? value > known : value < known)
        best = k;
    }
    result->data[i] = best;
  }
  return call.yield(std::move(*result));
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

static LogicalResult evalSoftmax(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", -1, x.rank());
  FailureOr<Tensor> result = call.make(x.shape);
  if (failed(result) || call.failed())
    return failure();
  Groups groups(x, axis);
  for (int64_t start : groups.starts) {
    double top = -INFINITY, total = 0;
    for (int64_t offset : groups.offsets)
      top = std::max(top, x.data[start + offset]);
    for (int64_t offset : groups.offsets)
      total += result->data[start + offset] =
          std::exp(x.data[start + offset] - top);
    for (int64_t offset : groups.offsets)
      result->data[start + offset] /= total;
  }
  return call.yield(std::move(*result));
}

// (x - mean) / sqrt(variance + epsilon) within each group.
static Tensor standardize(const Tensor &x, ArrayRef<int64_t> axes,
                          double epsilon) {
  Tensor result = x;
  Groups groups(x, axes);
  double count = groups.offsets.size();
  for (int64_t start : groups.starts) {
    double mean = 0, variance = 0;
    for (int64_t offset : groups.offsets)
      mean += x.data[start + offset] / count;
    for (int64_t offset : groups.offsets) {
      double d = x.data[start + offset] - mean;
      variance += d * d / count;
    }
    double factor = 1 / std::sqrt(variance + epsilon);
    for (int64_t offset : groups.offsets)
      result.data[start + offset] = (x.data[start + offset] - mean) * factor;
  }
  return result;
}

// x * gamma + beta, where those have the extents of `axes`.
static LogicalResult scaleAndShift(Call &call, Tensor &x,
                                   ArrayRef<int64_t> axes) {
  const Tensor *gamma = call.find("gamma"), *beta = call.find("beta");
  Shape extents, strides(x.rank(), 0);
  for (int64_t axis : axes)
    extents.push_back(x.shape[axis]);
  int64_t count = countElements(extents);
  if ((gamma && gamma->size() != count) || (beta && beta->size() != count))
    return call.fail("gamma and beta must have " + Twine(count) +
                     " elements, " + shapeText(extents));
  Shape inner = stridesOf(extents);
  for (auto [axis, stride] : llvm::zip(axes, inner))
    strides[axis] = stride;
  forEachIndex(x.shape, [&](ArrayRef<int64_t> index, int64_t position) {
    int64_t place = dot(index, strides);
    if (gamma)
      x.data[position] *= gamma->data[place];
    if (beta)
      x.data[position] += beta->data[place];
  });
  return success();
}

static LogicalResult evalLayerNorm(Call &call) {
  const Tensor &x = call["x"];
  Shape axes = call.axes("axes", x.rank());
  double epsilon = call.number("epsilon", 1e-5);
  if (call.failed())
    return failure();
  Tensor result = standardize(x, axes, epsilon);
  if (failed(scaleAndShift(call, result, axes)))
    return failure();
  return call.yield(std::move(result));
}

static LogicalResult evalInstanceNorm(Call &call) {
  const Tensor &x = call["x"];
  double epsilon = call.number("epsilon", 1e-5);
  if (x.rank() < 3)
    return call.fail("x has rank " + Twine(x.rank()) + ", expected 3 or 4");
  Shape axes;
  for (int64_t d = 2; d < x.rank(); ++d)
    axes.push_back(d);
  Tensor result = standardize(x, axes, epsilon);
  if (failed(scaleAndShift(call, result, {1})))
    return failure();
  return call.yield(std::move(result));
}

static LogicalResult evalBatchNorm(Call &call) {
  const Tensor &x = call["x"], &mean = call["mean"];
  const Tensor &variance = call["variance"];
  double epsilon = call.number("epsilon", 1e-5);
  if (x.rank() < 2 || mean.size() != x.shape[1] ||
      variance.size() != x.shape[1])
    return call.fail("x is " + shapeText(x.shape) + ", but mean has " +
                     Twine(mean.size()) + " elements and variance " +
                     Twine(variance.size()));
  Tensor result = x;
  int64_t inner = stridesOf(x.shape)[1], channels = x.shape[1];
  for (int64_t i = 0, e = x.size(); i < e; ++i) {
    int64_t c = i / inner % channels;
    result.data[i] =
        (x.data[i] - mean.data[c]) / std::sqrt(variance.data[c] + epsilon);
  }
  if (failed(scaleAndShift(call, result, {1})))
    return failure();
  return call.yield(std::move(result));
}

static LogicalResult evalL2Norm(Call &call) {
  const Tensor &x = call["x"];
  double epsilon = call.number("epsilon", 1e-6);
  if (x.rank() < 3)
    return call.fail("x has rank " + Twine(x.rank()) + ", expected at least 3");
  Tensor result = x;
  Groups groups(x, {x.rank() - 3, x.rank() - 2, x.rank() - 1});
  for (int64_t start : groups.starts) {
    double total = epsilon;
    for (int64_t offset : groups.offsets)
      total += x.data[start + offset] * x.data[start + offset];
    for (int64_t offset : groups.offsets)
      result.data[start + offset] /= std::sqrt(total);
  }
  return call.yield(std::move(result));
}

// Over `size` neighbouring channels, fewer at the borders.
static LogicalResult evalResponseNorm(Call &call) {
  const Tensor &x = call["x"];
  int64_t size = call.integer("size", 1);
  double alpha = call.number("alpha", 1e-4), beta = call.number("beta", 0.75);
  double k = call.number("k", 1);
  if (call.failed() || x.rank() < 3 || size < 1)
    return call.fail("x has rank " + Twine(x.rank()) + " and size is " +
                     Twine(size) + ", expected at least 3 and 1");
  Tensor result = x;
  int64_t channels = x.shape[1], inner = stridesOf(x.shape)[1];
  for (int64_t i = 0, e = x.size(); i < e; ++i) {
    int64_t c = i / inner % channels;
    int64_t first = std::max<int64_t>(0, c - size / 2);
    int64_t last = std::min(channels - 1, c + (size - 1) / 2);
    double total = 0;
    for (int64_t j = first; j <= last; ++j) {
      double value = x.data[i + (j - c) * inner];
      total += value * value;
    }
    result.data[i] = x.data[i] / std::pow(k + alpha / size * total, beta);
  }
  return call.yield(std::move(result));
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

static LogicalResult evalCumsum(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", 0, x.rank());
  bool exclusive = call.flag("exclusive", false);
  bool reverse = call.flag("reverse", false);
  if (call.failed())
    return failure();
  Tensor result = x;
  Groups groups(x, axis);
  if (reverse)
    std::reverse(groups.offsets.begin(), groups.offsets.end());
  for (int64_t start : groups.starts) {
    double total = 0;
    for (int64_t offset : groups.offsets) {
      double value = x.data[start + offset];
      result.data[start + offset] = exclusive ? total : total + value;
      total += value;
    }
  }
  return call.yield(std::move(result));
}

// Positions of a group's members in order of their values; equals in the order
// of their places.
static std::vector<int64_t> sortGroup(const Tensor &x, const Groups &groups,
                                      int64_t start, bool ascending) {
  std::vector<int64_t> order(groups.offsets.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    double va = x.data[start + groups.offsets[a]];
    double vb = x.data[start + groups.offsets[b]];
    if (va == vb)
      return a < b;
    return ascending ? va < vb : va > vb;
  });
  return order;
}

static LogicalResult evalTopk(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", -1, x.rank());
  int64_t k = call.integer("k", 1);
  bool ascending = call.flag("ascending", false);
  bool sorted = call.flag("sort", true);
  bool indices = call.flag("return_indices", true);
  if (call.failed())
    return failure();
  if (k == -1)
    k = x.shape[axis];
  if (k < 0 || k > x.shape[axis])
    return call.fail("k is " + Twine(k) + ", but the axis has " +
                     Twine(x.shape[axis]) + " elements");
  Shape shape = x.shape;
  shape[axis] = k;
  FailureOr<Tensor> values = call.make(shape);
  if (failed(values))
    return failure();
  Tensor places = *values;
  // The same groups in the result.
  Groups groups(x, axis), to(*values, axis);
  for (auto [start, begin] : llvm::zip(groups.starts, to.starts)) {
    std::vector<int64_t> order = sortGroup(x, groups, start, ascending);
    order.resize(k);
    if (!sorted)
      llvm::sort(order);
    for (auto [place, offset] : llvm::zip(order, to.offsets)) {
      values->data[begin + offset] = x.data[start + groups.offsets[place]];
      places.data[begin + offset] = place;
    }
  }
  if (failed(call.yield(std::move(*values))))
    return failure();
  return indices ? call.yield(std::move(places)) : success();
}

static LogicalResult evalArgsort(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", -1, x.rank());
  bool ascending = call.flag("ascending", false);
  if (call.failed())
    return failure();
  Tensor result = x;
  Groups groups(x, axis);
  for (int64_t start : groups.starts)
    for (auto [place, offset] :
         llvm::zip(sortGroup(x, groups, start, ascending), groups.offsets))
      result.data[start + offset] = place;
  return call.yield(std::move(result));
}

void mileval::addReductionOps(OpTable &table) {
  addReductions(table);
  table.add("reduce_argmax", "x",
            [](Call &call) { return evalArg(call, true); });
  table.add("reduce_argmin", "x",
            [](Call &call) { return evalArg(call, false); });
  table.add("softmax", "x", evalSoftmax);
  table.add("layer_norm", "x", evalLayerNorm);
  table.add("instance_norm", "x", evalInstanceNorm);
  table.add("batch_norm", "x mean variance", evalBatchNorm);
  table.add("l2_norm", "x", evalL2Norm);
  table.add("local_response_norm", "x size", evalResponseNorm);
  table.add("cumsum", "x", evalCumsum);
  table.add("topk", "x", evalTopk);
  table.add("argsort", "x", evalArgsort);
}
