//===- Generation.h - What a generation of the engine is like ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that the hardware dictates, as plain data. Passes, verifiers, the
// simulator and the documentation read them here; no pass has an option or a
// literal for any of them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_GENERATION_H
#define ANE_HW_GENERATION_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

#include <cstdint>

namespace ane::hw {

/// Programs of all can be read, written, compiled and simulated, as far as
/// there are records (GenerationInfo::recordedWork).
enum class Generation : uint8_t { H13, H14, H15, H16, H17, H18 };

/// How the tasks of a program follow each other in its text section.
enum class StreamKind : uint8_t {
  Linked, ///< each header points at the next task, whose size it has
  Packed, ///< one after the other, each with its own size
};

/// How the neural engines add up (docs/Simulator.md, "Modes").
enum class SumArithmetic : uint8_t {
  HalfSums,   ///< four products at a time in half precision, then in single
  FixedPoint, ///< 32 bits, 16 of them after the point
};

/// Kinds of work that a record of a compiler or of a device can show.
enum class Work : uint8_t {
  Elementwise,      ///< of the planar engine, one or two operands
  Function,         ///< copies and tables of the neural engines
  ChannelProduct,   ///< of two channels, by the neural engines
  ChannelReduce,    ///< over channels, by the neural engines
  Product,          ///< with constants: a convolution of one pixel
  Convolution,      ///< a larger kernel, stride 1
  Depthwise,        ///< each channel for itself, stride 1
  Groups,           ///< several groups of channels
  Stride,           ///< of 2
  Bias,             ///< of a convolution
  ProductOfTensors, ///< coefficients that are no constants
  Reduction,        ///< of the planar engine
  Interleave,       ///< channels side by side
  Intermediate,     ///< a value that goes through DRAM
  Bytes,            ///< elements of 8 bits
};
constexpr uint32_t workCount = static_cast<uint32_t>(Work::Bytes) + 1;
/// "strided convolutions" and so on, for messages.
const char *workName(Work work);

struct GenerationInfo {
  Generation id;
  const char *name;        ///< as in `--target=`
  const char *description; ///< chips that have it
  uint32_t cpuSubtype;     ///< in the header of a `.hwx` file
  /// A bit for each kind of work on record; the others compile only where they
  /// are allowed to be unproven.
  uint32_t recordedWork;

  bool records(Work work) const {
    return recordedWork >> static_cast<uint32_t>(work) & 1;
  }

  // Task stream.
  StreamKind stream;
  /// Words of a task header without its extension; the last of them tells
  /// whether there is one.
  uint32_t headerWords;
  uint32_t baseCount; ///< entries of the base-address table a task can name
  uint32_t firstTensorBase; ///< the first of them that a tensor may have
  /// A segment of its own for coefficients and tables, after the tensors in
  /// the table; tensors that are constant stay with the text.
  bool hasKernelSegment;

  // Engine.
  uint32_t neCount; ///< neural engines, each with a coefficient stream
  uint32_t
      maxLanesSmall; ///< output channels of one NE in a pass, <= 8x8 pixels
  uint32_t maxLanes; ///< the same for larger images
  uint64_t kernelBufferBytes; ///< coefficients of one NE in one task
  uint32_t zeroSkipMaskBits;  ///< entries of a mask in the zero-skipping form
  SumArithmetic sums;

  // Memory.
  uint64_t l2Bytes;       ///< software-managed L2
  uint64_t l2SourceBytes; ///< share of it that a tiled source may fill
  uint32_t l2Align;       ///< bytes; every L2 address and stride
  uint32_t l2Banks;       ///< of as many bytes each, one after the other
  uint32_t dmaAlign; ///< bytes; every DRAM stride and offset but the innermost
  uint32_t streamAlign;  ///< bytes; coefficient streams in the constant section
  uint32_t surfaceAlign; ///< bytes; buffers that the operating system maps

  // Widest values of the public axes, in elements.
  uint32_t maxWidth, maxHeight, maxChannels;
  uint32_t maxTasks;  ///< of a program
  uint32_t maxGroups; ///< rows that one pass of the planar engine reduces
  uint32_t maxKernelWidth, maxKernelHeight, maxStride;

  // What tasks have besides.
  bool savesL2;        ///< places in DRAM where results in L2 could be saved
  bool hasTableStream; ///< for a table without coefficients
  bool stridesPasses;  ///< coefficients that a task made may be several passes
  bool smallSourceInRow; ///< Common.Cfg.SmallSourceMode for 64 pixels in a row
  /// L2 has a configuration for each source: each waits for itself, and one
  /// that is loaded can be repeated or exchanged on its way.
  bool configuresSources;
};

/// All that is known of one generation. Never fails: the enum is closed.
const GenerationInfo &info(Generation generation);

/// What programs are for where nothing says otherwise.
inline const GenerationInfo &defaultTarget() { return info(Generation::H13); }

/// All generations, oldest first.
absl::Span<const GenerationInfo> generations();

/// The generation of a name. The error lists the names that exist.
absl::StatusOr<Generation> parseGeneration(absl::string_view name);

/// The same for people who want to compile: the error has the chips, too.
absl::StatusOr<Generation> parseTarget(absl::string_view name);

} // namespace ane::hw

#endif // ANE_HW_GENERATION_H
