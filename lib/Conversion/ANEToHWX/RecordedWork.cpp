//===- RecordedWork.cpp - What records show of a generation ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordedWork.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::Work;

static void addConvWork(NeConvOp conv, SmallVectorImpl<Work> &works) {
  KernelLoadOp load = conv.getKernel().getDefiningOp<KernelLoadOp>();
  ArrayRef<int64_t> kernel = conv.getKernel().getType().getShape();
  const bool isPoint = kernel[2] == 1 && kernel[3] == 1;
  const int64_t groups = conv.getGroups();
  const bool isDepthwise = groups > 1 && kernel[1] == 1;
  if (load && load.getSource())
    works.push_back(Work::ProductOfTensors);
  if (isDepthwise)
    works.push_back(Work::Depthwise);
  else if (groups > 1)
    works.push_back(Work::Groups);
  if (!isDepthwise)
    works.push_back(isPoint ? Work::Product : Work::Convolution);
  if (llvm::any_of(conv.getStrides(),
                   [](int64_t stride) { return stride > 1; }))
    works.push_back(Work::Stride);
  if (load && load.getBias())
    works.push_back(Work::Bias);
}

static SmallVector<Work> worksOf(TaskOp task) {
  Operation *compute = task.getCompute();
  SmallVector<Work> works;
  if (auto conv = dyn_cast<NeConvOp>(compute))
    addConvWork(conv, works);
  else if (isa<NeBypassOp>(compute))
    works.push_back(Work::Function);
  else if (isa<NeProductOp>(compute))
    works.push_back(Work::ChannelProduct);
  else if (isa<NeReduceOp>(compute))
    works.push_back(Work::ChannelReduce);
  else if (isa<PeReduceOp>(compute))
    works.push_back(Work::Reduction);
  else if (isa<PeInterleaveOp>(compute))
    works.push_back(Work::Interleave);
  else
    works.push_back(Work::Elementwise);
  auto isIntermediate = [](Value memref) {
    return isa_and_nonnull<BufferOp>(getViewRoot(memref).getDefiningOp());
  };
  auto isBytes = [](Value memref) {
    return cast<MemRefType>(memref.getType()).getElementType().isInteger(8);
  };
  bool hasIntermediate = false, hasBytes = false;
  for (Operation &op : task.getBody().front()) {
    Value memref;
    if (auto load = dyn_cast<DmaLoadOp>(op))
      memref = load.getSource();
    else if (auto store = dyn_cast<DmaStoreOp>(op))
      memref = store.getTarget();
    if (!memref)
      continue;
    hasIntermediate |= isIntermediate(memref);
    hasBytes |= isBytes(memref);
  }
  if (hasIntermediate)
    works.push_back(Work::Intermediate);
  if (hasBytes)
    works.push_back(Work::Bytes);
  return works;
}

LogicalResult mlir::ane::checkRecorded(ArrayRef<TaskOp> tasks,
                                       const ::ane::hw::GenerationInfo &info) {
  // One op may become many tasks.
  llvm::DenseSet<std::pair<Location, unsigned>> reported;
  for (TaskOp task : tasks) {
    for (Work work : worksOf(task)) {
      if (info.records(work))
        continue;
      Operation *compute = task.getCompute();
      if (reported.insert({compute->getLoc(), static_cast<unsigned>(work)})
              .second)
        compute->emitOpError("needs ")
            << ::ane::hw::workName(work) << ", of which there is no record for "
            << info.name << "; allow-unproven emits them";
    }
  }
  return success(reported.empty());
}
