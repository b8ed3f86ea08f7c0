//===- H18.td - Registers of the H18 engine (A19) ----------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wider formats, and data sets in registers of their own.
//
//===----------------------------------------------------------------------===//

include "ane/HW/Registers/Later.td"

def H18 : PackedMap<"H18", "A19. Tasks of 9 header words and records of the registers that differ from their reset values.", [
  H16_Header, H18_KernelDMASrc, H18_Common, H18_TileDMASrc, H18_L2, H17_PE,
  H18_NE, H18_TileDMADst, H18_CacheDMA,
]>;
