//===- FunctionInfo.cpp - What is known of each function ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/FunctionInfo.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

#define GET_ANE_FUNCTIONS
#include "ane/Dialect/ANE/IR/ANEFunctions.inc"

const FunctionInfo &mlir::ane::infoOf(ActivationKind kind) {
  return kFunctions[static_cast<size_t>(kind)];
}

ArrayRef<FunctionInfo> mlir::ane::allFunctions() { return kFunctions; }
