//===- Shape.cpp - Operations that only move elements ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is said as "element i of the result is element f(i) of the argument".
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

//===----------------------------------------------------------------------===//
// Same elements, other shape
//===----------------------------------------------------------------------===//

static LogicalResult yieldReshaped(Call &call, ArrayRef<int64_t> shape) {
  if (call.failed())
    return failure();
  Tensor result = call["x"];
  if (countElements(shape) != result.size())
    return call.fail("x is " + shapeText(result.shape) +
                     ", which cannot become " + shapeText(shape));
  result.shape = Shape(shape);
  return call.yield(std::move(result));
}

static LogicalResult evalReshape(Call &call) {
  const Tensor &x = call["x"];
  Shape shape = call.integers("shape", {});
  int64_t known = 1, open = -1;
  int64_t added = int64_t(shape.size()) - x.rank();
  for (auto [i, extent] : llvm::enumerate(shape)) {
    if (extent == 0)
      extent = int64_t(i) < added ? 1 : x.shape[i - added];
    if (extent != -1)
      known *= std::max<int64_t>(extent, 1);
    else if (open >= 0)
      return call.fail("shape has two extents of -1");
    else
      open = i;
    if (known > kMaxElements)
      return call.fail("shape has more than " + Twine(kMaxElements) +
                       " elements");
  }
  if (open >= 0)
    shape[open] = x.size() / known;
  return yieldReshaped(call, shape);
}

static LogicalResult evalExpandDims(Call &call) {
  const Tensor &x = call["x"];
  Shape axes = call.integers("axes", {});
  Shape all = call.axes("axes", x.rank() + axes.size());
  Shape shape = x.shape;
  for (int64_t axis : all)
    shape.insert(shape.begin() + axis, 1);
  return yieldReshaped(call, shape);
}

static LogicalResult evalSqueeze(Call &call) {
  const Tensor &x = call["x"];
  bool isGiven = call.has("axes");
  Shape axes = call.axes("axes", x.rank()), shape;
  for (int64_t d = 0; d < x.rank(); ++d) {
    bool isNamed = llvm::is_contained(axes, d);
    if (isGiven && isNamed && x.shape[d] != 1)
      return call.fail("dimension " + Twine(d) + " of " + shapeText(x.shape) +
                       " is not 1");
    if (!isNamed || x.shape[d] != 1)
      shape.push_back(x.shape[d]);
  }
  return yieldReshaped(call, shape);
}

static LogicalResult evalFlatten(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.integer("axis", 1), rows = 1;
  if (axis < 0)
    axis += x.rank();
  if (axis < 0 || axis > x.rank())
    return call.fail("axis is " + Twine(axis) + ", but the rank is " +
                     Twine(x.rank()));
  for (int64_t d = 0; d < axis; ++d)
    rows *= x.shape[d];
  return yieldReshaped(call, {rows, rows ? x.size() / rows : 0});
}

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

static LogicalResult evalTranspose(Call &call) {
  const Tensor &x = call["x"];
  Shape perm = call.integers("perm", {});
  Shape sorted = call.axes("perm", x.rank());
  if (call.failed() || int64_t(perm.size()) != x.rank())
    return call.fail("perm has " + Twine(perm.size()) +
                     " elements, but the rank is " + Twine(x.rank()));
  Shape shape, from = stridesOf(x.shape), strides;
  for (int64_t d : perm) {
    d = d < 0 ? d + x.rank() : d;
    shape.push_back(x.shape[d]);
    strides.push_back(from[d]);
  }
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> index) {
    return dot(index, strides);
  });
}

static LogicalResult evalReverse(Call &call) {
  const Tensor &x = call["x"];
  Shape axes = call.axes("axes", x.rank()), strides = stridesOf(x.shape);
  return yieldMoved(call, x, x.shape, [&](ArrayRef<int64_t> index) {
    Shape from(index);
    for (int64_t axis : axes)
      from[axis] = x.shape[axis] - 1 - from[axis];
    return dot(from, strides);
  });
}

static LogicalResult evalReverseSequence(Call &call) {
  const Tensor &x = call["x"];
  Shape lengths = call.integers("lengths", {});
  int64_t axis = call.axis("seq_axis", 0, x.rank());
  int64_t batch = call.axis("batch_axis", 0, x.rank());
  if (call.failed() || int64_t(lengths.size()) != x.shape[batch])
    return call.fail("lengths has " + Twine(lengths.size()) +
                     " elements, but the batch " + Twine(x.shape[batch]));
  Shape strides = stridesOf(x.shape);
  return yieldMoved(call, x, x.shape, [&](ArrayRef<int64_t> index) {
    Shape from(index);
    int64_t length = std::min(lengths[from[batch]], x.shape[axis]);
    if (from[axis] < length)
      from[axis] = length - 1 - from[axis];
    return dot(from, strides);
  });
}

static LogicalResult evalTile(Call &call) {
  const Tensor &x = call["x"];
  Shape reps = call.integers("reps", {});
  if (int64_t(reps.size()) != x.rank())
    return call.fail("reps has " + Twine(reps.size()) +
                     " elements, but the rank is " + Twine(x.rank()));
  Shape shape = x.shape, strides = stridesOf(x.shape);
  for (auto [extent, rep] : llvm::zip(shape, reps))
    extent *= rep;
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> index) {
    Shape from(index);
    for (auto [i, extent] : llvm::zip(from, x.shape))
      i %= extent;
    return dot(from, strides);
  });
}

//===----------------------------------------------------------------------===//
// Several into one, one into several
//===----------------------------------------------------------------------===//

static LogicalResult evalConcat(Call &call) {
  ArrayRef<TensorRef> values = call.tuple("values");
  bool interleave = call.flag("interleave", false);
  if (values.empty())
    return call.fail("there are no values");
  // Scalars make a vector.
  if (llvm::all_of(values, [](const TensorRef &v) { return v->rank() == 0; })) {
    FailureOr<Tensor> vector = call.make({int64_t(values.size())});
    if (failed(vector))
      return failure();
    for (auto [to, value] : llvm::zip(vector->data, values))
      to = value->data[0];
    return call.yield(std::move(*vector));
  }
  int64_t axis = call.axis("axis", 0, values[0]->rank());
  if (call.failed())
    return failure();
  Shape shape = values[0]->shape;
  shape[axis] = 0;
  for (const TensorRef &value : values) {
    Shape rest = value->shape;
    if (value->rank() == int64_t(shape.size()))
      rest[axis] = shape[axis];
    if (rest != shape ||
        (interleave && value->shape[axis] != values[0]->shape[axis]))
      return call.fail("a value is " + shapeText(value->shape) +
                       ", which does not fit " + shapeText(values[0]->shape));
    shape[axis] += value->shape[axis];
  }
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  Shape strides = stridesOf(shape);
  int64_t start = 0, count = values.size();
  for (int64_t number = 0; number < count; ++number) {
    const TensorRef &value = values[number];
    forEachIndex(value->shape, [&](ArrayRef<int64_t> index, int64_t position) {
      Shape to(index);
      to[axis] = interleave ? to[axis] * count + number : to[axis] + start;
      result->data[dot(to, strides)] = value->data[position];
    });
    start += value->shape[axis];
  }
  return call.yield(std::move(*result));
}

static LogicalResult evalStack(Call &call) {
  ArrayRef<TensorRef> values = call.tuple("values");
  if (values.empty())
    return call.fail("there are no values");
  int64_t axis = call.axis("axis", 0, values[0]->rank() + 1);
  if (call.failed())
    return failure();
  Shape shape = values[0]->shape;
  shape.insert(shape.begin() + axis, values.size());
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  Shape strides = stridesOf(shape);
  for (size_t number = 0; number < values.size(); ++number) {
    const TensorRef &value = values[number];
    if (value->shape != values[0]->shape)
      return call.fail("a value is " + shapeText(value->shape) + ", another " +
                       shapeText(values[0]->shape));
    forEachIndex(value->shape, [&](ArrayRef<int64_t> index, int64_t position) {
      Shape to(index);
      to.insert(to.begin() + axis, number);
      result->data[dot(to, strides)] = value->data[position];
    });
  }
  return call.yield(std::move(*result));
}

static LogicalResult evalSplit(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", 0, x.rank());
  if (call.failed())
    return failure();
  int64_t parts = call.integer("num_splits", call.resultCount());
  if (parts < 1 || parts > x.shape[axis])
    return call.fail("num_splits is " + Twine(parts) + " for " +
                     Twine(x.shape[axis]) + " elements");
  Shape sizes =
      call.integers("split_sizes", Shape(parts, x.shape[axis] / parts));
  int64_t total = 0, start = 0;
  for (int64_t size : sizes)
    total += size;
  if (total != x.shape[axis])
    return call.fail("parts have " + Twine(total) + " elements, but x has " +
                     Twine(x.shape[axis]));
  Shape strides = stridesOf(x.shape);
  for (int64_t size : sizes) {
    Shape shape = x.shape;
    shape[axis] = size;
    int64_t shift = start * strides[axis];
    if (failed(yieldMoved(call, x, shape, [&](ArrayRef<int64_t> index) {
          return dot(index, strides) + shift;
        })))
      return failure();
    start += size;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {
// Where a slice begins, how it steps, how many elements it has; what the
// result's rank lacks.
struct SliceRegion {
  Shape begin, step, count;
  SmallVector<bool> squeezed;
};
} // namespace

// One dimension as in x[begin:end:step]; empty slices have no elements.
static void addSliced(SliceRegion &region, int64_t extent, int64_t begin,
                      int64_t end, int64_t step, bool fromStart, bool toEnd) {
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
  auto place = [&](int64_t i) {
    return std::clamp(i < 0 ? i + extent : i, low, high);
  };
  begin = fromStart ? (step > 0 ? low : high) : place(begin);
  end = toEnd ? (step > 0 ? high : low) : place(end);
  int64_t length = step > 0 ? end - begin : begin - end;
  int64_t pace = std::abs(step);
  region.begin.push_back(begin);
  region.step.push_back(step);
  region.count.push_back(length <= 0 ? 0 : (length + pace - 1) / pace);
}

static FailureOr<SliceRegion> readRegion(Call &call, const Tensor &x) {
  int64_t rank = x.rank();
  Shape none(rank, 0), ones(rank, 1);
  Shape begin = call.integers("begin", none), end = call.integers("end", none);
  Shape step = call.integers("stride", ones);
  Shape beginMask = call.integers("begin_mask", none);
  Shape endMask = call.integers("end_mask", none);
  Shape squeeze = call.integers("squeeze_mask", none);
  if (call.failed())
    return failure();
  for (const Shape *v : {&begin, &end, &step, &beginMask, &endMask, &squeeze})
    if (int64_t(v->size()) != rank)
      return call.fail("begin, end, stride or a mask has " + Twine(v->size()) +
                       " elements, but the rank is " + Twine(rank));
  SliceRegion region;
  for (int64_t d = 0; d < rank; ++d) {
    if (step[d] == 0)
      return call.fail("stride of dimension " + Twine(d) + " is 0");
    region.squeezed.push_back(squeeze[d]);
    if (!squeeze[d]) {
      addSliced(region, x.shape[d], begin[d], end[d], step[d], beginMask[d],
                endMask[d]);
      continue;
    }
    int64_t place = beginMask[d] ? 0 : begin[d];
    place = place < 0 ? place + x.shape[d] : place;
    if (place < 0 || place >= x.shape[d])
      return call.fail("index " + Twine(begin[d]) +
                       " is outside of dimension " + Twine(d) + " with " +
                       Twine(x.shape[d]) + " elements");
    region.begin.push_back(place);
    region.step.push_back(1);
    region.count.push_back(1);
  }
  return region;
}

static Shape withoutSqueezed(const SliceRegion &region) {
  Shape shape;
  for (auto [count, isSqueezed] : llvm::zip(region.count, region.squeezed))
    if (!isSqueezed)
      shape.push_back(count);
  return shape;
}

static LogicalResult yieldRegion(Call &call, const Tensor &x,
                                 const SliceRegion &region) {
  FailureOr<Tensor> result = call.make(region.count);
  if (failed(result))
    return failure();
  Shape strides = stridesOf(x.shape);
  int64_t first = dot(region.begin, strides);
  for (auto [stride, step] : llvm::zip(strides, region.step))
    stride *= step;
  forEachIndex(region.count, [&](ArrayRef<int64_t> index, int64_t position) {
    result->data[position] = x.data[first + dot(index, strides)];
  });
  result->shape = withoutSqueezed(region);
  return call.yield(std::move(*result));
}

static LogicalResult evalSliceByIndex(Call &call) {
  const Tensor &x = call["x"];
  FailureOr<SliceRegion> region = readRegion(call, x);
  return failed(region) ? failure() : yieldRegion(call, x, *region);
}

static LogicalResult evalSliceUpdate(Call &call) {
  const Tensor &x = call["x"], &update = call["update"];
  FailureOr<SliceRegion> region = readRegion(call, x);
  if (failed(region))
    return failure();
  if (countElements(region->count) != update.size())
    return call.fail("update is " + shapeText(update.shape) +
                     ", but the region " + shapeText(region->count));
  Tensor result = x;
  Shape strides = stridesOf(x.shape);
  forEachIndex(region->count, [&](ArrayRef<int64_t> index, int64_t position) {
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d)
      place += (region->begin[d] + index[d] * region->step[d]) * strides[d];
    result.data[place] = update.data[position];
  });
  return call.yield(std::move(result));
}

static LogicalResult evalSliceBySize(Call &call) {
  const Tensor &x = call["x"];
  Shape begin = call.integers("begin", {}), size = call.integers("size", {});
  if (call.failed() || int64_t(begin.size()) != x.rank() ||
      int64_t(size.size()) != x.rank())
    return call.fail("begin has " + Twine(begin.size()) + " and size " +
                     Twine(size.size()) + " elements, but the rank is " +
                     Twine(x.rank()));
  SliceRegion region;
  for (int64_t d = 0; d < x.rank(); ++d) {
    int64_t start = begin[d] < 0 ? begin[d] + x.shape[d] : begin[d];
    int64_t count = size[d] == -1 ? x.shape[d] - start : size[d];
    if (start < 0 || count < 0 || start + count > x.shape[d])
      return call.fail("slice of " + Twine(size[d]) + " elements from " +
                       Twine(begin[d]) + " leaves dimension " + Twine(d) +
                       " with " + Twine(x.shape[d]) + " elements");
    region.begin.push_back(start);
    region.step.push_back(1);
    region.count.push_back(count);
    region.squeezed.push_back(false);
  }
  return yieldRegion(call, x, region);
}

// The place that a padded position shows; -1 for the constant.
static int64_t padSource(StringRef mode, int64_t i, int64_t extent) {
  if (i >= 0 && i < extent)
    return i;
  if (mode == "constant")
    return -1;
  if (mode == "replicate")
    return i < 0 ? 0 : extent - 1;
  return i < 0 ? -i : 2 * (extent - 1) - i; // the border itself once
}

static LogicalResult evalPad(Call &call) {
  const Tensor &x = call["x"];
  Shape pad = call.integers("pad", {});
  StringRef mode = call.text("mode", "constant");
  double value = call.number("constant_val", 0);
  if (mode != "constant" && mode != "reflect" && mode != "replicate")
    return call.fail("mode is '" + mode +
                     "', expected constant, reflect or replicate");
  int64_t count = pad.size() / 2;
  if (pad.size() % 2 || count > x.rank())
    return call.fail("pad has " + Twine(pad.size()) +
                     " elements for a rank of " + Twine(x.rank()));
  Shape shape = x.shape, before(x.rank(), 0), strides = stridesOf(x.shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t d = x.rank() - count + i;
    int64_t low = pad[2 * i], high = pad[2 * i + 1];
    if (low < 0 || high < 0)
      return call.fail("pad is negative");
    if (mode == "reflect" && std::max(low, high) >= x.shape[d])
      return call.fail("reflection of " + Twine(std::max(low, high)) +
                       " elements needs more than the " + Twine(x.shape[d]) +
                       " of dimension " + Twine(d));
    before[d] = low;
    shape[d] += low + high;
  }
  return yieldMoved(
      call, x, shape,
      [&](ArrayRef<int64_t> index) {
        int64_t place = 0;
        for (size_t d = 0; d < index.size(); ++d) {
          int64_t from = padSource(mode, index[d] - before[d], x.shape[d]);
          if (from < 0)
            return int64_t(-1);
          place += from * strides[d];
        }
        return place;
      },
      value);
}

static LogicalResult evalCrop(Call &call) {
  const Tensor &x = call["x"];
  Shape rows = call.integers("crop_height", {});
  Shape columns = call.integers("crop_width", {});
  if (x.rank() != 4 || rows.size() != 2 || columns.size() != 2)
    return call.fail("x has rank " + Twine(x.rank()) +
                     ", expected 4 and two numbers for each dimension");
  Shape shape = x.shape, strides = stridesOf(x.shape);
  shape[2] -= rows[0] + rows[1];
  shape[3] -= columns[0] + columns[1];
  if (llvm::any_of(rows, [](int64_t c) { return c < 0; }) ||
      llvm::any_of(columns, [](int64_t c) { return c < 0; }) || shape[2] < 0 ||
      shape[3] < 0)
    return call.fail("nothing is left of " + shapeText(x.shape));
  int64_t first = rows[0] * strides[2] + columns[0] * strides[3];
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> index) {
    return first + dot(index, strides);
  });
}

static LogicalResult evalSlidingWindows(Call &call) {
  const Tensor &x = call["x"];
  int64_t axis = call.axis("axis", 0, x.rank());
  int64_t size = call.integer("size", 1), stride = call.integer("stride", 1);
  if (call.failed() || size < 1 || stride < 1 || size > x.shape[axis])
    return call.fail("windows of " + Twine(size) + " at steps of " +
                     Twine(stride) + " do not fit " + shapeText(x.shape));
  Shape shape = x.shape, strides = stridesOf(x.shape);
  shape[axis] = (x.shape[axis] - size) / stride + 1;
  shape.insert(shape.begin() + axis + 1, size);
  Shape steps = strides;
  steps[axis] *= stride;
  steps.insert(steps.begin() + axis + 1, strides[axis]);
  return yieldMoved(call, x, shape,
                    [&](ArrayRef<int64_t> index) { return dot(index, steps); });
}

static LogicalResult evalBandPart(Call &call) {
  const Tensor &x = call["x"];
  int64_t lower = call.integer("lower", -1), upper = call.integer("upper", -1);
  if (x.rank() < 2)
    return call.fail("x has rank " + Twine(x.rank()) + ", expected at least 2");
  Shape strides = stridesOf(x.shape);
  return yieldMoved(call, x, x.shape, [&](ArrayRef<int64_t> index) {
    int64_t row = index[index.size() - 2], column = index.back();
    bool isIn = (lower < 0 || row - column <= lower) &&
                (upper < 0 || column - row <= upper);
    return isIn ? dot(index, strides) : -1;
  });
}

void mileval::addShapeOps(OpTable &table) {
  table.add("reshape", "x shape", evalReshape);
  table.add("expand_dims", "x axes", evalExpandDims);
  table.add("squeeze", "x", evalSqueeze);
  table.add("flatten2d", "x", evalFlatten);
  table.add("transpose", "x perm", evalTranspose);
  table.add("reverse", "x", evalReverse);
  table.add("reverse_sequence", "x lengths", evalReverseSequence);
  table.add("tile", "x reps", evalTile);
  table.add("concat", "axis", evalConcat);
  table.add("stack", "axis", evalStack);
  table.add("split", "x axis", evalSplit);
  table.add("slice_by_index", "x begin end", evalSliceByIndex);
  table.add("slice_by_size", "x begin size", evalSliceBySize);
  table.add("slice_update", "x update begin end", evalSliceUpdate);
  table.add("pad", "x pad", evalPad);
  table.add("crop", "x crop_height crop_width", evalCrop);
  table.add("sliding_windows", "x axis size", evalSlidingWindows);
  table.add("band_part", "x", evalBandPart);
}
