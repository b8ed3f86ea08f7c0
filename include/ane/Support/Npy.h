//===- Npy.h - Arrays in .npy files -----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `.npy` file is a magic, a version, the length of a header, the header (a
// Python dictionary as text: element type, order, shape) and the elements. This
// reads versions 1 to 3 with little-endian float16, float32, int8, uint8,
// int16, int32 and int64 data in C order, and writes version 1. It works on
// bytes; opening and mapping files is the caller's affair.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_NPY_H
#define ANE_SUPPORT_NPY_H

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ane::npy {

enum class Type : uint8_t {
  Float16,
  Float32,
  Int8,
  UInt8,
  Int16,
  Int32,
  Int64
};

/// Bytes of one element.
uint32_t typeBytes(Type type);
/// "float16", "int32": the name that numpy has.
const char *typeName(Type type);

/// An array that somebody else owns.
struct View {
  Type type = Type::Float32;
  std::vector<uint64_t> shape; ///< empty for a scalar
  absl::Span<const uint8_t> data;

  uint64_t elementCount() const;
};

/// Element `index` of an array of integers.
int64_t integerAt(const View &array, uint64_t index);

/// "1x3x224x224", or "scalar".
std::string shapeText(absl::Span<const uint64_t> shape);

/// The array in `file`; `data` points into it and need not be aligned. Fails
/// with what is wrong and at which byte; allocates nothing that depends on the
/// numbers in the file.
absl::StatusOr<View> parse(absl::Span<const uint8_t> file);

/// What stands in front of the data: 64-byte aligned, version 1. The file is
/// this followed by the elements.
std::vector<uint8_t> header(Type type, absl::Span<const uint64_t> shape);

} // namespace ane::npy

#endif // ANE_SUPPORT_NPY_H
