//===- AnecFile.h - The .anec file of the Linux driver ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .anec file is what the library of the Linux driver binds and submits: a
// header of fixed size, the tasks, the coefficients. It has shapes and strides,
// but no magic, no names and no element types. docs/Formats/Anec.md describes
// it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_ANECFILE_H
#define ANE_HW_ANECFILE_H

#include "ane/HW/Program.h"

namespace ane::hw {

/// The file of `program`. Fails for what the format cannot say: elements other
/// than float16, a fifth dimension, interleaved channels, images that do not
/// follow each other, and bases that are not outputs first, then inputs.
absl::StatusOr<std::vector<uint8_t>> writeAnec(const Program &program);

/// Reads a file. Outputs are "output0", ..., inputs "input0", ..., of float16.
/// Fails with what is wrong and where; never allocates more than a small
/// multiple of the size of `file`.
absl::StatusOr<Program> readAnec(absl::Span<const uint8_t> file);

} // namespace ane::hw

#endif // ANE_HW_ANECFILE_H
