//===- Clean.h - Our own choices --------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `clean`: programs of the general way of every op, as our planner wants them,
// in the container and with the registers of compiler 4.2.1.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FLAVOURS_CLEAN_CLEAN_H
#define ANE_LIB_FLAVOURS_CLEAN_CLEAN_H

#include "ane/Flavours/Flavour.h"

namespace mlir::ane::clean {

const LoweringPolicy &getLowering();
const MemoryPolicy &getMemory();
const Flavour &get(::ane::hw::Generation generation);

} // namespace mlir::ane::clean

#endif // ANE_LIB_FLAVOURS_CLEAN_CLEAN_H
