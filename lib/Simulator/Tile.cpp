//===- Tile.cpp - Tensors inside the simulator ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tile.h"

#include "Parallel.h"
#include "Vector.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <cmath>

namespace ane::sim {

std::string text(const Dims &dims) {
  return absl::StrFormat("G%d D%d C%d H%d W%d", dims.g, dims.d, dims.c, dims.h,
                         dims.w);
}

absl::InlinedVector<hw::Footprint, 1> Pattern::footprints() const {
  const uint64_t size = hw::elementBytes(type);
  const uint32_t planes = exchange ? dims.w : dims.c;
  const uint32_t wide = exchange ? dims.c : dims.w;
  const uint32_t full = planes / interleave, rest = planes % interleave;
  absl::InlinedVector<hw::Footprint, 1> parts;
  if (full || !rest)
    parts.push_back(
        {base,
         wide * interleave * size,
         {{dims.g, group}, {dims.d, depth}, {full, plane}, {dims.h, row}}});
  if (rest)
    parts.push_back({base + full * plane,
                     rest * size,
                     {{dims.g, group},
                      {dims.d, depth},
                      {dims.h, row},
                      {wide, interleave * size}}});
  return parts;
}

uint64_t Pattern::end() const {
  uint64_t end = base;
  for (const hw::Footprint &part : footprints())
    end = std::max(end, part.end());
  return end;
}

absl::Status Pattern::checkDistinct(absl::string_view writer) const {
  std::optional<uint64_t> clash = hw::findSharedByte(footprints());
  if (!clash)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s (%s) writes byte 0x%x twice: strides of 0x%x for rows, 0x%x for "
      "channels, 0x%x for depth, 0x%x for groups",
      writer, text(dims), *clash, row, plane, depth, group));
}

/// A float for each element, in the order of the memory.
static void decode(hw::ElementType type, const uint8_t *from, float *to,
                   uint32_t count) {
  switch (type) {
  case hw::ElementType::Float16:
    return halvesToFloats(from, to, count);
  case hw::ElementType::UInt8:
    for (uint32_t i = 0; i < count; ++i)
      to[i] = from[i];
    return;
  case hw::ElementType::Int8:
    for (uint32_t i = 0; i < count; ++i)
      to[i] = static_cast<int8_t>(from[i]);
    return;
  }
}

static void encode(hw::ElementType type, const float *from, uint8_t *to,
                   uint32_t count) {
  switch (type) {
  case hw::ElementType::Float16:
    return floatsToHalves(from, to, count);
  case hw::ElementType::UInt8:
    for (uint32_t i = 0; i < count; ++i)
      to[i] = static_cast<uint8_t>(from[i]);
    return;
  case hw::ElementType::Int8:
    for (uint32_t i = 0; i < count; ++i)
      to[i] = static_cast<uint8_t>(static_cast<int8_t>(from[i]));
    return;
  }
}

static bool isDense(const Run &run) {
  return run.interleave == 1 && run.wideStep == 1;
}

static void loadRun(const Pattern &pattern, const Run &run,
                    const uint8_t *memory, float *tile,
                    std::vector<float> &scratch) {
  const uint8_t *from = memory + run.offset;
  if (isDense(run))
    return decode(pattern.type, from, tile + run.first, run.count);
  scratch.resize(std::max<size_t>(scratch.size(), run.count));
  decode(pattern.type, from, scratch.data(), run.count);
  for (uint32_t k = 0; k < run.count; ++k)
    tile[run.first + k / run.interleave * run.wideStep +
         k % run.interleave * run.channelStep] = scratch[k];
}

static void storeRun(const Pattern &pattern, const Run &run, const float *tile,
                     uint8_t *memory, std::vector<float> &scratch) {
  uint8_t *to = memory + run.offset;
  if (isDense(run))
    return encode(pattern.type, tile + run.first, to, run.count);
  scratch.resize(std::max<size_t>(scratch.size(), run.count));
  for (uint32_t k = 0; k < run.count; ++k)
    scratch[k] = tile[run.first + k / run.interleave * run.wideStep +
                      k % run.interleave * run.channelStep];
  encode(pattern.type, scratch.data(), to, run.count);
}

Pattern someChannels(Pattern pattern, uint32_t first, uint32_t count) {
  pattern.base += first * pattern.plane;
  pattern.dims.c = count;
  return pattern;
}

/// Halves whose rows lie apart by a fixed stride: the usual case. Calls
/// `visit(byte offset, stride in bytes, first element, rows)` for stacks of
/// rows of `pattern.dims.w` elements that are neighbours in the tile; from
/// several threads where that pays.
template <typename Visit>
static bool forEachStack(const Pattern &p, unsigned threads, Visit visit) {
  if (p.type != hw::ElementType::Float16 || !hasChannels(p))
    return false;
  const Dims &n = p.dims;
  const size_t plane = size_t(n.h) * n.w;
  // With one row a channel, all channels are one stack.
  const size_t pieces = n.count() < (1 << 17) || n.h == 1 ? 1 : 16;
  parallelFor(size_t(n.g) * n.d * pieces, pieces == 1 ? 1 : threads,
              [&](size_t i) {
                const size_t gd = i / pieces, piece = i % pieces;
                const uint64_t offset =
                    p.base + gd / n.d * p.group + gd % n.d * p.depth;
                const size_t first = gd * n.c * plane;
                if (n.h == 1)
                  return visit(offset, p.plane, first, n.c);
                const size_t end = (piece + 1) * n.c / pieces;
                for (size_t c = piece * n.c / pieces; c < end; ++c)
                  visit(offset + c * p.plane, p.row, first + c * plane, n.h);
              });
  return true;
}

void loadTile(const Pattern &pattern, const uint8_t *memory, Tile &tile,
              unsigned threads) {
  tile.dims = pattern.dims;
  tile.data.resize(pattern.dims.count());
  float *to = tile.data.data();
  const uint32_t width = pattern.dims.w;
  if (forEachStack(
          pattern, threads,
          [&](uint64_t offset, uint64_t stride, size_t first, uint32_t rows) {
            halvesToFloats(memory + offset, stride, to + first, width, rows);
          }))
    return;
  std::vector<float> scratch;
  forEachRun(pattern, [&](const Run &run) {
    loadRun(pattern, run, memory, to, scratch);
    return true;
  });
}

void storeTile(const Pattern &pattern, const Tile &tile, uint8_t *memory,
               unsigned threads) {
  const float *from = tile.data.data();
  const uint32_t width = pattern.dims.w;
  if (forEachStack(
          pattern, threads,
          [&](uint64_t offset, uint64_t stride, size_t first, uint32_t rows) {
            floatsToHalves(from + first, memory + offset, stride, width, rows);
          }))
    return;
  std::vector<float> scratch;
  forEachRun(pattern, [&](const Run &run) {
    storeRun(pattern, run, from, memory, scratch);
    return true;
  });
}

bool hasSpecial(const Tile &tile) {
  return std::any_of(tile.data.begin(), tile.data.end(),
                     [](float value) { return !std::isfinite(value); });
}

void roundTo(hw::ElementType type, float *values, size_t count) {
  if (type == hw::ElementType::Float16)
    return roundToHalf(values, values, count);
  const float low = type == hw::ElementType::Int8 ? -128.0f : 0.0f;
  const float high = type == hw::ElementType::Int8 ? 127.0f : 255.0f;
  for (size_t i = 0; i < count; ++i) {
    // A NaN has no place in a byte; zero is what max and min give here.
    float value = std::nearbyint(values[i]);
    values[i] = value >= low ? std::min(value, high) : low;
    if (std::isnan(value))
      values[i] = 0;
  }
}

} // namespace ane::sim
