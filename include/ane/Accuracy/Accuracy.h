//===- Accuracy.h - Where a program leaves its network ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network is evaluated twice for the same inputs: by the definitions of its
// ops in f32, and as the program that it is compiled to, in the simulator. The
// ops are those of the phase simplify, where composites (softmax, norms) have
// been found and constants folded; docs/Accuracy.md says why.
//
// A program does not say what is in its memory. So a value of the network is
// made a result of it, as many at a time as a program has surfaces for, and
// each of these programs runs. That leaves the values as they are, but where
// ops that would be one task are two since the value between them is asked for;
// `sameOutputs` tells.
//
// Of each op there are two errors: `total`, against f32, and `own`, against
// what its definition makes of the operands that the program had.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ACCURACY_ACCURACY_H
#define ANE_ACCURACY_ACCURACY_H

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Simulator/Simulator.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::ane {

/// What is more than this part of the largest magnitude off deviates. A half
/// has 11 digits (0.0005), and errors of some dozen ops add up.
inline constexpr double kDeviation = 0.01;

/// Values of the program beside what they should be.
struct Difference {
  double largest = 0;  ///< magnitude of a difference
  double relative = 0; ///< the same, of the largest magnitude that should be
  double rms = 0;      ///< of the differences, by that of the values
  size_t lost = 0;     ///< infinite or NaN where a number should be
  size_t zeros = 0;    ///< 0 where something else should be

  bool deviates() const { return lost || !(relative <= kDeviation); }
};

/// What there is of the elements of a value, in f32.
struct ValueSummary {
  static constexpr int kFirstExponent = -32, kBins = 56;

  size_t elements = 0, zeros = 0, special = 0; ///< special: infinite or NaN
  double least = 0, most = 0;                  ///< of numbers
  double largest = 0, smallest = 0; ///< magnitudes, of those other than 0
  /// Elements with a magnitude from 2^(kFirstExponent + i) on; the first and
  /// the last have what lies beyond, too.
  std::array<size_t, kBins> exponents = {};
};

struct OpAccuracy {
  Location loc;
  std::string op;   ///< "ane.conv"
  std::string kind; ///< "add": what the op does, where it may do several
  SmallVector<int64_t> shape;
  ValueSummary reference;
  std::optional<Difference> total, own;
  std::string missing; ///< why the program has no value
};

struct OutputAccuracy {
  std::string name;
  SmallVector<int64_t> shape;
  ValueSummary reference;
  Difference total;
};

struct AccuracyReport {
  std::vector<OpAccuracy> ops; ///< in their order
  std::vector<OutputAccuracy> outputs;
  /// Whether all programs have the same outputs, bit by bit.
  bool sameOutputs = true;
  size_t programs = 0; ///< that were compiled

  /// The first op that deviates by its total, and the one with the largest own
  /// error.
  std::optional<size_t> firstDeviation() const;
  std::optional<size_t> largestOwn() const;
};

/// An array for an input; without a name, for the next one that none names.
struct NamedArray {
  std::string name;
  SmallVector<int64_t> shape; ///< other dimensions may be as many elements
  std::vector<float> data;
};

struct AccuracyOptions {
  std::vector<NamedArray> inputs;
  /// Of random halves in [-1, 1) for inputs without an array.
  std::optional<uint64_t> seed;
  ::ane::sim::Mode mode = ::ane::sim::Mode::Exact;
  unsigned threads = 0;
};

/// Measures the network of `module`, whose arguments are bound; `pipeline` says
/// how to compile it. The module is left at the phase simplify. Fails with an
/// error.
FailureOr<AccuracyReport> measureAccuracy(ModuleOp module,
                                          const PipelineOptions &pipeline,
                                          const AccuracyOptions &options);

/// All of it, without what the caller knows (`input`, `target`).
llvm::json::Object accuracyToJson(const AccuracyReport &report);

} // namespace mlir::ane

#endif // ANE_ACCURACY_ACCURACY_H
