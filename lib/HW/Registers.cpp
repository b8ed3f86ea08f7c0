//===- Registers.cpp - Register maps as data ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds the generated tables and looks things up in them, and turns bits into
// values and back.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Registers.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::hw {

#include "ane/HW/H13Tables.inc"
#include "ane/HW/H14Tables.inc"
#include "ane/HW/H15Tables.inc"
#include "ane/HW/H16Tables.inc"
#include "ane/HW/H17Tables.inc"
#include "ane/HW/H18Tables.inc"

const RegisterMap &registers(Generation generation) {
  static constexpr RegisterMap maps[] = {
      {Generation::H13, H13_Blocks},
      {Generation::H14, H14_Blocks, H14_Pairs},
      {Generation::H15, H15_Blocks, H15_Pairs},
      {Generation::H16, H16_Blocks, H16_Pairs},
      {Generation::H17, H17_Blocks, H17_Pairs},
      {Generation::H18, H18_Blocks, H18_Pairs},
  };
  return maps[static_cast<size_t>(generation)];
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

const Block *RegisterMap::block(absl::string_view name) const {
  for (const Block &block : theBlocks)
    if (name == block.name)
      return &block;
  return nullptr;
}

const Block *RegisterMap::blockAt(uint32_t address) const {
  for (const Block &block : theBlocks)
    if (!block.isHeader && address >= block.base &&
        address - block.base < 4 * block.words)
      return &block;
  return nullptr;
}

/// The entry of `block` at `address`; the generator keeps them sorted.
static const Register *findRegister(const Block &block, uint32_t address) {
  auto it = std::lower_bound(
      block.registers.begin(), block.registers.end(), address,
      [](const Register &reg, uint32_t key) { return reg.address < key; });
  bool isFound = it != block.registers.end() && it->address == address;
  return isFound ? &*it : nullptr;
}

const Register *RegisterMap::registerAt(uint32_t address) const {
  const Block *block = blockAt(address);
  return block ? findRegister(*block, address) : nullptr;
}

const Register *RegisterMap::headerWord(uint32_t index) const {
  for (const Block &block : theBlocks)
    if (block.isHeader)
      return findRegister(block, index);
  return nullptr;
}

std::string displayName(const Register &reg) {
  if (reg.index < 0)
    return reg.name;
  return absl::StrCat(reg.name, "[", reg.index, "]");
}

std::string fieldPath(const Block &block, const Register &reg,
                      const Field &field) {
  return absl::StrCat(block.isHeader ? "" : block.name,
                      block.isHeader ? "" : ".", displayName(reg), ".",
                      field.name);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// What decoding and encoding need of a Field or a FieldRef.
struct Coding {
  uint8_t msb, lsb;
  Codec codec;
  uint8_t amount;

  uint32_t top() const { return ~0u >> (31 - (msb - lsb)); }
};
} // namespace

static uint32_t decodeBits(Coding coding, uint32_t word) {
  uint32_t bits = (word >> coding.lsb) & coding.top();
  switch (coding.codec) {
  case Codec::Shift:
    return bits << coding.amount;
  case Codec::Log2:
    // A larger exponent is no value at all; only hostile words have one.
    return bits < 32 ? 1u << bits : 0;
  case Codec::Plain:
  case Codec::F16:
  case Codec::F32:
    break;
  }
  return bits;
}

static absl::Status outOfRange(absl::string_view path, uint32_t value,
                               uint32_t max) {
  return absl::OutOfRangeError(
      absl::StrFormat("%s is %u (0x%x), but must be at most %u (0x%x)", path,
                      value, value, max, max));
}

static absl::Status encodeBits(Coding coding, absl::string_view path,
                               uint32_t &word, uint32_t value) {
  uint32_t bits = value, top = coding.top();
  if (coding.codec == Codec::Shift) {
    uint32_t unit = 1u << coding.amount;
    if (value % unit != 0)
      return absl::InvalidArgumentError(
          absl::StrFormat("%s is %u (0x%x), but must be a multiple of 0x%x",
                          path, value, value, unit));
    bits = value >> coding.amount;
    if (bits > top)
      return outOfRange(path, value, top << coding.amount);
  } else if (coding.codec == Codec::Log2) {
    if (value == 0 || (value & (value - 1)) != 0)
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s is %u (0x%x), but must be a power of two", path, value, value));
    for (bits = 0; value >> bits != 1;)
      ++bits;
    if (bits > top)
      return outOfRange(path, value, 1u << top);
  } else if (bits > top) {
    return outOfRange(path, value, top);
  }
  word = (word & ~(top << coding.lsb)) | bits << coding.lsb;
  return absl::OkStatus();
}

uint32_t FieldRef::decode(uint32_t word) const {
  return decodeBits({msb, lsb, codec, amount}, word);
}

absl::Status FieldRef::encode(uint32_t &word, uint32_t value) const {
  return encodeBits({msb, lsb, codec, amount}, path, word, value);
}

uint32_t decodeField(const Field &field, uint32_t word) {
  return decodeBits({field.msb, field.lsb, field.codec, field.amount}, word);
}

absl::Status encodeField(const Field &field, absl::string_view path,
                         uint32_t &word, uint32_t value) {
  return encodeBits({field.msb, field.lsb, field.codec, field.amount}, path,
                    word, value);
}

} // namespace ane::hw
