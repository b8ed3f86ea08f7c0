//===- WorkUnits.cpp - Work units that are on record ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkUnits.h"

#include "ane/HW/WorkUnits.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir::ane;
using namespace mlir::ane::workunits;
using ::ane::hw::Generation;

// The widest unit that is not wider than the image: 8, 16, 32, 64, 128 columns.
// Fitted on 149 recorded convolutions.
uint32_t workunits::widthCode(int64_t width) {
  uint32_t code = 4;
  for (int64_t columns = 8; code && width > columns; columns *= 2)
    --code;
  return code;
}

// The narrowest unit covers the image.
bool workunits::isOneUnit(const NeWork &work) {
  return work.width <= 8 && work.height <= 8;
}

bool workunits::isSmallMatrix(const NeWork &work) {
  return isOneUnit(work) && work.channels <= ::ane::hw::smallSourceChannels;
}

constexpr int64_t manyWeights = 2 << 20;

// 71 of 71 products of matrices; with few weights (7 of 7: up to 1 MiB they
// are, from 2 MiB on not).
static bool isSmallProduct(const NeWork &work) {
  return isSmallMatrix(work) && work.weightBytes < manyWeights;
}

static ShapeCodes productShape(const NeWork &work) {
  if (isSmallProduct(work))
    return {4, 4, 4};
  uint32_t code = ::ane::hw::minAreaUnit(work.height, work.width, 2);
  return work.height == 1 ? ShapeCodes{0, 0, code}
                          : ShapeCodes{code, code, code};
}

// Images are small sources with any number of channels.
bool workunits::isSmallSource(const NeWork &work) {
  return work.product ? isSmallProduct(work) : isOneUnit(work);
}

// The shape is fixed ("strict") where a task would be bound by arithmetic on
// units of 64 columns, else the engine may choose up to the maximum (109 of 109
// convolutions). Work is counted in whole units; the rates are those of the
// time estimate, and the factor below 1 % is needed by one record.
ShapeCodes workunits::convShape(const NeWork &work) {
  if (work.product)
    return productShape(work);
  uint32_t code = widthCode(work.width);
  if (code == 0)
    return {0, 0, 0};
  if (isOneUnit(work))
    return {4, 4, 4};
  // Units have 256 pixels here; that those of code 4 do, too, is a guess.
  double unitWidth = 128 >> code, unitHeight = 256 / unitWidth;
  double units = std::ceil(work.width / unitWidth) *
                 std::ceil(work.height / unitHeight) * 256 /
                 double(work.width * work.height);
  double compute = work.macs * units / estimateOfH13.macsPerSecond;
  if (work.oneLane)
    compute *= 2;
  double transfer = work.dramBytes / estimateOfH13.dramBytesPerSecond;
  constexpr double slack = 1.006;
  if (compute * (1 << (code - 1)) * slack > transfer)
    return {code, code, code};
  return {0, 0, code};
}

// The engine may choose up to the maximum (96 of 106), but for a source that
// stays for the PE, whose patches are work units (5 of 7).
ShapeCodes workunits::bypassShape(const NeWork &work) {
  using namespace ::ane::hw;
  uint32_t largest = minAreaUnit(work.height, work.width, work.elementBytes,
                                 /*last=*/4, UnitTies::Largest);
  if (work.followsPlanar || work.addsChannels)
    return {largest, largest, largest};
  // Few channels, as the columns of a matrix of few rows.
  constexpr int64_t fewChannels = 8, fewRows = 8;
  if (work.exchanged && work.channels <= fewChannels && !work.keepsSource) {
    if (work.height > fewRows)
      return {largest, largest, largest};
    if (work.fromDram) {
      uint32_t least =
          std::max<uint32_t>(widthCode(work.width), llvm::Log2_64(work.height));
      return {3, std::min(3u, least), 3};
    }
  }
  if (!work.keepsSource)
    return {0, 0, minAreaUnit(work.height, work.width, work.elementBytes)};
  if (work.height == 1)
    return {0, 0, 0};
  uint32_t code = minAreaUnit(work.height, work.width, work.elementBytes,
                              /*last=*/4, UnitTies::Largest);
  return {code, code, code};
}

// Small are 64 pixels, in a row, too (5 of 5 products).
static bool isSmallSourceH14(const NeWork &work) {
  return work.product
             ? work.width * work.height <= ::ane::hw::smallSourcePixels &&
                   work.channels <= ::ane::hw::smallSourceChannels &&
                   work.weightBytes < manyWeights
             : isSmallSource(work);
}

// Kernels of one tap: up to 256 KiB they do, from 512 KiB on not (58 of 58).
bool workunits::takesLeastUnit(const NeWork &work) {
  constexpr int64_t fewWeights = 256 << 10;
  return !work.product && isOneUnit(work) && work.taps == 1 &&
         work.weightBytes <= fewWeights;
}

// As on H13, but whole units count in width only, and units of 16 columns are
// fixed much earlier than wider ones (139 of 139 tasks; the factor is between
// 5.55 and 5.64 for those of 16 columns, and at most 2 for others).
static ShapeCodes imageShapeH14(const NeWork &work) {
  uint32_t code = widthCode(work.width);
  if (code == 0 || isOneUnit(work))
    return {code, code, code};
  int64_t columns = 128 >> code;
  double padded = std::ceil(work.width / double(columns)) * columns;
  double compute =
      work.macs * padded / work.width / estimateOfH14.macsPerSecond;
  double transfer = work.dramBytes / estimateOfH14.dramBytesPerSecond;
  constexpr uint32_t narrow = 3;
  constexpr double early = 5.6;
  if (compute * (code >= narrow ? early : 1) > transfer)
    return {code, code, code};
  return {0, 0, code};
}

static ShapeCodes convShapeH14(const NeWork &work) {
  if (takesLeastUnit(work)) {
    uint32_t code = ::ane::hw::minAreaUnit(work.height, work.width);
    return {code, code, code};
  }
  if (!work.product)
    return imageShapeH14(work);
  ShapeCodes codes = productShape(work);
  if (work.height == 1)
    codes = {0, 0, isSmallSourceH14(work) ? 0 : codes.maximum};
  return codes;
}

// As on H13 but for ties. An exchange takes units as narrow as the channels
// that are copied at once leave room for (fitted on four tasks).
static ShapeCodes bypassShapeH14(const NeWork &work) {
  using namespace ::ane::hw;
  constexpr int64_t fewChannels = 8, fewRows = 8;
  bool isFew = work.channels <= fewChannels && work.height > fewRows;
  if (work.exchanged && work.fromDram && !work.keepsSource && !isFew) {
    uint32_t most = std::min(3u, 4 - std::min(4u, work.lanesLog2));
    uint32_t least =
        std::max<uint32_t>(widthCode(work.width), llvm::Log2_64(work.height));
    uint32_t largest = work.height > 1
                           ? bypassUnit(Generation::H14, work.height,
                                        work.width, work.elementBytes)
                           : most;
    return {most, std::min(most, least), largest};
  }
  ShapeCodes codes = bypassShape(work);
  if (codes.preferred == 0 && codes.minimum == 0)
    codes.maximum =
        bypassUnit(Generation::H14, work.height, work.width, work.elementBytes);
  return codes;
}

// What both flavours have of this generation, of which one compiler is known.
void workunits::setH14(Flavour &flavour) {
  flavour.container = ::ane::hw::ContainerForm::V9;
  flavour.baseOrder = BaseOrder::ByName;
  flavour.logEvents = 0;
  flavour.logEventsFirst = 0x008;
  flavour.debugEventsLast = 0x068;
  flavour.estimate = &estimateOfH14;
  flavour.planarDefaults = true;
  flavour.bypassKernelFormat = true;
  flavour.chainsTasks = false; // no bits for it
  flavour.exchangesLanes = true;
  flavour.isSmallSource = isSmallSourceH14;
  flavour.convShape = convShapeH14;
  flavour.bypassShape = bypassShapeH14;
  // Seen on products of matrices and exchanges with 4 and 8 lanes, not with 1
  // and 16, and not on images with 4.
  flavour.doubleBuffers = [](uint32_t lanesLog2, const NeWork &work) {
    return (work.product || work.exchanged) && lanesLog2 > 0 && lanesLog2 < 4;
  };
}

// Seen in all recorded programs. Work units are those of H14 where there are
// records of both.
void workunits::setH15(Flavour &flavour) {
  flavour.estimate = &estimateOfH15;
  flavour.stream.fillsTasks = false;
}

void workunits::setH16(Flavour &flavour) {
  setH17(flavour);
  flavour.debugsSplits = true;
}

void workunits::setH17(Flavour &flavour) {
  setH15(flavour);
  flavour.logEventsFirst = 0x068;
  flavour.logEventsLast = 0;
  flavour.debugEvents = 0x020;
  flavour.debugEventsLast = 0x060;
}

void workunits::setH18(Flavour &flavour) {
  setH17(flavour);
  flavour.estimate = &estimateOfH18;
}
