//===- TaskConfig.h - What the words of a task say --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of a task as the engines need them. Every bit that is set must be
// one that is executed, one that is known to be a hint (no program computes
// anything else when it changes), or one whose only understood value it has
// (FieldRules.def). All else is an error that names the register.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_TASKCONFIG_H
#define ANE_SIMULATOR_TASKCONFIG_H

#include "ane/HW/H13.h"
#include "ane/Simulator/Pattern.h"

#include "absl/status/statusor.h"

namespace ane::sim {

namespace h13 = hw::h13;

/// Where a source comes from or a result goes to.
enum class Place : uint8_t {
  None,
  L2,       ///< stays there between tasks
  DRAM,     ///< streamed through L2 by tile DMA
  DRAMKept, ///< a source: read by tile DMA and left in L2
  Chained,  ///< passed on patch by patch from one task to the next
};

struct SourceConfig {
  Place place = Place::None;
  uint32_t base = 0; ///< index of the base address, for DMA
  Pattern dram, l2;
  bool relu = false;
  bool negated = false;
};

struct ResultConfig {
  Place place = Place::None;
  uint32_t base = 0;
  Pattern dram, l2;
};

/// The coefficient streams of a task.
struct KernelConfig {
  uint32_t base = 0; ///< index of the base address
  std::vector<uint32_t> offsets, sizes;
  uint32_t passStride = 0; ///< to the streams of the next pass; 0: in the same
};

struct NeuralConfig {
  h13::NE::OpMode op = h13::NE::OpMode::Conv;
  bool hasKernel = false; ///< a convolution; else the source passes by
  bool hasBias = false, unicast = false, multiply = false, zeroSkipping = false;
  bool smallSource = false;
  uint32_t unicastCin = 1;
  uint32_t kh = 1, kw = 1, sy = 1, sx = 1, py = 0, px = 0;
  uint32_t lanesLog2 = 0, activeNeLog2 = 0;
  float accBias = 0, postScale = 1;
  h13::NE::NonlinearMode function = h13::NE::NonlinearMode::None;
};

struct PlanarConfig {
  h13::PE::OpMode op = h13::PE::OpMode::Add;
  h13::PE::PoolMode pool = h13::PE::PoolMode::Sum;
  h13::PE::NLMode function = h13::PE::NLMode::None;
  bool binary = false, scaleBias = false, reduces = false, abs = false,
       relu = false;
  float preScale = 1, scale = 1, bias = 0, epsilon = 0, finalScale = 1;
};

struct TaskConfig {
  bool isNeural = false;
  bool endOfNetwork = false; ///< the last task of a program
  uint32_t tileHeight = 0;
  Dims computed; ///< of the source, before axes are repeated
  SourceConfig source1, source2;
  ResultConfig result;
  KernelConfig kernel;
  NeuralConfig neural;
  PlanarConfig planar;
};

/// Reads and checks the words of a task of `generation` in the registers of H13
/// (HW/H13Form.h); registers that the task does not write must stand in it as
/// earlier tasks left them. The error names the register or
/// header field, its value, and what is understood instead; the caller puts the
/// task in front.
absl::StatusOr<TaskConfig> decodeTask(hw::Generation generation,
                                      const hw::Task &task);

/// What the task computes, for people: "conv 3x3, stride 2x2, relu".
std::string describeOperation(const TaskConfig &task);

} // namespace ane::sim

#endif // ANE_SIMULATOR_TASKCONFIG_H
