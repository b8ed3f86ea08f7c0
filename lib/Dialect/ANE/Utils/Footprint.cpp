//===- Footprint.cpp - Which bytes a memref takes -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Footprint.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;

std::optional<::ane::hw::Footprint> mlir::ane::getFootprint(MemRefType type) {
  std::optional<ByteLayout> layout = getByteLayout(type);
  if (!layout)
    return std::nullopt;
  // Elements of a row lie side by side, and nothing runs backwards: verifiers
  // of the task level see to it.
  ::ane::hw::Footprint footprint;
  footprint.base = layout->offset;
  footprint.run = layout->strides.back() * type.getShape().back();
  for (auto [extent, stride] :
       llvm::zip(type.getShape().drop_back(), layout->strides))
    if (extent != 1)
      footprint.axes.push_back({uint64_t(extent), uint64_t(stride)});
  llvm::sort(footprint.axes, [](const auto &a, const auto &b) {
    return std::pair(a.stride, a.count) > std::pair(b.stride, b.count);
  });
  return footprint;
}

std::optional<ByteRange> mlir::ane::getByteRange(MemRefType type) {
  std::optional<::ane::hw::Footprint> footprint = getFootprint(type);
  if (!footprint)
    return std::nullopt;
  constexpr uint64_t most = std::numeric_limits<int64_t>::max();
  return ByteRange{int64_t(footprint->base),
                   int64_t(std::min(footprint->end(), most))};
}

static ::ane::hw::ElementType elementType(Type type) {
  if (type.isF16())
    return ::ane::hw::ElementType::Float16;
  return type.isUnsignedInteger() ? ::ane::hw::ElementType::UInt8
                                  : ::ane::hw::ElementType::Int8;
}

ByteLayout mlir::ane::getSurfaceLayout(const ::ane::hw::GenerationInfo &info,
                                       MemRefType type) {
  ArrayRef<int64_t> shape = type.getShape();
  ::ane::hw::PlanarLayout planar =
      ::ane::hw::planarLayout(info, elementType(type.getElementType()),
                              shape[0], shape[1], shape[2], shape[3]);
  ByteLayout layout;
  layout.strides = {int64_t(planar.batch), int64_t(planar.plane),
                    int64_t(planar.row), elementBytes(type)};
  return layout;
}

bool mlir::ane::hasSurfaceLayout(const ::ane::hw::GenerationInfo &info,
                                 MemRefType type) {
  std::optional<ByteLayout> layout = getByteLayout(type);
  if (!layout || type.getRank() != 4)
    return false;
  ByteLayout surface = getSurfaceLayout(info, type);
  bool isSame = layout->offset == 0;
  for (int64_t dim = 0; dim < 4; ++dim) // what has one element has no distance
    isSame &= type.getDimSize(dim) == 1 ||
              layout->strides[dim] == surface.strides[dim];
  return isSame;
}
