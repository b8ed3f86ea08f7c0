//===- PassOptions.td - Options that several passes have ---*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PASSOPTIONS_TD
#define ANE_DIALECT_ANE_TRANSFORMS_PASSOPTIONS_TD

include "mlir/Pass/PassBase.td"

def ANE_FlavourOption
    : Option<"flavour", "flavour", "std::string", "\"clean\"",
             "Choices where the hardware allows several: clean (our own) "
             "or zin-9.509 (like Apple's compiler of macOS 26)">;

def ANE_AllowUnprovenOption
    : Option<"allowUnproven", "allow-unproven", "bool", "false",
             "Use mechanisms of the engine that no recorded program uses">;

/// A part of ane-decompose: rewrites of ops into those of one engine pass.
class ANE_DecomposePass<string flag> : Pass<flag> {
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [ANE_FlavourOption, ANE_AllowUnprovenOption];
  let statistics = [Statistic<"rewritten", "rewritten", "Number of ops rewritten">];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_PASSOPTIONS_TD
