//===- Passes.td - The passes over the mil dialect ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_PASSES_TD
#define ANE_DIALECT_MIL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ANECheckMIL : Pass<"ane-check-mil", "::mlir::ane::mil::FuncOp"> {
  let summary = "Remark on what Apple's private in-memory path may refuse";
  let description = [{
    That path takes MIL text, but not all of it, and some things it takes and then
    computes wrongly. Each remark names the rule (docs/Formats/MIL.md lists them),
    what to do and on which machine it was seen. Reports differ, so nothing here
    is an error, and nothing is changed.

    ```
    remark: rule mil_8: conv has an argument 'bias'; add the bias in a statement behind it (seen on M4 Max, macOS 15)
    ```
  }];
  let statistics = [Statistic<"violations", "violations", "Number of remarks">];
}

#endif // ANE_DIALECT_MIL_TRANSFORMS_PASSES_TD
