//===- Passes.h - The passes over the ane dialect ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PASSES_H
#define ANE_DIALECT_ANE_TRANSFORMS_PASSES_H

#include "ane/Dialect/ANE/Transforms/Attention/Passes.h"
#include "ane/Dialect/ANE/Transforms/Constants/Passes.h"
#include "ane/Dialect/ANE/Transforms/Fuse/Passes.h"
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h"
#include "ane/Dialect/ANE/Transforms/Norms/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"
#include "ane/Dialect/ANE/Transforms/Recognize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tasks/Passes.h"
#include "ane/Dialect/ANE/Transforms/Testing/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Apply/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h"

namespace mlir::ane {

/// The passes of all themes.
inline void registerANETransformsPasses() {
  registerANEConstantsPasses();
  registerANERecognizePasses();
  registerANENumericsPasses();
  registerANELayoutPasses();
  registerANEFusePasses();
  registerANELegalizePasses();
  registerANEAttentionPasses();
  registerANENormsPasses();
  registerANEPipelinePasses();
  registerANETilingProposePasses();
  registerANETilingPlanPasses();
  registerANETilingApplyPasses();
  registerANETasksPasses();
  registerANEMemoryPasses();
  registerANETestingPasses();
}

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_PASSES_H
