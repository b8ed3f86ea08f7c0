//===- TaskSyntax.h - Text of headers and records ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses and prints the words of a task with the names of the register map. The
// grammar, where names are those of the map and numbers decimal or hexadecimal:
//
//   header   ::= (`words` n)? `{` field, ... `}` raw?
//   records  ::= `[` record, ... `]`
//   record   ::= block (`[` first `to` last `]`)? kind `{` register, ... `}`
//                raw?
//              | `at` address (`words` n kind | `scatter`) raw?
//              | block `scatter` `{` register, ... `}` raw?
//   kind     ::= (`base` n)? (`unknown` bits)?
//   register ::= name (`[` first (`to` last)? `]`)? `=` (value | `{` field, ...
//   `}`) field    ::= name (`=` value)? raw      ::= `raw` `{` offset `=` word,
//   ... `}`
//
// A scattered record writes the words that are given, even where they are zero;
// the first of them is at most 16 in front of the last.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_HWX_IR_TASKSYNTAX_H
#define ANE_LIB_DIALECT_HWX_IR_TASKSYNTAX_H

#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/HW/Registers.h"

namespace mlir::ane::hwx {

ParseResult parseHeader(OpAsmParser &parser, const ::ane::hw::RegisterMap &map,
                        SmallVectorImpl<int32_t> &words);
ParseResult parseRecords(OpAsmParser &parser, const ::ane::hw::RegisterMap &map,
                         SmallVectorImpl<Attribute> &records);

void printHeader(OpAsmPrinter &printer, const ::ane::hw::RegisterMap &map,
                 ArrayRef<int32_t> words);
void printRecords(OpAsmPrinter &printer, const ::ane::hw::RegisterMap &map,
                  ArrayAttr records);

} // namespace mlir::ane::hwx

#endif // ANE_LIB_DIALECT_HWX_IR_TASKSYNTAX_H
