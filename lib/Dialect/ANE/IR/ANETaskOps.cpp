//===- ANETaskOps.cpp - The task level of the ane dialect -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks, the memrefs that they work on, and what moves their data; views of
// memrefs are in ANEViewOps.cpp, what engines compute in ANEComputeOps.cpp.
// Each rule has an id (`dma_c2`) that its test in
// test/Dialect/ANE/task-errors.mlir repeats. A rule on strides or addresses
// holds from the pass on that chooses them; a memref without a layout passes.
//
//===----------------------------------------------------------------------===//

#include "TaskLevel.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Limits.h"
#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

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
LogicalResult mlir::ane::detail::verifyDramLayout(Operation *op,
                                                  MemRefType type) {
  std::optional<ByteLayout> layout = getByteLayout(type);
  if (!layout)
    return success();
  if (failed(verifyDirection(op, type, *layout)))
    return failure();
  int64_t align = getTarget(op).dmaAlign;
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
  const ::ane::hw::GenerationInfo &target = getTarget(op);
  int64_t align = target.l2Align;
  for (auto [dim, stride] : llvm::enumerate(layout->strides))
    if (dim + 1 != layout->strides.size() && stride % align)
      return op->emitOpError("L2 stride of dimension ")
             << dim << " is " << stride << " bytes, but must be a multiple of "
             << align << " [l2_c1]";
  if (layout->offset % align)
    return op->emitOpError("L2 address is ")
           << layout->offset << " bytes, but must be a multiple of " << align
           << " [l2_c1]";
  if (layout->offset >= int64_t(target.l2Bytes))
    return op->emitOpError("L2 address is ")
           << layout->offset << " bytes, but L2 has " << target.l2Bytes
           << " [l2_c2]";
  return success();
}

//===----------------------------------------------------------------------===//
// DRAM
//===----------------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  if (std::optional<int64_t> offset = getOffset())
    if (*offset < 0 || *offset % getTarget(*this).dmaAlign)
      return emitOpError("offset is ")
             << *offset << " bytes, but must be a multiple of "
             << getTarget(*this).dmaAlign << " [buffer_c1]";
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
          "is not allowed in a task, which has loads, one compute "
          "op, a store or keep of its result, and a yield "
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
  const ::ane::hw::GenerationInfo &info = mlir::ane::getTarget(*this);
  if (!info.savesL2)
    return reportViolation(
        *this, ::ane::hw::ConstraintId::ScratchPlace, info,
        "names a place in DRAM where the result could be saved");
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
  // Several passes are of all engines.
  const ::ane::hw::GenerationInfo &target = getTarget(op);
  int64_t planes = source.getDimSize(1), engines = target.neCount;
  if (planes > engines && (planes % engines != 0 || !target.stridesPasses))
    return op.emitOpError("reads ")
           << planes << " planes, but there are " << engines
           << " engines: " << target.name << " takes at most one plane each"
           << (target.stridesPasses ? ", or a multiple of that" : "")
           << " [kernel_load_c6]";
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
