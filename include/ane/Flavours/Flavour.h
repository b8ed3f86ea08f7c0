//===- Flavour.h - Who decides where the hardware does not ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers for the same hardware disagree where it leaves a choice: order of
// the base addresses, work-unit shapes, what unused registers hold. A flavour
// is one object with an answer to every such question. The encoder asks it and
// never compares names.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FLAVOURS_FLAVOUR_H
#define ANE_FLAVOURS_FLAVOUR_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"
#include "ane/HW/Container.h"
#include "ane/HW/FromH13Form.h"
#include "ane/HW/LookupTable.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ane {

/// Order of the tensors in the base-address table.
enum class BaseOrder {
  OutputsThenInputs,
  ByName, ///< inputs and outputs together
};

/// Work-unit shapes of the NEs (Common.Cfg.Sh*): code s covers 128 >> s
/// columns, code 4 covers 8.
struct ShapeCodes {
  uint32_t preferred = 0, minimum = 0, maximum = 0;
};

/// How engines that few channels leave idle share the others' channels
/// (Common.NECfg): units of twice the height, which changes the code that they
/// have, and log2 of how many lie on top of each other.
struct UnitStack {
  uint32_t isFat = 0, log2 = 0;
};

/// What a task of the NEs has to do, as far as the choice of its work units
/// goes.
struct NeWork {
  int64_t channels = 1; ///< of one group of the source
  int64_t height = 1, width = 1;
  int64_t macs = 0;
  int64_t dramBytes = 0; ///< read and written, coefficients included
  bool oneLane = false;  ///< of a kernel that is not depthwise
  int64_t elementBytes = 2;
  bool keepsSource = false;    ///< that it loads, for later tasks
  bool product = false;        ///< of matrices
  bool exchanged = false;      ///< the result is stored with C and W exchanged
  bool fromDram = false;       ///< the source comes by tile DMA
  bool followsPlanar = false;  ///< takes a result of the PE patch by patch
  bool waitsForPlanar = false; ///< takes it when it is there as a whole
  bool addsChannels = false;   ///< a sum of all channels
  int64_t taps = 1;            ///< of the kernel, in height and width
  int64_t weightBytes = 0;     ///< of a convolution
  uint32_t lanesLog2 = 0;      ///< channels of a pass of one NE
};

/// What Apple's compilers estimate times with, in the words that follow their
/// choices. No time that we predict or choose by is of these: HW/Chip.h has
/// the rates of the chips.
struct EstimateRates {
  double dramBytesPerSecond;
  double macsPerSecond;
  double planesPerSecond; ///< channels of a source that are loaded
};

struct Flavour {
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  const MemoryPolicy *memory;
  const LoweringPolicy *lowering;

  // Program.
  ::ane::hw::ContainerForm container = ::ane::hw::ContainerForm::V9;
  BaseOrder baseOrder = BaseOrder::ByName;
  ::ane::hw::TableSet tables = ::ane::hw::TableSet::Recorded;

  // Header.
  uint32_t logEvents = 0x400;       ///< of every task
  uint32_t logEventsFirst = 0;      ///< in addition, of the first
  uint32_t logEventsLast = 0x022;   ///< in addition, of the last
  uint32_t debugEvents = 0;         ///< of every task, in addition to those of
                                    ///< its kind
  uint32_t debugEventsLast = 0x06a; ///< those of the last task but not of one
                                    ///< between
  bool debugsSplits = false; ///< all of those also with tables whose argument
                             ///< is split
  const EstimateRates *estimate = nullptr; ///< of Header.ExeCycles

  // Registers that do not matter for what a task computes.
  /// No addresses of coefficients where there are none.
  bool shortKernelRecords = false;
  /// The DMA stride over groups also when there is one.
  bool groupStrideOfOneGroup = false;
  /// What idle engines and DMA channels carry, also in tasks of the PE.
  bool planarDefaults = false;
  bool bypassKernelFormat = false; ///< fp16 coefficient format where there are
                                   ///< none
  bool keepsRepeatedRows = false;  ///< a row that the PE repeats is a source
                                   ///< that stays
  bool exchangesByColumns = false; ///< an exchange puts columns on the engines,
                                   ///< also where there are few channels
  bool chainsTasks = false; ///< NE.KernelCfg.Chain* of tasks of the PE that
                            ///< hand something over
  /// L2.*Cfg.Alias* by what a task reads, not by addresses alone; Dependent
  /// where a patch is enough.
  bool waitsByView = false;
  bool startsWait = true; ///< with that, a chain that starts with a load waits
                          ///< for all that the NEs did
  bool exchangesInPatches = false; ///< with that, a patch of an exchanged
                                   ///< result is enough for a product that is
                                   ///< no small source
  bool onlyUsedStrides = false;    ///< no strides of dimensions that have one
                                   ///< element
  bool exchangesLanes = false; ///< an exchange copies several channels at once
  /// Common.Cfg.SmallSourceMode of a convolution or a sum of channels, by the
  /// sizes of its image alone: coefficients are packed for it, so what `work`
  /// moves is not known yet.
  bool (*isSmallSource)(const NeWork &work) = nullptr;
  ShapeCodes (*convShape)(const NeWork &work) = nullptr;
  ShapeCodes (*bypassShape)(const NeWork &work) = nullptr;
  /// Of a pass of the NEs without coefficients, with `idle` (log2) times as
  /// many engines as channels; null: the others stay idle.
  UnitStack (*stackUnits)(Operation *compute, uint32_t idle) = nullptr;
  /// Common.Cfg.AccDoubleBufEn
  bool (*doubleBuffers)(uint32_t lanesLog2, const NeWork &work) = nullptr;

  /// Of generations with packed streams.
  ::ane::hw::StreamStyle stream = {};
};

/// Work units of a product of channels with their neighbours, in all flavours.
ShapeCodes channelProductShape(const NeWork &work);

/// Lets the passes of a context find the flavours (FlavourInterface).
void registerFlavours(DialectRegistry &registry);

/// Null when there is none of that name.
const Flavour *getFlavour(llvm::StringRef name,
                          ::ane::hw::Generation generation);
/// "'clean', ...", for messages.
llvm::StringRef getFlavourNames();

} // namespace mlir::ane

#endif // ANE_FLAVOURS_FLAVOUR_H
