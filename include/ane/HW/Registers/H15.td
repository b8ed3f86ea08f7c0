//===- H15.td - Registers of the H15 engine (A16, M3) ------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes of H14, the other blocks of H16.
//
//===----------------------------------------------------------------------===//

include "ane/HW/Registers/Later.td"

def H15_Common : PackedCommon<Listed, AsH14, AsH14>;

def H15 : PackedMap<"H15", "A16 and the M3 family. Tasks of 8 header words and records of the registers that differ from their reset values.", [
  H15_Header, H15_KernelDMASrc, H15_Common, H15_TileDMASrc, H15_L2, H15_PE,
  H15_NE, H15_TileDMADst, H15_CacheDMA,
]>;
