//===- Zin.h - Choices of compiler 9.509 ------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `zin-9.509`: what the compiler of macOS 26 does, as far as it is on record.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FLAVOURS_ZIN9509_ZIN_H
#define ANE_LIB_FLAVOURS_ZIN9509_ZIN_H

#include "ane/Flavours/Flavour.h"

namespace mlir::ane::zin9509 {

const LoweringPolicy &getLowering();
const MemoryPolicy &getMemory(::ane::hw::Generation generation);
const Flavour &get(::ane::hw::Generation generation);

/// The parts of getLowering.
ConvChoices getConvChoices();
PlanarChoices getPlanarChoices();

/// The parts of getMemory.
FailureOr<SmallVector<int64_t>>
placeResidents(func::FuncOp func, const ::ane::hw::GenerationInfo &info);
/// Of tasks that are no convolutions.
int64_t getPlanarPadding(const L2Row &row, ::ane::hw::Generation generation);
int64_t getStripColumns(L2User user, MemRefType type, Operation *compute);
bool stagesResult(Operation *compute);

} // namespace mlir::ane::zin9509

#endif // ANE_LIB_FLAVOURS_ZIN9509_ZIN_H
