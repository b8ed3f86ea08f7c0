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

def H17 : PackedMap<"H17", "A18 and the M5 family. Programs can be read and written, not made.", [
  H16_Header, H17_KernelDMASrc, H16_Common, H17_TileDMASrc, H17_L2, H17_PE,
  H17_NE, H17_TileDMADst, H17_CacheDMA,
]>;
