//===- Words.cpp - Registers of flavour zin-9.509 -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler of macOS 26, whose decisions are on record. Every answer is seen
// there unless a comment says otherwise.
//
//===----------------------------------------------------------------------===//

#include "Zin.h"

#include "../WorkUnits.h"

using namespace mlir::ane;
using namespace mlir::ane::zin9509;
using namespace mlir::ane::workunits;
using ::ane::hw::Generation;

static Flavour makeH13() {
  Flavour flavour = {"zin-9.509", "compiler 9.509 of macOS 26",
                     &getMemory(Generation::H13), &getLowering()};
  flavour.logEventsFirst = 0x008;
  flavour.estimate = &estimateOfH13;
  flavour.shortKernelRecords = true;
  flavour.groupStrideOfOneGroup = true;
  flavour.planarDefaults = true;
  flavour.bypassKernelFormat = true;
  flavour.keepsRepeatedRows = true;
  flavour.exchangesByColumns = true;
  flavour.chainsTasks = true;
  flavour.waitsByView = true;
  flavour.isSmallSource = isSmallSource;
  flavour.convShape = convShape;
  flavour.bypassShape = bypassShape;
  flavour.doubleBuffers = [](uint32_t, const NeWork &) { return false; };
  return flavour;
}

static void change(Flavour &flavour, Generation generation) {
  flavour.memory = &getMemory(generation);
  flavour.startsWait = false;
  flavour.exchangesInPatches = true;
  flavour.onlyUsedStrides = true;
  flavour.stream.leavesOutResets = true;
  flavour.stream.fillsTasks = generation == Generation::H14;
  if (stacksUnits(generation))
    flavour.stackUnits = stackUnits;
}

const Flavour &zin9509::get(Generation generation) {
  static const auto *flavours =
      new std::vector<Flavour>(makeForAll(makeH13(), change));
  return (*flavours)[static_cast<size_t>(generation)];
}
