//===- DataFlow.h - Which elements each task reads --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register program moves bytes between addresses; what a network says is
// which elements of which tensor each operation reads. The program is executed
// with the names of elements in place of their values: every element of an
// input and of a task's result has one, and memory holds names. What a task
// reads is then known element by element, however it came there, and is written
// down as parts of tensors at regular steps. A task that only copies hands the
// names on, and is no task here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_DATAFLOW_H
#define ANE_SIMULATOR_DATAFLOW_H

#include "ane/Simulator/TaskConfig.h"
#include "ane/Simulator/TaskReader.h"

namespace ane::sim {

/// Which elements of earlier tensors a tensor is made of: those of one of them
/// at regular steps, or parts one after the other along an axis.
struct Gather {
  /// A digit of the index along an axis: `size` values, each of which moves by
  /// `step` elements of the source in row-major order.
  struct Digit {
    int64_t step, size;
  };

  std::vector<int64_t> shape;
  uint32_t source = 0; ///< index in DataFlow::values
  int64_t offset = 0;  ///< of the first element
  /// For each axis its digits, outermost first; none for an axis of 1.
  std::vector<std::vector<Digit>> digits;

  size_t axis = 0;           ///< along which the parts lie
  std::vector<Gather> parts; ///< none: the elements are of `source`
};

/// A tensor that tasks read.
struct FlowValue {
  enum class Kind : uint8_t { Input, Constant, Result };

  std::vector<int64_t> shape;
  hw::ElementType type = hw::ElementType::Float16;
  Kind kind = Kind::Result;
  std::vector<uint8_t> bytes; ///< of a constant, in row-major order
};

/// The tensors of tasks have the axes depth, channel, row, column; groups are
/// neighbouring channels.
struct FlowTask {
  uint32_t index = 0; ///< in the program
  std::shared_ptr<const TaskConfig> config;
  /// The sources that the task has, as they are read: axes of 1 may have to be
  /// repeated.
  std::optional<Gather> first, second;
  /// Kernel and table from the constant section.
  TaskWeights weights;
  /// A kernel that was computed: output channels, input channels, rows, columns.
  std::optional<Gather> kernel;
  uint32_t result = 0; ///< index in DataFlow::values
};

struct DataFlow {
  /// First the inputs, in the order of the program's tensors.
  std::vector<FlowValue> values;
  std::vector<FlowTask> tasks;
  /// One for each output of the program, with its dense shape.
  std::vector<Gather> outputs;
};

/// Fails as the simulator does on words that are not understood and on reads of
/// what nobody wrote, with the task in front; also where a program's memory has
/// more than 2^28 bytes, or where what a task reads is more than 4096 parts.
absl::StatusOr<DataFlow> traceDataFlow(const hw::Program &program);

} // namespace ane::sim

#endif // ANE_SIMULATOR_DATAFLOW_H
