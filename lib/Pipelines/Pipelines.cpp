//===- Pipelines.cpp - The order of passes --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Pipelines/Pipelines.h"

#include "ane/Conversion/Passes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPasses.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"
#include "ane/Flavours/Flavour.h"
#include "ane/HW/Generation.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::ane;

static void addImport(PassList &passes, const PipelineOptions &options) {
  passes.add(createANESetTarget({options.target}));
  ConvertMILToANEOptions program;
  program.function = options.function;
  program.milRoot = options.milRoot;
  passes.add(createConvertMILToANE(program));
  ConvertStableHLOToANEOptions stableHLO;
  stableHLO.function = options.function;
  passes.add(createConvertStableHLOToANE(stableHLO));
  ConvertTosaToANEOptions convert;
  convert.function = options.function;
  passes.add(createConvertTosaToANE(convert));
  if (options.accuracyGoal != defaultAccuracyGoal)
    passes.add(createANESetAccuracyGoal({options.accuracyGoal.getValue()}));
}

/// What data shows, of the form that the network has now.
static void addMeasure(PassList &passes, const PipelineOptions &options) {
  if (options.calibrate.empty())
    return;
  ANEMeasureRangesOptions data;
  data.folder = options.calibrate;
  passes.add(createANEMeasureRanges(data));
}

static void addSimplify(PassList &passes, const PipelineOptions &options) {
  passes.add(createCanonicalizerPass());
  passes.add(createCSEPass());
  passes.add(createANERecognize());
  if (!options.ranges.empty()) {
    ANESetRangesOptions given;
    given.ranges = llvm::to_vector_of<std::string>(options.ranges);
    passes.add(createANESetRanges(given));
  }
  addMeasure(passes, options);
  ANEKeepInRangeOptions keep;
  keep.flavour = options.flavour;
  keep.sumsAreWide = options.sumsAreWide;
  passes.addNested<func::FuncOp>(createANEKeepInRange(keep));
  passes.addNested<func::FuncOp>(createANECentreNorms());
  // Layout first: it undoes the transposes of weights, which folding would
  // compute.
  ANEPropagateLayoutOptions layout;
  layout.flavour = options.flavour;
  passes.add(createANEPropagateLayout(layout));
  ANEMoveScalesOptions scales;
  scales.flavour = options.flavour;
  passes.addNested<func::FuncOp>(createANEMoveScales(scales));
  passes.add(createANEFold());
  ANEFuseOptions fuse;
  fuse.flavour = options.flavour;
  passes.add(createANEFuse(fuse));
  // What layout and fusion have left of weights (transposed, scaled) is
  // constant again. The bytes that nothing refers to any more go at once: they
  // are most of what the compiler holds in memory.
  passes.add(createANEFold());
  // What is computed otherwise now has other ranges.
  addMeasure(passes, options);
  passes.add(createANEChooseFunctionForms({options.flavour.getValue()}));
  passes.addNested<func::FuncOp>(createANECheckRanges());
  passes.add(createANESaturateConstants());
  passes.add(createCanonicalizerPass());
  if (!options.keepConstants)
    passes.add(createANEReleaseConstants());
}

static LoweringOptions getLoweringOptions(const PipelineOptions &options) {
  LoweringOptions lowering;
  lowering.flavour = options.flavour;
  lowering.allowUnproven = options.allowUnproven;
  lowering.tile = options.tile;
  lowering.dumpTiles = options.dumpTiles;
  lowering.plan = options.plan;
  lowering.rematerialize = options.rematerialize;
  lowering.keepConstants = options.keepConstants;
  return lowering;
}

static void addEmit(PassList &passes, const PipelineOptions &options) {
  ConvertANEToHWXOptions emit;
  emit.flavour = options.flavour;
  emit.allowUnproven = options.allowUnproven;
  emit.keepConstants = options.keepConstants;
  passes.add(createConvertANEToHWX(emit));
  if (!options.keepConstants)
    passes.add(createANEReleaseConstants());
}

template <void (*add)(PassList &, const LoweringOptions &)>
static void addLowering(PassList &passes, const PipelineOptions &options) {
  add(passes, getLoweringOptions(options));
}

static void addTile(PassList &passes, const PipelineOptions &options) {
  addTilePasses(passes, getLoweringOptions(options));
  // Sums are now those of tasks: some are cut. Trials (addTrialPasses) do
  // without: it changes weights, and no task or time.
  addMeasure(passes, options);
  passes.addNested<func::FuncOp>(createANEFitSums());
}

namespace {
struct Phase {
  llvm::StringLiteral name;
  void (*add)(PassList &passes, const PipelineOptions &options);
};
} // namespace

// In order, with what holds after each; a pipeline may stop there.
constexpr Phase phases[] = {
    // Only `ane` tensor ops, NCHW, f16.
    {"import", addImport},
    // Constants are folded, epilogues formed.
    {"simplify", addSimplify},
    // Every op is one that the target does in a pass.
    {"legalize", addLowering<addLegalizePasses>},
    // Groups of ops are in strips that fit L2.
    {"tile", addTile},
    // One `ane.task` for each pass of the engine.
    {"tasks", addLowering<addTaskPasses>},
    // Every buffer has its strides.
    {"layout", addLowering<addLayoutPasses>},
    // Every buffer has its address.
    {"memory", addLowering<addMemoryPasses>},
    // An `hwx.program`.
    {"emit", addEmit}};

LogicalResult
mlir::ane::buildPipeline(OpPassManager &pm, const PipelineOptions &options,
                         llvm::function_ref<InFlightDiagnostic()> emitError) {
  auto generation = ::ane::hw::parseTarget(options.target.getValue());
  if (!generation.ok()) {
    absl::string_view message = generation.status().message();
    return emitError() << StringRef(message.data(), message.size());
  }
  if (!getFlavour(options.flavour.getValue(), *generation))
    return emitError() << "flavour '" << options.flavour.getValue()
                       << "' is not available; available: "
                       << getFlavourNames();
  // Up to a phase, or up to the first run of a pass.
  PassList passes(pm, options.stopAfter.getValue());
  for (const Phase &phase : phases) {
    phase.add(passes, options);
    if (passes.hasEnded() || phase.name == options.stopAfter.getValue())
      return success();
  }
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "unknown phase '" << options.stopAfter.getValue()
             << "'; the phases are ";
  llvm::interleaveComma(phases, diagnostic,
                        [&](const Phase &phase) { diagnostic << phase.name; });
  return diagnostic << ", and the flag of a pass of the pipeline does as well";
}

void mlir::ane::registerPipelines() {
  registerDecomposePipeline();
  // PassPipelineRegistration cannot fail; this form can.
  registerPassPipeline(
      "ane-pipeline", "From a network to a register program, in phases",
      [](OpPassManager &pm, StringRef text,
         function_ref<LogicalResult(const Twine &)> errorHandler) {
        PipelineOptions options;
        if (failed(options.parseFromString(text)))
          return errorHandler("cannot parse the options of ane-pipeline");
        MLIRContext scratch;
        ScopedDiagnosticHandler handler(&scratch, [&](Diagnostic &diagnostic) {
          (void)errorHandler(diagnostic.str());
          return success();
        });
        return buildPipeline(pm, options, [&] {
          return mlir::emitError(UnknownLoc::get(&scratch));
        });
      },
      [](function_ref<void(const ::mlir::detail::PassOptions &)> handler) {
        handler(PipelineOptions());
      });
}
