//===- KernelUnpacking.cpp - Weights out of coefficient streams -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelUnits.h"

#include "ane/HW/Layout.h"
#include "ane/HW/LookupTable.h"

#include "absl/strings/str_format.h"

namespace ane::hw {

namespace {

uint16_t loadHalf(const uint8_t *bytes) {
  return static_cast<uint16_t>(bytes[0] | bytes[1] << 8);
}

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
                        const Unit &unit, uint32_t maskBits,
                        uint16_t *weights) {
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
          ok = body.has(maskBits / 8);
          mask = 0;
          for (uint32_t i = 0; ok && i < maskBits; i += 8)
            mask |= uint32_t(body.bytes[body.at++]) << i;
        }
        uint16_t value = 0;
        if (mask >> bit & 1) {
          ok = ok && body.has(2);
          value = ok ? body.half() : uint16_t(0);
        }
        bit = (bit + 1) % maskBits;
        if (tap >= 0 && lane < existing)
          weights[uint64_t(unit.firstChannel + lane) * steps + c * area + tap] =
              value;
      }
    });
  return ok && body.at == length;
}

bool unpackUnit(Reader &reader, const KernelShape &shape, const Unit &unit,
                uint32_t maskBits, uint16_t *weights,
                absl::Span<uint16_t> bias) {
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
             ? unpackZeroSkipUnit(reader, shape, unit, maskBits, weights)
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
      if (!unpackUnit(reader, shape, unit, generation.zeroSkipMaskBits,
                      weights.data(), bias))
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
