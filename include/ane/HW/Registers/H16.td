//===- H16.td - Registers of the H16 engine (A17 Pro, M4) --*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes have registers of their own, and L2 takes indices.
//
//===----------------------------------------------------------------------===//

include "ane/HW/Registers/Later.td"

def H16 : PackedMap<"H16", "A17 Pro and the M4 family. Tasks of 9 header words and records of the registers that differ from their reset values.", [
  H16_Header, H15_KernelDMASrc, H16_Common, H16_TileDMASrc, H16_L2, H15_PE,
  H16_NE, H15_TileDMADst, H15_CacheDMA,
]>;
