//===- CoefficientStreams.cpp - Weights out of their streams --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoefficientStreams.h"

#include "ane/HW/Layout.h"
#include "ane/HW/LookupTable.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::sim {

StreamShape::StreamShape(const TaskConfig &task, const Assumptions &rules) {
  const NeuralConfig &ne = task.neural;
  depthwise = ne.unicast;
  groups = task.source1.dram.dims.g;
  channels = task.result.dram.dims.c;
  // The channels of depthwise convolutions follow each other over all groups.
  if (depthwise) {
    channels *= groups;
    groups = 1;
  }
  inputs = depthwise ? ne.unicastCin : task.source1.dram.dims.c;
  kh = ne.kh;
  kw = ne.kw;
  engines = 1u << ne.activeNeLog2;
  lanes = depthwise ? 1 : 1u << ne.lanesLog2;
  hasBias = ne.hasBias;
  hasTable = ne.function == h13::NE::NonlinearMode::LUT;
  skipsZeros = ne.zeroSkipping;
  // With one lane, digests of recorded sections leave only 4 entries for small
  // sources (3 sections) and 2 for others (1 section, seen twice). That 2 lanes
  // take as many entries in a large image is a guess.
  checksMasks = rules.slots == assumed::Slots::Two;
  leastEntries = ne.smallSource || !checksMasks ? 4 : 2;
  passPlaces = rules.passes;
}

// A lane each, at least.
uint32_t StreamShape::slotEntries(uint32_t passLanes) const {
  return std::max(passLanes, leastEntries);
}

namespace {
/// A section, or a stream in it. Of some only the size is known: `data` is
/// null.
struct Bytes {
  const uint8_t *data;
  uint64_t size;
};

/// Reads the passes of a stream from `bytes` on.
class StreamReader {
public:
  StreamReader(const hw::GenerationInfo &generation, const StreamShape &shape,
               Bytes bytes)
      : generation(&generation), shape(&shape), bytes(bytes) {
    if (shape.hasTable)
      at = hw::tableBytes;
  }

  /// Reads the coefficients of `lanes` channels, of which `existing` exist:
  /// `weights` and `bias` are those of the first, or null where nobody asks.
  absl::Status readPass(uint32_t lanes, uint32_t existing, uint16_t *weights,
                        uint16_t *bias);

  /// Every stream on record ends where its coefficients do.
  absl::Status finish() const {
    const uint64_t needed = hw::alignTo(at, generation->streamAlign);
    if (needed == bytes.size)
      return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrFormat(
        "has 0x%x bytes, but its coefficients take 0x%x", bytes.size, needed));
  }

private:
  absl::Status readDense(uint32_t lanes, uint32_t existing, uint16_t *weights);
  absl::Status readZeroSkipping(uint32_t lanes, uint32_t existing,
                                uint16_t *weights);
  absl::Status expect(uint64_t count) const {
    if (at <= bytes.size && count <= bytes.size - at)
      return absl::OkStatus();
    return absl::OutOfRangeError(absl::StrFormat(
        "of 0x%x bytes ends inside the coefficients, at byte 0x%x", bytes.size,
        std::min(at, bytes.size)));
  }
  uint32_t take(uint32_t count) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; ++i)
      value |= uint32_t(bytes.data[at++]) << 8 * i;
    return value;
  }

  const hw::GenerationInfo *generation;
  const StreamShape *shape;
  Bytes bytes;
  uint64_t at = 0;
};

} // namespace

absl::Status StreamReader::readPass(uint32_t lanes, uint32_t existing,
                                    uint16_t *weights, uint16_t *bias) {
  if (shape->hasBias) {
    if (absl::Status status = expect(2 * uint64_t(lanes)); !status.ok())
      return status;
    for (uint32_t lane = 0; bias && lane < existing; ++lane)
      bias[lane] = bytes.data[at + uint64_t(2) * lane] |
                   bytes.data[at + uint64_t(2) * lane + 1] << 8;
    at += 2 * uint64_t(lanes);
  }
  if (absl::Status status = shape->skipsZeros
                                ? readZeroSkipping(lanes, existing, weights)
                                : readDense(lanes, existing, weights);
      !status.ok())
    return status;
  // Passes of grouped kernels start at multiples of 64 bytes, those of others
  // follow each other (digests of recorded sections).
  if (!shape->depthwise && shape->groups > 1)
    at = hw::alignTo(at, generation->streamAlign);
  return absl::OkStatus();
}

absl::Status StreamReader::readDense(uint32_t lanes, uint32_t existing,
                                     uint16_t *weights) {
  const uint64_t steps = shape->steps();
  if (absl::Status status = expect(2 * steps * lanes); !status.ok())
    return status;
  for (uint32_t lane = 0; weights && lane < existing; ++lane) {
    const uint8_t *from = bytes.data + at + uint64_t(2) * lane;
    uint16_t *row = weights + lane * steps;
    for (uint64_t step = 0; step < steps; ++step, from += uint64_t(2) * lanes)
      row[step] = from[0] | from[1] << 8;
  }
  at += 2 * steps * lanes;
  return absl::OkStatus();
}

absl::Status StreamReader::readZeroSkipping(uint32_t lanes, uint32_t existing,
                                            uint16_t *weights) {
  constexpr uint32_t lengthBytes = 3;
  if (absl::Status status = expect(lengthBytes); !status.ok())
    return status;
  const uint32_t length = take(lengthBytes);
  if (absl::Status status = expect(length); !status.ok())
    return status;
  const uint64_t end = at + length;
  const uint32_t entries = shape->slotEntries(lanes),
                 maskBits = generation->zeroSkipMaskBits;
  auto broken = [&](absl::string_view what) -> absl::Status {
    at = end;
    if (!shape->checksMasks)
      return absl::OkStatus();
    return absl::OutOfRangeError(absl::StrFormat(
        "has a zero-skipping unit of 0x%x bytes up to byte 0x%x that %s with "
        "%d entries for each tap",
        length, end, what, entries));
  };

  uint32_t mask = 0, left = 0; // bits of the mask that are not used
  for (uint32_t input = 0; input < shape->inputs; ++input)
    for (uint32_t phase = 0; phase < 4; ++phase)
      for (uint32_t row = 0; row < (shape->kh + 1) / 2; ++row)
        for (uint32_t column = 0; column < (shape->kw + 1) / 2; ++column) {
          const uint32_t y = 2 * row + phase / 2, x = 2 * column + phase % 2;
          const bool isTap = y < shape->kh && x < shape->kw;
          const uint64_t step =
              (uint64_t(input) * shape->kh + y) * shape->kw + x;
          for (uint32_t entry = 0; entry < entries; ++entry) {
            if (!left) {
              if (end - at < maskBits / 8)
                return broken("ends early");
              mask = take(maskBits / 8);
              left = maskBits;
            }
            const bool follows = mask & 1;
            mask >>= 1;
            --left;
            if (!follows)
              continue;
            if (end - at < 2)
              return broken("ends early");
            const uint16_t value = take(2);
            if ((!isTap || entry >= lanes) && shape->checksMasks)
              return broken("has coefficients beside the kernel");
            if (weights && isTap && entry < existing)
              weights[entry * shape->steps() + step] = value;
          }
        }
  if (mask || at != end)
    return broken("goes on after the kernel");
  return absl::OkStatus();
}

static absl::StatusOr<StreamReader>
openStream(const hw::GenerationInfo &generation, const StreamShape &shape,
           Bytes section, uint32_t engine, uint64_t begin, uint64_t size) {
  if (begin > section.size || size > section.size - begin)
    return absl::OutOfRangeError(absl::StrFormat(
        "coefficient stream %d covers bytes 0x%x to 0x%x of a section of 0x%x "
        "bytes",
        engine, begin, begin + size, section.size));
  return StreamReader(generation, shape,
                      {section.data ? section.data + begin : nullptr, size});
}

static absl::Status readStreams(const hw::GenerationInfo &generation,
                                const TaskConfig &task, Bytes section,
                                absl::Span<uint16_t> weights,
                                absl::Span<uint16_t> bias,
                                const Assumptions &rules) {
  const StreamShape shape(task, rules);
  const KernelConfig &kernel = task.kernel;
  const uint32_t count = std::min(shape.engines, shape.channels);
  if (kernel.offsets.size() != count)
    return absl::InvalidArgumentError(
        absl::StrFormat("the kernel needs %d coefficient streams, but %d are "
                        "enabled",
                        count, kernel.offsets.size()));
  // Seen with plain products of matrices alone.
  if (kernel.passStride && (shape.groups != 1 || shape.depthwise ||
                            shape.skipsZeros || shape.hasTable))
    return absl::UnimplementedError(
        "passes of coefficients lie a stride apart in a task that is no plain "
        "convolution, which is not understood");
  // Zero-skipping leaves out what stays zero.
  if (shape.skipsZeros)
    std::fill(weights.begin(), weights.end(), uint16_t(0));
  auto inStream = [](uint32_t engine, const absl::Status &status) {
    return absl::Status(
        status.code(),
        absl::StrFormat("coefficient stream %d %s", engine, status.message()));
  };
  for (uint32_t engine = 0; engine < count; ++engine) {
    uint64_t begin = kernel.offsets[engine];
    const uint64_t size = kernel.sizes[engine];
    absl::StatusOr<StreamReader> reader =
        openStream(generation, shape, section, engine, begin, size);
    // Where the units of these end is in their values.
    if (shape.skipsZeros && section.size && !section.data) {
      if (!reader.ok())
        return reader.status();
      continue;
    }
    for (uint32_t group = 0; group < shape.groups && reader.ok(); ++group)
      for (uint32_t done = 0; done < shape.channelsOfEngine();) {
        if (kernel.passStride && done) {
          if (absl::Status status = reader->finish(); !status.ok())
            return inStream(engine, status);
          begin += shape.passPlaces == assumed::Passes::Apart
                       ? kernel.passStride
                       : size;
          reader = openStream(generation, shape, section, engine, begin, size);
        }
        if (!reader.ok())
          break;
        // The last pass may have fewer lanes than the others.
        const uint32_t lanes =
            std::min(shape.lanes, shape.channelsOfEngine() - done);
        const uint32_t first = done * shape.engines + engine * lanes;
        const uint32_t existing = first < shape.channels
                                      ? std::min(lanes, shape.channels - first)
                                      : 0;
        done += lanes;
        // An engine has nothing for a channel that a depthwise convolution
        // lacks, and zeros in the other kinds.
        if (shape.depthwise && !existing)
          continue;
        const uint64_t channel =
            uint64_t(group) * shape.channels + (existing ? first : 0);
        if (absl::Status status = reader->readPass(
                lanes, existing,
                weights.empty() ? nullptr
                                : weights.data() + channel * shape.steps(),
                bias.empty() ? nullptr : bias.data() + channel);
            !status.ok())
          return inStream(engine, status);
      }
    if (!reader.ok())
      return reader.status();
    if (absl::Status status = reader->finish(); !status.ok())
      return inStream(engine, status);
  }
  return absl::OkStatus();
}

absl::Status readCoefficients(const hw::GenerationInfo &generation,
                              const TaskConfig &task,
                              absl::Span<const uint8_t> section,
                              absl::Span<uint16_t> weights,
                              absl::Span<uint16_t> bias,
                              const Assumptions &rules) {
  return readStreams(generation, task, {section.data(), section.size()},
                     weights, bias, rules);
}

absl::Status checkCoefficients(const hw::GenerationInfo &generation,
                               const TaskConfig &task, uint64_t sectionBytes) {
  return readStreams(generation, task, {nullptr, sectionBytes}, {}, {}, {});
}

std::vector<StreamPlace> streamPlaces(const TaskConfig &task) {
  const KernelConfig &kernel = task.kernel;
  const uint32_t passes = kernel.passStride ? StreamShape(task).passes() : 1;
  std::vector<StreamPlace> places;
  for (uint32_t stream = 0; stream < kernel.offsets.size(); ++stream)
    for (uint64_t pass = 0; pass < passes; ++pass)
      places.push_back({stream,
                        kernel.offsets[stream] + pass * kernel.passStride,
                        kernel.sizes[stream]});
  return places;
}

} // namespace ane::sim
