//===- Passes.td - The passes over the ane dialect ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the pipeline, so that this file is the table of contents of the
// lowering. Each pass lives in lib/Dialect/ANE/Transforms/<Name>.cpp, its test in
// test/Dialect/ANE/Transforms/<flag>.mlir.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Simplify: constants, layout of the source format, epilogues
//===----------------------------------------------------------------------===//

def ANEReleaseConstants : Pass<"ane-release-constants", "::mlir::ModuleOp"> {
  let summary = "Free the bytes of resources that no operation uses";
  let description = [{
    The context keeps the bytes of every `dense_resource` for its whole life, also
    when nothing refers to them any more. This pass drops them. It looks at the
    module only: run it where the context holds no other one.
  }];
  let statistics = [
    Statistic<"releasedBlobs", "released-blobs", "Number of resources freed">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

//===----------------------------------------------------------------------===//
// Legalize: only ops that the target does in one pass
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Lay out and form tasks
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

#endif // ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD
