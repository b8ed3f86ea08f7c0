//===- ConvTasks.h - How many tasks a convolution takes ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One task computes no more output channels than the coefficient buffers of the
// engines have room for. Fewer may be better: coefficients of a task load while
// the task before it runs, beside those of that task (CostModel.h).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_CONVTASKS_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_CONVTASKS_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Generation.h"

namespace mlir::ane {

/// Convolutions whose result has at most 8 x 8 pixels: their coefficients
/// stream past the buffer (Common.Cfg.SmallSourceMode, seen in all recorded
/// ones).
bool streamsCoefficients(ConvOp conv);

/// Each output channel has an input channel of its own.
bool isDepthwise(ConvOp conv);

/// How many of the output channels a task may have.
class ConvTasks {
public:
  /// With `doubleBuffers`, tasks are made smaller where their coefficients then
  /// load in time and L2 holds the source for all of them.
  ConvTasks(ConvOp conv, const ::ane::hw::GenerationInfo &info,
            bool doubleBuffers);

  /// Whether the coefficients of `channels` output channels in `groups` groups
  /// fit the buffers.
  bool fits(int64_t channels, int64_t groups);

  /// Of `channels` output channels of one group, those of one task; 0 when not
  /// even one for each engine fits.
  int64_t channelsOfTask(int64_t channels);

private:
  int64_t most(int64_t channels);
  double secondsOf(int64_t channels, int64_t step);

  ConvOp conv;
  const ::ane::hw::GenerationInfo &info;
  bool doubleBuffers;
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_CONVTASKS_H
