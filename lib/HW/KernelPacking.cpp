//===- KernelPacking.cpp - Coefficient streams ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream is a sequence of units. A unit holds the coefficients of `lanes`
// output channels of one group: bias row, then the reduction. The walk over the
// units of a stream is written once (forEachUnit); packing, unpacking and
// measuring differ only in what they do with a unit.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/KernelPacking.h"

#include "ane/HW/Layout.h"
#include "ane/HW/LookupTable.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <cstring>

namespace ane::hw {

namespace {

constexpr uint32_t ceilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

constexpr uint32_t ceilLog2(uint32_t value) {
  uint32_t log = 0;
  while ((uint64_t(1) << log) < value)
    ++log;
  return log;
}

/// Coefficients of `lanes` neighbouring channels from `firstChannel` (in the
/// numbering of all groups). Channels at or above `endChannel` do not exist:
/// their lanes hold zero.
struct Unit {
  uint32_t firstChannel, endChannel, lanes;
  uint32_t existing() const {
    return firstChannel >= endChannel
               ? 0
               : std::min(lanes, endChannel - firstChannel);
  }
};

/// Calls `visit(unit)` for the units of engine `ne`, in stream order; stops and
/// returns false when it returns false.
template <typename Visit>
bool forEachUnit(const KernelShape &shape, uint32_t ne, Visit visit) {
  uint32_t engines = 1u << shape.activeNeLog2;
  if (shape.depthwise) {
    // Channel c belongs to engine c mod 16 (seen: hashes of the depthwise
    // records).
    for (uint32_t c = ne; c < shape.cout; c += engines)
      if (!visit(Unit{c, shape.cout, 1}))
        return false;
    return true;
  }
  uint32_t perGroup = shape.cout / shape.groups;
  uint32_t perEngine = ceilDiv(perGroup, engines);
  for (uint32_t group = 0; group < shape.groups; ++group) {
    uint32_t base = group * perGroup, end = base + perGroup;
    for (uint32_t done = 0; done < perEngine;) {
      uint32_t lanes = std::min(1u << shape.lanesLog2, perEngine - done);
      if (!visit(Unit{base + ne * lanes, end, lanes}))
        return false;
      base += engines * lanes;
      done += lanes;
    }
  }
  return true;
}

/// Input channels that one output channel sees.
uint32_t inputsOfOne(const KernelShape &shape) {
  return shape.depthwise ? shape.unicastCin : shape.cin;
}

uint32_t reductionSteps(const KernelShape &shape) {
  return inputsOfOne(shape) * shape.kh * shape.kw;
}

/// Units of grouped and zero-skipping kernels start at a multiple of 64 bytes,
/// those of dense and depthwise kernels follow each other (seen in hashes).
bool unitsArePadded(const KernelShape &shape) {
  return !shape.depthwise && (shape.groups > 1 || shape.zeroSkipping);
}

/// The order in which the engine walks a K x K kernel at stride 2: four phases
/// of row and column parity, each a grid of the taps of that parity. Calls
/// `visit(tap index or -1 when the grid has no tap there)`.
template <typename Visit>
void forEachPhaseSlot(uint32_t kh, uint32_t kw, Visit visit) {
  for (uint32_t py = 0; py < 2; ++py)
    for (uint32_t px = 0; px < 2; ++px)
      for (uint32_t y = py; y < py + 2 * ceilDiv(kh, 2); y += 2)
        for (uint32_t x = px; x < px + 2 * ceilDiv(kw, 2); x += 2)
          visit(y < kh && x < kw ? int64_t(y) * kw + x : int64_t(-1));
}

/// Entries of a slot: a lane each, but at least four (seen with 1 and 4 lanes).
constexpr uint32_t slotEntries(uint32_t lanes) { return std::max(lanes, 4u); }

uint64_t zeroSkipEntries(const KernelShape &shape, uint32_t lanes) {
  uint64_t slots = 4ull * ceilDiv(shape.kh, 2) * ceilDiv(shape.kw, 2);
  return inputsOfOne(shape) * slots * slotEntries(lanes);
}

constexpr uint32_t zeroSkipLengthBytes = 3;

/// Bytes of a unit without padding; for the zero-skipping form, when no
/// coefficient is zero.
uint64_t unitBytes(const KernelShape &shape, uint32_t lanes) {
  uint64_t bytes = 2ull * lanes * reductionSteps(shape);
  if (shape.hasBias)
    bytes += 2ull * lanes;
  if (shape.zeroSkipping)
    bytes += zeroSkipLengthBytes + (zeroSkipEntries(shape, lanes) + 7) / 8;
  return bytes;
}

void appendHalf(std::vector<uint8_t> &bytes, uint16_t value) {
  bytes.push_back(value & 0xff);
  bytes.push_back(value >> 8);
}

constexpr bool isZeroHalf(uint16_t bits) { return (bits & 0x7fff) == 0; }

uint16_t loadHalf(const uint8_t *bytes) {
  return static_cast<uint16_t>(bytes[0] | bytes[1] << 8);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Writes steps x lanes halfwords: a transposition of the rows of the channels.
/// Blocks of 32 steps keep the rows that are read and the lines that are
/// written in the first-level cache.
void packDenseUnit(const Unit &unit, uint32_t steps, const uint16_t *weights,
                   uint8_t *out) {
  constexpr uint32_t block = 32;
  uint32_t lanes = unit.lanes, existing = unit.existing();
  uint16_t tile[block * 32];
  for (uint32_t step = 0; step < steps; step += block) {
    uint32_t count = std::min(block, steps - step);
    uint16_t *to = tile;
    if (existing < lanes)
      std::memset(tile, 0, sizeof(tile));
    for (uint32_t lane = 0; lane < existing; ++lane) {
      const uint16_t *row =
          weights + uint64_t(unit.firstChannel + lane) * steps + step;
      for (uint32_t i = 0; i < count; ++i)
        to[i * lanes + lane] = row[i];
    }
    std::memcpy(out + uint64_t(step) * lanes * 2, tile,
                uint64_t(count) * lanes * 2);
  }
}

/// Appends length and body: for every 8 entries a byte with a bit for each that
/// is not zero, then those halfwords.
void packZeroSkipUnit(const KernelShape &shape, const Unit &unit,
                      const uint16_t *weights, std::vector<uint8_t> &bytes) {
  uint32_t steps = reductionSteps(shape), area = shape.kh * shape.kw;
  uint32_t existing = unit.existing(), entries = slotEntries(unit.lanes);
  size_t lengthAt = bytes.size();
  bytes.resize(lengthAt + zeroSkipLengthBytes);
  size_t bodyAt = bytes.size(), maskAt = 0;
  uint32_t bit = 0;
  auto entry = [&](uint16_t value) {
    if (bit == 0) {
      maskAt = bytes.size();
      bytes.push_back(0);
    }
    if (!isZeroHalf(value)) {
      bytes[maskAt] |= 1u << bit;
      appendHalf(bytes, value);
    }
    bit = (bit + 1) % 8;
  };
  for (uint32_t c = 0; c < inputsOfOne(shape); ++c)
    forEachPhaseSlot(shape.kh, shape.kw, [&](int64_t tap) {
      for (uint32_t lane = 0; lane < entries; ++lane)
        entry(tap < 0 || lane >= existing
                  ? 0
                  : weights[uint64_t(unit.firstChannel + lane) * steps +
                            c * area + tap]);
    });
  uint64_t length = bytes.size() - bodyAt;
  for (uint32_t i = 0; i < zeroSkipLengthBytes; ++i)
    bytes[lengthAt + i] = length >> (8 * i);
}

void packUnit(const KernelShape &shape, const Unit &unit,
              const uint16_t *weights, absl::Span<const uint16_t> bias,
              std::vector<uint8_t> &bytes) {
  if (shape.hasBias)
    for (uint32_t lane = 0; lane < unit.lanes; ++lane)
      appendHalf(bytes, lane < unit.existing() ? bias[unit.firstChannel + lane]
                                               : uint16_t(0));
  if (shape.zeroSkipping) {
    packZeroSkipUnit(shape, unit, weights, bytes);
  } else {
    uint32_t steps = reductionSteps(shape);
    size_t at = bytes.size();
    bytes.resize(at + 2ull * steps * unit.lanes);
    packDenseUnit(unit, steps, weights, bytes.data() + at);
  }
}

absl::Status checkShape(const GenerationInfo &generation,
                        const KernelShape &shape, size_t weights, size_t bias) {
  if (!shape.cout || !inputsOfOne(shape) || !shape.kh || !shape.kw ||
      !shape.groups)
    return absl::InvalidArgumentError("a kernel has a dimension of 0");
  if (shape.cout % shape.groups)
    return absl::InvalidArgumentError(
        absl::StrFormat("%d output channels do not divide into %d groups",
                        shape.cout, shape.groups));
  if ((1u << shape.activeNeLog2) > generation.neCount ||
      (1u << shape.lanesLog2) > generation.maxLanesSmall)
    return absl::InvalidArgumentError(absl::StrFormat(
        "2^%d engines with 2^%d lanes exceed the %d engines and %d lanes of %s",
        shape.activeNeLog2, shape.lanesLog2, generation.neCount,
        generation.maxLanesSmall, generation.name));
  uint64_t expected = uint64_t(shape.cout) * reductionSteps(shape);
  if (weights != expected)
    return absl::InvalidArgumentError(absl::StrFormat(
        "a kernel of %d x %d x %d x %d has %d weights, got %d", shape.cout,
        inputsOfOne(shape), shape.kh, shape.kw, expected, weights));
  if (bias != (shape.hasBias ? shape.cout : 0))
    return absl::InvalidArgumentError(
        absl::StrFormat("%d bias values for %d output channels", bias,
                        shape.hasBias ? shape.cout : 0));
  return absl::OkStatus();
}

} // namespace

void chooseLanes(const GenerationInfo &generation, KernelShape &shape,
                 uint32_t outHeight, uint32_t outWidth) {
  uint32_t channels =
      shape.depthwise ? shape.cout : std::max(1u, shape.cout / shape.groups);
  shape.activeNeLog2 = ceilLog2(std::min(generation.neCount, channels));
  if (shape.depthwise) {
    shape.lanesLog2 = 0;
    return;
  }
  // Deduced from 62 records: the power of two above the channels of an engine,
  // capped by the accumulators, of which small images leave more.
  uint32_t cap = outHeight <= 8 && outWidth <= 8 ? generation.maxLanesSmall
                                                 : generation.maxLanes;
  uint32_t perEngine = ceilDiv(channels, 1u << shape.activeNeLog2);
  shape.lanesLog2 = std::min(ceilLog2(perEngine), ceilLog2(cap));
}

uint32_t streamCount(const KernelShape &shape) {
  uint32_t channels = shape.depthwise ? shape.cout : shape.cout / shape.groups;
  return std::min(1u << shape.activeNeLog2, channels);
}

absl::StatusOr<KernelStreams> packKernel(const GenerationInfo &generation,
                                         const KernelShape &shape,
                                         absl::Span<const uint16_t> weights,
                                         absl::Span<const uint16_t> bias,
                                         absl::Span<const uint8_t> table) {
  if (absl::Status status =
          checkShape(generation, shape, weights.size(), bias.size());
      !status.ok())
    return status;
  if (table.size() != (shape.hasTable ? tableBytes : 0))
    return absl::InvalidArgumentError(absl::StrFormat(
        "an activation table has %d bytes, got %d", tableBytes, table.size()));
  KernelStreams streams;
  uint32_t count = streamCount(shape);
  streams.bytes.reserve(
      alignTo(streamBytes(generation, shape), generation.streamAlign) * count);
  auto pad = [&] {
    streams.bytes.resize(alignTo(streams.bytes.size(), generation.streamAlign));
  };
  for (uint32_t ne = 0; ne < count; ++ne) {
    uint64_t start = streams.bytes.size();
    streams.bytes.insert(streams.bytes.end(), table.begin(), table.end());
    forEachUnit(shape, ne, [&](const Unit &unit) {
      packUnit(shape, unit, weights.data(), bias, streams.bytes);
      if (unitsArePadded(shape))
        pad();
      return true;
    });
    pad();
    streams.offsets.push_back(static_cast<uint32_t>(start));
    streams.sizes.push_back(
        static_cast<uint32_t>(streams.bytes.size() - start));
  }
  return streams;
}

KernelStreams packTable(const GenerationInfo &generation,
                        absl::Span<const uint8_t> table, uint32_t channels) {
  // Seen in the unary records: 128 bytes are reserved for each stream, the
  // table stands in the first, and all streams point there.
  KernelStreams streams;
  uint32_t count = std::min(generation.neCount, channels);
  streams.bytes.assign(table.begin(), table.end());
  streams.bytes.resize(uint64_t(tableBytes) * count);
  streams.offsets.assign(count, 0);
  streams.sizes.assign(count, tableBytes);
  return streams;
}

uint64_t streamBytes(const GenerationInfo &generation,
                     const KernelShape &shape) {
  uint64_t bytes = shape.hasTable ? tableBytes : 0;
  forEachUnit(shape, 0, [&](const Unit &unit) {
    bytes += unitBytes(shape, unit.lanes);
    if (unitsArePadded(shape))
      bytes = alignTo(bytes, generation.streamAlign);
    return true;
  });
  return alignTo(bytes, generation.streamAlign);
}

//===----------------------------------------------------------------------===//
// Unpacking
//===----------------------------------------------------------------------===//

namespace {

/// The rest of one stream, consumed from the front.
struct Reader {
  absl::Span<const uint8_t> bytes;
  uint64_t at = 0;

  bool has(uint64_t count) const { return count <= bytes.size() - at; }
  uint16_t half() {
    uint16_t value = loadHalf(bytes.data() + at);
    at += 2;
    return value;
  }
};

bool unpackDenseUnit(Reader &reader, const Unit &unit, uint32_t steps,
                     uint16_t *weights) {
  if (!reader.has(2ull * steps * unit.lanes))
    return false;
  const uint8_t *from = reader.bytes.data() + reader.at;
  for (uint32_t lane = 0; lane < unit.existing(); ++lane) {
    uint16_t *row = weights + uint64_t(unit.firstChannel + lane) * steps;
    for (uint32_t step = 0; step < steps; ++step)
      row[step] = loadHalf(from + (uint64_t(step) * unit.lanes + lane) * 2);
  }
  reader.at += 2ull * steps * unit.lanes;
  return true;
}

bool unpackZeroSkipUnit(Reader &reader, const KernelShape &shape,
                        const Unit &unit, uint16_t *weights) {
  if (!reader.has(zeroSkipLengthBytes))
    return false;
  uint64_t length = 0;
  for (uint32_t i = 0; i < zeroSkipLengthBytes; ++i)
    length |= uint64_t(reader.bytes[reader.at + i]) << (8 * i);
  reader.at += zeroSkipLengthBytes;
  if (!reader.has(length))
    return false;
  Reader body{reader.bytes.subspan(reader.at, length)};
  reader.at += length;

  uint32_t steps = reductionSteps(shape), area = shape.kh * shape.kw;
  uint32_t existing = unit.existing(), entries = slotEntries(unit.lanes);
  uint32_t bit = 0, mask = 0;
  bool ok = true;
  for (uint32_t c = 0; c < inputsOfOne(shape) && ok; ++c)
    forEachPhaseSlot(shape.kh, shape.kw, [&](int64_t tap) {
      for (uint32_t lane = 0; lane < entries && ok; ++lane) {
        if (bit == 0) {
          ok = body.has(1);
          mask = ok ? body.bytes[body.at++] : 0;
        }
        uint16_t value = 0;
        if (mask >> bit & 1) {
          ok = ok && body.has(2);
          value = ok ? body.half() : uint16_t(0);
        }
        bit = (bit + 1) % 8;
        if (tap >= 0 && lane < existing)
          weights[uint64_t(unit.firstChannel + lane) * steps + c * area + tap] =
              value;
      }
    });
  return ok && body.at == length;
}

bool unpackUnit(Reader &reader, const KernelShape &shape, const Unit &unit,
                uint16_t *weights, absl::Span<uint16_t> bias) {
  if (shape.hasBias) {
    if (!reader.has(2ull * unit.lanes))
      return false;
    for (uint32_t lane = 0; lane < unit.lanes; ++lane) {
      uint16_t value = reader.half();
      if (lane < unit.existing())
        bias[unit.firstChannel + lane] = value;
    }
  }
  return shape.zeroSkipping
             ? unpackZeroSkipUnit(reader, shape, unit, weights)
             : unpackDenseUnit(reader, unit, reductionSteps(shape), weights);
}

} // namespace

absl::Status unpackKernel(const GenerationInfo &generation,
                          const KernelShape &shape,
                          absl::Span<const uint8_t> constants,
                          absl::Span<const uint32_t> offsets,
                          absl::Span<const uint32_t> sizes,
                          absl::Span<uint16_t> weights,
                          absl::Span<uint16_t> bias) {
  if (absl::Status status =
          checkShape(generation, shape, weights.size(), bias.size());
      !status.ok())
    return status;
  uint32_t count = streamCount(shape);
  if (offsets.size() < count || sizes.size() < count)
    return absl::InvalidArgumentError(
        absl::StrFormat("the kernel needs %d coefficient streams, but %d are "
                        "enabled",
                        count, std::min(offsets.size(), sizes.size())));
  for (uint32_t ne = 0; ne < count; ++ne) {
    uint64_t start = offsets[ne], size = sizes[ne];
    if (start > constants.size() || size > constants.size() - start)
      return absl::OutOfRangeError(
          absl::StrFormat("coefficient stream %d covers bytes 0x%x to 0x%x of "
                          "a section of 0x%x "
                          "bytes",
                          ne, start, start + size, constants.size()));
    Reader reader{constants.subspan(start, size)};
    if (shape.hasTable)
      reader.at = std::min<uint64_t>(tableBytes, size);
    bool whole = forEachUnit(shape, ne, [&](const Unit &unit) {
      if (!unpackUnit(reader, shape, unit, weights.data(), bias))
        return false;
      if (unitsArePadded(shape))
        reader.at = std::min(alignTo(reader.at, generation.streamAlign), size);
      return true;
    });
    if (!whole)
      return absl::OutOfRangeError(
          absl::StrFormat("coefficient stream %d of 0x%x bytes ends inside the "
                          "coefficients, at "
                          "byte 0x%x",
                          ne, size, reader.at));
  }
  return absl::OkStatus();
}

} // namespace ane::hw
