//===- Accuracy.cpp - Where a program leaves its network ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Accuracy/Accuracy.h"

#include "KeptProgram.h"

#include "ane/HW/Float16.h"
#include "ane/HW/Generation.h"
#include "ane/HW/Program.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

static ValueSummary summarize(ArrayRef<float> values) {
  ValueSummary summary;
  summary.elements = values.size();
  bool isFirst = true;
  for (float value : values) {
    if (!std::isfinite(value)) {
      ++summary.special;
      continue;
    }
    summary.least = isFirst ? value : std::min(summary.least, double(value));
    summary.most = isFirst ? value : std::max(summary.most, double(value));
    isFirst = false;
    const double size = std::fabs(value);
    if (size == 0) {
      ++summary.zeros;
      continue;
    }
    summary.largest = std::max(summary.largest, size);
    summary.smallest =
        summary.smallest ? std::min(summary.smallest, size) : size;
    const int bin = std::ilogb(size) - ValueSummary::kFirstExponent;
    ++summary.exponents[std::clamp(bin, 0, ValueSummary::kBins - 1)];
  }
  return summary;
}

static Difference compare(ArrayRef<float> values, ArrayRef<float> expected) {
  Difference difference;
  double largest = 0, squares = 0, expectedSquares = 0;
  for (auto [value, want] : llvm::zip_equal(values, expected)) {
    if (!std::isfinite(want))
      continue; // nothing can be said
    if (!std::isfinite(value)) {
      ++difference.lost;
      continue;
    }
    difference.zeros += value == 0 && want != 0;
    const double distance = std::fabs(double(value) - want);
    difference.largest = std::max(difference.largest, distance);
    largest = std::max(largest, std::fabs(double(want)));
    squares += distance * distance;
    expectedSquares += double(want) * want;
  }
  auto part = [](double what, double of) {
    return what == 0 ? 0 : of == 0 ? INFINITY : what / of;
  };
  difference.relative = part(difference.largest, largest);
  difference.rms = part(std::sqrt(squares), std::sqrt(expectedSquares));
  return difference;
}

std::optional<size_t> AccuracyReport::firstDeviation() const {
  for (auto [index, op] : llvm::enumerate(ops))
    if (op.total && op.total->deviates())
      return index;
  return std::nullopt;
}

std::optional<size_t> AccuracyReport::largestOwn() const {
  std::optional<size_t> worst;
  auto size = [&](size_t index) {
    const Difference &own = *ops[index].own;
    return own.lost ? INFINITY : own.relative;
  };
  for (auto [index, op] : llvm::enumerate(ops))
    if (op.own && size(index) > 0 && (!worst || size(index) > size(*worst)))
      worst = index;
  return worst;
}

//===----------------------------------------------------------------------===//
// The measurement
//===----------------------------------------------------------------------===//

/// Moves elements, or is folded: nothing that could be off.
static bool computes(Operation *op) {
  return !isa<ConstantOp, TransposeOp, ReshapeOp, SliceOp, ConcatOp, CastOp,
              PadOp, TileOp, InterleaveOp>(op);
}

namespace {

class Measurement {
public:
  Measurement(ModuleOp module, const PipelineOptions &pipeline,
              const AccuracyOptions &options)
      : module(module), pipeline(pipeline), options(options) {}

  FailureOr<AccuracyReport> run();

private:
  FailureOr<func::FuncOp> findFunction();
  LogicalResult runUntil(StringRef phase);
  FailureOr<SmallVector<Array>> makeInputs();
  LogicalResult evaluateSource();
  LogicalResult evaluateReference();
  LogicalResult runPrograms();
  LogicalResult runBatch(ArrayRef<size_t> batch);
  LogicalResult evaluateOwn();
  unsigned batchSize();
  KeptProgramOptions keptOptions() const {
    return {&pipeline, options.mode, options.threads};
  }

  ModuleOp module;
  const PipelineOptions &pipeline;
  const AccuracyOptions &options;
  func::FuncOp function; ///< at the phase simplify
  SmallVector<Array> inputs, results;
  SmallVector<Value> values; ///< of the ops in the report
  std::vector<std::vector<float>> references;
  std::vector<std::optional<std::vector<float>>> programValues;
  std::vector<std::vector<float>> programOutputs;
  SmallVector<Array> programInputs; ///< rounded
  AccuracyReport report;
};

} // namespace

LogicalResult Measurement::runUntil(StringRef phase) {
  PassManager passes(module.getContext());
  PipelineOptions some;
  some.copyOptionValuesFrom(pipeline);
  some.stopAfter = phase.str();
  some.keepConstants = true; // programs are made of the same ones
  if (failed(buildPipeline(passes, some,
                           [&] { return emitError(module.getLoc()); })))
    return failure();
  return passes.run(module);
}

FailureOr<func::FuncOp> Measurement::findFunction() {
  SmallVector<func::FuncOp> functions;
  for (auto candidate : module.getOps<func::FuncOp>())
    if (!candidate.isExternal() &&
        (pipeline.function.empty() ||
         candidate.getName() == pipeline.function.getValue()))
      functions.push_back(candidate);
  if (functions.size() != 1)
    return emitError(module.getLoc(), "has ")
           << functions.size()
           << " functions to measure, expected one; name it with --function";
  if (failed(checkCanEvaluate(functions.front())))
    return failure();
  return functions.front();
}

FailureOr<SmallVector<Array>> Measurement::makeInputs() {
  SmallVector<std::string> names = inputNames(function);
  SmallVector<const NamedArray *> chosen(names.size(), nullptr);
  auto list = [&] { return llvm::join(names, ", "); };
  for (const NamedArray &array : options.inputs) {
    size_t index = array.name.empty()
                       ? llvm::find(chosen, nullptr) - chosen.begin()
                       : llvm::find(names, array.name) - names.begin();
    if (index >= names.size() || chosen[index])
      return emitError(module.getLoc(), "an array is given for input '")
             << array.name << "', but the inputs are " << list()
             << ", each once";
    chosen[index] = &array;
  }
  std::mt19937 random(options.seed.value_or(0));
  SmallVector<Array> arrays;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    Array array(cast<RankedTensorType>(type).getShape());
    if (chosen[i]) {
      if (chosen[i]->data.size() != array.data.size())
        return emitError(function.getArgument(i).getLoc(), "input '")
               << names[i] << "' has " << array.data.size()
               << " elements, the array " << chosen[i]->data.size();
      array.data = chosen[i]->data;
    } else if (!options.inputs.empty() && !options.seed) {
      return emitError(function.getArgument(i).getLoc(),
                       "there is no array for input '")
             << names[i] << "'; give one, or a seed for random data";
    } else {
      for (float &value : array.data)
        value = hw::fromHalfBits(
            hw::toHalfBits(static_cast<float>(random() / 2147483648.0 - 1)));
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

/// What the network returns before anything is folded or recognised.
LogicalResult Measurement::evaluateSource() {
  FailureOr<SmallVector<Array>> source = evaluate(function, inputs);
  if (failed(source))
    return failure();
  results = std::move(*source);
  return success();
}

LogicalResult Measurement::evaluateReference() {
  return evaluate(function, inputs, [&](Value value, Array &array) {
    Operation *op = value.getDefiningOp();
    if (!computes(op) || !isa<FloatType>(getElementTypeOrSelf(value)))
      return;
    OpAccuracy accuracy{op->getLoc(),
                        op->getName().getStringRef().str(),
                        describeKind(op),
                        array.shape,
                        summarize(array.data),
                        {},
                        {},
                        ""};
    report.ops.push_back(std::move(accuracy));
    values.push_back(value);
    references.push_back(array.data);
  });
}

/// As many values as there are surfaces besides those of the network.
unsigned Measurement::batchSize() {
  auto generation = hw::parseTarget(pipeline.target.getValue());
  if (!generation.ok())
    return 1; // the pipeline says so
  const hw::GenerationInfo &info = hw::info(*generation);
  const unsigned surfaces =
      info.baseCount - info.firstTensorBase - info.hasKernelSegment;
  const unsigned taken = function.getNumArguments() + function.getNumResults();
  return surfaces > taken + 1 ? surfaces - taken : 1;
}

/// Half of the values at a time where not all of them can be kept together.
LogicalResult Measurement::runBatch(ArrayRef<size_t> batch) {
  SmallVector<Value> kept;
  for (size_t index : batch)
    kept.push_back(values[index]);
  std::string error;
  FailureOr<KeptValues> run =
      runKeeping(function, kept, inputs, keptOptions(), error);
  ++report.programs;
  if (succeeded(run)) {
    report.sameOutputs &= llvm::equal(
        run->outputs, programOutputs, [](const auto &a, const auto &b) {
          return a.size() == b.size() &&
                 !std::memcmp(a.data(), b.data(), a.size() * sizeof(float));
        });
    for (auto [index, array] : llvm::zip_equal(batch, run->kept))
      programValues[index] = std::move(array);
    return success();
  }
  if (batch.size() == 1) {
    report.ops[batch.front()].missing = error;
    return success();
  }
  const size_t half = batch.size() / 2;
  return success(succeeded(runBatch(batch.take_front(half))) &&
                 succeeded(runBatch(batch.drop_front(half))));
}

LogicalResult Measurement::runPrograms() {
  std::string error;
  FailureOr<KeptValues> plain =
      runKeeping(function, {}, inputs, keptOptions(), error);
  ++report.programs;
  if (failed(plain))
    return emitError(module.getLoc()) << error;
  programOutputs = std::move(plain->outputs);
  programInputs = std::move(plain->inputs);
  SmallVector<std::string> names = outputNames(function);
  for (auto [i, name] : llvm::enumerate(names))
    report.outputs.push_back({name, results[i].shape,
                              summarize(results[i].data),
                              compare(programOutputs[i], results[i].data)});
  programValues.resize(values.size());
  SmallVector<size_t> all =
      llvm::to_vector(llvm::seq<size_t>(0, values.size()));
  const size_t most = batchSize();
  for (ArrayRef<size_t> rest = all; !rest.empty();
       rest = rest.drop_front(std::min(most, rest.size())))
    if (failed(runBatch(rest.take_front(most))))
      return failure();
  for (auto [op, value, reference] :
       llvm::zip_equal(report.ops, programValues, references))
    if (value)
      op.total = compare(*value, reference);
  return success();
}

/// The same ops on what the program had as operands.
LogicalResult Measurement::evaluateOwn() {
  size_t next = 0;
  return evaluate(function, programInputs, [&](Value value, Array &array) {
    if (next == values.size() || values[next] != value)
      return;
    if (const auto &found = programValues[next]) {
      report.ops[next].own = compare(*found, array.data);
      array.data = *found;
    }
    ++next;
  });
}

FailureOr<AccuracyReport> Measurement::run() {
  if (failed(runUntil("import")))
    return failure();
  FailureOr<func::FuncOp> found = findFunction();
  if (failed(found))
    return failure();
  function = *found;
  FailureOr<SmallVector<Array>> made = makeInputs();
  if (failed(made))
    return failure();
  inputs = std::move(*made);
  if (failed(evaluateSource()) || failed(runUntil("simplify")))
    return failure();
  found = findFunction();
  if (failed(found))
    return failure();
  function = *found;
  if (failed(evaluateReference()) || failed(runPrograms()) ||
      failed(evaluateOwn()))
    return failure();
  return std::move(report);
}

FailureOr<AccuracyReport>
mlir::ane::measureAccuracy(ModuleOp module, const PipelineOptions &pipeline,
                           const AccuracyOptions &options) {
  return Measurement(module, pipeline, options).run();
}
