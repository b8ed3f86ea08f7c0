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

const Flavour &zin9509::getH13() {
  static const Flavour flavour = {
      "zin-9.509",
      "compiler 9.509 of macOS 26",
      &getMemory(Generation::H13),
      &getLowering(),
      ::ane::hw::ContainerForm::V9,
      /*taskAlign=*/0x100,
      BaseOrder::ByName,
      ::ane::hw::TableSet::Recorded,
      /*logEvents=*/0x400,
      /*logEventsFirst=*/0x008,
      /*logEventsLast=*/0x022,
      /*debugEvents=*/0,
      /*debugEventsLast=*/0x06a,
      /*debugsSplits=*/false,
      /*estimate=*/&estimateOfH13,
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
      isSmallSource,
      convShape,
      bypassShape,
      [](uint32_t, const NeWork &) { return false; },
      /*stream=*/{},
  };
  return flavour;
}

const Flavour &zin9509::getH14() {
  static const Flavour flavour = [] {
    Flavour flavour = getH13();
    flavour.memory = &getMemory(Generation::H14);
    setH14(flavour);
    flavour.startsWait = false;
    flavour.exchangesInPatches = true;
    flavour.onlyUsedStrides = true;
    flavour.stream = {/*leavesOutResets=*/true, /*fillsTasks=*/true};
    return flavour;
  }();
  return flavour;
}

static Flavour makeLater(void (*change)(Flavour &)) {
  Flavour flavour = zin9509::getH14();
  change(flavour);
  return flavour;
}

const Flavour &zin9509::getH15() {
  static const Flavour flavour = makeLater(setH15);
  return flavour;
}

const Flavour &zin9509::getH16() {
  static const Flavour flavour = makeLater(setH16);
  return flavour;
}

const Flavour &zin9509::getH17() {
  static const Flavour flavour = makeLater(setH17);
  return flavour;
}

const Flavour &zin9509::getH18() {
  static const Flavour flavour = makeLater(setH18);
  return flavour;
}
