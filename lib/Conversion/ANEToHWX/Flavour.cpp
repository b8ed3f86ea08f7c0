//===- Flavour.cpp - Choices of a compiler in register programs -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `clean` is compiler 4.2.1: full descriptors, nothing left over from other
// tasks. `zin-9.509` is the compiler of macOS 26, whose decisions are on
// record. Every answer is seen in its files or in the record unless a comment
// says otherwise.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/ANEToHWX/Flavour.h"

#include "ane/HW/WorkUnits.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir::ane;
using ::ane::hw::Generation;

// The widest unit that is not wider than the image: 8, 16, 32, 64, 128 columns.
// Fitted on 149 recorded convolutions.
static uint32_t widthCode(int64_t width) {
  uint32_t code = 4;
  for (int64_t columns = 8; code && width > columns; columns *= 2)
    --code;
  return code;
}

// The narrowest unit covers the image.
static bool isOneUnit(const NeWork &work) {
  return work.width <= 8 && work.height <= 8;
}

// More channels are no small source (71 of 71 matrix products).
static constexpr int64_t smallChannels = 1024;

static bool isSmallMatrix(const NeWork &work) {
  return isOneUnit(work) && work.channels <= smallChannels;
}

//===----------------------------------------------------------------------===//
// clean
//===----------------------------------------------------------------------===//

// The files of 4.2.1 only have small images, so codes below 4 follow the later
// compiler, which fixes the shape where a layer is bound by arithmetic.
static ShapeCodes cleanConvShape(const NeWork &work) {
  uint32_t code = widthCode(work.width);
  if (!isOneUnit(work) || isSmallMatrix(work))
    return {code, code, code};
  code = ::ane::hw::leastAreaUnit(work.height, work.width);
  return work.height == 1 ? ShapeCodes{0, 0, code}
                          : ShapeCodes{code, code, code};
}

// Seen: 1, 1, 1 for 1x1 and 2560x1600, 1, 0, 1 for a row of 77, which one unit
// of 128 columns covers (that this is the reason is a guess).
static ShapeCodes cleanBypassShape(const NeWork &work) {
  bool oneUnit = work.height == 1 && work.width > 64 && work.width <= 128;
  return {1, oneUnit ? 0u : 1u, 1};
}

// Seen: on with 1 and 4 lanes, off with 16 and 32.
static bool cleanDoubleBuffers(uint32_t lanesLog2, const NeWork &) {
  return lanesLog2 < 4;
}

static bool cleanIsSmallSource(const NeWork &work) {
  return !work.addsChannels && isSmallMatrix(work);
}

static const Flavour &clean() {
  static const Flavour flavour = {
      "clean",
      "compiler 4.2.1",
      getMemoryPolicy("clean", Generation::H13),
      getLoweringPolicy("clean"),
      ::ane::hw::ContainerForm::V4,
      /*taskAlign=*/0x100,
      BaseOrder::OutputsThenInputs,
      ::ane::hw::TableSet::Fitted,
      /*logEvents=*/0x400,
      /*logEventsFirst=*/0,
      /*debugEventsLast=*/0x06a,
      /*estimatesTime=*/false,
      /*shortKernelRecords=*/false,
      /*groupStrideOfOneGroup=*/false,
      /*planarDefaults=*/false,
      /*bypassKernelFormat=*/false,
      /*keepsRepeatedRows=*/false,
      /*exchangesByColumns=*/false,
      /*chainsTasks=*/false,
      /*waitsByView=*/false,
      /*startsWait=*/true,
      /*exchangesInPatches=*/false,
      /*onlyUsedStrides=*/false,
      /*exchangesLanes=*/false,
      cleanIsSmallSource,
      cleanConvShape,
      cleanBypassShape,
      cleanDoubleBuffers,
      /*stream=*/{},
  };
  return flavour;
}

//===----------------------------------------------------------------------===//
// zin-9.509
//===----------------------------------------------------------------------===//

// 71 of 71 products of matrices.
static ShapeCodes zinProductShape(const NeWork &work) {
  if (isSmallMatrix(work))
    return {4, 4, 4};
  uint32_t code = ::ane::hw::leastAreaUnit(work.height, work.width, 2);
  return work.height == 1 ? ShapeCodes{0, 0, code}
                          : ShapeCodes{code, code, code};
}

// Images are small sources with any number of channels.
static bool zinIsSmallSource(const NeWork &work) {
  return work.product ? isSmallMatrix(work) : isOneUnit(work);
}

// The shape is fixed ("strict") where a task would be bound by arithmetic on
// units of 64 columns, else the engine may choose up to the maximum (109 of 109
// convolutions). Work is counted in whole units; the rates are those of the
// time estimate, and the factor below 1 % is needed by one record.
static ShapeCodes zinConvShape(const NeWork &work) {
  if (work.product)
    return zinProductShape(work);
  uint32_t code = widthCode(work.width);
  if (code == 0)
    return {0, 0, 0};
  if (isOneUnit(work))
    return {4, 4, 4};
  const ::ane::hw::GenerationInfo &info =
      ::ane::hw::info(::ane::hw::Generation::H13);
  // Units have 256 pixels here; that those of code 4 do, too, is a guess.
  double unitWidth = 128 >> code, unitHeight = 256 / unitWidth;
  double units = std::ceil(work.width / unitWidth) *
                 std::ceil(work.height / unitHeight) * 256 /
                 double(work.width * work.height);
  double compute = work.macs * units / info.macsPerSecond;
  if (work.oneLane)
    compute *= 2;
  double transfer = work.dramBytes / info.dramBytesPerSecond;
  constexpr double slack = 1.006;
  if (compute * (1 << (code - 1)) * slack > transfer)
    return {code, code, code};
  return {0, 0, code};
}

// The engine may choose up to the maximum (96 of 106), but for a source that
// stays for the PE, whose patches are work units (5 of 7).
static ShapeCodes zinBypassShape(const NeWork &work) {
  using namespace ::ane::hw;
  uint32_t largest = leastAreaUnit(work.height, work.width, work.elementBytes,
                                   /*last=*/4, UnitTies::Largest);
  if (work.followsPlanar || work.addsChannels)
    return {largest, largest, largest};
  // Few channels, as the columns of a matrix of few rows.
  constexpr int64_t fewChannels = 8, fewRows = 8;
  if (work.exchanged && work.channels <= fewChannels && !work.keepsSource) {
    if (work.height > fewRows)
      return {largest, largest, largest};
    if (work.fromDram)
      return {3, uint32_t(llvm::Log2_64(work.height)), 3};
  }
  if (!work.keepsSource)
    return {0, 0, leastAreaUnit(work.height, work.width, work.elementBytes)};
  if (work.height == 1)
    return {0, 0, 0};
  uint32_t code = leastAreaUnit(work.height, work.width, work.elementBytes,
                                /*last=*/4, UnitTies::Largest);
  return {code, code, code};
}

static const Flavour &zin() {
  static const Flavour flavour = {
      "zin-9.509",
      "compiler 9.509 of macOS 26",
      getMemoryPolicy("zin-9.509", Generation::H13),
      getLoweringPolicy("zin-9.509"),
      ::ane::hw::ContainerForm::V9,
      /*taskAlign=*/0x100,
      BaseOrder::ByName,
      ::ane::hw::TableSet::Recorded,
      /*logEvents=*/0x400,
      /*logEventsFirst=*/0x008,
      /*debugEventsLast=*/0x06a,
      /*estimatesTime=*/true,
      /*shortKernelRecords=*/true,
      /*groupStrideOfOneGroup=*/true,
      /*planarDefaults=*/true,
      /*bypassKernelFormat=*/true,
      /*keepsRepeatedRows=*/true,
      /*exchangesByColumns=*/true,
      /*chainsTasks=*/true,
      /*waitsByView=*/true,
      /*startsWait=*/true,
      /*exchangesInPatches=*/false,
      /*onlyUsedStrides=*/false,
      /*exchangesLanes=*/false,
      zinIsSmallSource,
      zinConvShape,
      zinBypassShape,
      [](uint32_t, const NeWork &) { return false; },
      /*stream=*/{},
  };
  return flavour;
}

//===----------------------------------------------------------------------===//
// H14
//===----------------------------------------------------------------------===//

// Small are 64 pixels, in a row, too (5 of 5 products).
static bool zinIsSmallSourceH14(const NeWork &work) {
  constexpr int64_t smallPixels = 64;
  return work.product ? work.width * work.height <= smallPixels &&
                            work.channels <= smallChannels
                      : zinIsSmallSource(work);
}

static ShapeCodes zinConvShapeH14(const NeWork &work) {
  if (!work.product)
    return zinConvShape(work);
  ShapeCodes codes = zinProductShape(work);
  if (work.height == 1)
    codes = {0, 0, zinIsSmallSourceH14(work) ? 0 : codes.maximum};
  return codes;
}

// As on H13 but for ties. An exchange takes units as narrow as the channels
// that are copied at once leave room for (fitted on four tasks).
static ShapeCodes zinBypassShapeH14(const NeWork &work) {
  using namespace ::ane::hw;
  if (work.exchanged && work.fromDram && !work.keepsSource) {
    uint32_t most = std::min(3u, 4 - std::min(4u, work.lanesLog2));
    uint32_t least =
        std::max<uint32_t>(widthCode(work.width), llvm::Log2_64(work.height));
    return {most, std::min(most, least), most};
  }
  ShapeCodes codes = zinBypassShape(work);
  if (codes.preferred == 0 && codes.minimum == 0)
    codes.maximum =
        bypassUnit(Generation::H14, work.height, work.width, work.elementBytes);
  return codes;
}

// What both flavours have of this generation, of which one compiler is known.
static void setH14(Flavour &flavour) {
  flavour.container = ::ane::hw::ContainerForm::V9;
  flavour.baseOrder = BaseOrder::ByName;
  flavour.logEvents = 0;
  flavour.logEventsFirst = 0x008;
  flavour.debugEventsLast = 0x068;
  flavour.estimatesTime = true;
  flavour.planarDefaults = true;
  flavour.bypassKernelFormat = true;
  flavour.chainsTasks = false; // no bits for it
  flavour.exchangesLanes = true;
  flavour.isSmallSource = zinIsSmallSourceH14;
  flavour.convShape = zinConvShapeH14;
  flavour.bypassShape = zinBypassShapeH14;
  // Seen on products of matrices and exchanges with 4 and 8 lanes, not with 1
  // and 16, and not on images with 4.
  flavour.doubleBuffers = [](uint32_t lanesLog2, const NeWork &work) {
    return (work.product || work.exchanged) && lanesLog2 > 0 && lanesLog2 < 4;
  };
}

static const Flavour &cleanH14() {
  static const Flavour flavour = [] {
    Flavour flavour = clean();
    flavour.description = "the records of H14, all registers of a task";
    setH14(flavour);
    return flavour;
  }();
  return flavour;
}

static const Flavour &zinH14() {
  static const Flavour flavour = [] {
    Flavour flavour = zin();
    flavour.memory = getMemoryPolicy("zin-9.509", Generation::H14);
    setH14(flavour);
    flavour.startsWait = false;
    flavour.exchangesInPatches = true;
    flavour.onlyUsedStrides = true;
    flavour.stream = {/*leavesOutResets=*/true, /*fillsTasks=*/true};
    return flavour;
  }();
  return flavour;
}

const Flavour *mlir::ane::getFlavour(llvm::StringRef name,
                                     Generation generation) {
  const Flavour *h13[] = {&clean(), &zin()}, *h14[] = {&cleanH14(), &zinH14()};
  for (const Flavour *flavour : generation == Generation::H13 ? h13 : h14)
    if (name == flavour->name)
      return flavour;
  return nullptr;
}

llvm::StringRef mlir::ane::getFlavourNames() { return "'clean', 'zin-9.509'"; }
