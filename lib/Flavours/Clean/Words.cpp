//===- Words.cpp - Registers of flavour clean -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiler 4.2.1: full descriptors, nothing left over from other tasks. Every
// answer is seen in its files unless a comment says otherwise.
//
//===----------------------------------------------------------------------===//

#include "Clean.h"

#include "../WorkUnits.h"
#include "ane/HW/WorkUnits.h"

using namespace mlir::ane;
using namespace mlir::ane::clean;
using namespace mlir::ane::workunits;
using ::ane::hw::Generation;

// The files of 4.2.1 only have small images, so codes below 4 follow the later
// compiler, which fixes the shape where a layer is bound by arithmetic.
static ShapeCodes cleanConvShape(const NeWork &work) {
  uint32_t code = widthCode(work.width);
  if (!isOneUnit(work) || isSmallMatrix(work))
    return {code, code, code};
  code = ::ane::hw::minAreaUnit(work.height, work.width);
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

static Flavour makeH13() {
  Flavour flavour = {"clean", "compiler 4.2.1", &getMemory(), &getLowering()};
  flavour.container = ::ane::hw::ContainerForm::V4;
  flavour.baseOrder = BaseOrder::OutputsThenInputs;
  flavour.tables = ::ane::hw::TableSet::Fitted;
  flavour.isSmallSource = cleanIsSmallSource;
  flavour.convShape = cleanConvShape;
  flavour.bypassShape = cleanBypassShape;
  flavour.doubleBuffers = cleanDoubleBuffers;
  return flavour;
}

static void describe(Flavour &flavour, Generation) {
  flavour.description = "what records show, all registers of a task";
}

const Flavour &clean::get(Generation generation) {
  static const auto *flavours =
      new std::vector<Flavour>(makeForAll(makeH13(), describe));
  return (*flavours)[static_cast<size_t>(generation)];
}
