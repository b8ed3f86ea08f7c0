//===- LoweringPasses.cpp - From tensor ops to places in memory -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPasses.h"

#include "ane/Dialect/ANE/Transforms/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::ane;

/// The options that all passes of ane-decompose have.
template <typename OptionsT>
static OptionsT common(const LoweringOptions &options) {
  OptionsT common;
  common.flavour = options.flavour;
  common.allowUnproven = options.allowUnproven;
  return common;
}

void mlir::ane::addDecomposePasses(PassList &passes,
                                   const LoweringOptions &options) {
  passes.add(createANECheckSizes({options.flavour}));
  if (options.sequences)
    passes.add(createANEChooseForm(common<ANEChooseFormOptions>(options)));
  passes.add(createANEReduceAngles(common<ANEReduceAnglesOptions>(options)));
  passes.add(createANESeparateGates(common<ANESeparateGatesOptions>(options)));
  passes.add(createANECutLongRows(common<ANECutLongRowsOptions>(options)));
  // Windows before ranks, since their blocks have more than four dimensions.
  passes.add(createANESplitWindows(common<ANESplitWindowsOptions>(options)));
  passes.add(createANEUnifyRank(common<ANEUnifyRankOptions>(options)));
  passes.add(
      createANEDecomposeNorms(common<ANEDecomposeNormsOptions>(options)));
  passes.add(createANERecognizeAttention(
      common<ANERecognizeAttentionOptions>(options)));
  passes.add(createANEDecomposeAttention(
      common<ANEDecomposeAttentionOptions>(options)));
  passes.add(createANESplitLayers(common<ANESplitLayersOptions>(options)));
  passes.add(createANEExpandOps(common<ANEExpandOpsOptions>(options)));
  passes.add(createANEMoveShuffles(common<ANEMoveShufflesOptions>(options)));
  // Parts of what is too large last: taking ops apart makes others.
  passes.add(createANESplitForL2(common<ANESplitForL2Options>(options)));
  passes.add(createANEStretchTables(common<ANEStretchTablesOptions>(options)));
}

namespace {
struct DecomposeOptionsOfUser : PassPipelineOptions<DecomposeOptionsOfUser> {
  Option<std::string> flavour{
      *this, "flavour",
      llvm::cl::desc("Choices where the hardware allows several: clean or "
                     "zin-9.509"),
      llvm::cl::init("clean")};
  Option<bool> allowUnproven{
      *this, "allow-unproven",
      llvm::cl::desc("Use mechanisms of the engine that no recorded program "
                     "uses"),
      llvm::cl::init(false)};
  Option<bool> sequences{
      *this, "sequences",
      llvm::cl::desc("Skip functions that the flavour lowers to one sequence "
                     "of tasks"),
      llvm::cl::init(true)};
};
} // namespace

void mlir::ane::registerDecomposePipeline() {
  PassPipelineRegistration<DecomposeOptionsOfUser>(
      "ane-decompose",
      "Expand ops to single passes of the engine: ane-check-sizes to "
      "ane-stretch-tables",
      [](OpPassManager &pm, const DecomposeOptionsOfUser &given) {
        LoweringOptions options;
        options.flavour = given.flavour;
        options.allowUnproven = given.allowUnproven;
        options.sequences = given.sequences;
        PassList passes(pm);
        addDecomposePasses(passes, options);
      });
}

void mlir::ane::addLegalizePasses(PassList &passes,
                                  const LoweringOptions &options) {
  ANETileImagesOptions images;
  images.flavour = options.flavour;
  images.early = true; // also without tiles: it is for ane-decompose
  passes.add(createANETileImages(images));
  images.early = false;
  addDecomposePasses(passes, options);
  passes.add(createANEFold());
  passes.add(createCanonicalizerPass());
  ANELegalizeOptions legalize;
  legalize.flavour = options.flavour;
  passes.add(createANELegalize(legalize));
  if (options.tile != "none") {
    images.plan = options.tile;
    passes.add(createANETileImages(images));
  }
  if (!options.keepConstants)
    passes.add(createANEReleaseConstants());
}

void mlir::ane::addTilePasses(PassList &passes,
                              const LoweringOptions &options) {
  ANEPlanTilesOptions plan;
  plan.flavour = options.flavour;
  if (options.tile == "none") {
    plan.plan = options.tile;
    plan.dump = options.dumpTiles;
    passes.addNested<func::FuncOp>(createPlanTiles(plan, options.plan));
    return;
  }
  // Attention first head by head, sums some channels at a time: the search then
  // finds strips of these.
  plan.channels = true;
  passes.addNested<func::FuncOp>(createANEPlanTiles(plan));
  passes.addNested<func::FuncOp>(createANETile());
  passes.add(createANEFold()); // weights of some channels
  if (options.rematerialize) {
    ANERematerializeOptions again;
    again.flavour = options.flavour;
    passes.addNested<func::FuncOp>(createANERematerialize(again));
  }
  plan.channels = false;
  plan.plan = options.tile;
  plan.dump = options.dumpTiles;
  passes.addNested<func::FuncOp>(createPlanTiles(plan, options.plan));
  passes.addNested<func::FuncOp>(createANETile());
  passes.add(createANEFold()); // a plan by hand may have channels, too
}

void mlir::ane::addTaskPasses(PassList &passes,
                              const LoweringOptions &options) {
  ANEFormTasksOptions tasks;
  tasks.flavour = options.flavour;
  passes.addNested<func::FuncOp>(createANEFormTasks(tasks));
  ANECutTasksOptions parts;
  parts.flavour = options.flavour;
  passes.addNested<func::FuncOp>(createANECutTasks(parts));
}

void mlir::ane::addLayoutPasses(PassList &passes, const LoweringOptions &) {
  passes.addNested<func::FuncOp>(createANEAssignLayout());
}

void mlir::ane::addMemoryPasses(PassList &passes,
                                const LoweringOptions &options) {
  ANEScheduleOptions schedule;
  schedule.flavour = options.flavour;
  passes.addNested<func::FuncOp>(createANESchedule(schedule));
  ANEKeepInL2Options keep;
  keep.flavour = options.flavour;
  keep.dump = options.dumpTiles;
  passes.addNested<func::FuncOp>(createKeepInL2(keep, options.plan));
  passes.addNested<func::FuncOp>(createANEAllocateDram());
  ANEAllocateL2Options l2;
  l2.flavour = options.flavour;
  passes.addNested<func::FuncOp>(createANEAllocateL2(l2));
  passes.addNested<func::FuncOp>(createANEVerifyMemory());
}

void mlir::ane::addLoweringPasses(PassList &passes,
                                  const LoweringOptions &options) {
  addLegalizePasses(passes, options);
  addTilePasses(passes, options);
  addTaskPasses(passes, options);
  addLayoutPasses(passes, options);
  addMemoryPasses(passes, options);
}
