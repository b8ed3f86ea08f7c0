//===- RegisterText.cpp - Words of a task by their names ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/HWX/IR/RegisterText.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

std::string mlir::ane::hwx::hexText(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

WordText mlir::ane::hwx::describeWord(const hw::Register *reg, uint32_t word) {
  WordText text;
  text.reg = reg;
  uint32_t named = 0;
  if (reg)
    for (const hw::Field &field : reg->fields) {
      if (!(word & field.mask()))
        continue;
      // A value that the codec cannot give back stays with the unknown bits.
      FieldText entry{&field, decodeField(field, word)};
      uint32_t again = 0;
      if (!encodeField(field, field.name, again, entry.value).ok() ||
          again != (word & field.mask()))
        continue;
      named |= field.mask();
      text.fields.push_back(entry);
    }
  text.raw = word & ~named;
  return text;
}

// The bits of a float as a literal that gives back the same bits; hexadecimal
// where no decimal one does.
static std::string floatBitsText(hw::Codec codec, uint32_t bits) {
  const llvm::fltSemantics &semantics = codec == hw::Codec::F16
                                            ? llvm::APFloat::IEEEhalf()
                                            : llvm::APFloat::IEEEsingle();
  const unsigned width = codec == hw::Codec::F16 ? 16 : 32;
  llvm::APFloat value(semantics, llvm::APInt(width, bits));
  if (value.isFinite()) {
    llvm::SmallString<32> text;
    value.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/0);
    llvm::StringRef literal = text;
    literal.consume_back("E+0");
    llvm::APFloat again(semantics);
    auto status =
        again.convertFromString(literal, llvm::APFloat::rmNearestTiesToEven);
    bool plain = literal.ltrim('-').contains('.') &&
                 llvm::isDigit(literal.ltrim('-').front());
    if (status && plain && again.bitcastToAPInt() == value.bitcastToAPInt())
      return literal.str();
    llvm::consumeError(status.takeError());
  }
  std::string digits = llvm::utohexstr(bits, /*LowerCase=*/true, width / 4);
  return "0x" + digits;
}

std::string mlir::ane::hwx::fieldValueText(const FieldText &text) {
  const hw::Field &field = *text.field;
  for (const hw::Enumerator &enumerator : field.enumerators)
    if (enumerator.value == text.value)
      return enumerator.name;
  if (field.codec == hw::Codec::F16 || field.codec == hw::Codec::F32)
    return floatBitsText(field.codec, text.value);
  if (llvm::StringRef(field.unit) == "bytes")
    return hexText(text.value);
  return llvm::utostr(text.value);
}

const hw::Block *mlir::ane::hwx::blockOfRecord(const hw::RegisterMap &map,
                                               const hw::Record &record) {
  const hw::Block *block = map.blockAt(record.address);
  if (!block || block->isHeader || record.address % 4)
    return nullptr;
  const uint32_t last = record.addressOf(record.words.size() - 1);
  if ((last - block->base) / 4 >= block->words)
    return nullptr;
  return block;
}
