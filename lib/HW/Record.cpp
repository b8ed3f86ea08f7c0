//===- Record.cpp - Records and the word in front of them -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Task.h tells the bits of the first word in both kinds of streams.
//
//===----------------------------------------------------------------------===//

#include "TaskStream.h"

#include "absl/numeric/bits.h"
#include "absl/strings/str_format.h"

namespace ane::hw {

using namespace stream;

static constexpr uint32_t linkedAddressMask = (1u << 26) - 1;
/// Packed streams count in words.
static constexpr uint32_t packedAddressMask = (1u << 15) - 1;
static constexpr uint32_t scatterBit = 1u << 31, baseBit = 1u << 29;
/// Bits of the first word of a dense record: six name the base where there is
/// one.
static constexpr uint32_t baseShift = 23, baseMask = 0x3f;
static constexpr uint32_t unknownMask = 1u << 30 | 3u << 21;

static uint32_t unknownBits(bool hasBase) {
  return hasBase ? unknownMask : unknownMask | baseMask << baseShift;
}

uint32_t Record::addressOf(size_t index) const {
  if (kind == RecordKind::Dense || index == 0)
    return address + 4 * index;
  uint32_t rest = follow;
  for (; index > 1 && rest; --index)
    rest &= rest - 1;
  return address + 4 + 4 * absl::countr_zero(rest);
}

std::optional<size_t> Record::indexOf(uint32_t wanted) const {
  if (wanted < address || (wanted - address) % 4 != 0)
    return std::nullopt;
  uint32_t distance = (wanted - address) / 4;
  if (kind == RecordKind::Dense || distance == 0)
    return distance < words.size() ? std::optional<size_t>(distance)
                                   : std::nullopt;
  if (distance > 16 || !(follow >> (distance - 1) & 1))
    return std::nullopt;
  size_t index = 1 + absl::popcount(follow & ((1u << (distance - 1)) - 1));
  return index < words.size() ? std::optional<size_t>(index) : std::nullopt;
}

Record scatterRecord(uint32_t address, uint16_t follow,
                     std::vector<uint32_t> words) {
  Record record;
  record.address = address;
  record.words = std::move(words);
  record.kind = RecordKind::Scatter;
  record.follow = follow;
  return record;
}

Record baseRecord(uint32_t address, uint8_t base, uint64_t offset) {
  Record record;
  record.address = address;
  record.words = {uint32_t(offset), uint32_t(offset >> 32)};
  record.base = base;
  return record;
}

Record stream::decodeHead(StreamKind kind, uint32_t head, uint32_t &count) {
  Record record;
  if (kind == StreamKind::Linked) {
    record.address = head & linkedAddressMask;
    count = (head >> 26) + 1;
    return record;
  }
  record.address = 4 * (head & packedAddressMask);
  if (head & scatterBit) {
    record.kind = RecordKind::Scatter;
    record.follow = head >> 15 & 0xffff;
    count = 1 + absl::popcount(record.follow);
    return record;
  }
  if (head & baseBit)
    record.base = head >> baseShift & baseMask;
  record.unknown = head & unknownBits(record.base.has_value());
  count = (head >> 15 & 0x3f) + 1;
  return record;
}

uint32_t stream::encodeHead(StreamKind kind, const Record &record) {
  uint32_t count = record.words.size() - 1;
  if (kind == StreamKind::Linked)
    return count << 26 | record.address;
  uint32_t head = record.address / 4;
  if (record.kind == RecordKind::Scatter)
    return head | scatterBit | uint32_t(record.follow) << 15;
  if (record.base)
    head |= baseBit | uint32_t(*record.base) << baseShift;
  return head | record.unknown | count << 15;
}

static absl::Status checkPackedRecord(const Record &record) {
  auto error = [](const std::string &message) {
    return absl::InvalidArgumentError(message);
  };
  if (record.address % 4 != 0)
    return error(absl::StrFormat("has address 0x%x, which is no multiple of 4",
                                 record.address));
  if (record.kind == RecordKind::Scatter) {
    uint32_t count = 1 + absl::popcount(record.follow);
    if (record.words.size() != count)
      return error(absl::StrFormat("at 0x%x names %u registers, but has %u "
                                   "words",
                                   record.address, count, record.words.size()));
    if (record.base || record.unknown)
      return error(absl::StrFormat("at 0x%x is scattered, so that its first "
                                   "word has no bits for a base",
                                   record.address));
    return absl::OkStatus();
  }
  if (record.follow)
    return error(absl::StrFormat("at 0x%x is dense, but names registers after "
                                 "the first by 0x%x",
                                 record.address, record.follow));
  if (record.base && *record.base > baseMask)
    return error(absl::StrFormat("at 0x%x has base %u, but at most %u fits",
                                 record.address, *record.base, baseMask));
  uint32_t known = record.unknown & ~unknownBits(record.base.has_value());
  if (known)
    return error(absl::StrFormat("at 0x%x has 0x%x for bits that are not "
                                 "unknown",
                                 record.address, known));
  return absl::OkStatus();
}

absl::Status checkRecord(Generation generation, const Record &record) {
  auto error = [](const std::string &message) {
    return absl::InvalidArgumentError(message);
  };
  const bool isLinked = info(generation).stream == StreamKind::Linked;
  if (record.words.empty() || record.words.size() > maxDenseWords)
    return error(absl::StrFormat("at 0x%x writes %u registers, but 1 to %u fit",
                                 record.address, record.words.size(),
                                 maxDenseWords));
  uint32_t last = isLinked ? linkedAddressMask : 4 * packedAddressMask;
  if (record.address > last)
    return error(absl::StrFormat("has address 0x%x, but at most 0x%x fits",
                                 record.address, last));
  if (!isLinked)
    return checkPackedRecord(record);
  if (record.kind != RecordKind::Dense || record.follow || record.base ||
      record.unknown)
    return error(absl::StrFormat("at 0x%x is scattered or has a base, but %s "
                                 "has dense records alone",
                                 record.address, info(generation).name));
  return absl::OkStatus();
}

} // namespace ane::hw
