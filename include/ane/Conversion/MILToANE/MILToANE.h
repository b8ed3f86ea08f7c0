//===- MILToANE.h - MIL to the ane dialect ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_MILTOANE_MILTOANE_H
#define ANE_CONVERSION_MILTOANE_MILTOANE_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
namespace ane {

#define GEN_PASS_DECL_CONVERTMILTOANE
#include "ane/Conversion/Passes.h.inc"

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_MILTOANE_MILTOANE_H
