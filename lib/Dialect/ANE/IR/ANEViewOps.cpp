//===- ANEViewOps.cpp - Memrefs that look at others -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view moves nothing: its strides follow from those of its source, or there
// are none and it cannot be. Where the elements of a shape lie under another
// shape depends on the memory: rows in DRAM have one distance, in L2 each
// dimension has its own.
//
//===----------------------------------------------------------------------===//

#include "TaskLevel.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "llvm/ADT/SmallBitVector.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

bool mlir::ane::isView(Operation *op) {
  return isa_and_nonnull<SubviewOp, ReshapeViewOp, PermuteViewOp>(op);
}

Value mlir::ane::getViewRoot(Value view) {
  while (isView(view.getDefiningOp()))
    view = view.getDefiningOp()->getOperand(0);
  return view;
}

void mlir::ane::forEachUse(Value root,
                           llvm::function_ref<void(OpOperand &)> visit) {
  // Views of views may be deeper than the stack.
  SmallVector<std::pair<Value::use_iterator, Value::use_iterator>> open = {
      {root.use_begin(), root.use_end()}};
  while (!open.empty()) {
    auto &[next, end] = open.back();
    if (next == end) {
      open.pop_back();
      continue;
    }
    OpOperand &use = *next++;
    if (!isView(use.getOwner())) {
      visit(use);
      continue;
    }
    Value view = use.getOwner()->getResult(0);
    open.push_back({view.use_begin(), view.use_end()});
  }
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

// Whether the layout of a view is what it makes of that of its source. What has
// one element has no distance to another.
static bool isViewLayout(Operation *view, MemRefType source,
                         MemRefType result) {
  std::optional<ByteLayout> from = getByteLayout(source),
                            to = getByteLayout(result);
  if (!from || !to)
    return true;
  std::optional<ByteLayout> made = getViewLayout(view, *from);
  bool isSame = made && made->offset == to->offset;
  for (int64_t dim = 0; isSame && dim < result.getRank(); ++dim)
    isSame =
        result.getDimSize(dim) == 1 || made->strides[dim] == to->strides[dim];
  return isSame;
}

// view_c1, view_c2: a view stays where its source is.
static LogicalResult verifyViewLayout(Operation *op, MemRefType source,
                                      MemRefType result) {
  if (source.getMemorySpace() != result.getMemorySpace() ||
      source.getElementType() != result.getElementType())
    return op->emitOpError("looks at ")
           << source << " as " << result
           << ", but both must have one space and element type [view_c1]";
  if (!isViewLayout(op, source, result))
    return op->emitOpError("looks at ")
           << source << " as " << result
           << ", which has other distances or starts elsewhere [view_c2]";
  return isInSpace(result, MemorySpace::L2) ? verifyL2Layout(op, result)
                                            : verifyDramLayout(op, result);
}

LogicalResult SubviewOp::verify() {
  MemRefType source = getSource().getType(), result = getType();
  ArrayRef<int64_t> offsets = getOffsets();
  if (offsets.size() != size_t(source.getRank()) ||
      result.getRank() != source.getRank())
    return emitOpError("has ")
           << offsets.size() << " offsets and rank " << result.getRank()
           << " for a source of rank " << source.getRank() << " [subview_c1]";
  SmallVector<int64_t> steps = getSteps();
  // More than that multiplied by a stride may be any number.
  constexpr int64_t maxStep = std::numeric_limits<int32_t>::max();
  if (steps.size() != offsets.size() || steps.back() != 1 ||
      llvm::any_of(steps,
                   [](int64_t step) { return step < 1 || step > maxStep; }))
    return emitOpError("needs a stride of 1 to ")
           << maxStep << " for each dimension, and 1 for the last [subview_c4]";
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t behind = source.getDimSize(dim) - 1 - offsets[dim];
    if (offsets[dim] < 0 || behind < 0 ||
        result.getDimSize(dim) - 1 > behind / steps[dim])
      return emitOpError("takes ")
             << result.getDimSize(dim) << " elements of dimension " << dim
             << " from " << offsets[dim] << " on, " << steps[dim]
             << " apart, but it has " << source.getDimSize(dim)
             << " [subview_c2]";
  }
  std::optional<ByteLayout> from = getByteLayout(source),
                            to = getByteLayout(result);
  if (from && to) {
    std::optional<ByteLayout> view = getViewLayout(*this, *from);
    if (!view)
      return emitOpError("starts inside ")
             << getTarget(*this).l2Align << " bytes of L2 [subview_c5]";
    ByteLayout box = *view;
    if (to->offset != box.offset || to->strides != box.strides)
      return emitOpError("layout of ")
             << result << " is not that of the box at " << box.offset
             << " bytes [subview_c3]";
  }
  return verifyViewLayout(*this, source, result);
}

LogicalResult ReshapeViewOp::verify() {
  MemRefType source = getSource().getType(), result = getType();
  if (source.getNumElements() != result.getNumElements())
    return emitOpError("has ")
           << result.getNumElements() << " elements, but its source has "
           << source.getNumElements() << " [reshape_view_c1]";
  if (isInSpace(source, MemorySpace::L2)) {
    std::optional<ByteLayout> from = getByteLayout(source);
    if (from && !getViewLayout(*this, *from))
      return emitOpError("looks at ")
             << source << " as " << result
             << ", but no distance of neighbours is the same for a whole "
                "dimension [reshape_view_c3]";
  } else if (!hasSameRows(source.getShape(), result.getShape(),
                          elementBytes(source), getTarget(*this).dmaAlign))
    return emitOpError("changes the width from ")
           << source.getShape().back() << " to " << result.getShape().back()
           << ", but rows cannot be cut or joined unless they are multiples of "
           << getTarget(*this).dmaAlign << " bytes [reshape_view_c2]";
  return verifyViewLayout(*this, source, result);
}

LogicalResult PermuteViewOp::verify() {
  MemRefType source = getSource().getType(), result = getType();
  SmallVector<int64_t> shape;
  llvm::SmallBitVector seen(source.getRank());
  for (int64_t dim : getPerm())
    if (dim >= 0 && dim < source.getRank() && !seen.test(dim)) {
      seen.set(dim);
      shape.push_back(source.getDimSize(dim));
    }
  if (int64_t(getPerm().size()) != source.getRank() || !seen.all() ||
      ArrayRef<int64_t>(shape) != result.getShape())
    return emitOpError("takes the dimensions of ")
           << source << " in an order that does not give " << result
           << " [permute_view_c1]";
  if (getPerm().back() != source.getRank() - 1)
    return emitOpError("moves the last dimension to another place, but the "
                       "elements of a row stay together [permute_view_c2]");
  return verifyViewLayout(*this, source, result);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

SmallVector<int64_t> SubviewOp::getSteps() {
  if (std::optional<ArrayRef<int64_t>> strides = getStrides())
    return SmallVector<int64_t>(*strides);
  return SmallVector<int64_t>(getOffsets().size(), 1);
}

bool mlir::ane::hasSameRows(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                            int64_t elementBytes, int64_t align) {
  auto isWhole = [&](int64_t width) {
    return width * elementBytes % align == 0;
  };
  return from.back() == to.back() ||
         (isWhole(from.back()) && isWhole(to.back()));
}

// The distance of neighbouring rows, if it is the same for all rows in
// row-major order; a dimension of size 1 has no neighbours.
static std::optional<int64_t> uniformRows(ArrayRef<int64_t> shape,
                                          const ByteLayout &layout) {
  std::optional<int64_t> row;
  int64_t rows = 1;
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim) {
    if (shape[dim] == 1)
      continue;
    if (!row)
      row = layout.strides[dim];
    if (layout.strides[dim] != *row * rows)
      return std::nullopt;
    rows *= shape[dim];
  }
  return row ? *row : layout.strides[shape.size() - 2];
}

// Bytes that follow each other at one distance, innermost first: (extent,
// distance), without what has one element.
using Axes = SmallVector<std::pair<int64_t, int64_t>>;

static Axes joinedAxes(ArrayRef<int64_t> shape, const ByteLayout &layout) {
  Axes axes;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    int64_t extent = shape[dim], stride = layout.strides[dim];
    if (extent == 1)
      continue;
    if (!axes.empty() && axes.back().first * axes.back().second == stride)
      axes.back().first *= extent;
    else
      axes.push_back({extent, stride});
  }
  return axes;
}

// Strides of the same elements under another shape, if every dimension of it
// has one: then it is a part of what followed at one distance before.
static std::optional<ByteLayout> reshapeInL2(ArrayRef<int64_t> from,
                                             ArrayRef<int64_t> to,
                                             const ByteLayout &source,
                                             int64_t align) {
  int64_t size = source.strides.back();
  Axes axes = joinedAxes(from, source);
  size_t axis = 0;
  int64_t used = 1, extent = size; // of the axis, of all so far in bytes
  ByteLayout layout;
  layout.offset = source.offset;
  layout.strides.assign(to.size(), size);
  for (int64_t dim = int64_t(to.size()) - 1; dim >= 0; --dim) {
    bool isLast = dim + 1 == int64_t(to.size());
    if (to[dim] == 1) {
      if (!isLast)
        layout.strides[dim] = llvm::alignTo(extent, align);
      continue;
    }
    if (axis < axes.size() && used == axes[axis].first) {
      ++axis;
      used = 1;
    }
    if (axis == axes.size() || axes[axis].first % (used * to[dim]))
      return std::nullopt;
    int64_t stride = axes[axis].second * used;
    if (isLast ? stride != size : stride % align)
      return std::nullopt;
    layout.strides[dim] = stride;
    used *= to[dim];
    extent = std::max(extent, stride * to[dim]);
  }
  return layout;
}

static std::optional<ByteLayout> reshapeLayout(ArrayRef<int64_t> from,
                                               ArrayRef<int64_t> to,
                                               const ByteLayout &source) {
  std::optional<int64_t> row = uniformRows(from, source);
  if (!row)
    return std::nullopt;
  int64_t size = source.strides.back();
  if (from.back() != to.back()) {
    // A lone row has no distance; else rows must follow without a gap.
    bool isOneRow = llvm::all_of(from.drop_back(),
                                 [](int64_t extent) { return extent == 1; });
    if (!isOneRow && *row != from.back() * size)
      return std::nullopt;
    row = to.back() * size;
  }
  ByteLayout layout;
  layout.offset = source.offset;
  layout.strides.assign(to.size(), size);
  int64_t stride = *row;
  for (int64_t dim = int64_t(to.size()) - 2; dim >= 0; --dim) {
    layout.strides[dim] = stride;
    stride *= to[dim];
  }
  return layout;
}

std::optional<ByteLayout> mlir::ane::getViewLayout(Operation *view,
                                                   const ByteLayout &source,
                                                   MemorySpace space) {
  bool isL2 = space == MemorySpace::L2;
  int64_t align = isL2 ? getTarget(view).l2Align : 0;
  ByteLayout layout = source;
  if (auto subview = dyn_cast<SubviewOp>(view)) {
    for (auto [dim, index, step] :
         llvm::enumerate(subview.getOffsets(), subview.getSteps())) {
      layout.offset += index * source.strides[dim];
      layout.strides[dim] = source.strides[dim] * step;
    }
    if (isL2 && (layout.offset - source.offset) % align)
      return std::nullopt;
    return layout;
  }
  if (auto permute = dyn_cast<PermuteViewOp>(view)) {
    for (auto [dim, from] : llvm::enumerate(permute.getPerm()))
      layout.strides[dim] = source.strides[from];
    return layout;
  }
  auto reshape = cast<ReshapeViewOp>(view);
  ArrayRef<int64_t> from = reshape.getSource().getType().getShape();
  ArrayRef<int64_t> to = reshape.getType().getShape();
  return isL2 ? reshapeInL2(from, to, source, align)
              : reshapeLayout(from, to, source);
}

std::optional<ByteLayout> mlir::ane::getViewLayout(Operation *view,
                                                   const ByteLayout &source) {
  bool isL2 = isInSpace(view->getResult(0).getType(), MemorySpace::L2);
  return getViewLayout(view, source,
                       isL2 ? MemorySpace::L2 : MemorySpace::Dram);
}
