//===- Flavour.cpp - Choices of a compiler in register programs -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `clean` is compiler 4.2.1: full descriptors, nothing left over from other
// tasks. Every answer is seen in its files unless a comment says otherwise.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/ANEToHWX/Flavour.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir::ane;

// The widest unit that is not wider than the image: 8, 16, 32, 64, 128 columns.
// Fitted on 149 recorded convolutions.
static uint32_t widthCode(int64_t width) {
  uint32_t code = 4;
  for (int64_t columns = 8; code && width > columns; columns *= 2)
    --code;
  return code;
}

// The code of 0 to 3 whose units (128 >> s columns, 2^s rows) cover an image
// with the least waste; the smallest of several.
static uint32_t leastAreaCode(int64_t height, int64_t width) {
  uint32_t best = 0;
  int64_t bestArea = std::numeric_limits<int64_t>::max();
  for (uint32_t code = 0; code < 4; ++code) {
    int64_t area = int64_t(llvm::alignTo(width, 128 >> code)) *
                   int64_t(llvm::alignTo(height, 1 << code));
    if (area < bestArea) {
      bestArea = area;
      best = code;
    }
  }
  return best;
}

// The files of 4.2.1 only have small images, so codes below 4 follow the later
// compiler, which fixes the shape where a layer is bound by arithmetic. There,
// images up to 8x8 with more than 1024 channels are not small sources (71 of 71
// matrix products).
static ShapeCodes cleanConvShape(int64_t channels, int64_t height,
                                 int64_t width) {
  constexpr int64_t smallChannels = 1024;
  uint32_t code = widthCode(width);
  if (width > 8 || height > 8)
    return {code, code, code, false};
  if (channels <= smallChannels)
    return {code, code, code, true};
  code = leastAreaCode(height, width);
  return height == 1 ? ShapeCodes{0, 0, code, false}
                     : ShapeCodes{code, code, code, false};
}

// Seen: 1, 1, 1 for 1x1 and 2560x1600, 1, 0, 1 for a row of 77, which one unit
// of 128 columns covers (that this is the reason is a guess).
static ShapeCodes cleanBypassShape(int64_t height, int64_t width) {
  bool oneUnit = height == 1 && width > 64 && width <= 128;
  return {1, oneUnit ? 0u : 1u, 1, false};
}

// Seen: on with 1 and 4 lanes, off with 16 and 32.
static bool cleanDoubleBuffers(uint32_t lanesLog2) { return lanesLog2 < 4; }

static const Flavour &clean() {
  static const Flavour flavour = {
      "clean",
      "compiler 4.2.1",
      getMemoryPolicy("clean"),
      /*taskAlign=*/0x100,
      /*outputsBeforeInputs=*/true,
      /*logEvents=*/0x400,
      /*logEventsLast=*/0x422,
      /*groupStrideOfOneGroup=*/false,
      /*planarZeroPad=*/false,
      /*planarWord40=*/false,
      /*bypassKernelFormat=*/false,
      cleanConvShape,
      cleanBypassShape,
      cleanDoubleBuffers,
  };
  return flavour;
}

const Flavour *mlir::ane::getFlavour(llvm::StringRef name) {
  return name == clean().name ? &clean() : nullptr;
}

llvm::StringRef mlir::ane::getFlavourNames() { return "'clean'"; }
