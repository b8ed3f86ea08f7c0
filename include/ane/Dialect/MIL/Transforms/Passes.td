//===- Passes.td - The passes over the mil dialect ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_PASSES_TD
#define ANE_DIALECT_MIL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class MILTargetPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "System and chip, like macos15,m4; a missing part means any">,
    Option<"path", "path", "std::string", /*default=*/"",
           "Private path: im (in memory, the default) or e5">,
    Option<"compiler", "compiler", "std::string", /*default=*/"",
           "Version of the engine's compiler, like 9.509; default any">
  ];
}

def ANECheckMIL : MILTargetPass<"ane-check-mil"> {
  let summary = "Report statements that a private path refuses or computes wrongly";
  let description = [{
    The private paths accept only a part of MIL text, and compute some accepted
    statements wrongly. docs/Formats/MILRules.md lists the rules. With a
    target, a violation is an error (certain failure, silently wrong data) or a
    warning (reports disagree); without a target, a failure on some machine is a
    remark. The pass changes nothing; a correct program has no diagnostics.

    `--ane-check-mil=macos15,m4` is short for
    `--ane-check-mil="target=macos15,m4"`.

    ```
    error: conv has an argument 'bias', but a bias has to be an add after the convolution (conv_bias, seen: M4 Max with macOS 15, and compiler 9.509 for M1 and M2); add it there, the compiler fuses it, as ane-legalize-mil does
    ```
  }];
  let statistics = [Statistic<"violations", "violations", "Number of violations">];
}

def ANELegalizeMIL : MILTargetPass<"ane-legalize-mil"> {
  let summary = "Rewrite statements that a private path refuses or computes wrongly";
  let description = [{
    Applies the rewrites of the last column of docs/Formats/MILRules.md for the rules that
    hold for the target. Afterwards ane-check-mil with the same options finds no violation
    that has a rewrite. Results are unchanged up to rounding,
    except that `gelu` becomes its tanh form (4.7e-4 apart at most; Apple's
    compiler has one table for both) and masks of -1e9 and -inf become -10000.

    Inputs and outputs keep their names. `border_order` changes their order in the
    function, `border_fp32` their element type.
  }];
  let statistics = [Statistic<"rewrites", "rewrites", "Number of rewrites">];
}

#endif // ANE_DIALECT_MIL_TRANSFORMS_PASSES_TD
