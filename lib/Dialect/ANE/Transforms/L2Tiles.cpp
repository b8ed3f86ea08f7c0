//===- L2Tiles.cpp - How tensors lie in L2 --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L2Tiles.h"

#include "ane/HW/Layout.h"

#include <set>

using namespace mlir;
using namespace mlir::ane;

L2Tile mlir::ane::getL2Tile(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, MemRefType type,
                            L2User user, bool strips, Operation *compute) {
  if (user == L2User::ConvSource && compute && policy.convResident)
    return policy.convResident(compute);
  int64_t width = type.getDimSize(3), channels = type.getDimSize(1);
  if (strips)
    width = policy.stripColumns(user, type);
  L2Tile tile;
  tile.channelStride = ::ane::hw::alignTo(
      width * type.getElementType().getIntOrFloatBitWidth() / 8, info.l2Align);
  tile.dense = tile.channelStride * channels;
  tile.row =
      tile.dense + policy.rowPadding({user, channels, tile.dense, compute,
                                      type.getDimSize(2), width});
  return tile;
}

L2User mlir::ane::getResultUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvResult;
  return isa<NeBypassOp>(compute) ? L2User::BypassResult : L2User::PlanarResult;
}

L2User mlir::ane::getSourceUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvSource;
  return isa<NeBypassOp>(compute) ? L2User::Bypass : L2User::Planar;
}

//===----------------------------------------------------------------------===//
// Values that stay
//===----------------------------------------------------------------------===//

namespace {

/// What is placed, by blocks of tasks, so that only what may live at the same
/// time is looked at.
class PlacedResidents {
public:
  /// Those that share a task with `resident`, by offset.
  ArrayRef<const L2Resident *> conflicts(const L2Resident &resident) {
    found.clear();
    for (int64_t block = resident.first / blockSize;
         block <= resident.last / blockSize; ++block)
      for (const L2Resident *other : blocks[block])
        if (other->first <= resident.last && resident.first <= other->last &&
            std::max(other->first, resident.first) / blockSize == block)
          found.push_back(other); // in the first block that they share
    llvm::sort(found, [](const L2Resident *a, const L2Resident *b) {
      return std::tuple(a->offset, a->bytes) < std::tuple(b->offset, b->bytes);
    });
    return found;
  }
  void insert(const L2Resident &resident) {
    for (int64_t block = resident.first / blockSize;
         block <= resident.last / blockSize; ++block)
      blocks[block].push_back(&resident);
  }

private:
  static constexpr int64_t blockSize = 32;
  DenseMap<int64_t, SmallVector<const L2Resident *>> blocks;
  SmallVector<const L2Resident *> found;
};

} // namespace

void mlir::ane::placeResidents(MutableArrayRef<L2Resident> residents) {
  SmallVector<L2Resident *> order;
  for (L2Resident &resident : residents)
    order.push_back(&resident);
  llvm::sort(order, [](const L2Resident *a, const L2Resident *b) {
    return std::tuple(-a->bytes, a->first, a->last) <
           std::tuple(-b->bytes, b->first, b->last);
  });
  PlacedResidents placed;
  for (L2Resident *resident : order) {
    resident->offset = 0;
    for (const L2Resident *other : placed.conflicts(*resident))
      if (other->offset < resident->offset + resident->bytes)
        resident->offset =
            std::max(resident->offset, other->offset + other->bytes);
    placed.insert(*resident);
  }
}

SmallVector<int64_t> mlir::ane::getResidentEnds(ArrayRef<L2Resident> residents,
                                                size_t count) {
  SmallVector<SmallVector<const L2Resident *, 2>> starts(count), stops(count);
  for (const L2Resident &resident : residents) {
    starts[resident.first].push_back(&resident);
    stops[resident.last].push_back(&resident);
  }
  std::multiset<int64_t> ends;
  SmallVector<int64_t> result;
  for (size_t at = 0; at < count; ++at) {
    for (const L2Resident *resident : starts[at])
      ends.insert(resident->offset + resident->bytes);
    result.push_back(ends.empty() ? 0 : *ends.rbegin());
    for (const L2Resident *resident : stops[at])
      ends.erase(ends.find(resident->offset + resident->bytes));
  }
  return result;
}

ByteLayout mlir::ane::getResidentLayout(MemRefType type, const L2Tile &tile,
                                        int64_t base) {
  ByteLayout layout;
  int64_t image =
      type.getDimSize(0) == 1 ? tile.dense : tile.row * type.getDimSize(2);
  layout.strides = {image, tile.channelStride, tile.row,
                    type.getElementType().getIntOrFloatBitWidth() / 8};
  layout.offset = base;
  return layout;
}

// Who writes the place of a value that a task leaves in L2.
static L2User getWriter(Value value) {
  if (auto load = value.getDefiningOp<DmaLoadOp>())
    return getSourceUser(cast<TaskOp>(load->getParentOp()).getCompute());
  return getResultUser(value.getDefiningOp());
}

SmallVector<ResidentValue>
mlir::ane::collectResidents(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, ArrayRef<TaskOp> tasks,
                            ArrayRef<L2BufferOp> buffers) {
  DenseMap<Operation *, int64_t> time;
  for (TaskOp task : tasks)
    time[task] = time.size();
  SmallVector<ResidentValue> residents;
  auto add = [&](Value root, int64_t first, L2User user, Operation *compute) {
    ResidentValue resident{root, user, compute, {}};
    resident.life.first = resident.life.last = first;
    forEachUse(root, [&](OpOperand &use) {
      if (auto task = dyn_cast<TaskOp>(use.getOwner()->getParentOp()))
        resident.life.last = std::max(resident.life.last, time[task]);
    });
    auto type = cast<MemRefType>(root.getType());
    resident.life.bytes =
        getL2Tile(info, policy, type, user, false, compute).row *
        type.getDimSize(2) * type.getDimSize(0);
    residents.push_back(resident);
  };
  for (TaskOp task : tasks) {
    auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
    for (OpResult result : task.getResults())
      add(result, time[task],
          getWriter(yield.getResults()[result.getResultNumber()]),
          task.getCompute());
  }
  for (L2BufferOp buffer : buffers) {
    int64_t first = tasks.size();
    L2User user = L2User::Planar;
    forEachUse(buffer, [&](OpOperand &use) {
      auto keep = dyn_cast<KeepOp>(use.getOwner());
      if (!keep || time[keep->getParentOp()] >= first)
        return;
      first = time[keep->getParentOp()];
      user = getWriter(keep.getSource());
    });
    if (first < int64_t(tasks.size()))
      add(buffer, first, user, nullptr);
  }
  return residents;
}

bool mlir::ane::isKept(DmaLoadOp load) {
  return load.getResidency() == Residency::Kept;
}
