//===- AssignLayout.cpp - Strides of every tensor in DRAM -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Surfaces, buffers and constants get the planar layout (ane/HW/Layout.h),
// views the part of it that they see.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"
#include "ane/Dialect/ANE/Utils/Footprint.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEASSIGNLAYOUT
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// The planar layout of a whole tensor.
static LogicalResult setPlanarType(const ::ane::hw::GenerationInfo &info,
                                   Operation *op, Value value) {
  auto type = cast<MemRefType>(value.getType());
  if (type.getRank() != 4)
    return op->emitOpError("has a tensor of rank ")
           << type.getRank() << ", but DRAM layouts have rank 4";
  value.setType(getMemRefType(type.getShape(), type.getElementType(),
                              getSurfaceLayout(info, type), MemorySpace::Dram));
  return success();
}

static LogicalResult setViewType(Operation *op) {
  if (isInSpace(op->getResult(0).getType(), MemorySpace::L2))
    return success(); // ane-allocate-l2 does
  auto source = cast<MemRefType>(op->getOperand(0).getType());
  std::optional<ByteLayout> layout = getViewLayout(op, *getByteLayout(source));
  if (!layout)
    return op->emitOpError("looks at ")
           << source << ", whose rows do not have one distance; copy it first";
  auto type = cast<MemRefType>(op->getResult(0).getType());
  op->getResult(0).setType(getMemRefType(type.getShape(), type.getElementType(),
                                         *layout, MemorySpace::Dram));
  return success();
}

namespace {

struct AssignLayout
    : public mlir::ane::impl::ANEAssignLayoutBase<AssignLayout> {
  using ANEAssignLayoutBase::ANEAssignLayoutBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func.isExternal() && failed(assign(getTarget(func))))
      signalPassFailure();
  }

  LogicalResult assign(const ::ane::hw::GenerationInfo &info) {
    func::FuncOp func = getOperation();
    for (BlockArgument argument : func.getArguments())
      if (isInSpace(argument.getType(), MemorySpace::Dram) &&
          failed(setPlanarType(info, func, argument)))
        return failure();
    func.setFunctionType(FunctionType::get(func.getContext(),
                                           func.front().getArgumentTypes(),
                                           func.getResultTypes()));
    for (Operation &op : func.front()) {
      LogicalResult status =
          TypeSwitch<Operation *, LogicalResult>(&op)
              .Case<BufferOp, ConstantBufferOp>([&](auto op) {
                return setPlanarType(info, op, op.getResult());
              })
              .Case<SubviewOp, ReshapeViewOp, PermuteViewOp>(
                  [](auto op) { return setViewType(op); })
              .Default([](Operation *) { return success(); });
      if (failed(status))
        return failure();
    }
    return success();
  }
};

} // namespace
