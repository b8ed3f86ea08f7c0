//===- KernelPacking.h - Coefficient streams --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constant section feeds up to 16 neural engines, each with a stream of its
// own. A stream is cut into passes; in a pass an engine computes `lanes` output
// channels at once. In a pass come the bias of each lane, then for every step
// of the reduction (input channel, kernel row, kernel column) one coefficient
// for each lane. Stride 2 has a zero-skipping form with a mask for every 8
// slots. docs/Formats/HWX.md, "Coefficient streams", has the tables and the
// evidence.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_KERNELPACKING_H
#define ANE_HW_KERNELPACKING_H

#include "ane/HW/Generation.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <vector>

namespace ane::hw {

/// What decides the order of the coefficients of one task.
struct KernelShape {
  uint32_t cout = 1; ///< output channels of this task, all groups
  uint32_t cin = 1;  ///< input channels of one group
  uint32_t kh = 1, kw = 1;
  uint32_t groups = 1;
  bool depthwise = false;    ///< each output channel has its own inputs,
  uint32_t unicastCin = 1;   ///< so many of them (UnicastCin)
  bool zeroSkipping = false; ///< the form of stride 2
  bool smallSource = false;  ///< Common.Cfg.SmallSourceMode
  bool hasBias = false;
  bool hasTable = false;     ///< 128 bytes in front of every stream
  uint32_t lanesLog2 = 0;    ///< Common.ConvCfg.OCGSize
  uint32_t activeNeLog2 = 0; ///< Common.Cfg.ActiveNE
};

/// The streams of one task: offsets are multiples of 64 bytes from the start of
/// the task's part of the constant section.
struct KernelStreams {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> offsets, sizes; ///< one for each enabled stream

  /// Of the whole part, whether or not `bytes` has it.
  uint64_t byteSize() const {
    return offsets.empty() ? 0 : uint64_t(offsets.back()) + sizes.back();
  }
};

/// Common.ConvCfg.OCGSize and Common.Cfg.ActiveNE for a convolution of `cout`
/// channels (of one group) whose result has the given size. An encoder that
/// does not set SmallSourceMode for every small image sets `smallSource`, too.
void chooseLanes(const GenerationInfo &generation, KernelShape &shape,
                 uint32_t outHeight, uint32_t outWidth);

/// Packs OIHW weights (fp16 bits, `cout * cin * kh * kw` of them), bias (fp16
/// bits, `cout`, or empty) and table (128 bytes, or empty). Weights are read
/// once.
absl::StatusOr<KernelStreams> packKernel(const GenerationInfo &generation,
                                         const KernelShape &shape,
                                         absl::Span<const uint16_t> weights,
                                         absl::Span<const uint16_t> bias,
                                         absl::Span<const uint8_t> table);

/// The same into memory of the caller, at least packedBytes of it; `bytes` of
/// the result stays empty. Bytes behind byteSize() are left in any state.
absl::StatusOr<KernelStreams> packKernelInto(absl::Span<uint8_t> out,
                                             const GenerationInfo &generation,
                                             const KernelShape &shape,
                                             absl::Span<const uint16_t> weights,
                                             absl::Span<const uint16_t> bias,
                                             absl::Span<const uint8_t> table);

/// Bytes that packing a kernel may touch. More than the streams have in the
/// zero-skipping form only.
uint64_t packedBytes(const GenerationInfo &generation,
                     const KernelShape &shape);

/// The constant section of a task that only applies a table: the table is
/// stored once, every enabled stream points at it. `channels` are those of the
/// task.
KernelStreams packTable(const GenerationInfo &generation,
                        absl::Span<const uint8_t> table, uint32_t channels);

/// Streams of a task: one for each active NE that has a channel.
uint32_t streamCount(const KernelShape &shape);

/// Bytes of the longest stream of one NE, an upper bound for the zero-skipping
/// form, whose length depends on the values.
uint64_t streamBytes(const GenerationInfo &generation,
                     const KernelShape &shape);

} // namespace ane::hw

#endif // ANE_HW_KERNELPACKING_H
