//===- ZinSequences.cpp - Task sequences as compiler 9.509 has them -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

using namespace mlir::ane;

SequenceChoices mlir::ane::getZinSequenceChoices() { return {}; }
