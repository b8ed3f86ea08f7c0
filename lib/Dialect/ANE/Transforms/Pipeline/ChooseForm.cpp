//===- ChooseForm.cpp - A function as a sequence, or op by op -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No rule by form says whether the sequence of a function or the general way of
// its ops needs more: that depends on what stays in L2. So both are tried on
// copies, by the passes of the pipeline after this one up to the place of
// every value, and tasks and bytes are counted. Such functions have a handful
// of ops.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"
#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/HW/LookupTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANECHOOSEFORM
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// What a program needs.
struct Needs {
  int64_t tasks = 0;
  int64_t bytes = 0; ///< from and to DRAM
};

/// Lets the constants of a copy stand for the bytes of the original without
/// owning them: passes free what a module has no use for any more.
class BorrowedConstants {
public:
  explicit BorrowedConstants(ModuleOp module) : module(module) {
    module.walk([&](ConstantOp constant) {
      auto own = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
      AsmResourceBlob *blob = own ? own.getRawHandle().getBlob() : nullptr;
      if (!blob)
        return;
      auto borrowed = DenseResourceElementsAttr::get(
          own.getType(), "borrowed",
          UnmanagedAsmResourceBlob::allocateWithAlign(
              blob->getData(), blob->getDataAlignment(), /*deleter=*/{},
              /*dataIsMutable=*/false));
      entries.push_back(borrowed.getRawHandle().getResource());
      constant.setValueAttr(borrowed);
    });
  }
  /// Also frees what the passes made.
  ~BorrowedConstants() {
    BlobUses uses(module);
    module.getBody()->clear();
    uses.releaseGone(module);
    for (DialectResourceBlobManager::BlobEntry *entry : entries)
      entry->setBlob(AsmResourceBlob());
  }

private:
  ModuleOp module;
  SmallVector<DialectResourceBlobManager::BlobEntry *> entries;
};

} // namespace

static Needs countNeeds(ModuleOp module) {
  Needs needs;
  module.walk([&](Operation *op) {
    if (isa<TaskOp>(op)) {
      ++needs.tasks;
    } else if (auto load = dyn_cast<DmaLoadOp>(op)) {
      needs.bytes += bytesOf(load.getType());
    } else if (auto store = dyn_cast<DmaStoreOp>(op)) {
      needs.bytes += bytesOf(store.getSource().getType());
    } else if (auto kernel = dyn_cast<KernelLoadOp>(op)) {
      if (kernel.getWeight() || kernel.getSource())
        needs.bytes += bytesOf(kernel.getType());
      if (kernel.getBias())
        needs.bytes += 2 * kernel.getType().getDimSize(0);
      if (kernel.getTable())
        needs.bytes += ::ane::hw::tableBytes;
    }
  });
  return needs;
}

void mlir::ane::addTrialPasses(OpPassManager &pm,
                               const LoweringOptions &options) {
  LoweringOptions trial = options;
  // A function that is marked stays one; no other is to be tried in the trial.
  trial.sequences = false;
  trial.keepConstants = true; // there are those of the module itself
  PassList passes(pm);
  addLoweringPasses(passes, trial);
}

// None when it cannot be done that way.
static std::optional<Needs>
tryOut(func::FuncOp func, const LoweringOptions &options, bool asSequence) {
  MLIRContext *context = func.getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(func.getLoc());
  auto copy = cast<func::FuncOp>(func->clone());
  module->push_back(copy);
  setTarget(*module, getTarget(func));
  if (asSequence)
    copy->setAttr(ANEDialect::getSequenceAttrName(), UnitAttr::get(context));
  BorrowedConstants constants(*module);
  PassManager pm(context, ModuleOp::getOperationName());
  addTrialPasses(pm, options);
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  if (failed(pm.run(*module)))
    return std::nullopt;
  return countNeeds(*module);
}

static bool needsLessAsSequence(func::FuncOp func,
                                const LoweringOptions &options) {
  std::optional<Needs> sequence = tryOut(func, options, /*asSequence=*/true);
  if (!sequence)
    return false;
  std::optional<Needs> general = tryOut(func, options, /*asSequence=*/false);
  return !general || general->tasks > sequence->tasks ||
         general->bytes > sequence->bytes;
}

namespace {
struct ChooseForm : mlir::ane::impl::ANEChooseFormBase<ChooseForm> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(lowering))
      return signalPassFailure();
    const SequenceChoices &choices = lowering->policy->sequences;
    if (!choices.takes)
      return;
    LoweringOptions trial;
    trial.flavour = flavour;
    trial.allowUnproven = allowUnproven;
    // All functions of a module, or none: the passes after are of modules.
    SmallVector<func::FuncOp> chosen;
    WalkResult walk = getOperation()->walk([&](func::FuncOp func) {
      if (func.isExternal() || func->hasAttr(ANEDialect::getSequenceAttrName()))
        return WalkResult::advance();
      if (!choices.takes(func, *lowering->generation) ||
          (choices.onlyWhereLess && (hasLongDims(func, *lowering->generation) ||
                                     !needsLessAsSequence(func, trial))))
        return WalkResult::interrupt();
      chosen.push_back(func);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return;
    sequences += chosen.size();
    for (func::FuncOp func : chosen)
      func->setAttr(ANEDialect::getSequenceAttrName(),
                    UnitAttr::get(&getContext()));
  }

private:
  // Of which a sequence would be one task.
  static bool hasLongDims(func::FuncOp func,
                          const ::ane::hw::GenerationInfo &info) {
    return func
        ->walk([&](Operation *op) {
          return llvm::any_of(op->getOperandTypes(),
                              [&](Type type) {
                                auto tensor = dyn_cast<RankedTensorType>(type);
                                return tensor &&
                                       isTooLong(tensor.getShape(), info);
                              })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
