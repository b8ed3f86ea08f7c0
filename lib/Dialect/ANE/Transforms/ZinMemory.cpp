//===- ZinMemory.cpp - L2 as compiler 9.509 uses it -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L2 has 64 banks of 16 bytes. The NEs read four rows of a source at once, and
// rows are moved apart until those do not meet in a bank. Fitted on records of
// 157 convolutions and 158 PE tasks; counts of how many agree are given.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

static constexpr int64_t bankBytes = 16, banks = 64;

// The widest unit of the NEs that is not wider than `width`: 4 for 8 columns,
// 3, 2, 1 for 16, 32, 64, else 0.
static unsigned widthCode(int64_t width) {
  unsigned code = 4;
  for (int64_t columns = 8; code && width > columns; columns *= 2)
    --code;
  return code;
}

// Words that the NEs read of a row at once, 0 when rows may meet: by the work
// unit, but small sources, and those that stay for a later task, differ.
static int64_t wordsAtOnce(NeConvOp conv, bool streamed) {
  int64_t height = conv.getType().getDimSize(2),
          width = conv.getType().getDimSize(conv.getExchange() ? 1 : 3);
  if (width <= 8 && height <= 8)
    return 3;
  unsigned code = widthCode(width);
  if (!streamed)
    return code ? 3 : 0;
  constexpr int64_t words[] = {0, 0, 5, 3, 2};
  return words[code];
}

// 148 of 150 convolutions.
static int64_t convPadding(NeConvOp conv, int64_t row, bool streamed) {
  int64_t words = wordsAtOnce(conv, streamed);
  if (!words)
    return 0;
  int64_t stride = conv.getStrides()[0];
  auto meets = [&](int64_t distance) {
    for (int64_t i = 1; i < 4; ++i) {
      int64_t apart = i * stride * distance % banks;
      if (std::min(apart, banks - apart) < words)
        return true;
    }
    return false;
  };
  int64_t padding = 0;
  while (padding < banks && meets(row + padding))
    ++padding;
  return padding < banks ? padding : 0;
}

static int64_t zinPadding(const L2Row &row) {
  int64_t units = row.bytes / bankBytes;
  if (row.user != L2User::ConvSource && row.user != L2User::ConvResult)
    return getZinPlanarPadding(row);
  auto conv = dyn_cast_or_null<NeConvOp>(row.compute);
  if (conv && row.user == L2User::ConvSource) {
    auto load = conv.getInput().getDefiningOp<DmaLoadOp>();
    bool streamed = load && load.getResidency() == Residency::Streamed;
    return convPadding(conv, units, streamed) * bankBytes;
  }
  return 0;
}

// A patch has 512 elements with one source, 256 with two. A row of up to 256 is
// never cut; wider ones are cut into the largest whole parts, or into 512
// columns if there is one row only (158 of 158 PE tasks).
static PatchShape zinPatch(int64_t width, int64_t height, unsigned sources) {
  unsigned columns = 9;
  if (width <= 256)
    columns = std::max(4u, llvm::Log2_64_Ceil(width));
  else if (height > 1)
    columns = std::clamp<unsigned>(llvm::countr_zero(uint64_t(width)), 5, 9);
  unsigned elements = sources > 1 ? 8 : 9;
  return {columns, std::min({llvm::Log2_64_Ceil(height),
                             elements - std::min(columns, elements), 5u})};
}

const MemoryPolicy &mlir::ane::getZinMemoryPolicy() {
  static const MemoryPolicy policy = {"zin-9.509",
                                      zinPadding,
                                      /*stagesConvResults=*/false,
                                      getZinStripColumns,
                                      getZinStagesResult,
                                      zinPatch};
  return policy;
}
