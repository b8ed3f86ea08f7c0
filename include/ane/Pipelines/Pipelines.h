//===- Pipelines.h - The order of passes ------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a network in another dialect to a register program, in named phases.
// What holds after each phase is in docs/Architecture.md; what each pass does
// is in its own description (`ane-opt --help`, docs/Passes.md).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINES_PIPELINES_H
#define ANE_PIPELINES_PIPELINES_H

#include "ane/Dialect/ANE/Utils/AccuracyGoal.h"
#include "ane/HW/Generation.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::ane {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Generation of the engine: h13 (M1, A14) or "
                     "h14 (M2, A15)"),
      llvm::cl::init(::ane::hw::defaultTarget().name)};
  Option<std::string> stopAfter{
      *this, "stop-after",
      llvm::cl::desc("Last phase to run: import, simplify, legalize, tile, "
                     "tasks, layout, memory, emit; or the flag of a pass, as "
                     "ane-split-windows"),
      llvm::cl::init("emit")};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("The function to compile, if the module has several"),
      llvm::cl::init("")};
  Option<std::string> milRoot{
      *this, "mil-root",
      llvm::cl::desc("The folder that @model_path of a MIL program names"),
      llvm::cl::init("")};
  Option<std::string> flavour{
      *this, "flavour",
      llvm::cl::desc("Choices where the hardware allows several: clean (our "
                     "own) or zin-9.509 (like Apple's compiler of macOS 26)"),
      llvm::cl::init("clean")};
  Option<std::string> tile{
      *this, "tile",
      llvm::cl::desc("JSON file with a plan of tiles to use instead of a "
                     "search, or none to tile nothing"),
      llvm::cl::init("")};
  Option<std::string> dumpTiles{
      *this, "dump-tiles",
      llvm::cl::desc("JSON file to write the plan of tiles to"),
      llvm::cl::init("")};
  ListOption<std::string> ranges{
      *this, "ranges",
      llvm::cl::desc("NAME=LOW:HIGH: the range of an argument")};
  Option<std::string> calibrate{
      *this, "calibrate",
      llvm::cl::desc("Folder of arrays on which to measure the ranges of "
                     "values"),
      llvm::cl::init("")};
  Option<std::string> accuracyGoal{
      *this, "accuracy-goal",
      llvm::cl::desc("Of several forms of a function: fast, balanced or best"),
      llvm::cl::init(defaultAccuracyGoal.str())};
  Option<bool> sumsAreWide{
      *this, "sums-are-wide",
      llvm::cl::desc("Compute roots of sums before rounding, as the engine "
                     "does"),
      llvm::cl::init(true)};
  std::string *plan = nullptr; ///< gets the plan of tiles instead of a file
  Option<bool> rematerialize{
      *this, "rematerialize",
      llvm::cl::desc("Recompute values that would wait in DRAM"),
      llvm::cl::init(true)};
  Option<bool> keepConstants{
      *this, "keep-constants",
      llvm::cl::desc("Keep the bytes of constants without uses, for other "
                     "modules of the context"),
      llvm::cl::init(false)};
  Option<bool> allowUnproven{
      *this, "allow-unproven",
      llvm::cl::desc("Use mechanisms of the engine that no recorded program "
                     "uses"),
      llvm::cl::init(false)};
};

/// Adds the passes up to `options.stopAfter`. An unknown phase or target is an
/// error, reported through `emitError`.
LogicalResult buildPipeline(OpPassManager &pm, const PipelineOptions &options,
                            llvm::function_ref<InFlightDiagnostic()> emitError);

/// `--ane-pipeline="target=h13 stop-after=legalize"`.
void registerPipelines();

} // namespace mlir::ane

#endif // ANE_PIPELINES_PIPELINES_H
