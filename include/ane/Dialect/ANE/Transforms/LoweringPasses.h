//===- LoweringPasses.h - From tensor ops to places in memory ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of the phases legalize to memory, in their order. It stands here
// once, below the pipelines, since ane-decompose tries parts of a program with
// the passes that the program will go through.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPASSES_H
#define ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPASSES_H

#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::ane {

struct LoweringOptions {
  std::string target = "h13", flavour = "clean";
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

void addLegalizePasses(OpPassManager &pm, const LoweringOptions &options);
void addTilePasses(OpPassManager &pm, const LoweringOptions &options);
void addTaskPasses(OpPassManager &pm, const LoweringOptions &options);
void addLayoutPasses(OpPassManager &pm, const LoweringOptions &options);
void addMemoryPasses(OpPassManager &pm, const LoweringOptions &options);

/// All of them.
void addLoweringPasses(OpPassManager &pm, const LoweringOptions &options);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_LOWERINGPASSES_H
