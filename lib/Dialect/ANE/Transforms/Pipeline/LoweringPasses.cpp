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

void mlir::ane::addLegalizePasses(OpPassManager &pm,
                                  const LoweringOptions &options) {
  ANETileImagesOptions images;
  images.target = options.target;
  images.flavour = options.flavour;
  images.allowUnproven = options.allowUnproven;
  images.early = true; // also without tiles: it is for ane-decompose
  pm.addPass(createANETileImages(images));
  images.early = false;
  ANEDecomposeOptions decompose;
  decompose.target = options.target;
  decompose.flavour = options.flavour;
  decompose.allowUnproven = options.allowUnproven;
  decompose.sequences = options.sequences;
  pm.addPass(createANEDecompose(decompose));
  pm.addPass(createANEFold());
  pm.addPass(createCanonicalizerPass());
  ANELegalizeOptions legalize;
  legalize.target = options.target;
  legalize.flavour = options.flavour;
  legalize.allowUnproven = options.allowUnproven;
  pm.addPass(createANELegalize(legalize));
  if (options.tile != "none") {
    images.plan = options.tile;
    pm.addPass(createANETileImages(images));
  }
  if (!options.keepConstants)
    pm.addPass(createANEReleaseConstants());
}

void mlir::ane::addTilePasses(OpPassManager &pm,
                              const LoweringOptions &options) {
  ANEPlanTilesOptions plan;
  plan.target = options.target;
  plan.flavour = options.flavour;
  if (options.tile == "none") {
    plan.plan = options.tile;
    plan.dump = options.dumpTiles;
    pm.addNestedPass<func::FuncOp>(createPlanTiles(plan, options.plan));
    return;
  }
  // Attention first head by head, sums some channels at a time: the search then
  // finds strips of these.
  plan.channels = true;
  pm.addNestedPass<func::FuncOp>(createANEPlanTiles(plan));
  pm.addNestedPass<func::FuncOp>(createANETile({options.target}));
  pm.addPass(createANEFold()); // weights of some channels
  if (options.rematerialize) {
    ANERematerializeOptions again;
    again.target = options.target;
    again.flavour = options.flavour;
    pm.addNestedPass<func::FuncOp>(createANERematerialize(again));
  }
  plan.channels = false;
  plan.plan = options.tile;
  plan.dump = options.dumpTiles;
  pm.addNestedPass<func::FuncOp>(createPlanTiles(plan, options.plan));
  pm.addNestedPass<func::FuncOp>(createANETile({options.target}));
  pm.addPass(createANEFold()); // a plan by hand may have channels, too
}

void mlir::ane::addTaskPasses(OpPassManager &pm,
                              const LoweringOptions &options) {
  ANEFormTasksOptions tasks;
  tasks.target = options.target;
  tasks.flavour = options.flavour;
  tasks.allowUnproven = options.allowUnproven;
  pm.addNestedPass<func::FuncOp>(createANEFormTasks(tasks));
}

void mlir::ane::addLayoutPasses(OpPassManager &pm,
                                const LoweringOptions &options) {
  ANEAssignLayoutOptions layout;
  layout.target = options.target;
  pm.addNestedPass<func::FuncOp>(createANEAssignLayout(layout));
}

void mlir::ane::addMemoryPasses(OpPassManager &pm,
                                const LoweringOptions &options) {
  ANEScheduleOptions schedule;
  schedule.target = options.target;
  schedule.flavour = options.flavour;
  pm.addNestedPass<func::FuncOp>(createANESchedule(schedule));
  ANEKeepInL2Options keep;
  keep.target = options.target;
  keep.flavour = options.flavour;
  keep.dump = options.dumpTiles;
  pm.addNestedPass<func::FuncOp>(createKeepInL2(keep, options.plan));
  ANEAllocateDramOptions dram;
  dram.target = options.target;
  pm.addNestedPass<func::FuncOp>(createANEAllocateDram(dram));
  ANEAllocateL2Options l2;
  l2.target = options.target;
  l2.flavour = options.flavour;
  pm.addNestedPass<func::FuncOp>(createANEAllocateL2(l2));
  ANEVerifyMemoryOptions verify;
  verify.target = options.target;
  pm.addNestedPass<func::FuncOp>(createANEVerifyMemory(verify));
}

void mlir::ane::addLoweringPasses(OpPassManager &pm,
                                  const LoweringOptions &options) {
  addLegalizePasses(pm, options);
  addTilePasses(pm, options);
  addTaskPasses(pm, options);
  addLayoutPasses(pm, options);
  addMemoryPasses(pm, options);
}
