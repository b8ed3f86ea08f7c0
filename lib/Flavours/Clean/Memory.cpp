//===- Memory.cpp - L2 of flavour clean -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clean.h"

#include "ane/Dialect/ANE/IR/ANE.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::ane;

// Rows that are 0x400 bytes apart meet in one of the 64 banks of 16 bytes. Seen
// in the files of compiler 4.2.1: convolution sources move by 0x30, results and
// PE operands by 0x20, bypass tasks and single channels not at all.
static int64_t cleanPadding(const L2Row &row) {
  constexpr int64_t bankPeriod = 0x400;
  if (row.channels == 1 || row.bytes % bankPeriod)
    return 0;
  switch (row.user) {
  case L2User::ConvSource:
    return 0x30;
  case L2User::ConvResult:
  case L2User::Planar:
  case L2User::PlanarExchanged:
  case L2User::PlanarResult:
    return 0x20;
  case L2User::Bypass:
  case L2User::BypassResult:
    return 0;
  }
  llvm_unreachable("unknown user");
}

// A row of up to 256 elements is one patch; a patch has 512 elements with one
// source, 256 with two (fitted on 158 recorded PE tasks). Wider tensors are
// patches of 512 x 32 (seen for 1600 columns in older programs).
static PatchShape cleanPatch(int64_t width, int64_t height, unsigned sources) {
  unsigned rows = llvm::Log2_64_Ceil(height);
  if (width > 256)
    return {9, std::min(rows, 5u)};
  unsigned elements = sources > 1 ? 8 : 9;
  unsigned columns = std::max(4u, llvm::Log2_64_Ceil(width));
  return {columns,
          std::min({rows, elements - std::min(columns, elements), 5u})};
}

static int64_t cleanStrip(L2User user, MemRefType type, Operation *compute) {
  int64_t width = type.getDimSize(3), height = type.getDimSize(2);
  // The image of a product of two tensors is one row, which comes in strips
  // (seen with 2048 columns).
  constexpr int64_t neStrip = 128;
  if (auto conv = dyn_cast_or_null<NeConvOp>(compute);
      conv && user == L2User::ConvSource && height == 1 && conv.isPointwise())
    if (auto load = conv.getKernel().getDefiningOp<KernelLoadOp>();
        load && load.getSource())
      return std::min(width, neStrip);
  bool planar = user == L2User::Planar || user == L2User::PlanarResult;
  if (!planar || height == 1)
    return width;
  return std::min(width, int64_t(1) << cleanPatch(width, height, 1).width);
}

const MemoryPolicy &clean::getMemory() {
  static const MemoryPolicy policy = [] {
    MemoryPolicy policy = {cleanPadding,
                           /*stagesConvResults=*/true, cleanStrip,
                           [](Operation *) { return false; }, cleanPatch};
    policy.ordersTasks = true;
    return policy;
  }();
  return policy;
}
