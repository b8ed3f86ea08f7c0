//===- Program.cpp - A register program and what it is bound to -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Program.h"

#include "ane/HW/Layout.h"

#include <algorithm>
#include <utility>

namespace ane::hw {

uint32_t elementBytes(ElementType type) {
  switch (type) {
  case ElementType::UInt8:
  case ElementType::Int8:
    return 1;
  case ElementType::Float16:
    return 2;
  }
  return 0;
}

const char *elementName(ElementType type) {
  switch (type) {
  case ElementType::UInt8:
    return "uint8";
  case ElementType::Int8:
    return "int8";
  case ElementType::Float16:
    return "float16";
  }
  return "";
}

// Of a tensor in as many parts, each with `length` elements: indices of the
// dimension that follows, of which the last one ends in padding.
static std::optional<Tensor::Padding>
paddingOf(const Tensor &tensor, uint64_t parts, uint64_t length) {
  uint64_t lead = 1, room = 1;
  for (uint32_t extent : tensor.shape)
    room *= extent;
  for (size_t dim = 0; dim < 3; ++dim) {
    const uint64_t extent = std::max(1u, tensor.shape[dim]);
    if (lead == parts && extent > 1)
      return room > length && room - length < room / extent
                 ? std::optional(Tensor::Padding{parts, length, room})
                 : std::nullopt;
    lead *= extent;
    room /= extent;
  }
  return std::nullopt;
}

// Of the last dimension, if that will do.
Tensor::Padding Tensor::padding() const {
  uint64_t places = 1, count = 1;
  for (uint32_t extent : shape)
    places *= extent;
  if (networkShape)
    for (uint64_t size : *networkShape)
      count *= size;
  if (!networkShape || count == 0 || count == places || shape[4] != 1)
    return {1, places, places};
  uint64_t length = 1;
  for (size_t dim = networkShape->size(); dim-- > 0;) {
    length *= (*networkShape)[dim];
    if (auto found = paddingOf(*this, count / length, length))
      return *found;
  }
  return {1, places, places};
}

uint64_t Tensor::elementCount() const {
  const Padding padding = this->padding();
  return padding.parts * padding.length;
}

static std::vector<uint64_t> ownShape(const Tensor &tensor) {
  return {tensor.shape.begin(), tensor.shape.end() - (tensor.shape[4] == 1)};
}

std::vector<uint64_t> Tensor::denseShape() const {
  return networkShape ? *networkShape : ownShape(*this);
}

bool Tensor::setDenseShape(absl::Span<const uint64_t> sizes) {
  std::optional<std::vector<uint64_t>> before = std::move(networkShape);
  networkShape.reset();
  const uint64_t places = elementCount();
  uint64_t count = 1;
  bool fits = true;
  for (uint64_t size : sizes) {
    fits = fits && size != 0 && count <= places / size;
    count = fits ? count * size : 0;
  }
  if (fits) {
    networkShape.emplace(sizes.begin(), sizes.end());
    fits = elementCount() == count;
  }
  if (!fits)
    networkShape = std::move(before);
  else if (*networkShape == ownShape(*this))
    networkShape.reset();
  return fits;
}

absl::Span<const uint8_t> Program::constantBytes() const { return *constants; }

absl::Span<const uint8_t> Program::kernels() const {
  return constantBytes().first(
      std::min<uint64_t>(kernelBytes, constantBytes().size()));
}

absl::Span<const uint8_t> Program::tensorConstants() const {
  const uint64_t start =
      alignTo(kernels().size(), info(generation).streamAlign);
  return constantBytes().subspan(
      std::min<uint64_t>(start, constantBytes().size()));
}

uint32_t Program::kernelBase() const {
  uint32_t last = info(generation).firstTensorBase - 1;
  for (const Tensor &tensor : tensors)
    last = std::max(last, tensor.base);
  return last + 1;
}

const Tensor *Program::tensor(absl::string_view name) const {
  for (const Tensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

} // namespace ane::hw
