//===- AllocateDram.cpp - Offsets of intermediate tensors -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer lives from the first task that touches it, or a view of it, to the
// last. Placing the largest first, each as low as its life allows, is the
// greedy that compilers for such machines settle on; for a chain of layers it
// needs the largest pair of neighbours.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"
#include "ane/Dialect/ANE/Utils/TaskOrder.h"
#include "ane/HW/Layout.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEALLOCATEDRAM
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

struct Life {
  BufferOp buffer;
  int64_t bytes = 0;
  int64_t first = std::numeric_limits<int64_t>::max(), last = -1;
  int64_t offset = 0;

  bool overlaps(const Life &other) const {
    return first <= other.last && other.first <= last;
  }
};

struct AllocateDram
    : public mlir::ane::impl::ANEAllocateDramBase<AllocateDram> {
  using ANEAllocateDramBase::ANEAllocateDramBase;

  void runOnOperation() override;
  FailureOr<SmallVector<Life>> collect();
};

} // namespace

FailureOr<SmallVector<Life>> AllocateDram::collect() {
  SmallVector<Life> lives;
  llvm::DenseMap<Value, size_t> index;
  for (auto buffer : getOperation().getOps<BufferOp>()) {
    std::optional<ByteLayout> layout = getByteLayout(buffer.getType());
    if (!layout)
      return buffer.emitOpError(
          "has no layout yet; run ane-assign-layout before ane-allocate-dram");
    index[buffer] = lives.size();
    Life life;
    life.buffer = buffer;
    life.bytes = layout->strides[0] * buffer.getType().getDimSize(0);
    lives.push_back(life);
  }
  int64_t time = 0;
  for (auto task : getOperation().getOps<TaskOp>()) {
    task.walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        auto it = index.find(getViewRoot(operand));
        if (it == index.end())
          continue;
        Life &life = lives[it->second];
        life.first = std::min(life.first, time);
        life.last = std::max(life.last, time);
      }
    });
    ++time;
  }
  return lives;
}

void AllocateDram::runOnOperation() {
  func::FuncOp func = getOperation();
  if (failed(checkTaskOrder(func)))
    return signalPassFailure();
  if (func.isExternal())
    return;
  FailureOr<SmallVector<Life>> lives = collect();
  if (failed(lives))
    return signalPassFailure();
  int64_t align = getTarget(func).dmaAlign, total = 0;
  llvm::sort(*lives, [](const Life &a, const Life &b) {
    return std::tuple(-a.bytes, a.first, a.last) <
           std::tuple(-b.bytes, b.first, b.last);
  });
  SmallVector<Life *> placed; // by offset
  for (Life &life : *lives) {
    if (life.last < 0) {
      life.buffer.emitWarning("is never used");
      continue;
    }
    int64_t offset = 0;
    for (Life *other : placed)
      if (life.overlaps(*other) && other->offset < offset + life.bytes)
        offset = std::max<int64_t>(
            offset, ::ane::hw::alignTo(other->offset + other->bytes, align));
    life.offset = offset;
    life.buffer.setOffset(offset);
    total = std::max(total, offset + life.bytes);
    bufferBytes += life.bytes;
    placed.insert(llvm::upper_bound(placed, &life,
                                    [](const Life *a, const Life *b) {
                                      return a->offset < b->offset;
                                    }),
                  &life);
  }
  scratchBytes = total;
  Builder builder(func.getContext());
  func->setAttr(ANEDialect::getScratchAttrName(),
                builder.getI64IntegerAttr(total));
}
