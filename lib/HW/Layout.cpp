//===- Layout.cpp - How a tensor lies in DRAM -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Layout.h"

#include "absl/numeric/int128.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ane::hw {

PlanarLayout planarLayout(const GenerationInfo &generation, ElementType type,
                          uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
  PlanarLayout layout;
  layout.row = alignTo(uint64_t(w) * elementBytes(type), generation.dmaAlign);
  layout.plane = layout.row * h;
  layout.batch = layout.plane * c;
  layout.bytes = layout.batch * n;
  return layout;
}

void setPlanar(const GenerationInfo &generation, Tensor &tensor) {
  const auto &[n, c, h, w, d] = tensor.shape;
  PlanarLayout layout = planarLayout(generation, tensor.type, n * d, c, h, w);
  tensor.strides = {layout.batch, layout.plane, layout.row,
                    elementBytes(tensor.type), layout.batch};
  tensor.interleave = 1;
  tensor.bytes = layout.bytes;
}

absl::Status checkSurface(const Tensor &tensor) {
  constexpr uint64_t addressable = uint64_t(1) << 32;
  if (tensor.bytes > addressable)
    return absl::InvalidArgumentError(absl::StrFormat(
        "tensor '%s' has %d bytes, but addresses of a program have 32 bits",
        absl::CHexEscape(tensor.name), tensor.bytes));
  absl::uint128 bytes = elementBytes(tensor.type);
  for (uint64_t extent : tensor.shape) {
    bytes *= extent;
    if (bytes > tensor.bytes)
      break; // five extents would not fit
  }
  if (bytes > tensor.bytes)
    return absl::InvalidArgumentError(absl::StrFormat(
        "tensor '%s' has the shape %s of %s, for which its %d bytes are too "
        "few",
        absl::CHexEscape(tensor.name), absl::StrJoin(tensor.shape, "x"),
        elementName(tensor.type), tensor.bytes));
  return absl::OkStatus();
}

/// Walks the rows of a tensor: calls `copy(surface offset, dense offset,
/// bytes)` for each, or what of it is in dense arrays. Checks first that every
/// row lies inside the surface.
template <typename CopyRow>
static absl::Status forEachRow(const Tensor &tensor, uint64_t surfaceBytes,
                               uint64_t denseBytes, CopyRow copy) {
  const auto &[n, c, h, w, d] = tensor.shape;
  const auto &[strideN, strideC, strideH, strideW, strideD] = tensor.strides;
  uint64_t element = elementBytes(tensor.type), rowBytes = w * element;
  if (denseBytes != tensor.elementCount() * element)
    return absl::InvalidArgumentError(absl::StrFormat(
        "tensor '%s' has %d elements of %d bytes, but %d bytes of data are "
        "given",
        tensor.name, tensor.elementCount(), element, denseBytes));
  if (tensor.interleave != 1 || strideW != element)
    return absl::UnimplementedError(absl::StrFormat(
        "tensor '%s' interleaves %d channels with %d bytes between neighbours; "
        "only planar surfaces can be packed",
        tensor.name, tensor.interleave, strideW));
  if (tensor.elementCount() == 0)
    return absl::OkStatus();
  // Strides may be anything in a file.
  absl::uint128 last = rowBytes;
  for (auto [extent, stride] :
       {std::pair(n, strideN), {c, strideC}, {h, strideH}, {d, strideD}})
    last += absl::uint128(extent - 1) * stride;
  if (last > surfaceBytes)
    return absl::InvalidArgumentError(
        absl::StrFormat("tensor '%s' reaches byte %d of a surface of %d bytes",
                        tensor.name, last, surfaceBytes));
  const Tensor::Padding padding = tensor.padding();
  const uint64_t length = padding.length * element;
  const uint64_t room = padding.room * element;
  uint64_t dense = 0, at = 0; // in a part
  for (uint64_t in = 0; in < n; ++in)
    for (uint64_t id = 0; id < d; ++id)
      for (uint64_t ic = 0; ic < c; ++ic)
        for (uint64_t ih = 0; ih < h; ++ih) {
          const uint64_t used =
              std::min(rowBytes, length - std::min(length, at));
          copy(in * strideN + id * strideD + ic * strideC + ih * strideH, dense,
               used);
          dense += used;
          at += rowBytes;
          if (at == room)
            at = 0;
        }
  return absl::OkStatus();
}

absl::Status packSurface(const Tensor &tensor, absl::Span<const uint8_t> dense,
                         absl::Span<uint8_t> surface) {
  return forEachRow(tensor, surface.size(), dense.size(),
                    [&](uint64_t to, uint64_t from, uint64_t bytes) {
                      std::memcpy(surface.data() + to, dense.data() + from,
                                  bytes);
                    });
}

absl::Status unpackSurface(const Tensor &tensor,
                           absl::Span<const uint8_t> surface,
                           absl::Span<uint8_t> dense) {
  return forEachRow(tensor, surface.size(), dense.size(),
                    [&](uint64_t from, uint64_t to, uint64_t bytes) {
                      std::memcpy(dense.data() + to, surface.data() + from,
                                  bytes);
                    });
}

uint64_t streamedResultBytes(uint64_t channels, uint64_t columns,
                             uint64_t elementBytes, bool isNeural) {
  constexpr uint64_t unitColumns = 128, patchColumns = 512;
  return channels * std::min(columns, isNeural ? unitColumns : patchColumns) *
         elementBytes;
}

} // namespace ane::hw
