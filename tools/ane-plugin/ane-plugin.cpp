//===- ane-plugin.cpp - The dialects and passes inside stock mlir-opt -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mlir-opt-22 --load-dialect-plugin=ANEPlugin.so net.mlir
//     --pass-pipeline='builtin.module(ane-pipeline{stop-after=legalize})'
//
// Works with tools that use the same shared libMLIR: a second copy of it would
// have type ids of its own. mlir-opt makes its flags before it loads plugins,
// so passes of a plugin are known to --pass-pipeline only.
//
//===----------------------------------------------------------------------===//

#include "ane/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

static constexpr char pluginName[] = "ANE";

/// Either flag of a tool may name the plugin, or both; the registry of passes
/// takes each pass once only.
static void registerPassesOnce() {
  static bool done = (mlir::ane::registerANEPasses(), true);
  (void)done;
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, pluginName, ANE_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::ane::registerAllDialects(*registry);
            registerPassesOnce();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, pluginName, ANE_VERSION, registerPassesOnce};
}
