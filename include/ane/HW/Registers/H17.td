//===- H17.td - Registers of the H17 engine (A18, M5) ------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// H16 with a few registers more.
//
//===----------------------------------------------------------------------===//

include "ane/HW/Registers/Later.td"

def H17 : PackedMap<"H17", "A18 and the M5 family. Tasks of 9 header words and records of the registers that differ from their reset values.", [
  H16_Header, H17_KernelDMASrc, H17_Common, H17_TileDMASrc, H17_L2, H17_PE,
  H17_NE, H17_TileDMADst, H17_CacheDMA,
]>;
