//===- ANETaskOps.cpp - The task level of the ane dialect -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks, the memrefs that they work on, and what moves their data; what engines
// compute is in ANEComputeOps.cpp. Each rule has an id (`dma_c2`) that its test
// in test/Dialect/ANE/task-errors.mlir repeats. A rule on strides or addresses
// holds from the pass on that chooses them; a memref without a layout passes.
//
//===----------------------------------------------------------------------===//

#include "TaskLevel.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Generation.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

// The IR does not say for which generation it is; the alignments are those of
// all generations whose maps are public (docs/Formats/HWX.md).
static const ::ane::hw::GenerationInfo &limits() {
  return ::ane::hw::info(::ane::hw::Generation::H13);
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

bool mlir::ane::isInSpace(Type type, MemorySpace space) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return false;
  auto attr = dyn_cast_or_null<MemorySpaceAttr>(memref.getMemorySpace());
  return attr && attr.getValue() == space;
}

static int64_t elementBytes(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

std::optional<ByteLayout> mlir::ane::getByteLayout(MemRefType type) {
  auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout());
  if (!strided || !strided.hasStaticLayout())
    return std::nullopt; // nobody has chosen it yet
  int64_t size = elementBytes(type.getElementType());
  ByteLayout layout;
  for (int64_t stride : strided.getStrides())
    layout.strides.push_back(stride * size);
  layout.offset = strided.getOffset() * size;
  return layout;
}

MemRefType mlir::ane::getMemRefType(ArrayRef<int64_t> shape, Type element,
                                    const ByteLayout &layout,
                                    MemorySpace space) {
  int64_t size = elementBytes(element);
  SmallVector<int64_t> strides;
  for (int64_t stride : layout.strides)
    strides.push_back(stride / size);
  MLIRContext *context = element.getContext();
  return MemRefType::get(
      shape, element,
      StridedLayoutAttr::get(context, layout.offset / size, strides),
      MemorySpaceAttr::get(context, space));
}

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
  for (OpOperand &use : root.getUses())
    if (isView(use.getOwner()))
      forEachUse(use.getOwner()->getResult(0), visit);
    else
      visit(use);
}

static LogicalResult verifySameTensor(Operation *op, MemRefType a, MemRefType b,
                                      const char *id) {
  if (a.getShape() == b.getShape() && a.getElementType() == b.getElementType())
    return success();
  return op->emitOpError("moves ") << a << " to " << b
                                   << ", but both must have one shape and "
                                      "element type ["
                                   << id << "]";
}

// layout_c1: what no register can say.
static LogicalResult verifyDirection(Operation *op, MemRefType type,
                                     const ByteLayout &layout) {
  if (layout.strides.back() == elementBytes(type.getElementType()) &&
      layout.offset >= 0 &&
      llvm::all_of(layout.strides, [](int64_t stride) { return stride >= 0; }))
    return success();
  return op->emitOpError("has ")
         << type
         << ", but the elements of a row lie side by side, and nothing lies in "
            "front of the first one [layout_c1]";
}

// dma_c2, dma_c3
static LogicalResult verifyDramLayout(Operation *op, MemRefType type) {
  std::optional<ByteLayout> layout = getByteLayout(type);
  if (!layout)
    return success();
  if (failed(verifyDirection(op, type, *layout)))
    return failure();
  int64_t align = limits().dmaAlign;
  for (auto [dim, stride] : llvm::enumerate(layout->strides)) {
    if (dim + 1 == layout->strides.size() || type.getDimSize(dim) == 1)
      continue;
    if (stride % align)
      return op->emitOpError("stride of dimension ")
             << dim << " is " << stride << " bytes, but must be a multiple of "
             << align << " [dma_c2]";
  }
  if (layout->offset % align)
    return op->emitOpError("offset is ")
           << layout->offset << " bytes, but must be a multiple of " << align
           << " [dma_c3]";
  return success();
}

// l2_c1, l2_c2
LogicalResult mlir::ane::detail::verifyL2Layout(Operation *op,
                                                MemRefType type) {
  std::optional<ByteLayout> layout = getByteLayout(type);
  if (!layout)
    return success();
  if (failed(verifyDirection(op, type, *layout)))
    return failure();
  int64_t align = limits().l2Align;
  for (auto [dim, stride] : llvm::enumerate(layout->strides))
    if (dim + 1 != layout->strides.size() && stride % align)
      return op->emitOpError("L2 stride of dimension ")
             << dim << " is " << stride << " bytes, but must be a multiple of "
             << align << " [l2_c1]";
  if (layout->offset % align)
    return op->emitOpError("L2 address is ")
           << layout->offset << " bytes, but must be a multiple of " << align
           << " [l2_c1]";
  if (layout->offset >= int64_t(limits().l2Bytes))
    return op->emitOpError("L2 address is ")
           << layout->offset << " bytes, but L2 has " << limits().l2Bytes
           << " [l2_c2]";
  return success();
}

//===----------------------------------------------------------------------===//
// DRAM
//===----------------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  if (std::optional<int64_t> offset = getOffset())
    if (*offset < 0 || *offset % limits().dmaAlign)
      return emitOpError("offset is ")
             << *offset << " bytes, but must be a multiple of "
             << limits().dmaAlign << " [buffer_c1]";
  return verifyDramLayout(*this, getType());
}

LogicalResult ConstantBufferOp::verify() {
  if (getInput().getType().getShape() != getType().getShape())
    return emitOpError("shape of ")
           << getType() << " differs from that of " << getInput().getType()
           << " [constant_buffer_c1]";
  return verifyDramLayout(*this, getType());
}

LogicalResult L2BufferOp::verify() {
  if (getShared())
    for (Operation *user : getOperation()->getUsers())
      if (!isa<SubviewOp>(user)) {
        InFlightDiagnostic diagnostic =
            emitOpError("is shared, but ")
            << user->getName()
            << " looks at it without ane.subview [l2_buffer_c1]";
        diagnostic.attachNote(user->getLoc()) << "it is here";
        return diagnostic;
      }
  return verifyL2Layout(*this, getType());
}

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
  constexpr int64_t mostStep = std::numeric_limits<int32_t>::max();
  if (steps.size() != offsets.size() || steps.back() != 1 ||
      llvm::any_of(steps,
                   [](int64_t step) { return step < 1 || step > mostStep; }))
    return emitOpError("needs a stride of 1 to ")
           << mostStep
           << " for each dimension, and 1 for the last [subview_c4]";
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
             << limits().l2Align << " bytes of L2 [subview_c5]";
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
                          elementBytes(source.getElementType())))
    return emitOpError("changes the width from ")
           << source.getShape().back() << " to " << result.getShape().back()
           << ", but rows cannot be cut or joined unless they are multiples of "
           << limits().dmaAlign << " bytes [reshape_view_c2]";
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

SmallVector<int64_t> SubviewOp::getSteps() {
  if (std::optional<ArrayRef<int64_t>> strides = getStrides())
    return SmallVector<int64_t>(*strides);
  return SmallVector<int64_t>(getOffsets().size(), 1);
}

bool mlir::ane::hasSameRows(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                            int64_t elementBytes) {
  auto isWhole = [&](int64_t width) {
    return width * elementBytes % int64_t(limits().dmaAlign) == 0;
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
                                             const ByteLayout &source) {
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
        layout.strides[dim] = llvm::alignTo(extent, limits().l2Align);
      continue;
    }
    if (axis < axes.size() && used == axes[axis].first) {
      ++axis;
      used = 1;
    }
    if (axis == axes.size() || axes[axis].first % (used * to[dim]))
      return std::nullopt;
    int64_t stride = axes[axis].second * used;
    if (isLast ? stride != size : stride % int64_t(limits().l2Align))
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
  ByteLayout layout = source;
  if (auto subview = dyn_cast<SubviewOp>(view)) {
    for (auto [dim, index, step] :
         llvm::enumerate(subview.getOffsets(), subview.getSteps())) {
      layout.offset += index * source.strides[dim];
      layout.strides[dim] = source.strides[dim] * step;
    }
    if (isL2 && (layout.offset - source.offset) % int64_t(limits().l2Align))
      return std::nullopt;
    return layout;
  }
  if (auto permute = dyn_cast<PermuteViewOp>(view)) {
    for (auto [dim, from] : llvm::enumerate(permute.getPerm()))
      layout.strides[dim] = source.strides[from];
    return layout;
  }
  auto reshape = cast<ReshapeViewOp>(view);
  return (isL2 ? reshapeInL2
               : reshapeLayout)(reshape.getSource().getType().getShape(),
                                reshape.getType().getShape(), source);
}

std::optional<ByteLayout> mlir::ane::getViewLayout(Operation *view,
                                                   const ByteLayout &source) {
  bool isL2 = isInSpace(view->getResult(0).getType(), MemorySpace::L2);
  return getViewLayout(view, source,
                       isL2 ? MemorySpace::L2 : MemorySpace::Dram);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

static bool isCompute(Operation *op) {
  return isa<NeConvOp, NeBypassOp, NeProductOp, NeReduceOp, PeElementwiseOp,
             PeUnaryOp, PeReduceOp, PeNormalizeOp, PeInterleaveOp>(op);
}

void TaskOp::build(OpBuilder &builder, OperationState &state,
                   TypeRange results) {
  state.addTypes(results);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.addRegion());
}

Operation *TaskOp::getCompute() {
  for (Operation &op : getBody().front())
    if (isCompute(&op))
      return &op;
  return nullptr;
}

KernelLoadOp TaskOp::getKernelLoad() {
  auto loads = getBody().front().getOps<KernelLoadOp>();
  return loads.empty() ? KernelLoadOp() : *loads.begin();
}

DmaStoreOp TaskOp::getStore() {
  auto stores = getBody().front().getOps<DmaStoreOp>();
  return stores.empty() ? DmaStoreOp() : *stores.begin();
}

Value TaskOp::getKeptPlace(Value value) {
  for (auto keep : getBody().front().getOps<KeepOp>())
    if (keep.getSource() == value)
      return keep.getTarget();
  return {};
}

// task_c8: what else than the result stays in L2 is a source on its way there.
// No program keeps a second one.
static LogicalResult verifyKept(TaskOp task, Value value, bool isPlace) {
  Operation *compute = task.getCompute();
  if (value == compute->getResult(0))
    return success();
  auto load = value.getDefiningOp<DmaLoadOp>();
  if (load && load.getResidency() == Residency::Kept &&
      load.getResult() == compute->getOperand(0))
    return success();
  return task.emitOpError(isPlace ? "keeps" : "yields")
         << " something else than its result or the first source that it loads "
            "with residency kept [task_c8]";
}

LogicalResult TaskOp::verifyRegions() {
  unsigned computes = 0, stores = 0, kernels = 0;
  for (Operation &op : getBody().front()) {
    computes += isCompute(&op);
    stores += isa<DmaStoreOp>(op);
    kernels += isa<KernelLoadOp>(op);
    if (!isCompute(&op) && !isa<DmaStoreOp, DmaLoadOp, KernelLoadOp, KeepOp,
                                ScratchPlaceOp, YieldOp>(op))
      return op.emitOpError(
          "cannot stand in a task, which holds loads, one compute "
          "op, what stores or keeps its result, and a yield "
          "[task_c5]");
  }
  if (computes != 1)
    return emitOpError("has ")
           << computes << " compute ops, but must have 1 [task_c1]";
  Value result = getCompute()->getResult(0);
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  unsigned kept = llvm::count(yield.getResults(), result);
  for (auto keep : getBody().front().getOps<KeepOp>()) {
    kept += keep.getSource() == result;
    if (failed(verifyKept(*this, keep.getSource(), true)))
      return failure();
  }
  for (Value value : yield.getResults())
    if (failed(verifyKept(*this, value, false)))
      return failure();
  if (stores + kept != 1)
    return emitOpError("must store its result or keep it in L2, not both or "
                       "neither: it has ")
           << stores << " stores and keeps the result " << kept
           << " times [task_c2]";
  if (stores && getStore().getSource() != result)
    return emitOpError("stores something else than its result [task_c3]");
  for (auto load : getBody().front().getOps<DmaLoadOp>())
    if (load.getResidency() == Residency::Kept && !getKeptPlace(load) &&
        !llvm::is_contained(yield.getResults(), load.getResult()))
      return load.emitOpError(
          "has residency kept, but its task neither keeps nor yields it "
          "[task_c9]");
  if (kernels > 1)
    return emitOpError("has ")
           << kernels << " kernel loads, but at most 1 is possible [task_c4]";
  for (Value operand : getCompute()->getOperands())
    if (auto load = operand.getDefiningOp<KernelLoadOp>();
        isInSpace(operand.getType(), MemorySpace::Kernel) &&
        (!load || load->getParentOp() != getOperation()))
      return emitOpError("computes with a kernel that it does not load "
                         "[task_c10]");
  if (yield.getResults().getTypes() != getResultTypes())
    return emitOpError("yields types that differ from its results [task_c6]");
  if (getTileHeight()) {
    int64_t height = *getTileHeight();
    if (height < 1)
      return emitOpError("tile height is ")
             << height << " rows, but must be at least 1 [task_c7]";
  }
  return success();
}

LogicalResult DmaLoadOp::verify() {
  if (failed(verifySameTensor(*this, getSource().getType(), getType(),
                              "dma_c1")) ||
      failed(verifyDramLayout(*this, getSource().getType())))
    return failure();
  return verifyL2Layout(*this, getType());
}

LogicalResult DmaStoreOp::verify() {
  int64_t factor = getInterleave();
  MemRefType source = getSource().getType(), target = getTarget().getType();
  if (factor != 1) {
    ArrayRef<int64_t> in = source.getShape(), out = target.getShape();
    if (factor < 1 || factor > maxInterleave || in.size() != 4 ||
        out.size() != 4 || in[0] != out[0] || in[2] != out[2] ||
        in[1] != out[1] * factor || out[3] != in[3] * factor ||
        source.getElementType() != target.getElementType())
      return emitOpError("stores ")
             << source << " to " << target << " with an interleave of "
             << factor
             << ", but the channels become fewer and the columns more by a "
                "factor of 1 to "
             << maxInterleave << ", of one element type [dma_c4]";
  } else if (failed(verifySameTensor(*this, source, target, "dma_c1"))) {
    return failure();
  }
  if (failed(verifyDramLayout(*this, target)))
    return failure();
  return verifyL2Layout(*this, source);
}

LogicalResult ScratchPlaceOp::verify() {
  MemRefType source = getSource().getType(), target = getTarget().getType();
  auto task = cast<TaskOp>((*this)->getParentOp());
  if (task.getCompute() && task.getCompute()->getResult(0) != getSource())
    return emitOpError("is of something else than the result of the task "
                       "[scratch_place_c1]");
  if (task.getStore())
    return emitOpError("is of a result that is stored, which is saved as it is "
                       "[scratch_place_c2]");
  if (failed(verifySameTensor(*this, source, target, "scratch_place_c3")) ||
      failed(verifyDramLayout(*this, target)))
    return failure();
  return verifyL2Layout(*this, source);
}

LogicalResult KeepOp::verify() {
  MemRefType source = getSource().getType(), target = getTarget().getType();
  if (failed(verifySameTensor(*this, source, target, "keep_c1")))
    return failure();
  if (!getViewRoot(getTarget()).getDefiningOp<L2BufferOp>())
    return emitOpError("needs an ane.l2_buffer or a view of one as its target "
                       "[keep_c2]");
  if (getByteLayout(source) && source != target)
    return emitOpError("has ")
           << source << " in " << target
           << ", but nothing moves: both must have one layout [keep_c3]";
  return verifyL2Layout(*this, target);
}

// Planes of a tensor as coefficients: kernel_load_c5.
static LogicalResult verifyRuntimeKernel(KernelLoadOp op) {
  MemRefType source = op.getSource().getType();
  ArrayRef<int64_t> kernel = op.getType().getShape();
  if (op.getWeight() || op.getBias() || op.getTable() ||
      !source.getElementType().isF16() || kernel.size() != 4 ||
      kernel[2] != 1 || kernel[3] != 1 || source.getRank() != 4 ||
      source.getDimSize(0) != 1 || source.getDimSize(2) != 1 ||
      source.getNumElements() != kernel[0] * kernel[1] ||
      source.getDimSize(3) % kernel[1])
    return op.emitOpError("reads ")
           << source << " as " << op.getType()
           << ", but a kernel from a tensor of f16 is 1 x 1 without bias and "
              "table, and each plane holds whole output channels "
              "[kernel_load_c5]";
  if (source.getDimSize(1) > int64_t(limits().neCount))
    return op.emitOpError("reads ")
           << source.getDimSize(1) << " planes, but there are "
           << limits().neCount << " engines [kernel_load_c6]";
  return verifyDramLayout(op, source);
}

LogicalResult KernelLoadOp::verify() {
  if (getSource())
    return verifyRuntimeKernel(*this);
  if (!getWeight()) {
    if (!getTable() || getBias())
      return emitOpError("without a weight must have a table and nothing else "
                         "[kernel_load_c1]");
    return success();
  }
  ArrayRef<int64_t> weight = getWeight().getType().getShape();
  ArrayRef<int64_t> result = getType().getShape();
  int64_t first = getFirstChannel();
  if (result.size() != 4 || result.drop_front() != weight.drop_front())
    return emitOpError("gives ")
           << getType() << " from " << getWeight().getType()
           << ", but only the number of output channels "
              "may differ [kernel_load_c2]";
  if (first < 0 || first > weight[0] - result[0])
    return emitOpError("takes ")
           << result[0] << " output channels from " << first << " on of "
           << weight[0] << " [kernel_load_c3]";
  if (getBias() && getBias().getType().getShape()[0] != weight[0])
    return emitOpError("has a bias of ")
           << getBias().getType().getShape()[0] << " channels for a weight of "
           << weight[0] << " [kernel_load_c4]";
  return success();
}
