//===- KeptProgram.cpp - A program that returns inner values --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptProgram.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/HW/Arrays.h"
#include "ane/HW/Layout.h"
#include "ane/Pipelines/Partition.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

SmallVector<std::string> mlir::ane::inputNames(func::FuncOp function) {
  return nameTensors(function).inputs;
}
SmallVector<std::string> mlir::ane::outputNames(func::FuncOp function) {
  return nameTensors(function).outputs;
}

std::string mlir::ane::describeKind(Operation *op) {
  std::string kind =
      llvm::TypeSwitch<Operation *, std::string>(op)
          .Case<ElementwiseOp, CompareOp, PoolOp, ReduceOp>(
              [](auto op) { return stringifyEnum(op.getKind()).str(); })
          .Default([](Operation *) { return std::string(); });
  // Of an op that is a function, and of those that have one after them.
  for (StringRef name : {"function", "activation"})
    if (auto function = op->getAttrOfType<ActivationAttr>(name)) {
      kind += kind.empty() ? "" : ", ";
      kind += stringifyEnum(function.getKind());
    }
  return kind;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Makes `values` of `from` results of `to`, a clone of it. Gives their numbers
/// among the results.
static SmallVector<unsigned> addResults(func::FuncOp from, func::FuncOp to,
                                        ArrayRef<Value> values) {
  llvm::DenseMap<Operation *, Operation *> clones;
  for (auto [op, clone] : llvm::zip_equal(from.front(), to.front()))
    clones[&op] = &clone;
  Operation *terminator = to.front().getTerminator();
  SmallVector<unsigned> numbers;
  for (Value value : values) {
    auto result = cast<OpResult>(value);
    Value clone =
        clones.lookup(result.getOwner())->getResult(result.getResultNumber());
    // A value that is returned already needs no surface of its own.
    unsigned number = llvm::find(terminator->getOperands(), clone).getIndex();
    if (number == terminator->getNumOperands()) {
      (void)to.insertResult(number, clone.getType(), DictionaryAttr());
      terminator->insertOperands(number, clone);
    }
    numbers.push_back(number);
  }
  return numbers;
}

static FailureOr<hw::Program> compile(ModuleOp module,
                                      const PipelineOptions &options) {
  PassManager passes(module.getContext());
  PipelineOptions all;
  all.copyOptionValuesFrom(options);
  all.stopAfter = "emit";
  all.keepConstants = true;
  if (failed(buildPipeline(passes, all,
                           [&] { return emitError(module.getLoc()); })) ||
      failed(passes.run(module)))
    return failure();
  auto programs = module.getOps<hwx::ProgramOp>();
  if (!llvm::hasSingleElement(programs))
    return emitError(module.getLoc(), "the pipeline made ")
           << llvm::range_size(programs) << " register programs, expected one";
  return hwx::exportProgram(*programs.begin());
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The tensors of a program: those of the inputs filled, and their numbers as
/// they are in them.
static absl::StatusOr<std::vector<std::vector<uint8_t>>>
fillSurfaces(const hw::Program &program, const TensorNames &names,
             MutableArrayRef<Array> inputs) {
  std::vector<std::vector<uint8_t>> surfaces;
  surfaces.reserve(program.tensors.size());
  for (const hw::Tensor &tensor : program.tensors)
    surfaces.emplace_back(tensor.bytes);
  for (auto [i, tensor] : llvm::enumerate(program.tensors)) {
    if (tensor.kind != hw::TensorKind::Input || tensor.isLow)
      continue;
    const size_t index =
        llvm::find(names.inputs, tensor.name) - names.inputs.begin();
    if (index == names.inputs.size())
      return absl::InternalError("the program has an input '" + tensor.name +
                                 "', which the network has not");
    std::vector<float> &numbers = inputs[index].data;
    const std::optional<size_t> low = hw::lowOf(program.tensors, i);
    const hw::Elements elements = hw::narrow(
        tensor.type,
        absl::MakeConstSpan(reinterpret_cast<const uint8_t *>(numbers.data()),
                            numbers.size() * sizeof(float)),
        low.has_value());
    if (absl::Status status = hw::packSurface(tensor, elements.dense,
                                              absl::MakeSpan(surfaces[i]));
        !status.ok())
      return status;
    numbers = hw::widen(tensor.type, elements.dense);
    if (!low)
      continue;
    const hw::Tensor &other = program.tensors[*low];
    if (absl::Status status = hw::packSurface(other, elements.low,
                                              absl::MakeSpan(surfaces[*low]));
        !status.ok())
      return status;
    for (auto [number, more] :
         llvm::zip_equal(numbers, hw::widen(other.type, elements.low)))
      number += more;
  }
  return surfaces;
}

static absl::StatusOr<std::vector<std::vector<float>>>
simulate(const hw::Program &program, const TensorNames &names,
         MutableArrayRef<Array> inputs, const KeptProgramOptions &options) {
  auto filled = fillSurfaces(program, names, inputs);
  if (!filled.ok())
    return filled.status();
  std::vector<std::vector<uint8_t>> surfaces = *std::move(filled);
  std::vector<absl::Span<uint8_t>> spans;
  spans.reserve(surfaces.size());
  for (std::vector<uint8_t> &surface : surfaces)
    spans.push_back(absl::MakeSpan(surface));
  sim::Options simulator;
  simulator.mode = options.mode;
  simulator.threads = options.threads;
  absl::StatusOr<sim::Stats> stats = sim::run(program, spans, simulator);
  if (!stats.ok())
    return stats.status();
  std::vector<std::vector<float>> results;
  for (const std::string &name : names.outputs) {
    const hw::Tensor *tensor = program.tensor(name);
    if (!tensor)
      return absl::InternalError("the program has no output '" + name + "'");
    std::vector<uint8_t> dense(tensor->elementCount() *
                               hw::elementBytes(tensor->type));
    if (absl::Status status =
            hw::unpackSurface(*tensor, surfaces[tensor - &program.tensors[0]],
                              absl::MakeSpan(dense));
        !status.ok())
      return status;
    results.push_back(hw::widen(tensor->type, dense));
  }
  return results;
}

FailureOr<KeptValues> mlir::ane::runKeeping(func::FuncOp function,
                                            ArrayRef<Value> values,
                                            ArrayRef<Array> inputs,
                                            const KeptProgramOptions &options,
                                            std::string &error) {
  // Warnings and remarks were given when the program itself was compiled.
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            error.empty())
          error = diagnostic.str();
        return success();
      });
  OwningOpRef<ModuleOp> module = isolateProgram(function);
  func::FuncOp clone = *module->getOps<func::FuncOp>().begin();
  const SmallVector<unsigned> numbers = addResults(function, clone, values);
  const TensorNames names = nameTensors(clone);
  FailureOr<hw::Program> program = compile(*module, *options.pipeline);
  if (failed(program)) {
    if (error.empty())
      error = "the compiler fails without a word";
    return failure();
  }
  KeptValues kept;
  kept.inputs.assign(inputs.begin(), inputs.end());
  auto results = simulate(*program, names, kept.inputs, options);
  if (!results.ok()) {
    error = std::string(results.status().message());
    return failure();
  }
  for (unsigned number : numbers)
    kept.kept.push_back((*results)[number]);
  results->resize(function.getNumResults());
  kept.outputs = std::move(*results);
  return kept;
}
