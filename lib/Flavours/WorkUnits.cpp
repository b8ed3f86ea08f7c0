//===- WorkUnits.cpp - Work units that are on record ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkUnits.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/WorkUnits.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
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

// What the PE wrote is waited for as a whole, and each channel is copied alone:
// images (2 of 2), after H13 rows, too (seen once).
static ShapeCodes waitingShape(const NeWork &work) {
  NeWork alone = work;
  alone.lanesLog2 = 0;
  return workunits::exchangeShape(alone);
}

// The engine may choose up to the maximum (96 of 106), but for a source that
// stays for the PE, whose patches are work units (5 of 7).
ShapeCodes workunits::bypassShape(const NeWork &work) {
  using namespace ::ane::hw;
  uint32_t largest = minAreaUnit(work.height, work.width, work.elementBytes,
                                 /*last=*/4, UnitTies::Largest);
  if (work.followsPlanar || work.addsChannels)
    return {largest, largest, largest};
  if (work.exchanged && work.waitsForPlanar && work.height > 1)
    return waitingShape(work);
  // Few channels, as the columns of a matrix of few rows.
  constexpr int64_t fewChannels = 8, fewRows = 8;
  const bool isFew = work.channels <= fewChannels;
  if (work.exchanged && !work.keepsSource && work.height > fewRows &&
      (isFew || (work.fromDram && work.height > work.channels))) {
    const uint32_t code = widthCode(work.channels);
    return {code, code, code};
  }
  if (work.exchanged && isFew && !work.keepsSource) {
    if (work.fromDram) {
      uint32_t least =
          std::max<uint32_t>(widthCode(work.width), llvm::Log2_64(work.height));
      return {3, std::min(3u, least), 3};
    }
  }
  // Units of 8 columns are for what is exchanged in L2 (seen once).
  if (!work.keepsSource)
    return {0, 0,
            minAreaUnit(work.height, work.width, work.elementBytes,
                        /*last=*/work.exchanged && !work.fromDram ? 4 : 3)};
  if (work.height == 1)
    return {0, 0, 0};
  // Not twice as high as the image (8 of 8), and as wide where it is exchanged
  // (6 of 6).
  const uint32_t last = std::min(work.exchanged ? widthCode(work.width) : 4,
                                 uint32_t(llvm::Log2_64_Ceil(2 * work.height)));
  const uint32_t code = minAreaUnit(work.height, work.width, work.elementBytes,
                                    last, UnitTies::Largest);
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

// As on H13, but whole units count in width only, and units of 32 and 16 columns
// are fixed earlier than wider ones (139 of 139 tasks of H14, 24 of 26 of an
// M4; the factor is between 1.39 and 2 for those of 32 columns, between 5.55
// and 5.64 for those of 16).
static ShapeCodes imageShape(const NeWork &work, const EstimateRates &rates) {
  uint32_t code = widthCode(work.width);
  if (code == 0 || isOneUnit(work))
    return {code, code, code};
  int64_t columns = 128 >> code;
  double padded = std::ceil(work.width / double(columns)) * columns;
  double compute = work.macs * padded / work.width / rates.macsPerSecond;
  double transfer = work.dramBytes / rates.dramBytesPerSecond;
  constexpr double early[] = {1, 1, 1.7, 5.6, 5.6};
  if (compute * early[code] > transfer)
    return {code, code, code};
  return {0, 0, code};
}

static ShapeCodes laterConvShape(const NeWork &work,
                                 const EstimateRates &rates) {
  if (takesLeastUnit(work)) {
    uint32_t code = ::ane::hw::minAreaUnit(work.height, work.width);
    return {code, code, code};
  }
  if (!work.product)
    return imageShape(work, rates);
  ShapeCodes codes = productShape(work);
  if (work.height == 1)
    codes = {0, 0, isSmallSourceH14(work) ? 0 : codes.maximum};
  return codes;
}

static ShapeCodes convShapeH14(const NeWork &work) {
  return laterConvShape(work, estimateOfH14);
}

// Words of an M4 are the only convolutions of images after H14.
static ShapeCodes convShapeH16(const NeWork &work) {
  return laterConvShape(work, estimateOfM4);
}

// Units as narrow as the channels that are copied at once leave room for
// (fitted on seven tasks); any for a pixel that is copied alone (5 of 5).
ShapeCodes workunits::exchangeShape(const NeWork &work) {
  if (work.width == 1 && work.height == 1 && work.lanesLog2 == 0)
    return {0, 0, 0};
  const uint32_t most = std::min(3u, 4 - std::min(4u, work.lanesLog2));
  const uint32_t least =
      std::max<uint32_t>(widthCode(work.width), llvm::Log2_64(work.height));
  const uint32_t largest =
      work.height > 1 ? ::ane::hw::bypassUnit(Generation::H14, work.height,
                                              work.width, work.elementBytes)
                      : most;
  return {most, std::min(most, least), largest};
}

// A map of one channel is for one engine. As in convolutions, narrow units are
// fixed early: two of 16 columns are, 32 of 64 are not, nor is a single one (5
// of 5).
static ShapeCodes mapShape(const NeWork &work) {
  const uint32_t code =
      ::ane::hw::copyUnit(Generation::H14, /*channels=*/1, work.height,
                          work.width, work.elementBytes);
  const int64_t columns = (int64_t(128) >> code) * 2 / work.elementBytes;
  const bool isOne = work.width <= columns && work.height <= int64_t(1) << code;
  return isOne || code < 2 ? ShapeCodes{0, 0, code}
                           : ShapeCodes{code, code, code};
}

// As on H13 but for ties.
static ShapeCodes bypassShapeH14(const NeWork &work) {
  using namespace ::ane::hw;
  constexpr int64_t fewChannels = 8, fewRows = 8;
  bool isFew = work.channels <= fewChannels && work.height > fewRows;
  if (work.exchanged && work.fromDram && !work.keepsSource && !isFew)
    return exchangeShape(work);
  if (work.exchanged && work.waitsForPlanar)
    return waitingShape(work);
  if (work.addsChannels && work.height == 1 && work.width == 1)
    return {0, 0, 0}; // 4 of 4
  if (work.channels == 1 && work.height > 1 && work.fromDram &&
      !work.exchanged && !work.keepsSource && !work.addsChannels)
    return mapShape(work);
  ShapeCodes codes = bypassShape(work);
  if (codes.preferred == 0 && codes.minimum == 0)
    codes.maximum =
        bypassUnit(Generation::H14, work.height, work.width, work.elementBytes);
  return codes;
}

// A matrix of one row comes as it is: nothing changes places (7 of 7).
static ShapeCodes bypassShapeH16(const NeWork &work) {
  NeWork plain = work;
  plain.exchanged = work.exchanged && (work.channels > 1 || !work.fromDram);
  return bypassShapeH14(plain);
}

// Products of up to 64 pixels are small with any weights, and those of 8 have
// fixed units, wider ones with few weights (10 of 10).
static NeWork withoutWeights(const NeWork &work) {
  NeWork light = work;
  light.weightBytes = 0;
  return light;
}

static bool isSmallSourceH18(const NeWork &work) {
  return isSmallSourceH14(withoutWeights(work));
}

static ShapeCodes convShapeH18(const NeWork &work) {
  if (!work.product)
    return convShapeH16(work);
  if (!isOneUnit(work))
    return convShapeH16(withoutWeights(work));
  uint32_t code = work.weightBytes < manyWeights ? 1 : 4;
  return {code, code, code};
}

// Three channels of 224 x 224 in records of H16 and H17: a table four units on
// top of each other, a copy two, a product of channels two of twice the height.
UnitStack workunits::stackUnits(Operation *compute, uint32_t idle) {
  if (isa<NeProductOp>(compute) && idle)
    return {1, std::min(idle - 1, 2u)};
  auto bypass = dyn_cast<NeBypassOp>(compute);
  if (!bypass || bypass.getExchange())
    return {};
  return {0, std::min(idle, bypass.getActivation() ? 2u : 1u)};
}

// All units that are worked on at once (4 of 4; copies are not cut: 2 of 2).
int64_t workunits::stackedRows(Operation *compute) {
  auto bypass = dyn_cast<NeBypassOp>(compute);
  if (!isa<NeProductOp>(compute) && !(bypass && bypass.getActivation()))
    return 0;
  SmallVector<int64_t> shape = getComputedShape(compute);
  const auto engines = ::ane::hw::info(Generation::H16).neCount;
  uint32_t active = llvm::Log2_64_Ceil(std::min<int64_t>(engines, shape[1]));
  UnitStack stack = stackUnits(compute, llvm::Log2_32(engines) - active);
  uint32_t code = ::ane::hw::bypassUnit(Generation::H16, shape[2], shape[3],
                                        /*elementBytes=*/2) +
                  stack.isFat;
  return stack.isFat || stack.log2 ? int64_t(1) << (code + stack.log2) : 0;
}

// Units of two rows or more that are not wider than the image, up to those
// with the least waste (17 of 17).
ShapeCodes mlir::ane::channelProductShape(const NeWork &work) {
  const uint32_t least = std::min(1u, widthCode(work.width));
  const uint32_t unit = ::ane::hw::bypassUnit(Generation::H14, work.height,
                                              work.width, work.elementBytes);
  return {least, least, std::max(least, unit)};
}

// What both flavours have of this generation, of which one compiler is known.
static void setH14(Flavour &flavour) {
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

// In what a generation differs from H14, seen in all its records. Work units
// are those of H14 where there are records of both.
static void setLater(Flavour &flavour, Generation generation) {
  flavour.estimate = &estimateOfH15;
  if (generation == Generation::H15)
    return;
  flavour.logEventsFirst = 0x068;
  flavour.logEventsLast = 0;
  flavour.debugEventsLast = 0x060;
  flavour.bypassShape = bypassShapeH16;
  flavour.convShape = convShapeH16;
  if (generation == Generation::H16) {
    flavour.debugEvents = 0x020;
    flavour.debugsSplits = true;
  } else if (generation == Generation::H18) {
    flavour.estimate = &estimateOfH18;
    flavour.convShape = convShapeH18;
    flavour.isSmallSource = isSmallSourceH18;
  }
}

bool workunits::stacksUnits(Generation generation) {
  return generation >= Generation::H16;
}

// What a bypass takes of the PE patch by patch comes from the task before it.
static bool followsPlanar(NeBypassOp bypass) {
  auto reader = cast<TaskOp>(bypass->getParentOp());
  auto before = bypass.getInput().getDefiningOp<TaskOp>();
  if (!before || isOnNeuralEngines(before.getCompute()) ||
      !takesPatches(reader, before))
    return false;
  Operation *next = before->getNextNode();
  while (next && !isa<TaskOp>(next))
    next = next->getNextNode();
  return next == reader;
}

// Fixed units that are narrower than the image: 8 of 8 results lie in L2 first,
// exchanged ones aside, in strips as wide as the tile DMA needs. Where the
// engine may choose such units, they do on H16 (seen once), not on H14 and H17
// (4 of 4).
std::optional<NarrowUnits> workunits::narrowUnits(Operation *compute,
                                                  Generation generation) {
  SmallVector<int64_t> shape = getComputedShape(compute);
  NeWork work;
  work.channels = shape[1];
  work.height = shape[2];
  work.width = shape[3];
  ShapeCodes codes;
  auto bypass = dyn_cast<NeBypassOp>(compute);
  if (isa<NeProductOp>(compute)) {
    codes = channelProductShape(work);
  } else if (bypass && !bypass.getExchange() && followsPlanar(bypass)) {
    work.followsPlanar = true;
    codes = bypassShape(work);
  } else {
    return std::nullopt;
  }
  const uint32_t covering = widthCode(work.width);
  const int64_t unit = 128 >> codes.preferred;
  const int64_t dmaColumns = ::ane::hw::info(generation).dmaAlign /
                             elementBytes(compute->getResult(0).getType());
  if (codes.preferred > covering)
    return NarrowUnits{codes.preferred, std::max(unit, dmaColumns)};
  if (generation == Generation::H16 && codes.maximum > covering)
    return NarrowUnits{codes.maximum, work.width};
  return std::nullopt;
}

std::vector<Flavour> workunits::makeForAll(const Flavour &h13,
                                           void (*change)(Flavour &,
                                                          Generation)) {
  std::vector<Flavour> flavours;
  for (const ::ane::hw::GenerationInfo &info : ::ane::hw::generations()) {
    Flavour &flavour = flavours.emplace_back(h13);
    if (info.id == Generation::H13)
      continue;
    setH14(flavour);
    if (info.id != Generation::H14)
      setLater(flavour, info.id);
    change(flavour, info.id);
  }
  return flavours;
}
