//===- ImportShapes.cpp - MIL operations that move elements ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything here is exact: reshapes, transposes, slices and concatenations.
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"
#include "Statement.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// In `shape` 0 stands for "as before", counted from the last dimension, and -1
// for "what is left". Of equal ranks, which opsets before ios17 ask for, it
// does not matter where counting begins.
static Value importReshape(Statement &s) {
  Value x = s.tensor("x");
  SmallVector<int64_t> shape = s.integers("shape");
  if (s.failed())
    return {};
  SmallVector<int64_t> sizes(shape);
  int64_t left = cast<RankedTensorType>(x.getType()).getNumElements();
  int64_t added = int64_t(sizes.size()) - int64_t(shapeOf(x).size());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size == 0)
      size = int64_t(i) < added ? 1 : shapeOf(x)[i - added];
    if (size > 0)
      left /= size;
  }
  if (int64_t *open = llvm::find(sizes, -1); open != sizes.end())
    *open = left;
  if (!s.isDeclared(sizes)) {
    InFlightDiagnostic diagnostic = s.error();
    diagnostic << "has the shape [";
    llvm::interleaveComma(shape, diagnostic);
    diagnostic << "], but is declared with [";
    llvm::interleaveComma(s.resultShape(), diagnostic, [&](int64_t size) {
      ShapedType::isDynamic(size) ? diagnostic << "?" : diagnostic << size;
    });
    diagnostic << "]";
    return {};
  }
  return s.reshape(x, sizes);
}

// Runs of dimensions of other tensors, one after the other.
static Value importReshapeLike(Statement &s) {
  Value x = s.tensor("x");
  SmallVector<Value> others = s.members("ref_tensors");
  SmallVector<int64_t> begins = s.memberIntegers("begins"),
                       ends = s.memberIntegers("ends"),
                       masks = s.memberIntegers("end_masks");
  if (s.failed())
    return {};
  if (begins.size() != others.size() || ends.size() != others.size() ||
      masks.size() != others.size()) {
    s.error() << "has " << others.size() << " tensors to take sizes from, but "
              << begins.size() << " begins, " << ends.size() << " ends and "
              << masks.size() << " end_masks";
    return {};
  }
  SmallVector<int64_t> shape;
  for (auto [other, begin, end, mask] :
       llvm::zip_equal(others, begins, ends, masks)) {
    auto type = dyn_cast<RankedTensorType>(other.getType());
    int64_t rank = type ? type.getRank() : 0;
    int64_t first = begin < 0 ? begin + rank : begin;
    int64_t last = mask != 0 ? rank : end < 0 ? end + rank : end;
    if (first < 0 || first > last || last > rank) {
      s.error() << "takes dimensions " << begin << " to " << end << " of "
                << other.getType();
      return {};
    }
    if (type)
      llvm::append_range(shape, type.getShape().slice(first, last - first));
  }
  return s.reshape(x, shape);
}

static Value importExpandDims(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t rank = shapeOf(x).size();
  if (!s.has("axes")) {
    s.error() << "has no argument 'axes', but needs one";
    return {};
  }
  int64_t added = s.integers("axes").size();
  SmallVector<int64_t> axes = s.axes("axes", rank + added);
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  for (int64_t axis : axes)
    shape.insert(shape.begin() + axis, 1);
  return s.reshape(x, shape);
}

static Value importSqueeze(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> axes = s.axes("axes", shapeOf(x).size());
  if (s.failed())
    return {};
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x))) {
    bool named = llvm::is_contained(axes, dim);
    if (named && size != 1 && s.has("axes")) {
      s.error() << "removes dimension " << dim << ", which is " << size
                << ", but must be 1";
      return {};
    }
    if (!named || size != 1)
      shape.push_back(size);
  }
  return s.reshape(x, shape);
}

static Value importFlatten2d(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  // Nothing may stand after the axis, but from the end -1 is the last one.
  int64_t rank = shape.size(), axis = s.integer("axis", 1);
  if (axis != rank)
    axis = s.axis("axis", rank, 1);
  if (s.failed())
    return {};
  int64_t before = 1;
  for (int64_t size : shape.take_front(axis))
    before *= size;
  return s.reshape(
      x,
      {before, cast<RankedTensorType>(x.getType()).getNumElements() / before});
}

static Value importTranspose(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t rank = shapeOf(x).size();
  SmallVector<int64_t> perm =
      s.fixedIntegers("perm", rank, {}, -rank, rank - 1);
  for (int64_t &dim : perm)
    dim += dim < 0 ? rank : 0;
  return s.failed() ? Value() : s.transpose(x, perm);
}

//===----------------------------------------------------------------------===//
// Parts and wholes
//===----------------------------------------------------------------------===//

// Interleaved, element i of all operands stands before element i + 1 of any:
// a concatenation along a new dimension after the axis.
static Value importConcat(Statement &s) {
  SmallVector<Value> values = s.tensors("values");
  if (s.failed())
    return {};
  // Scalars are vectors of one: the sizes of a shape.
  for (Value &value : values)
    if (shapeOf(value).empty())
      value = s.reshape(value, 1);
  SmallVector<int64_t> shape(shapeOf(values[0]));
  int64_t axis = s.axis("axis", shape.size());
  bool interleave = s.boolean("interleave", false);
  if (s.failed())
    return {};
  if (!interleave)
    return s.concat(values, axis);
  for (Value &value : values) {
    SmallVector<int64_t> sizes(shapeOf(value));
    sizes.insert(sizes.begin() + std::min<int64_t>(axis + 1, sizes.size()), 1);
    value = s.reshape(value, sizes);
  }
  shape[axis] *= values.size();
  Value whole = s.concat(values, axis + 1);
  return whole ? s.reshape(whole, shape) : Value();
}

static Value importStack(Statement &s) {
  SmallVector<Value> values = s.tensors("values");
  if (s.failed())
    return {};
  int64_t axis = s.axis("axis", shapeOf(values[0]).size() + 1);
  if (s.failed())
    return {};
  for (Value &value : values) {
    SmallVector<int64_t> shape(shapeOf(value));
    shape.insert(shape.begin() + std::min<int64_t>(axis, shape.size()), 1);
    value = s.reshape(value, shape);
  }
  return s.concat(values, axis);
}

static SmallVector<Value> importSplit(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t axis = s.axis("axis", shapeOf(x).size());
  if (s.failed())
    return {};
  int64_t extent = shapeOf(x)[axis];
  SmallVector<int64_t> sizes;
  if (s.has("split_sizes")) {
    sizes = s.fixedIntegers("split_sizes", s.getNumResults(), {}, 1);
  } else {
    int64_t parts = s.integer("num_splits");
    if (!s.failed() && (parts != s.getNumResults() || extent % parts))
      s.error() << "makes " << parts << " parts of " << extent
                << " elements in " << s.getNumResults()
                << " results, but the parts must be equal, one a result";
    if (!s.failed())
      sizes.assign(parts, extent / parts);
  }
  if (s.failed())
    return {};
  SmallVector<Value> results;
  int64_t first = 0;
  for (int64_t size : sizes) {
    results.push_back(s.sliceAxis(x, axis, first, size));
    first += size;
  }
  if (!s.failed() && first != extent)
    s.error() << "has parts of " << first << " elements in all, but dimension "
              << axis << " has " << extent;
  return results;
}

static Value emitReverse(Statement &s, Value x, int64_t axis) {
  if (!x)
    return {};
  return s.isOnHost() ? reverseOnHost(s, x, axis)
                      : reversed(s.getBuilder(), s.getLoc(), x, axis);
}

static Value importReverse(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> axes = s.axes("axes", shapeOf(x).size());
  for (int64_t axis : axes)
    x = s.failed() ? Value() : emitReverse(s, x, axis);
  return x;
}

/// The first elements of a sequence backwards, of others as many as there are.
static Value reversePart(Statement &s, Value x, int64_t axis, int64_t length) {
  if (!x)
    return {};
  int64_t extent = shapeOf(x)[axis];
  length = std::min(length, extent);
  if (length < 2)
    return x;
  Value front = emitReverse(s, s.sliceAxis(x, axis, 0, length), axis);
  if (s.failed() || length == extent)
    return front;
  return s.concat({front, s.sliceAxis(x, axis, length, extent - length)}, axis);
}

// Each batch has a sequence of a length of its own.
static Value importReverseSequence(Statement &s) {
  constexpr int64_t maxBatches = 64;
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t rank = shapeOf(x).size();
  int64_t axis = s.axis("seq_axis", rank, 0);
  int64_t batch = s.axis("batch_axis", rank, 0);
  if (!s.failed() && axis == batch)
    s.error() << "has the axis " << axis << " for sequences and batches";
  if (s.failed())
    return {};
  if (s.isOnHost() && !s.knownIntegers("lengths"))
    return reverseSequenceOnHost(s, x, axis, batch);
  int64_t batches = shapeOf(x)[batch];
  SmallVector<int64_t> lengths = s.fixedIntegers("lengths", batches, {}, 0);
  if (!s.failed() && batches > maxBatches)
    s.error() << "turns round sequences of " << batches
              << " batches, but at most " << maxBatches
              << " can be imported; split the batch";
  SmallVector<Value> parts;
  for (int64_t i = 0; i < batches && !s.failed(); ++i)
    parts.push_back(
        reversePart(s, s.sliceAxis(x, batch, i, 1), axis, lengths[i]));
  return s.failed() ? Value() : s.concat(parts, batch);
}

static Value importTile(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> repeats =
      s.fixedIntegers("reps", shapeOf(x).size(), {}, 1, 1 << 16);
  return s.failed() ? Value() : s.tile(x, repeats);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// Elements first, first + step, ... of a dimension; step may be negative.
struct Range {
  int64_t first, count, step;
};
} // namespace

/// numpy's x[begin:end:step] along a dimension of `extent` elements.
static Range rangeOf(int64_t extent, std::optional<int64_t> begin,
                     std::optional<int64_t> end, int64_t step) {
  auto clampTo = [&](int64_t index, int64_t low, int64_t high) {
    return std::clamp(index < 0 ? index + extent : index, low, high);
  };
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
  int64_t first = begin ? clampTo(*begin, low, high) : step > 0 ? low : high;
  int64_t last = end ? clampTo(*end, low, high) : step > 0 ? high : low;
  int64_t span = step > 0 ? last - first : first - last;
  int64_t size = std::abs(step);
  return {first, span <= 0 ? 0 : (span + size - 1) / size, step};
}

/// The ranges that begin, end, stride and their masks name. A dimension that
/// squeeze_mask names is one element.
static SmallVector<Range> sliceRanges(Statement &s, Value x) {
  size_t rank = shapeOf(x).size();
  auto begin = s.fixedIntegers("begin", rank, {}, -maxMILExtent);
  auto end = s.fixedIntegers("end", rank, {}, -maxMILExtent);
  auto stride = s.fixedIntegers("stride", rank, 1, -maxMILExtent);
  auto beginMask = s.booleans("begin_mask", rank);
  auto endMask = s.booleans("end_mask", rank);
  auto squeezeMask = s.booleans("squeeze_mask", rank);
  SmallVector<Range> ranges;
  for (size_t i = 0; i < rank && !s.failed(); ++i) {
    int64_t extent = shapeOf(x)[i];
    if (stride[i] == 0) {
      s.error() << "has the stride 0 along dimension " << i;
      break;
    }
    auto bound = [](bool ignored, int64_t value) {
      return ignored ? std::nullopt : std::optional(value);
    };
    if (squeezeMask[i]) {
      int64_t first = beginMask[i] ? 0 : begin[i];
      ranges.push_back({first < 0 ? first + extent : first, 1, 1});
    } else {
      ranges.push_back(rangeOf(extent, bound(beginMask[i], begin[i]),
                               bound(endMask[i], end[i]), stride[i]));
    }
    const Range &range = ranges.back();
    if (range.count < 1 || range.first < 0 || range.first >= extent)
      s.error() << "takes no element of the " << extent << " along dimension "
                << i << " (begin " << begin[i] << ", end " << end[i]
                << ", stride " << stride[i] << ")";
  }
  return ranges;
}

static Value emitSlice(Statement &s, Value x, ArrayRef<Range> ranges) {
  SmallVector<int64_t> offsets, sizes, strides;
  for (const Range &range : ranges) {
    bool backwards = range.step < 0;
    offsets.push_back(backwards ? range.first + (range.count - 1) * range.step
                                : range.first);
    sizes.push_back(range.count);
    strides.push_back(range.count == 1 ? 1 : std::abs(range.step));
  }
  Value part = s.slice(x, offsets, sizes, strides);
  for (auto [dim, range] : llvm::enumerate(ranges))
    if (range.step < 0)
      part = emitReverse(s, part, dim);
  return part;
}

static Value importSliceByIndex(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  if (s.isOnHost() && !(s.knownIntegers("begin") && s.knownIntegers("end")))
    return sliceByIndexOnHost(s, x);
  SmallVector<Range> ranges = sliceRanges(s, x);
  if (s.failed())
    return {};
  Value part = emitSlice(s, x, ranges);
  if (!part)
    return {};
  SmallVector<bool> squeeze = s.booleans("squeeze_mask", ranges.size());
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(part)))
    if (!squeeze[dim])
      shape.push_back(size);
  return s.reshape(part, shape);
}

static Value importSliceBySize(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  size_t rank = shapeOf(x).size();
  auto size = s.fixedIntegers("size", rank, {}, -1);
  SmallVector<int64_t> strides(rank, 1);
  if (s.isOnHost() && !s.failed() && !s.knownIntegers("begin")) {
    SmallVector<Value> starts = startsOnHost(s, shapeOf(x), size, strides,
                                             SmallVector<bool>(rank, false));
    return s.failed() ? Value() : s.host().slice(x, starts, size, strides);
  }
  auto begin = s.fixedIntegers("begin", rank, {}, -maxMILExtent);
  if (s.failed())
    return {};
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = shapeOf(x)[i];
    begin[i] += begin[i] < 0 ? extent : 0;
    if (size[i] == -1)
      size[i] = extent - begin[i];
    if (begin[i] < 0 || size[i] < 1 || begin[i] + size[i] > extent) {
      s.error() << "takes " << size[i] << " elements from " << begin[i]
                << " along dimension " << i << ", which has " << extent;
      return {};
    }
  }
  return s.slice(x, begin, size, strides);
}

/// `x`, whose elements at an ascending range along `dim` are replaced by those
/// of `inner`: what stands before the first, each with what stands between it
/// and the next, and what stands after the last.
static Value replaceAlong(Statement &s, Value x, Value inner, Range range,
                          int64_t dim) {
  auto [first, count, step] = range;
  int64_t extent = shapeOf(x)[dim], after = first + (count - 1) * step + 1;
  SmallVector<Value> parts;
  auto addPart = [&](Value from, int64_t begin, int64_t size) {
    if (size > 0)
      parts.push_back(s.sliceAxis(from, dim, begin, size));
  };
  addPart(x, 0, first);
  if (step == 1) {
    parts.push_back(inner);
  } else if (count <= step) {
    for (int64_t i = 0; i < count; ++i) {
      addPart(inner, i, 1);
      addPart(x, first + i * step + 1, i + 1 < count ? step - 1 : 0);
    }
  } else {
    // Blocks of `step` elements that begin with one of `inner`.
    ArrayRef<int64_t> shape = shapeOf(x);
    SmallVector<int64_t> sizes = {1, count - 1, 1, 1}, joined(shape);
    for (int64_t size : shape.take_front(dim))
      sizes.front() *= size;
    for (int64_t size : shape.drop_front(dim + 1))
      sizes.back() *= size;
    joined[dim] = (count - 1) * step;
    SmallVector<Value> places;
    for (int64_t i = 0; i < step; ++i)
      places.push_back(
          s.reshape(i == 0 ? s.sliceAxis(inner, dim, 0, count - 1)
                           : s.sliceAxis(x, dim, first + i, count - 1, step),
                    sizes));
    parts.push_back(s.reshape(s.concat(places, 2), joined));
    addPart(inner, count - 1, 1);
  }
  addPart(x, after, extent - after);
  return s.concat(parts, dim);
}

/// `x` with the elements at `ranges` replaced by `update`, dimension by
/// dimension.
static Value replaceBox(Statement &s, Value x, Value update,
                        ArrayRef<Range> ranges, unsigned dim) {
  if (dim == ranges.size() || !x)
    return update;
  auto [first, count, step] = ranges[dim];
  return replaceAlong(s, x,
                      replaceBox(s, s.sliceAxis(x, dim, first, count, step),
                                 update, ranges, dim + 1),
                      ranges[dim], dim);
}

static Value importSliceUpdate(Statement &s) {
  Value x = s.tensor("x"), update = s.tensor("update");
  if (s.failed())
    return {};
  if (s.isOnHost() && !(s.knownIntegers("begin") && s.knownIntegers("end")))
    return sliceUpdateOnHost(s, x, update);
  SmallVector<Range> ranges = sliceRanges(s, x);
  SmallVector<int64_t> box;
  for (const Range &range : ranges)
    box.push_back(range.count);
  if (s.failed())
    return {};
  update = s.reshape(update, box);
  for (auto [dim, range] : llvm::enumerate(ranges))
    if (range.step < 0) {
      update = emitReverse(s, update, dim);
      range = {range.first + (range.count - 1) * range.step, range.count,
               -range.step};
    }
  return replaceBox(s, x, update, ranges, 0);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// A border that repeats what is inside: the edge, or its mirror image.
static Value padWithInside(Statement &s, Value x, int64_t axis, int64_t low,
                           int64_t high, bool mirror) {
  constexpr int64_t maxBorder = 4096;
  int64_t extent = shapeOf(x)[axis];
  if (low > maxBorder || high > maxBorder ||
      (mirror && std::max(low, high) >= extent)) {
    s.error() << "pads dimension " << axis << " of " << extent << " by " << low
              << " and " << high << ", but must do so by at most " << maxBorder
              << (mirror ? " and less than the dimension has" : "");
    return {};
  }
  SmallVector<Value> parts;
  // What is repeated starts at `first`. A few elements are slices.
  auto addBorder = [&](int64_t first, int64_t count) {
    constexpr int64_t maxSlices = 64;
    SmallVector<int64_t> places(count, 0);
    for (int64_t i = 0; mirror && i < count; ++i)
      places[i] = count - 1 - i;
    if (count > maxSlices)
      parts.push_back(takeAt(s, s.sliceAxis(x, axis, first, mirror ? count : 1),
                             axis, places));
    else
      for (int64_t place : places)
        parts.push_back(s.sliceAxis(x, axis, first + place, 1));
  };
  addBorder(mirror ? 1 : 0, low);
  parts.push_back(x);
  addBorder(mirror ? extent - 1 - high : extent - 1, high);
  return s.concat(parts, axis);
}

// The pairs are for the last dimensions.
static Value importPad(Statement &s) {
  Value x = s.tensor("x");
  SmallVector<int64_t> pad = s.integers("pad");
  StringRef mode = s.string("mode", "constant");
  if (s.failed())
    return {};
  size_t rank = shapeOf(x).size();
  if (pad.size() % 2 || pad.size() / 2 > rank ||
      llvm::any_of(pad, [](int64_t n) { return n < 0 || n > maxMILExtent; })) {
    s.error() << "argument 'pad' has " << pad.size()
              << " elements, but must have at most " << rank
              << " pairs of sizes from 0 on";
    return {};
  }
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  for (size_t i = 0, first = rank - pad.size() / 2; i < pad.size() / 2; ++i) {
    low[first + i] = pad[2 * i];
    high[first + i] = pad[2 * i + 1];
  }
  if (mode == "constant") {
    double number = s.number("constant_val", 0.0);
    if (s.isOnHost())
      return s.failed() ? Value() : s.host().pad(x, low, high, number);
    auto value = static_cast<float>(number);
    // The engine pads numbers; f16 has all that bytes can be.
    Value padded = s.build<PadOp>(s.toData(x), low, high, llvm::APFloat(value));
    return s.toElementType(padded, getElementTypeOrSelf(x));
  }
  if (mode != "reflect" && mode != "replicate") {
    s.error() << "mode is '" << mode
              << "', but must be constant, reflect or replicate";
    return {};
  }
  for (size_t i = 0; i < rank && !s.failed(); ++i)
    if (low[i] || high[i])
      x = padWithInside(s, x, i, low[i], high[i], mode == "reflect");
  return x;
}

static Value importCrop(Statement &s) {
  Value x = s.tensor("x");
  auto rows = s.fixedIntegers("crop_height", 2, {}, 0);
  auto columns = s.fixedIntegers("crop_width", 2, {}, 0);
  if (s.failed())
    return {};
  int64_t rank = shapeOf(x).size();
  int64_t height = rank < 2 ? 0 : shapeOf(x)[rank - 2] - rows[0] - rows[1];
  int64_t width = rank < 2 ? 0 : shapeOf(x)[rank - 1] - columns[0] - columns[1];
  if (height < 1 || width < 1) {
    s.error() << "leaves " << height << " rows and " << width
              << " columns, but must leave at least one of each";
    return {};
  }
  return s.sliceAxis(s.sliceAxis(x, rank - 2, rows[0], height), rank - 1,
                     columns[0], width);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Windows of an axis, one after the other in a new dimension.
static Value importSlidingWindows(Statement &s) {
  constexpr int64_t maxWindows = 64;
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t axis = s.axis("axis", shape.size());
  int64_t size = s.integer("size"), stride = s.integer("stride", 1);
  if (s.failed())
    return {};
  int64_t windows = size < 1 || stride < 1 || size > shape[axis]
                        ? 0
                        : (shape[axis] - size) / stride + 1;
  if (windows < 1 || windows > maxWindows) {
    s.error() << "makes " << windows << " windows of " << size
              << " elements at every " << stride << ". of " << shape[axis]
              << ", but must make one to " << maxWindows;
    return {};
  }
  shape[axis] = size;
  shape.insert(shape.begin() + axis, 1);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < windows; ++i)
    parts.push_back(s.reshape(s.sliceAxis(x, axis, i * stride, size), shape));
  return s.concat(parts, axis);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Value importRange(Statement &s) {
  double start = s.number("start"), end = s.number("end");
  double step = s.number("step");
  if (s.failed())
    return {};
  constexpr double maxCount = 1 << 24;
  double count = step == 0 ? 0 : std::ceil((end - start) / step);
  if (!(count >= 1 && count <= maxCount) ||
      !s.isDeclared({static_cast<int64_t>(count)})) {
    s.error()
        << "goes from " << start << " to " << end << " in steps of " << step
        << ", but its result has another number of elements, or more than "
        << int64_t(maxCount) << " elements";
    return {};
  }
  std::vector<float> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(start + i * step);
  return s.constantOf({static_cast<int64_t>(count)}, values);
}

static Value fillWith(Statement &s, ArrayRef<int64_t> shape) {
  double value = s.number("value", 0.0);
  return s.failed() ? Value() : s.constantOf(shape, static_cast<float>(value));
}

static Value importFill(Statement &s) {
  SmallVector<int64_t> shape(s.resultShape());
  if (ShapedType::isDynamicShape(shape))
    shape = s.fixedIntegers("shape", shape.size(), {}, 1);
  return fillWith(s, shape);
}

static Value importFillLike(Statement &s) {
  SmallVector<int64_t> shape(s.resultShape());
  if (ShapedType::isDynamicShape(shape))
    if (Value like = s.tensor("ref_tensor"))
      shape = SmallVector<int64_t>(shapeOf(like));
  return fillWith(s, shape);
}

void mlir::ane::addMILShapeImport(MILImporter &importer) {
  importer.takeIntegers({"concat", "expand_dims", "flatten2d", "reshape",
                         "reshape_like", "reverse", "reverse_sequence",
                         "slice_by_index", "slice_by_size", "sliding_windows",
                         "split", "squeeze", "stack", "tile", "transpose"});
  importer.add("concat", importConcat);
  importer.add("crop", importCrop);
  importer.add("expand_dims", importExpandDims);
  importer.add("fill", importFill);
  importer.add("fill_like", importFillLike);
  importer.add("flatten2d", importFlatten2d);
  importer.add("pad", importPad);
  importer.add("range_1d", importRange);
  importer.add("reshape", importReshape);
  importer.add("reshape_like", importReshapeLike);
  importer.add("reverse", importReverse);
  importer.add("reverse_sequence", importReverseSequence);
  importer.add("slice_by_index", importSliceByIndex);
  importer.add("slice_by_size", importSliceBySize);
  importer.add("slice_update", importSliceUpdate);
  importer.add("sliding_windows", importSlidingWindows);
  importer.add("squeeze", importSqueeze);
  importer.add("stack", importStack);
  importer.add("tile", importTile);
  importer.add("transpose", importTranspose);
  importer.addMany("split", importSplit);
}
