//===- Lowering.cpp - Tasks of flavour zin-9.509 --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Zin.h"

#include "ane/Dialect/ANE/Transforms/Tasks/SequenceEmitter.h"

using namespace mlir::ane;

const LoweringPolicy &zin9509::getLowering() {
  static const LoweringPolicy policy = {"zin-9.509",
                                        getConvChoices(),
                                        getPlanarChoices(),
                                        getSequenceChoices(),
                                        {}};
  return policy;
}
