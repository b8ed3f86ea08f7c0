//===- LoweringPasses.h - From tensor ops to places in memory ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of the phases legalize to memory, in their order. It stands here
// once, below the pipelines, since ane-choose-form tries parts of a program
// with the passes that the program will go through.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPASSES_H
#define ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::ane {

struct LoweringOptions {
  std::string flavour = "clean";
  bool allowUnproven = false;
  /// Functions may become sequences of tasks as a whole.
  bool sequences = true;
  /// A plan of tiles (JSON), or "none".
  std::string tile;
  /// Where to write the plan of tiles: to a file, or to `plan` instead.
  std::string dumpTiles;
  std::string *plan = nullptr;
  /// Compute values again that would wait in DRAM.
  bool rematerialize = true;
  /// Free no bytes of constants of other modules.
  bool keepConstants = false;
};

/// Passes in their order, up to one.
class PassList {
public:
  /// `last` is the flag of the pass after which nothing is added; empty: all
  /// are.
  explicit PassList(OpPassManager &pm, StringRef last = {})
      : pm(pm), last(last) {}

  void add(std::unique_ptr<Pass> pass) {
    if (hasEnded())
      return;
    isLast = !last.empty() && pass->getArgument() == last;
    pm.addPass(std::move(pass));
  }
  template <typename OpT> void addNested(std::unique_ptr<Pass> pass) {
    if (hasEnded())
      return;
    isLast = !last.empty() && pass->getArgument() == last;
    pm.addNestedPass<OpT>(std::move(pass));
  }
  /// Whether the last pass is there.
  bool hasEnded() const { return isLast; }

private:
  OpPassManager &pm;
  StringRef last;
  bool isLast = false;
};

/// ane-decompose: all rewrites of ops that the engine does not do in one pass.
void addDecomposePasses(PassList &passes, const LoweringOptions &options);
void addLegalizePasses(PassList &passes, const LoweringOptions &options);
void addTilePasses(PassList &passes, const LoweringOptions &options);
void addTaskPasses(PassList &passes, const LoweringOptions &options);
void addLayoutPasses(PassList &passes, const LoweringOptions &options);
void addMemoryPasses(PassList &passes, const LoweringOptions &options);

/// All of them.
void addLoweringPasses(PassList &passes, const LoweringOptions &options);

/// `--ane-decompose`.
void registerDecomposePipeline();

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPASSES_H
