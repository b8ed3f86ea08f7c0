//===- Passes.td - The passes over the ane dialect ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// About in the order of the pipeline, so that docs/Passes.md is the table of
// contents of the lowering. A theme has its passes in a Passes.td of its own;
// the test of one is test/Dialect/ANE/Transforms/<Theme>/<flag>.mlir.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD

include "ane/Dialect/ANE/Transforms/Constants/Passes.td"
include "ane/Dialect/ANE/Transforms/Recognize/Passes.td"
include "ane/Dialect/ANE/Transforms/Numerics/Passes.td"
include "ane/Dialect/ANE/Transforms/Layout/Passes.td"
include "ane/Dialect/ANE/Transforms/Fuse/Passes.td"
include "ane/Dialect/ANE/Transforms/Legalize/Passes.td"
include "ane/Dialect/ANE/Transforms/Attention/Passes.td"
include "ane/Dialect/ANE/Transforms/Norms/Passes.td"
include "ane/Dialect/ANE/Transforms/Pipeline/Passes.td"
include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.td"
include "ane/Dialect/ANE/Transforms/Tiling/Plan/Passes.td"
include "ane/Dialect/ANE/Transforms/Tiling/Apply/Passes.td"
include "ane/Dialect/ANE/Transforms/Tasks/Passes.td"
include "ane/Dialect/ANE/Transforms/Memory/Passes.td"
include "ane/Dialect/ANE/Transforms/Testing/Passes.td"

#endif // ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD
