//===- Conv.cpp - Convolutions as compiler 9.509 takes them ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "Zin.h"

#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;

// 0xbc000 bytes are kept, 0x200000 are not; that what a tiled source may fill
// is the limit between them is a guess.
static bool keepsSource(ArrayRef<int64_t> shape) {
  return shape[0] == 1 &&
         shape[1] * shape[2] *
                 ::ane::hw::alignTo(2 * shape[3], recorded().l2Align) <=
             recorded().l2SourceBytes;
}

ConvChoices zin9509::getConvChoices() {
  ConvChoices choices;
  choices.keepsSource = keepsSource;
  choices.lanesOfWhole = true;
  choices.scalesResults = true;
  choices.leavesRowProducts = true;
  choices.leavesPlaneMeans = true;
  choices.keepsIdleStrides = true;
  return choices;
}
