//===- Program.cpp - A register program and what it is bound to -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Program.h"

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

uint64_t Tensor::elementCount() const {
  uint64_t count = 1;
  for (uint32_t extent : shape)
    count *= extent;
  return count;
}

static std::vector<uint64_t> ownShape(const Tensor &tensor) {
  return {tensor.shape.begin(), tensor.shape.end() - (tensor.shape[4] == 1)};
}

std::vector<uint64_t> Tensor::denseShape() const {
  return networkShape ? *networkShape : ownShape(*this);
}

bool Tensor::setDenseShape(absl::Span<const uint64_t> sizes) {
  uint64_t count = 1;
  for (uint64_t size : sizes) {
    if (size == 0 || count > elementCount() / size)
      return false;
    count *= size;
  }
  if (count != elementCount())
    return false;
  networkShape.emplace(sizes.begin(), sizes.end());
  if (*networkShape == ownShape(*this))
    networkShape.reset();
  return true;
}

absl::Span<const uint8_t> Program::constantBytes() const { return *constants; }

const Tensor *Program::tensor(absl::string_view name) const {
  for (const Tensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

} // namespace ane::hw
