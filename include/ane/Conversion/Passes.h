//===- Passes.h - Rewrites from one dialect to another ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_PASSES_H
#define ANE_CONVERSION_PASSES_H

#include "ane/Conversion/ANEToHWX/ANEToHWX.h"
#include "ane/Conversion/ANEToLinalg/ANEToLinalg.h"
#include "ane/Conversion/ANEToMIL/ANEToMIL.h"
#include "ane/Conversion/HWXToANE/HWXToANE.h"
#include "ane/Conversion/LinalgToANE/LinalgToANE.h"
#include "ane/Conversion/MILToANE/MILToANE.h"
#include "ane/Conversion/StableHLOToANE/StableHLOToANE.h"
#include "ane/Conversion/TosaToANE/TosaToANE.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
namespace ane {

#define GEN_PASS_REGISTRATION
#include "ane/Conversion/Passes.h.inc"

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_PASSES_H
