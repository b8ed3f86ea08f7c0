//===- GenTests.cpp - What a test of every field iterates over ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --gen-ane-reg-tests: one line
//   ANE_FIELD_CASE(accessor, path, in header, address, msb, lsb, min, max,
//   step)
// for each field and each element of an array, straight from the declaration.
// Values are decoded ones; `step` is the distance of neighbouring values, 0
// where they are powers of two. The includer defines the macro.
//
//===----------------------------------------------------------------------===//

#include "RegisterModel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace ane::tblgen;

static void emitCase(const MapModel &map, const BlockModel &block,
                     const RegModel &reg, unsigned index,
                     const FieldModel &field, raw_ostream &os) {
  uint32_t top = ~0u >> (32 - field.width());
  uint32_t min = 0, max = top, step = 1;
  if (field.codec == "Shift") {
    max = top << field.amount;
    step = 1u << field.amount;
  } else if (field.codec == "Log2") {
    min = 1;
    max = 1u << std::min(top, 31u);
    step = 0;
  }
  std::string call = reg.isArray() ? "(" + utostr(index) + ")" : "";
  os << formatv("ANE_FIELD_CASE({0}::{1}::{2}{3}, {4}, {5}, {6:x}, {7}, {8}, "
                "{9:x}, {10:x}, {11:x})\n",
                map.space, block.name, accessorName(block, reg, field), call,
                quoted(fieldPath(block, reg, index, field)),
                block.isHeader ? "true" : "false", block.address(reg, index),
                field.msb, field.lsb, min, max, step);
}

static void emitTests(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Register field test cases", os, records);
  for (const MapModel &map : readMaps(records))
    for (const BlockModel &block : map.blocks)
      for (const RegModel &reg : block.regs)
        for (unsigned i = 0; i < reg.size(); ++i)
          for (const FieldModel &field : reg.fields)
            emitCase(map, block, reg, i, field, os);
  os << "#undef ANE_FIELD_CASE\n";
}

static TableGen::Emitter::Opt
    registration("gen-ane-reg-tests", emitTests,
                 "Generate test cases of register fields");
