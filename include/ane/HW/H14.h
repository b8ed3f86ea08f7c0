//===- H14.h - Typed access to the registers of H14 -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One name for each field of a task descriptor, in a namespace for each block,
// generated from include/ane/HW/Registers/H14.td; docs/Registers/H14.md lists
// them all:
//
//   h14::Header::TID                          a header field
//   h14::Common::InDim_Win                    field Win of register InDim
//   h14::KernelDMASrc::CoeffBaseAddr_Addr(3)  of an element of an array
//   h14::Common::InDim                        the address of a register
//   h14::NE::OpMode::Bypass                   an enumerator
//
// Values are decoded: strides and addresses are bytes. Task::get() and
// Task::set() take these names.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_H14_H
#define ANE_HW_H14_H

#include "ane/HW/Registers.h"

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

#include <cassert>

#include "ane/HW/H14Enums.h.inc"

#include "ane/HW/H14Views.h.inc"

#endif // ANE_HW_H14_H
