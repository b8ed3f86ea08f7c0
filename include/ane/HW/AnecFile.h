//===- AnecFile.h - The .anec file of the Linux driver ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .anec file is what the library of the Linux driver binds and submits: a
// header of fixed size, the tasks, the coefficients. It has shapes and strides,
// but no magic, no names and no element types. That of H13 is for interfaces 0
// and 1 of the driver, where bases are channels of the file; that of H14 is for
// interface 2, where tasks have bases of their own and a table of ports binds
// them to channels. docs/Formats/Anec.md describes both.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_ANECFILE_H
#define ANE_HW_ANECFILE_H

#include "ane/HW/Program.h"

namespace ane::hw {

/// How a tensor is bound: the base that tasks name, and the channel of the file,
/// by which the driver knows the buffer.
struct AnecPort {
  uint32_t base = 0, channel = 0;
};
/// The ports of the tensors, in their order. H13: base and channel are the
/// same, outputs first. H14: by ascending base, the first output is channel 4,
/// then come the inputs, then the other outputs.
std::vector<AnecPort> anecPorts(const Program &program);

/// The table of ports as JSON, which the library of interface 2 takes beside
/// the file: names, shapes, strides, bytes, bases and channels.
std::string anecPortsJson(const Program &program, absl::string_view file);

/// Of tasks of the planar engine, registers that only the neural engines read
/// and that Apple's compiler 9.509 leaves set. With them, additions are
/// reported to compute zeros under Linux. Sets them to 0; says in how many
/// tasks.
uint32_t clearIdleWords(Program &program);

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
