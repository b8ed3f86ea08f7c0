//===- PromoteToL2.cpp - From buffers in DRAM to places in L2 -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromoteToL2.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::ane;

bool BufferAccesses::isWhole() const {
  BufferOp op = buffer;
  return stores.size() == 1 && llvm::none_of(op->getUsers(), isView);
}

TaskOp mlir::ane::promoteToResult(BufferAccesses &accesses) {
  DmaStoreOp store = accesses.stores.front();
  auto old = cast<TaskOp>(store->getParentOp());
  Value result = old.getCompute()->getResult(0);
  OpBuilder builder(old);
  SmallVector<Type> types(old.getResultTypes());
  types.push_back(result.getType());
  auto task = TaskOp::create(builder, old.getLoc(), types);
  task.getBody().takeBody(old.getBody());
  auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
  yield.getResultsMutable().append(result);
  store.erase();
  old->replaceAllUsesWith(task.getResults().drop_back());
  old.erase();
  for (DmaLoadOp load : accesses.loads) {
    load.getResult().replaceAllUsesWith(task.getResults().back());
    load.erase();
  }
  accesses.buffer.erase();
  return task;
}

static MemRefType inL2(MemRefType type) {
  return MemRefType::get(
      type.getShape(), type.getElementType(), AffineMap(),
      MemorySpaceAttr::get(type.getContext(), MemorySpace::L2));
}

L2BufferOp mlir::ane::promoteToPlace(BufferAccesses &accesses, L2BufferOp place,
                                     RowOffset offset, int64_t rows,
                                     bool isShared) {
  BufferOp buffer = accesses.buffer;
  OpBuilder builder(buffer);
  if (!place) {
    // In front of all tasks: another buffer may come to lie in it.
    builder.setInsertionPointToStart(buffer->getBlock());
    MemRefType type = inL2(buffer.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[2] = std::max(shape[2], rows);
    place =
        L2BufferOp::create(builder, buffer.getLoc(),
                           MemRefType::get(shape, type.getElementType(),
                                           AffineMap(), type.getMemorySpace()),
                           accesses.isPlanar, isShared);
  }
  Value here = place;
  if (place.getShared() || here.getType() != inL2(buffer.getType())) {
    builder.setInsertionPointAfter(place);
    here = SubviewOp::create(builder, buffer.getLoc(), inL2(buffer.getType()),
                             here, {0, offset.channel, offset.row, 0});
  }
  // Before they are users of a place that many other tensors lie in.
  SmallVector<Value> views(1, buffer.getResult());
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers())
      if (isView(user)) {
        Value view = user->getResult(0);
        view.setType(inL2(cast<MemRefType>(view.getType())));
        views.push_back(view);
      }
  buffer.getResult().replaceAllUsesWith(here);
  for (DmaStoreOp store : accesses.stores) {
    builder.setInsertionPoint(store);
    KeepOp::create(builder, store.getLoc(), store.getSource(),
                   store.getTarget());
    store.erase();
  }
  for (DmaLoadOp load : accesses.loads) {
    load.getResult().replaceAllUsesWith(load.getSource());
    load.erase();
  }
  buffer.erase();
  return place;
}

void mlir::ane::keepLoaded(ArrayRef<DmaLoadOp> loads) {
  DmaLoadOp first = loads.front();
  OpBuilder builder(first->getContext());
  builder.setInsertionPointToStart(
      &first->getParentOfType<func::FuncOp>().front());
  Value place = L2BufferOp::create(builder, first.getLoc(), first.getType(),
                                   /*planar=*/false, /*shared=*/false);
  first.setResidency(Residency::Kept);
  builder.setInsertionPointAfter(first);
  KeepOp::create(builder, first.getLoc(), first, place);
  for (DmaLoadOp load : loads.drop_front()) {
    load.getResult().replaceAllUsesWith(place);
    load.erase();
  }
}

//===----------------------------------------------------------------------===//
// Rows for channels
//===----------------------------------------------------------------------===//

constexpr int64_t exchanged[] = {0, 2, 1, 3};

static MemRefType exchangedType(MemRefType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[1], shape[2]);
  return MemRefType::get(shape, type.getElementType(), AffineMap(),
                         type.getMemorySpace());
}

// `memref` with channels and rows exchanged.
static Value exchange(OpBuilder &builder, Value memref) {
  auto view = memref.getDefiningOp<PermuteViewOp>();
  if (view && view.getPerm() == ArrayRef<int64_t>(exchanged))
    return view.getSource();
  auto type = cast<MemRefType>(memref.getType());
  MemRefType result = exchangedType(type);
  if (std::optional<ByteLayout> layout = getByteLayout(type)) {
    std::swap(layout->strides[1], layout->strides[2]);
    result = getMemRefType(
        result.getShape(), result.getElementType(), *layout,
        isInSpace(type, MemorySpace::L2) ? MemorySpace::L2 : MemorySpace::Dram);
  }
  return PermuteViewOp::create(builder, memref.getLoc(), result, memref,
                               exchanged);
}

bool mlir::ane::takeRowsForChannels(TaskOp task) {
  Operation *compute = task.getCompute();
  DmaStoreOp store = task.getStore();
  SmallVector<Value> values(compute->getOperands());
  values.push_back(compute->getResult(0));
  bool hasRows = false;
  for (Value value : values) {
    auto type = cast<MemRefType>(value.getType());
    if (type.getDimSize(1) != 1)
      return false;
    hasRows |= type.getDimSize(2) > 1;
  }
  if (!hasRows || !store)
    return false;
  OpBuilder builder(task);
  for (OpOperand &operand : compute->getOpOperands()) {
    Value value = operand.get();
    auto type = cast<MemRefType>(value.getType());
    if (type.getDimSize(2) == 1)
      continue;
    if (auto load = value.getDefiningOp<DmaLoadOp>()) {
      // Two operands may be one load.
      load.getSourceMutable().assign(exchange(builder, load.getSource()));
      value.setType(exchangedType(type));
    } else {
      operand.set(exchange(builder, value)); // lies in L2 already
    }
  }
  Value result = compute->getResult(0);
  result.setType(exchangedType(cast<MemRefType>(result.getType())));
  store.getTargetMutable().assign(exchange(builder, store.getTarget()));
  return true;
}
