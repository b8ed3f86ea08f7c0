//===- Flavour.h - Choices of a compiler in register programs ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers for the same hardware disagree where it leaves a choice: order of
// the base addresses, work-unit shapes, what unused registers hold. A flavour
// is one object with an answer to every such question. The encoder asks it and
// never compares names.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_ANETOHWX_FLAVOUR_H
#define ANE_CONVERSION_ANETOHWX_FLAVOUR_H

#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"

namespace mlir::ane {

/// Work-unit shapes of the NEs (Common.Cfg.Sh*): code s covers 128 >> s
/// columns, code 4 covers 8.
struct ShapeCodes {
  uint32_t preferred = 0, minimum = 0, maximum = 0;
  bool smallSource = false;
};

struct Flavour {
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  const MemoryPolicy *memory;

  // Program.
  uint32_t taskAlign;       ///< bytes; where a task descriptor may start
  bool outputsBeforeInputs; ///< in the base-address table

  // Header.
  uint32_t logEvents, logEventsLast;

  // Registers that do not matter for what a task computes.
  bool groupStrideOfOneGroup; ///< the DMA stride over groups also when there is
                              ///< one
  bool planarZeroPad;         ///< TileDMADst.Fmt.ZeroPad* in tasks of the PE
  bool planarWord40;          ///< TileDMASrc.Word40 in tasks of the PE
  bool bypassKernelFormat;    ///< fp16 coefficient format where there are none

  /// Of a convolution from `channels` (of one group) to height x width.
  ShapeCodes (*convShape)(int64_t channels, int64_t height, int64_t width);
  ShapeCodes (*bypassShape)(int64_t height, int64_t width);
  bool (*doubleBuffers)(uint32_t lanesLog2); ///< Common.Cfg.AccDoubleBufEn
};

/// Null when there is none of that name.
const Flavour *getFlavour(llvm::StringRef name);
/// "'clean'", for messages.
llvm::StringRef getFlavourNames();

} // namespace mlir::ane

#endif // ANE_CONVERSION_ANETOHWX_FLAVOUR_H
