//===- ZinConv.cpp - Convolutions as compiler 9.509 takes them ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

using namespace mlir::ane;

ConvChoices mlir::ane::getZinConvChoices() {
  ConvChoices choices;
  choices.keepsSource = true;
  return choices;
}
