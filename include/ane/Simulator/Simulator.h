//===- Simulator.h - Runs a register program --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes tasks from their words, the constant section and the surfaces, and
// nothing else: no knowledge of the network reaches it. A word or mode that it
// does not understand is an error that names it, never a silent zero.
//
//   hw::Program program = hw::readContainer(bytes)->program;
//   std::vector<std::vector<uint8_t>> buffers;   // of tensor.bytes each
//   ... hw::packSurface(program.tensors[0], array, buffers[0]) ...
//   absl::StatusOr<sim::Stats> stats = sim::run(program, spans(buffers));
//   ... hw::unpackSurface(program.tensors[1], buffers[1], array) ...
//
// docs/Simulator.md says what is executed, what is checked, and how numbers are
// rounded, each with its evidence.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SIMULATOR_SIMULATOR_H
#define ANE_SIMULATOR_SIMULATOR_H

#include "ane/HW/Program.h"
#include "ane/Simulator/Assumptions.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ane::sim {

/// How sums are accumulated. Elements are halves (or bytes) between tasks in
/// all modes; docs/Simulator.md has rules and measured differences.
enum class Mode : uint8_t {
  /// In single precision, in any order. For networks.
  Fast,
  /// In double precision, rounded once: what the words mean. For tests.
  Exact,
  /// As published probes of the engines show (hw::SumArithmetic): sums have a
  /// range and a precision of their own, subnormals and NaN become numbers.
  /// Slow; partly a guess.
  Engine,
  /// Not at all: the same checks of memory, counts and times, but no element is
  /// read or written. Surfaces may be null.
  Count,
};

/// Bytes that cross the DRAM interface, by purpose: elements of tensors without
/// what pads their rows, and coefficient streams with their padding.
struct Traffic {
  uint64_t weights = 0;      ///< from the constants
  uint64_t input = 0;        ///< from input surfaces
  uint64_t output = 0;       ///< to output surfaces
  uint64_t intermediate = 0; ///< scratch, both ways, and outputs read back
  /// All of them with what DMA moves beside: rows are moved in whole bursts.
  /// Guess: of 64 bytes, the unit of all strides.
  uint64_t moved = 0;
  uint64_t total() const { return weights + input + output + intermediate; }
};

/// A source or the result of a task, and where it lies in L2 meanwhile.
struct OperandStats {
  std::string role; ///< "source 1", "source 2" or "result"
  /// "dram": streamed through L2; "l2": stays there; "kept": loaded and stays
  /// there; "chained": passed on patch by patch, has no range.
  std::string place;
  std::string tensor; ///< in DRAM: the surface, "constants" or "scratch"
  std::array<uint32_t, 5> shape = {}; ///< groups, depth, C, H, W
  /// Bytes of L2, first to after the last; those of a tile where it streams.
  uint64_t l2Begin = 0, l2End = 0;
};

/// What became of the elements of a tensor when they were rounded to its type.
struct ValueCounts {
  uint64_t elements = 0;
  uint64_t infinities = 0; ///< also numbers above 65504, and lost in bytes
  uint64_t nans = 0;       ///< before the engine's zeros (Mode::Engine)
  uint64_t underflows = 0; ///< zero now, and something else before
  uint64_t subnormals = 0; ///< below 2^-14, with fewer than 11 digits
  float largest = 0;       ///< magnitude before rounding, of finite ones

  /// Whether some are no numbers.
  bool hasSpecial() const { return infinities || nans; }
  void add(const ValueCounts &more) {
    elements += more.elements;
    infinities += more.infinities;
    nans += more.nans;
    underflows += more.underflows;
    subnormals += more.subnormals;
    largest = largest < more.largest ? more.largest : largest;
  }
};

struct TaskStats {
  uint32_t index = 0;                 ///< in the program, from 0
  std::string unit;                   ///< "NE" or "PE"
  std::string op;                     ///< what it computes: "conv 3x3, relu"
  std::vector<OperandStats> operands; ///< sources, then the result
  uint64_t macs = 0; ///< products of a convolution, also those with padding
  Traffic read, written;
  uint64_t l2Bytes = 0; ///< end of the highest L2 range that the task touches
  /// What the task takes after the one before, and its parts, which overlap
  /// (CostModel.h). A part of the weights may be loaded before it starts.
  double predictedMs = 0, computeMs = 0, weightMs = 0, tileMs = 0;
  double weightAheadMs = 0; ///< of weightMs
  double startMs = 0;       ///< from the call, with its dispatch
  std::string bound;  ///< the longest part: "compute", "weights" or "tiles"
  ValueCounts values; ///< of the result; none with Mode::Count
  /// With Options::tracksSums, of a task that adds up on the neural engines:
  /// the largest magnitude of a running sum, in the order of the reduction and
  /// from the bias on. hw::sumLimit says what is lost.
  std::optional<float> largestSum;
  /// The result has elements that are no numbers, and a source had some.
  bool inheritsSpecial = false;
};

/// The elements of a surface.
struct TensorStats {
  std::string name;
  hw::TensorKind kind = hw::TensorKind::Input;
  ValueCounts values;          ///< of outputs: of all that tasks write there
  std::vector<uint32_t> tasks; ///< those that write there
};

struct Stats {
  std::vector<TaskStats> tasks;     ///< one for each task, in their order
  std::vector<TensorStats> tensors; ///< none with Mode::Count
  uint64_t macs = 0;                ///< sums of the tasks, like the next
  Traffic read, written;
  /// Weights, inputs and outputs once: what no plan can avoid.
  uint64_t compulsoryBytes = 0;
  uint64_t l2PeakBytes = 0; ///< the highest TaskStats::l2Bytes
  double dispatchMs = 0;    ///< of the program, once
  double predictedMs = 0;   ///< with one dispatch
};

struct Options {
  Mode mode = Mode::Fast;
  /// Of Mode::Engine; by default what is known of the program's generation.
  std::optional<hw::SumArithmetic> sums;
  /// Of Mode::Engine, too: what it computes with instead of what is known of
  /// these sums.
  std::optional<Assumptions> assumptions;
  /// Whether to look at running sums; takes longer than the sums themselves.
  bool tracksSums = false;
  unsigned threads = 0; ///< 0: as many as the machine has
  /// Called after each task with (tasks done, tasks in all); for progress on
  /// long runs.
  std::function<void(size_t, size_t)> progress;
};

/// Runs all tasks of `program`, one after the other. `surfaces[i]` is the
/// buffer of `program.tensors[i]`: exactly `tensor.bytes` bytes, elements where
/// `tensor.strides` say (hw::packSurface and unpackSurface convert dense
/// arrays). Outputs are written in place; bytes of an output that no task
/// writes stay as they are. Constants, tasks and inputs are only read. Scratch
/// memory and L2 belong to the call, so that calls may run at the same time.
///
/// On failure the outputs are undefined. The codes:
///   InvalidArgument     buffers that do not fit the tensors, two tensors with
///                       one base, sizes in a task that do not fit each other
///   Unimplemented       a word, mode or value that is not understood
///   OutOfRange          a tensor or stream that leaves its memory, or has more
///                       elements than 16 for each byte of memory
///   FailedPrecondition  reading what no task wrote, live ranges or tiles of L2
///                       that overlap, writing to an input, a register that
///                       nothing wrote, a task after the end of the network
///   NotFound            a base index to which nothing is bound
/// Messages of tasks start with "task N: " and have register, value and what is
/// understood, or owner and address (hexadecimal bytes).
absl::StatusOr<Stats> run(const hw::Program &program,
                          absl::Span<const absl::Span<uint8_t>> surfaces,
                          const Options &options = {});

/// Counts the elements of a planar surface: all but `underflows`, which nothing
/// tells any more. No elements where the surface is none of the tensor.
ValueCounts countValues(const hw::Tensor &tensor,
                        absl::Span<const uint8_t> surface);

} // namespace ane::sim

#endif // ANE_SIMULATOR_SIMULATOR_H
