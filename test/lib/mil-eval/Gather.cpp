//===- Gather.cpp - Operations by index, and those that make values -------===//
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

// An index as it counts; negative ones from the end. -1 after an error.
static int64_t checkedIndex(Call &call, double value, int64_t extent) {
  int64_t index = static_cast<int64_t>(value);
  if (index < 0)
    index += extent;
  if (index >= 0 && index < extent)
    return index;
  if (!call.failed())
    (void)call.fail("index " + Twine(int64_t(value)) + " is outside of the " +
                    Twine(extent) + " elements");
  return -1;
}

static int64_t product(ArrayRef<int64_t> shape) {
  return std::max<int64_t>(countElements(shape), 0);
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

static LogicalResult evalGather(Call &call) {
  const Tensor &x = call["x"], &indices = call["indices"];
  int64_t axis = call.axis("axis", 0, x.rank());
  int64_t batch = call.integer("batch_dims", 0);
  if (call.failed())
    return failure();
  ArrayRef<int64_t> xs(x.shape), is(indices.shape);
  if (batch < 0 || batch > axis || batch > indices.rank() ||
      xs.take_front(batch) != is.take_front(batch))
    return call.fail("batch_dims is " + Twine(batch) + " for " + shapeText(xs) +
                     " and " + shapeText(is));
  // x: batch, outer, axis, inner; indices: batch, many.
  int64_t batches = product(xs.take_front(batch));
  int64_t outer = product(xs.slice(batch, axis - batch));
  int64_t inner = product(xs.drop_front(axis + 1));
  int64_t many = product(is.drop_front(batch)), extent = xs[axis];
  Shape shape(xs.take_front(axis));
  shape.append(is.begin() + batch, is.end());
  shape.append(xs.begin() + axis + 1, xs.end());
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  double *to = result->data.data();
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t m = 0; m < many; ++m, to += inner) {
        int64_t i = checkedIndex(call, indices.data[b * many + m], extent);
        if (i < 0)
          return failure();
        auto from = x.data.begin() + ((b * outer + o) * extent + i) * inner;
        std::copy(from, from + inner, to);
      }
  return call.yield(std::move(*result));
}

static LogicalResult evalGatherAlongAxis(Call &call) {
  const Tensor &x = call["x"], &indices = call["indices"];
  int64_t axis = call.axis("axis", 0, x.rank());
  if (call.failed())
    return failure();
  Shape shape = indices.shape, strides = stridesOf(x.shape);
  Shape expected = x.shape;
  if (shape.size() == expected.size())
    expected[axis] = shape[axis];
  if (expected != shape)
    return call.fail("x is " + shapeText(x.shape) + ", but indices " +
                     shapeText(shape));
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  forEachIndex(shape, [&](ArrayRef<int64_t> index, int64_t position) {
    Shape from(index);
    from[axis] = checkedIndex(call, indices.data[position], x.shape[axis]);
    if (from[axis] >= 0)
      result->data[position] = x.data[dot(from, strides)];
  });
  return call.failed() ? failure() : call.yield(std::move(*result));
}

// The last dimension of the indices names the first dimensions of x behind the
// batch.
static LogicalResult evalGatherNd(Call &call) {
  const Tensor &x = call["x"], &indices = call["indices"];
  int64_t batch = call.integer("batch_dims", 0);
  ArrayRef<int64_t> xs(x.shape), is(indices.shape);
  if (is.empty() || batch < 0 || batch >= indices.rank() ||
      batch + is.back() > x.rank() ||
      xs.take_front(batch) != is.take_front(batch))
    return call.fail("x is " + shapeText(xs) + " and indices " + shapeText(is) +
                     " with batch_dims " + Twine(batch));
  int64_t depth = is.back(), batches = product(xs.take_front(batch));
  ArrayRef<int64_t> looked = xs.slice(batch, depth);
  int64_t inner = product(xs.drop_front(batch + depth));
  int64_t many = product(is.slice(batch, is.size() - 1 - batch));
  Shape shape(is.drop_back());
  shape.append(xs.begin() + batch + depth, xs.end());
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  double *to = result->data.data();
  const double *index = indices.data.data();
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t m = 0; m < many; ++m, to += inner) {
      int64_t place = b;
      for (int64_t extent : looked) {
        int64_t i = checkedIndex(call, *index++, extent);
        if (i < 0)
          return failure();
        place = place * extent + i;
      }
      auto from = x.data.begin() + place * inner;
      std::copy(from, from + inner, to);
    }
  return call.yield(std::move(*result));
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

using Combine = double (*)(double, double);

static Combine combineOf(StringRef mode) {
  if (mode == "add")
    return [](double a, double b) { return a + b; };
  if (mode == "sub")
    return [](double a, double b) { return a - b; };
  if (mode == "mul")
    return [](double a, double b) { return a * b; };
  if (mode == "div")
    return [](double a, double b) { return a / b; };
  if (mode == "max")
    return [](double a, double b) { return std::max(a, b); };
  if (mode == "min")
    return [](double a, double b) { return std::min(a, b); };
  if (mode == "update")
    return [](double, double b) { return b; };
  return nullptr;
}

static Combine readMode(Call &call) {
  StringRef mode = call.text("mode", "add");
  Combine combine = combineOf(mode);
  if (!combine)
    (void)call.fail("mode is '" + mode +
                    "', expected add, sub, mul, div, max, min or update");
  return combine;
}

static LogicalResult evalScatter(Call &call) {
  const Tensor &x = call["data"], &indices = call["indices"];
  const Tensor &updates = call["updates"];
  int64_t axis = call.axis("axis", 0, x.rank());
  Combine combine = readMode(call);
  if (call.failed())
    return failure();
  ArrayRef<int64_t> xs(x.shape);
  int64_t outer = product(xs.take_front(axis));
  int64_t inner = product(xs.drop_front(axis + 1)), extent = xs[axis];
  if (updates.size() != outer * indices.size() * inner)
    return call.fail("updates is " + shapeText(updates.shape) + " for " +
                     Twine(indices.size()) + " indices into " + shapeText(xs));
  Tensor result = x;
  const double *from = updates.data.data();
  for (int64_t o = 0; o < outer; ++o)
    for (double index : indices.data) {
      int64_t i = checkedIndex(call, index, extent);
      if (i < 0)
        return failure();
      double *to = result.data.data() + (o * extent + i) * inner;
      for (int64_t k = 0; k < inner; ++k)
        to[k] = combine(to[k], *from++);
    }
  return call.yield(std::move(result));
}

static LogicalResult evalScatterAlongAxis(Call &call) {
  const Tensor &x = call["data"], &indices = call["indices"];
  const Tensor &updates = call["updates"];
  int64_t axis = call.axis("axis", 0, x.rank());
  Combine combine = readMode(call);
  if (call.failed())
    return failure();
  Shape expected = x.shape, strides = stridesOf(x.shape);
  if (indices.rank() == x.rank())
    expected[axis] = indices.shape[axis];
  if (indices.shape != updates.shape || indices.shape != expected)
    return call.fail("data is " + shapeText(x.shape) + ", indices " +
                     shapeText(indices.shape) + " and updates " +
                     shapeText(updates.shape));
  Tensor result = x;
  forEachIndex(indices.shape, [&](ArrayRef<int64_t> index, int64_t position) {
    Shape to(index);
    to[axis] = checkedIndex(call, indices.data[position], x.shape[axis]);
    if (to[axis] < 0)
      return;
    double &place = result.data[dot(to, strides)];
    place = combine(place, updates.data[position]);
  });
  return call.yield(std::move(result));
}

static LogicalResult evalScatterNd(Call &call) {
  const Tensor &x = call["data"], &indices = call["indices"];
  const Tensor &updates = call["updates"];
  Combine combine = readMode(call);
  ArrayRef<int64_t> xs(x.shape), is(indices.shape);
  if (call.failed())
    return failure();
  if (is.empty() || is.back() > x.rank())
    return call.fail("data is " + shapeText(xs) + ", but indices " +
                     shapeText(is));
  int64_t inner = product(xs.drop_front(is.back()));
  int64_t many = product(is.drop_back());
  if (updates.size() != many * inner)
    return call.fail("updates is " + shapeText(updates.shape) + " for " +
                     Twine(many) + " places in " + shapeText(xs));
  Tensor result = x;
  const double *from = updates.data.data(), *index = indices.data.data();
  for (int64_t m = 0; m < many; ++m) {
    int64_t place = 0;
    for (int64_t extent : xs.take_front(is.back())) {
      int64_t i = checkedIndex(call, *index++, extent);
      if (i < 0)
        return failure();
      place = place * extent + i;
    }
    for (int64_t k = 0; k < inner; ++k) {
      double &to = result.data[place * inner + k];
      to = combine(to, *from++);
    }
  }
  return call.yield(std::move(result));
}

//===----------------------------------------------------------------------===//
// Values out of nothing
//===----------------------------------------------------------------------===//

static LogicalResult yieldFilled(Call &call, ArrayRef<int64_t> shape) {
  double value = call.number("value", 0);
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result) || call.failed())
    return failure();
  llvm::fill(result->data, value);
  return call.yield(std::move(*result));
}

static LogicalResult evalRange(Call &call) {
  double start = call.number("start", 0), end = call.number("end", 0);
  double step = call.number("step", 1);
  double count = std::ceil((end - start) / step);
  if (call.failed() || !(count <= double(kMaxElements)))
    return call.fail("range from " + Twine(int64_t(start)) + " to " +
                     Twine(int64_t(end)) + " has no end");
  FailureOr<Tensor> result = call.make({std::max<int64_t>(count, 0)});
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = result->size(); i < e; ++i)
    result->data[i] = start + i * step;
  return call.yield(std::move(*result));
}

static LogicalResult evalShape(Call &call) {
  const Tensor &x = call["x"];
  FailureOr<Tensor> result = call.make({x.rank()});
  if (failed(result))
    return failure();
  llvm::copy(x.shape, result->data.begin());
  return call.yield(std::move(*result));
}

// An index outside of the vector lights nothing.
static LogicalResult evalOneHot(Call &call) {
  const Tensor &indices = call["indices"];
  int64_t size = call.integer("one_hot_vector_size", 0);
  int64_t axis = call.axis("axis", -1, indices.rank() + 1);
  double on = call.number("on_value", 1), off = call.number("off_value", 0);
  if (call.failed() || size < 0)
    return call.fail("one_hot_vector_size is " + Twine(size));
  Shape shape = indices.shape;
  shape.insert(shape.begin() + axis, size);
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  Shape strides = stridesOf(indices.shape);
  strides.insert(strides.begin() + axis, 0);
  forEachIndex(shape, [&](ArrayRef<int64_t> index, int64_t position) {
    bool isOn = indices.data[dot(index, strides)] == double(index[axis]);
    result->data[position] = isOn ? on : off;
  });
  return call.yield(std::move(*result));
}

static LogicalResult evalNonZero(Call &call) {
  const Tensor &x = call["x"];
  std::vector<double> found;
  forEachIndex(x.shape, [&](ArrayRef<int64_t> index, int64_t position) {
    if (x.data[position] != 0)
      found.insert(found.end(), index.begin(), index.end());
  });
  int64_t rank = std::max<int64_t>(x.rank(), 1);
  FailureOr<Tensor> result = call.make({int64_t(found.size()) / rank, rank});
  if (failed(result))
    return failure();
  result->data = std::move(found);
  return call.yield(std::move(*result));
}

// Runs of dimensions of the reference tensors, one behind the other.
static LogicalResult evalReshapeLike(Call &call) {
  const Tensor &x = call["x"];
  ArrayRef<TensorRef> refs = call.tuple("ref_tensors");
  ArrayRef<TensorRef> begins = call.tuple("begins"), ends = call.tuple("ends");
  ArrayRef<TensorRef> masks = call.tuple("end_masks");
  if (begins.size() != refs.size() || ends.size() != refs.size() ||
      masks.size() != refs.size())
    return call.fail("ref_tensors has " + Twine(refs.size()) +
                     " members, begins, ends and end_masks others");
  Shape shape;
  for (size_t i = 0; i < refs.size(); ++i) {
    int64_t rank = refs[i]->rank();
    if (begins[i]->size() != 1 || ends[i]->size() != 1 || masks[i]->size() != 1)
      return call.fail("bounds must be numbers");
    int64_t begin = begins[i]->data[0], end = ends[i]->data[0];
    begin = begin < 0 ? begin + rank : begin;
    end = masks[i]->data[0] != 0 ? rank : end < 0 ? end + rank : end;
    if (begin < 0 || end > rank || begin > end)
      return call.fail("dimensions " + Twine(begin) + " to " + Twine(end) +
                       " of a tensor of rank " + Twine(rank));
    shape.append(refs[i]->shape.begin() + begin, refs[i]->shape.begin() + end);
  }
  if (countElements(shape) != x.size())
    return call.fail("x is " + shapeText(x.shape) + ", which cannot become " +
                     shapeText(shape));
  Tensor result = x;
  result.shape = shape;
  return call.yield(std::move(result));
}

void mileval::addGatherOps(OpTable &table) {
  table.add("gather", "x indices", evalGather);
  table.add("gather_along_axis", "x indices", evalGatherAlongAxis);
  table.add("gather_nd", "x indices", evalGatherNd);
  table.add("scatter", "data indices updates", evalScatter);
  table.add("scatter_along_axis", "data indices updates", evalScatterAlongAxis);
  table.add("scatter_nd", "data indices updates", evalScatterNd);
  table.add("fill", "shape", [](Call &call) {
    return yieldFilled(call, call.integers("shape", {}));
  });
  table.add("fill_like", "ref_tensor", [](Call &call) {
    return yieldFilled(call, call["ref_tensor"].shape);
  });
  table.add("range_1d", "start end step", evalRange);
  table.add("shape", "x", evalShape);
  table.add("one_hot", "indices one_hot_vector_size", evalOneHot);
  table.add("non_zero", "x", evalNonZero);
  table.add("reshape_like", "x", evalReshapeLike);
}
