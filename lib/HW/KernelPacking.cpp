//===- KernelPacking.cpp - Coefficient streams ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream is a sequence of units. A unit holds the coefficients of `lanes`
// output channels of one group: bias row, then the reduction. The walk over the
// units of a stream is written once (forEachUnit); packing and measuring differ
// only in what they do with a unit. The simulator reads streams on its own
// (lib/Simulator/CoefficientStreams.cpp).
//
//===----------------------------------------------------------------------===//

#include "ane/HW/KernelPacking.h"

#include "HalfRows.h"

#include "ane/HW/Layout.h"
#include "ane/HW/LookupTable.h"
#include "ane/Support/MappedPages.h"

#include "absl/numeric/bits.h"
#include "absl/strings/str_format.h"
#include "hwy/cache_control.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace ane::hw {

static constexpr uint32_t ceilDiv(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

namespace {
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

} // namespace

/// Calls `visit(unit)` for the units that engine 0 has, in stream order; the
/// unit of engine i beside it starts i * lanes channels later. Stops and
/// returns false when `visit` returns false.
template <typename Visit>
static bool forEachRow(const KernelShape &shape, Visit visit) {
  uint32_t engines = 1u << shape.activeNeLog2;
  if (shape.depthwise) {
    // Channel c belongs to engine c mod 16 (seen: hashes of the depthwise
    // records).
    for (uint32_t c = 0; c < shape.cout; c += engines)
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
      if (!visit(Unit{base, end, lanes}))
        return false;
      base += engines * lanes;
      done += lanes;
    }
  }
  return true;
}

/// The unit of engine `ne` beside that of engine 0.
static Unit unitOf(const Unit &row, uint32_t ne) {
  return {row.firstChannel + ne * row.lanes, row.endChannel, row.lanes};
}

/// An engine has no unit for a channel that a depthwise convolution lacks; it
/// has units of zeros in the other kinds.
static bool hasUnit(const KernelShape &shape, const Unit &unit) {
  return !shape.depthwise || unit.existing();
}

/// Calls `visit(unit)` for the units of engine `ne`, in stream order; stops and
/// returns false when it returns false.
template <typename Visit>
static bool forEachUnit(const KernelShape &shape, uint32_t ne, Visit visit) {
  return forEachRow(shape, [&](const Unit &row) {
    Unit unit = unitOf(row, ne);
    return !hasUnit(shape, unit) || visit(unit);
  });
}

/// Input channels that one output channel sees.
static uint32_t inputsOfOne(const KernelShape &shape) {
  return shape.depthwise ? shape.unicastCin : shape.cin;
}

static uint32_t reductionSteps(const KernelShape &shape) {
  return inputsOfOne(shape) * shape.kh * shape.kw;
}

/// Units of grouped kernels start at a multiple of 64 bytes, those of others
/// follow each other, with and without zeros (seen in hashes; without zeros on
/// H14 only, 5 of 5).
static bool unitsArePadded(const KernelShape &shape) {
  return !shape.depthwise && shape.groups > 1;
}

/// The order in which the engine walks a K x K kernel at stride 2: four phases
/// of row and column parity, each a grid of the taps of that parity. Calls
/// `visit(tap index or -1 when the grid has no tap there)`.
template <typename Visit>
static void forEachPhaseSlot(uint32_t kh, uint32_t kw, Visit visit) {
  for (uint32_t py = 0; py < 2; ++py)
    for (uint32_t px = 0; px < 2; ++px)
      for (uint32_t y = py; y < py + 2 * ceilDiv(kh, 2); y += 2)
        for (uint32_t x = px; x < px + 2 * ceilDiv(kw, 2); x += 2)
          visit(y < kh && x < kw ? int64_t(y) * kw + x : int64_t(-1));
}

/// Entries of a slot: a lane each, but at least four for a small source and two
/// for others (seen with 1 lane; docs/Formats/HWX.md has the records).
static uint32_t slotEntries(const KernelShape &shape, uint32_t lanes) {
  return std::max(lanes, shape.smallSource ? 4u : 2u);
}

static uint64_t zeroSkipEntries(const KernelShape &shape, uint32_t lanes) {
  uint64_t slots = 4ull * ceilDiv(shape.kh, 2) * ceilDiv(shape.kw, 2);
  return inputsOfOne(shape) * slots * slotEntries(shape, lanes);
}

namespace {
constexpr uint32_t zeroSkipLengthBytes = 3;

} // namespace

static constexpr uint32_t ceilLog2(uint32_t value) {
  uint32_t log = 0;
  while ((uint64_t(1) << log) < value)
    ++log;
  return log;
}

/// Bytes of a unit without padding; for the zero-skipping form, when no
/// coefficient is zero.
static uint64_t unitBytes(const GenerationInfo &generation,
                          const KernelShape &shape, uint32_t lanes) {
  uint64_t bytes = 2ull * lanes * reductionSteps(shape);
  if (shape.hasBias)
    bytes += 2ull * lanes;
  if (shape.zeroSkipping)
    bytes +=
        zeroSkipLengthBytes +
        alignTo(zeroSkipEntries(shape, lanes), generation.zeroSkipMaskBits) / 8;
  return bytes;
}

/// Whether the numbers of weights and of bias values are those of the kernel.
static absl::Status checkShape(const GenerationInfo &generation,
                               const KernelShape &shape, size_t weights,
                               size_t bias) {
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

/// The rows of the channels of a unit, from `step` on.
static HalfRows rowsOf(const KernelShape &shape, const Unit &unit,
                       const uint16_t *weights, uint32_t step, uint32_t steps) {
  uint32_t all = reductionSteps(shape);
  // Units after the last channel have no rows.
  uint64_t first = unit.existing() ? unit.firstChannel : 0;
  size_t next = steps < all ? steps : size_t(unit.lanes) * all;
  return {weights + first * all + step, all, unit.existing(), steps, next};
}

namespace {
/// Writes units of the zero-skipping form: length and body. The body lists the
/// entries of all slots, without those that are zero.
class ZeroSkipPacker {
public:
  ZeroSkipPacker(const GenerationInfo &generation, const KernelShape &shape)
      : shape(shape), joinsGroups(generation.zeroSkipMaskBits == 16) {
    forEachPhaseSlot(shape.kh, shape.kw,
                     [&](int64_t tap) { taps.push_back(tap); });
  }

  uint8_t *pack(const Unit &unit, const uint16_t *weights, uint8_t *out) {
    const uint32_t area = shape.kh * shape.kw;
    const uint32_t entries = slotEntries(shape, unit.lanes);
    // So many channels stay in the first-level cache; an even number of them
    // makes whole groups of 8 entries.
    const uint64_t perChannel = uint64_t(taps.size()) * entries;
    const uint32_t block =
        std::max<uint64_t>(2, cacheHalves / perChannel / 2 * 2);
    if (entries != slotsFor)
      placeSlots(block, entries);
    uint8_t *body = out + zeroSkipLengthBytes, *end = body;
    for (uint32_t c = 0; c < inputsOfOne(shape); c += block) {
      uint32_t channels = std::min(block, inputsOfOne(shape) - c);
      HalfRows rows = rowsOf(shape, unit, weights, c * area, channels * area);
      if (packWithoutZeros(channels, entries, rows, end))
        continue;
      interleaveRows(rows, entries, Fate::ReadSoon,
                     reinterpret_cast<uint8_t *>(tile.data()));
      const uint8_t *to = entries % 8 ? squeezeUneven(channels, entries)
                                      : squeezeEven(channels, entries, rows);
      storeBytes(squeezed.data(), to - squeezed.data(), end);
      end += to - squeezed.data();
    }
    if (joinsGroups)
      end = joinGroups(body, end);
    uint64_t length = end - body;
    for (uint32_t i = 0; i < zeroSkipLengthBytes; ++i)
      out[i] = length >> (8 * i);
    return end;
  }

private:
  static constexpr uint64_t cacheHalves = 8192;

  /// Makes one group of every two: the mask of the second goes in front of the
  /// coefficients of the first. A last one alone gets an empty second one, as
  /// the last mask of eight bits is whole, too: a guess, no recorded section
  /// has one. Returns the end, for which there is room.
  static uint8_t *joinGroups(uint8_t *group, uint8_t *end) {
    auto halves = [](uint8_t mask) { return 2 * size_t(absl::popcount(mask)); };
    while (group < end) {
      uint8_t *second = group + 1 + halves(group[0]);
      if (second == end)
        *end++ = 0;
      const uint8_t mask = *second;
      std::memmove(group + 2, group + 1, second - group - 1);
      group[1] = mask;
      group = second + 1 + halves(mask);
    }
    return end;
  }

  /// The slots of `channels` channels, as places in the tile, and what becomes
  /// of them when no coefficient is zero.
  void placeSlots(uint32_t channels, uint32_t entries) {
    const uint64_t area = uint64_t(shape.kh) * shape.kw;
    tile.resize(uint64_t(channels) * area * entries);
    squeezed.resize(channels * taps.size() * entries * squeezedGroup / 8 +
                    2 * squeezeSlack);
    slots.clear();
    places.resize(channels * area);
    full.clear();
    for (uint32_t i = 0; i < channels; ++i)
      for (int64_t tap : taps) {
        slots.push_back(tap < 0 ? nullptr
                                : &tile[(i * area + uint64_t(tap)) * entries]);
        if (tap >= 0)
          places[i * area + tap] = full.size() + 1;
        for (uint32_t group = 0; group < entries / 8; ++group)
          if (tap < 0)
            full.push_back(0);
          else
            full.resize(full.size() + squeezedGroup, 0xff);
      }
    fullOfOne = full.size() / channels;
    slotsFor = entries;
  }

  /// Most kernels have no coefficient that is zero. Then each has its place
  /// from the start, between bytes of bits that never change. Where one is
  /// zero, nothing is done and the result is false.
  bool packWithoutZeros(uint32_t channels, uint32_t entries,
                        const HalfRows &rows, uint8_t *&end) {
    const bool usual =
        rows.count == entries && entries % 8 == 0 && rows.steps % 8 == 0;
    // Where a coefficient is zero others are likely to be: the next block is
    // not tried.
    if (!usual || hadZeros) {
      hadZeros = false;
      return false;
    }
    hadZeros = !placeRows(rows, places.data(), full.data());
    if (hadZeros)
      return false;
    storeBytes(full.data(), channels * fullOfOne, end);
    end += channels * fullOfOne;
    return true;
  }

  /// Meanwhile the memory gets going with the channels behind `rows`.
  const uint8_t *squeezeEven(uint32_t channels, uint32_t entries,
                             const HalfRows &rows) {
    constexpr size_t lineHalves = 32;
    const size_t count = channels * taps.size();
    uint8_t *out = squeezed.data();
    for (uint32_t row = 0; row < entries; ++row) {
      const uint16_t *ahead = rows.first + row * rows.stride + rows.next;
      for (size_t i = 0; row < rows.count && i < rows.steps; i += lineHalves)
        hwy::Prefetch(ahead + i);
      const size_t first = count * row / entries;
      out = squeezeZeros(&slots[first], count * (row + 1) / entries - first,
                         entries, out);
    }
    return out;
  }

  /// Where slots are no whole groups of 8 entries, they are put together first.
  const uint8_t *squeezeUneven(uint32_t channels, uint32_t entries) {
    const size_t count = channels * taps.size();
    halves.assign(alignTo(count * entries, 8), 0);
    for (size_t i = 0; i < count; ++i)
      if (slots[i])
        std::copy_n(slots[i], entries, &halves[i * entries]);
    const uint16_t *whole = halves.data();
    return squeezeZeros(&whole, 1, halves.size(), squeezed.data());
  }

  const KernelShape &shape;
  const bool joinsGroups; ///< masks have 16 bits
  std::vector<int64_t> taps;
  std::vector<uint16_t> tile, halves;
  std::vector<uint8_t> squeezed;
  std::vector<const uint16_t *> slots;
  std::vector<uint8_t> full;    ///< the slots of a block without zeros
  std::vector<uint32_t> places; ///< of the steps of a block in it
  size_t fullOfOne = 0;         ///< bytes of it for an input channel
  uint32_t slotsFor = 0;        ///< entries of a slot
  bool hadZeros = false;        ///< the last block had coefficients of zero
};

} // namespace

/// The bias of the lanes, if there is one.
static uint8_t *packBias(const KernelShape &shape, const Unit &unit,
                         absl::Span<const uint16_t> bias, uint8_t *out) {
  if (!shape.hasBias)
    return out;
  for (uint32_t lane = 0; lane < unit.lanes; ++lane, out += 2) {
    uint16_t value =
        lane < unit.existing() ? bias[unit.firstChannel + lane] : uint16_t(0);
    out[0] = value & 0xff;
    out[1] = value >> 8;
  }
  return out;
}

/// Bytes of the stream of engine `ne`, at most; exact unless zeros are skipped.
static uint64_t boundOfStream(const GenerationInfo &generation,
                              const KernelShape &shape, uint32_t ne) {
  uint64_t table = shape.hasTable ? tableBytes : 0;
  if (shape.depthwise) {
    uint32_t engines = 1u << shape.activeNeLog2;
    uint32_t channels = ne < shape.cout ? ceilDiv(shape.cout - ne, engines) : 0;
    return alignTo(table + channels * unitBytes(generation, shape, 1),
                   generation.streamAlign);
  }
  // All groups have the same units.
  KernelShape group = shape;
  group.cout /= shape.groups;
  group.groups = 1;
  uint64_t bytes = 0;
  forEachUnit(group, ne, [&](const Unit &unit) {
    bytes += unitBytes(generation, shape, unit.lanes);
    if (unitsArePadded(shape))
      bytes = alignTo(bytes, generation.streamAlign);
    return true;
  });
  return alignTo(table + bytes * shape.groups, generation.streamAlign);
}

void chooseLanes(const GenerationInfo &generation, KernelShape &shape,
                 uint32_t outHeight, uint32_t outWidth) {
  uint32_t channels =
      shape.depthwise ? shape.cout : std::max(1u, shape.cout / shape.groups);
  shape.smallSource = outHeight <= 8 && outWidth <= 8;
  shape.activeNeLog2 = ceilLog2(std::min(generation.neCount, channels));
  if (shape.depthwise) {
    shape.lanesLog2 = 0;
    return;
  }
  // Deduced from 62 records: the power of two above the channels of an engine,
  // capped by the accumulators, of which small images leave more.
  uint32_t cap =
      shape.smallSource ? generation.maxLanesSmall : generation.maxLanes;
  uint32_t perEngine = ceilDiv(channels, 1u << shape.activeNeLog2);
  shape.lanesLog2 = std::min(ceilLog2(perEngine), ceilLog2(cap));
}

uint32_t streamCount(const KernelShape &shape) {
  uint32_t channels = shape.depthwise ? shape.cout : shape.cout / shape.groups;
  return std::min(1u << shape.activeNeLog2, channels);
}

namespace {
/// Packs all streams of a kernel into memory of the caller.
class Packer {
public:
  Packer(const GenerationInfo &generation, const KernelShape &shape,
         absl::Span<const uint16_t> weights, absl::Span<const uint16_t> bias,
         absl::Span<const uint8_t> table, uint8_t *out)
      : generation(generation), shape(shape), weights(weights), bias(bias),
        table(table), out(out) {}

  KernelStreams run() {
    streams.offsets.reserve(streamCount(shape));
    streams.sizes.reserve(streamCount(shape));
    if (shape.zeroSkipping)
      packOneByOne();
    else
      packTogether();
    return std::move(streams);
  }

private:
  uint8_t *begin(uint8_t *at) {
    streams.offsets.push_back(static_cast<uint32_t>(at - out));
    return std::copy(table.begin(), table.end(), at);
  }
  uint8_t *pad(uint8_t *at) const {
    uint8_t *end = out + alignTo(at - out, generation.streamAlign);
    std::fill(at, end, uint8_t(0));
    return end;
  }

  // How long a stream is shows when it has been written.
  void packOneByOne() {
    ZeroSkipPacker packer(generation, shape);
    uint8_t *at = out;
    for (uint32_t ne = 0; ne < streamCount(shape); ++ne) {
      at = begin(at);
      forEachUnit(shape, ne, [&](const Unit &unit) {
        at = packer.pack(unit, weights.data(), packBias(shape, unit, bias, at));
        if (unitsArePadded(shape))
          at = pad(at);
        return true;
      });
      at = pad(at);
      streams.sizes.push_back(
          static_cast<uint32_t>(at - out - streams.offsets.back()));
    }
  }

  // All engines advance together, so that weights are read in their order: the
  // units of groups and of depthwise channels are shorter than what the memory
  // fetches at once.
  void packTogether() {
    std::vector<uint8_t *> at;
    at.reserve(streamCount(shape));
    uint64_t start = 0;
    for (uint32_t ne = 0; ne < streamCount(shape); ++ne) {
      uint64_t size = boundOfStream(generation, shape, ne);
      at.push_back(begin(out + start));
      streams.sizes.push_back(static_cast<uint32_t>(size));
      start += size;
    }
    if (shape.depthwise)
      packDepthwise(at);
    else
      packUnits(at);
    for (uint8_t *end : at)
      pad(end);
  }

  // Some channels of each engine at once: few enough that they stay in the
  // first-level cache while the engines take theirs in turn.
  void packDepthwise(std::vector<uint8_t *> &at) {
    constexpr uint32_t block = 32, vectorHalves = 32;
    // The memory gets going with the channels that come so many turns later:
    // the first turn of a block needs some of all its lines.
    const uint32_t engines = at.size(), distance = engines + 6;
    const size_t steps = reductionSteps(shape),
                 bytes = unitBytes(generation, shape, 1);
    const std::unique_ptr<uint8_t[]> tile(
        new uint8_t[block * bytes + size_t(2) * vectorHalves]);
    for (uint32_t base = 0; base < shape.cout; base += block * engines)
      for (uint32_t ne = 0; ne < engines && base + ne < shape.cout; ++ne) {
        const uint16_t *from = weights.data() + size_t(base + ne) * steps;
        const uint16_t *ahead =
            weights.data() + (base + (ne + distance) * size_t(block)) * steps;
        for (size_t i = 0; i < block * steps; i += vectorHalves)
          hwy::Prefetch(ahead + i);
        const size_t count =
            std::min(block, ceilDiv(shape.cout - base - ne, engines));
        const size_t behind = weights.data() + weights.size() - from;
        const size_t pieces = engines * steps;
        const size_t safe =
            behind < vectorHalves ? 0 : (behind - vectorHalves) / pieces + 1;
        gatherPieces({from, pieces, steps, count, std::min(count, safe)},
                     tile.get() + bytes - 2 * steps, bytes);
        for (uint32_t i = 0; shape.hasBias && i < count; ++i)
          packBias(shape, Unit{base + ne + i * engines, shape.cout, 1}, bias,
                   &tile[i * bytes]);
        storeBytes(tile.get(), count * bytes, at[ne]);
        at[ne] += count * bytes;
      }
  }

  // The channels before `channel` have been read. All weights of a layer may
  // be most of a network: as they are read in their order, the pages of a
  // mapped file go while the streams grow.
  void releaseBefore(size_t channel) {
    constexpr size_t minHalves = 1 << 19; // worth a call of the system
    size_t end = channel * reductionSteps(shape);
    if (end < released + minHalves)
      return;
    auto read = weights.subspan(released, end - released);
    releasePages({reinterpret_cast<const uint8_t *>(read.data()),
                  read.size() * sizeof(uint16_t)});
    released = end;
  }

  void packUnits(std::vector<uint8_t *> &at) {
    uint32_t steps = reductionSteps(shape);
    forEachRow(shape, [&](const Unit &row) {
      releaseBefore(row.firstChannel);
      for (uint32_t ne = 0; ne < at.size(); ++ne) {
        Unit unit = unitOf(row, ne);
        uint8_t *to = packBias(shape, unit, bias, at[ne]);
        interleaveRows(rowsOf(shape, unit, weights.data(), 0, steps),
                       unit.lanes, Fate::Stored, to);
        to += 2ull * steps * unit.lanes;
        at[ne] = unitsArePadded(shape) ? pad(to) : to;
      }
      return true;
    });
  }

  const GenerationInfo &generation;
  const KernelShape &shape;
  absl::Span<const uint16_t> weights, bias;
  absl::Span<const uint8_t> table;
  uint8_t *out;
  size_t released = 0; ///< weights that need not be in memory any more
  KernelStreams streams;
};

} // namespace

uint64_t packedBytes(const GenerationInfo &generation,
                     const KernelShape &shape) {
  uint64_t bytes = 0;
  for (uint32_t ne = 0; ne < streamCount(shape); ++ne)
    bytes += boundOfStream(generation, shape, ne);
  return bytes;
}

absl::StatusOr<KernelStreams> packKernelInto(absl::Span<uint8_t> out,
                                             const GenerationInfo &generation,
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
  if (out.size() < packedBytes(generation, shape))
    return absl::InvalidArgumentError(
        absl::StrFormat("the streams need %d bytes, but there is room for %d",
                        packedBytes(generation, shape), out.size()));
  return Packer(generation, shape, weights, bias, table, out.data()).run();
}

absl::StatusOr<KernelStreams> packKernel(const GenerationInfo &generation,
                                         const KernelShape &shape,
                                         absl::Span<const uint16_t> weights,
                                         absl::Span<const uint16_t> bias,
                                         absl::Span<const uint8_t> table) {
  // Nothing is allocated for a shape that the weights do not fit.
  if (absl::Status status =
          checkShape(generation, shape, weights.size(), bias.size());
      !status.ok())
    return status;
  std::vector<uint8_t> bytes(packedBytes(generation, shape));
  absl::StatusOr<KernelStreams> streams = packKernelInto(
      absl::MakeSpan(bytes), generation, shape, weights, bias, table);
  if (!streams.ok())
    return streams;
  bytes.resize(streams->byteSize());
  streams->bytes = std::move(bytes);
  return streams;
}

KernelStreams packTable(const GenerationInfo &generation,
                        absl::Span<const uint8_t> table, uint32_t channels) {
  // Seen in the unary records: 128 bytes are reserved for each stream, the
  // table stands in the first, and all streams point there; unless it has a
  // stream of its own.
  KernelStreams streams;
  uint32_t count = std::min(generation.neCount, channels);
  streams.bytes.assign(table.begin(), table.end());
  streams.bytes.resize(uint64_t(tableBytes) *
                       (generation.hasTableStream ? 1 : count));
  streams.offsets.assign(count, 0);
  streams.sizes.assign(count, tableBytes);
  return streams;
}

uint64_t streamBytes(const GenerationInfo &generation,
                     const KernelShape &shape) {
  return boundOfStream(generation, shape, 0);
}

} // namespace ane::hw
