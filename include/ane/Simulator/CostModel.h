//===- CostModel.h - How long a task takes ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one model of time: the simulator's clock and the reports ask it, and
// benchmarks/run.py --only cost judges it by published measurements. A program
// takes one dispatch and then, for each task,
//
//   max(longest + loss * (the two shorter), window) + conversion
//
// of
//
//   compute     multiply-accumulates at the chip's peak, less what the shape
//               leaves idle: channels that do not fill the last round of
//               engines, an odd number of channels where bytes are multiplied
//               in pairs
//   weights     the coefficient streams
//   tiles       sources and result by tile DMA
//   window      a source that does not fit the L2, under a window
//   conversion  elements that the planar engine turns from halves into bytes
//               and back; in series with the rest
//
// The rates are those of the chip (HW/Chip.h). In a program, coefficients of a
// task are loaded ahead while the task before it runs (class Sequence): no more
// than the DRAM has time for beside that task, and than fits the kernel buffers
// beside its coefficients. Sources are not: what recorded programs wait for
// before the tile DMA starts leaves no time for it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_COSTMODEL_H
#define ANE_SIMULATOR_COSTMODEL_H

#include "ane/HW/Chip.h"

namespace ane::sim {

/// What a task does, as far as time depends on it.
struct TaskWork {
  uint64_t macs = 0; ///< 0: elementwise work
  uint32_t cout = 1; ///< output channels of a group
  /// Output channels that an engine works on at once; 0: it does not matter.
  uint32_t lanes = 0;
  uint32_t kernelWidth = 1;
  bool depthwise = false;
  bool byteOperands = false; ///< weights and activations of 8 bits
  uint64_t weightBytes = 0;  ///< coefficient streams
  uint64_t tileBytes = 0;    ///< sources and result by tile DMA
  uint64_t windowBytes = 0;  ///< of a streamed source, see isWindowed
  uint64_t elements = 0;     ///< of elementwise work, of the largest operand
  uint64_t results = 0;      ///< elements of the result, of depthwise work
  uint64_t converted = 0;    ///< elements whose format changes
};

enum class Unit : uint8_t { Compute, Weights, Tiles };
/// "compute", "weights", "tiles"
const char *name(Unit unit);

struct TaskTime {
  /// Seconds. Tiles is what the DMA takes, with windows; weights what is left
  /// of the streams when the task starts.
  double compute = 0, weights = 0, tiles = 0;
  double weightsAhead = 0; ///< of the streams, before the task starts
  double total = 0;        ///< from the end of the task before
  Unit bound() const;      ///< the longest part
};

/// A task alone.
TaskTime predict(const hw::ChipInfo &chip, const TaskWork &work);

/// Tasks in the order of a program.
class Sequence {
public:
  explicit Sequence(const hw::ChipInfo &chip) : chip(&chip) {}
  TaskTime add(const TaskWork &work);

private:
  const hw::ChipInfo *chip;
  /// While the last task ran: seconds in which the DRAM had nothing to do, and
  /// bytes of the kernel buffers that it left alone.
  double idle = 0;
  uint64_t room = 0;
};

/// Whether a source is read at the speed of windows: one of 16-bit elements
/// that the L2 cannot hold, under a kernel larger than 1x1 that sums over
/// channels.
bool isWindowed(const hw::ChipInfo &chip, uint64_t sourceBytes,
                uint32_t elementBytes, uint32_t kh, uint32_t kw);

/// One convolution of a network and how it is cut into tasks: output channels
/// in pieces whose coefficients leave room in the kernel buffer.
struct LayerShape {
  uint32_t cin = 1, cout = 1, height = 1, width = 1; ///< of the result
  uint32_t kh = 1, kw = 1, groups = 1;
  uint32_t activationBytes = 2; ///< 1: bytes, between halves outside
  double weightBytes = 2;       ///< of one coefficient as it is stored
  bool byteWeights = false;     ///< coefficients are integers of at most 8 bits
};

/// The work of a layer. Its input and output are in DRAM where `reads` and
/// `writes` say so, else they stay in L2.
TaskWork workOf(const hw::ChipInfo &chip, const LayerShape &layer, bool reads,
                bool writes);

} // namespace ane::sim

#endif // ANE_SIMULATOR_COSTMODEL_H
