//===- L2Tiles.cpp - How tensors lie in L2 --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L2Tiles.h"

#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;

L2Tile mlir::ane::getL2Tile(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, MemRefType type,
                            L2User user, bool strips) {
  int64_t width = type.getDimSize(3), channels = type.getDimSize(1);
  if (strips && type.getDimSize(2) > 1)
    width = std::min(
        width, int64_t(1) << policy.patch(width, type.getDimSize(2), 1).width);
  L2Tile tile;
  tile.channelStride = ::ane::hw::alignTo(
      width * type.getElementType().getIntOrFloatBitWidth() / 8, info.l2Align);
  tile.dense = tile.channelStride * channels;
  tile.row = tile.dense + policy.rowPadding(user, channels, tile.dense);
  return tile;
}

L2User mlir::ane::getResultUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvResult;
  return isa<NeBypassOp>(compute) ? L2User::Bypass : L2User::Planar;
}

L2User mlir::ane::getSourceUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvSource;
  return isa<NeBypassOp>(compute) ? L2User::Bypass : L2User::Planar;
}

void mlir::ane::placeResidents(MutableArrayRef<L2Resident> residents) {
  SmallVector<L2Resident *> order, placed; // `placed` by offset
  for (L2Resident &resident : residents)
    order.push_back(&resident);
  llvm::sort(order, [](const L2Resident *a, const L2Resident *b) {
    return std::tuple(-a->bytes, a->first, a->last) <
           std::tuple(-b->bytes, b->first, b->last);
  });
  for (L2Resident *resident : order) {
    resident->offset = 0;
    for (const L2Resident *other : placed)
      if (other->first <= resident->last && resident->first <= other->last &&
          other->offset < resident->offset + resident->bytes)
        resident->offset =
            std::max(resident->offset, other->offset + other->bytes);
    placed.insert(
        llvm::upper_bound(placed, resident,
                          [](const L2Resident *a, const L2Resident *b) {
                            return a->offset < b->offset;
                          }),
        resident);
  }
}
