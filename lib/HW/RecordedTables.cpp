//===- RecordedTables.cpp - Activation tables of compiler 9.509 -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the tables of that compiler are not those that LookupTable.cpp builds.
// Two come out of a fit that nobody outside knows, so their samples are facts
// (seen; the hashes of recorded constant sections agree). The others differ in
// words that no argument reaches.
//
//===----------------------------------------------------------------------===//

#include "RecordedTables.h"

#include "ane/HW/Float16.h"

#include <limits>

namespace ane::hw {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

using Samples = uint16_t[33];

// Steps of 1/4 from -4.
constexpr Samples geluSamples = {
    0x0000, 0x8e8a, 0x9230, 0x9757, 0x9bf0, 0xa011, 0xa3bf, 0xa6ec, 0xa9bf,
    0xac75, 0xae67, 0xb03d, 0xb11e, 0xb184, 0xb104, 0xaecf, 0x922d, 0x3098,
    0x357e, 0x389f, 0x3ab8, 0x3c78, 0x3d9a, 0x3eb9, 0x3fd2, 0x4072, 0x40f8,
    0x417c, 0x41fe, 0x427f, 0x4300, 0x4380, 0x4400};

// Steps of 1/2 from -8.
constexpr Samples siluSamples = {
    0x98cd, 0x9c5e, 0x9e65, 0xa0ef, 0xa37b, 0xa5a9, 0xa83b, 0xaa45, 0xac8e,
    0xae85, 0xb088, 0xb210, 0xb3a9, 0xb470, 0xb460, 0xb284, 0x96fb, 0x34be,
    0x39d0, 0x3ce4, 0x3f0b, 0x409f, 0x41b7, 0x42cc, 0x43dc, 0x4473, 0x44f8,
    0x457a, 0x45fc, 0x467e, 0x46fe, 0x477f, 0x47ff};

/// A function that is 0 far on the left and its argument on the right.
LookupTable rampTable(const Samples &samples, int16_t shift,
                      uint16_t domainLow) {
  constexpr uint16_t centred = 1;
  LookupTable table = {};
  table.mode = centred;
  table.shift = shift;
  table.domainLow = fromHalfBits(domainLow);
  table.domainHigh = table.valueHigh = infinity;
  for (int i = 0; i < 33; ++i)
    table.samples[i] = fromHalfBits(samples[i]);
  table.rightSlope = 1;
  return table;
}

} // namespace

std::optional<LookupTable> recordedTable(TableFunction function) {
  switch (function) {
  case TableFunction::GeluErf:
  case TableFunction::GeluTanh: // the same table (seen)
    return rampTable(geluSamples, /*shift=*/2, /*domainLow=*/0xc466);
  case TableFunction::Silu: {
    LookupTable table = rampTable(siluSamples, /*shift=*/1, 0xc91a);
    table.leftSlope = fromHalfBits(0x945d);
    table.leftIntercept = fromHalfBits(0xa191);
    table.rightIntercept = fromHalfBits(0x9c00);
    return table;
  }
  default:
    return std::nullopt;
  }
}

void adaptToRecord(TableFunction function, LookupTable &table) {
  switch (function) {
  case TableFunction::Log2:
    table.valueHigh = 0;
    break;
  case TableFunction::Fraction:
    table.shift = 0;
    table.valueLow = table.valueHigh = 0;
    break;
  case TableFunction::WhereNonzero:
  case TableFunction::WherePositive:
  case TableFunction::WhereNegative:
    table.samples.back() = 0; // only the middle one can be reached
    break;
  default:
    break;
  }
}

} // namespace ane::hw
