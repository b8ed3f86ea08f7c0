//===- ExecuteRules.h - The encoder's rules, as statements ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules/*.def declare how the encoder fills registers. Included in a member of
// TaskEncoder, after this header, a file of them is statements on what is in
// scope there; EncoderRules.cpp makes a table of the same files.
//
//   RULE(block, field, value, why)   the field is `value`
//   HALF(block, field, value, why)   the same, rounded to half precision
//   LET(type, name, value)           a name for the rules that follow
//   WHEN(condition) ... OTHERWISE ... END
//   EACH((declaration), range) ... END
//
// `why` is the evidence, "" where the names say enough.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_EXECUTERULES_H
#define ANE_LIB_CONVERSION_ANETOHWX_EXECUTERULES_H

#include "ane/HW/H13.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#define RULE(block, field, value, why) set(::ane::hw::h13::block::field, value);
#define HALF(block, field, value, why)                                         \
  setHalf(::ane::hw::h13::block::field, value);
#define LET(type, name, ...) [[maybe_unused]] type name = __VA_ARGS__;
#define WHEN(...) if (__VA_ARGS__) {
#define OTHERWISE                                                              \
  }                                                                            \
  else {
#define END }
#define ANE_DECLARATION(...) __VA_ARGS__
#define EACH(declaration, ...) for (ANE_DECLARATION declaration : __VA_ARGS__) {

#endif // ANE_LIB_CONVERSION_ANETOHWX_EXECUTERULES_H
