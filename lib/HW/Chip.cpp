//===- Chip.cpp - How fast a chip's engine is -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Peak: 16 engines, 256 products of halves a cycle each, at the highest clock
// in the compiler's table of the chip; measured chains reach it within 5 % on
// M1, M4, M5 and M6. What is *fitted* comes from published measurements by
// benchmarks/fit-cost.py, on the rows that benchmarks/section_cost.py sets
// apart for it; what is *published* was measured on its own by others.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Chip.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

#include <limits>
#include <utility>

namespace ane::hw {

// Published: adding two tensors in L2 yields 0.2 to 0.3 million halves at 47 to
// 57e9 a second, a function of one tensor at up to 61e9. The second source
// costs nothing as long as all three fit the L2.
static constexpr double elementsOfM6 = 61e9;

static constexpr ChipInfo makeM1() {
  ChipInfo chip{};
  chip.name = "m1";
  chip.description = "M1 (h13)";
  chip.neCount = 16;
  chip.macsPerCycle = 256;
  chip.l2Bytes = 2 << 20;
  chip.kernelBufferBytes = 64 << 10;
  chip.clockHertz = 1.464e9;
  // Deduced: 5.85e12 products a second in the estimate that compilers write
  // into Header.ExeCycles.
  chip.sustained = 0.976;
  chip.winograd = 1;
  // Published: a model whose weights do not fit any cache.
  chip.weightBytesPerSecond = 51e9;
  // Guess: as fast as weights, also under windows. The calls that are published
  // include copies by the host, which take longer. What is published of a
  // Parakeet encoder (113 ms by Apple's compiler, 118 predicted for ours) speaks
  // against half of it (173 ms) and twice as much (92).
  chip.tileBytesPerSecond = 51e9;
  chip.windowBytesPerSecond = 51e9;
  // Guess: a sixteenth of the peak, as on M4 within a factor of two.
  chip.depthwiseMacsPerSecond = 200e9;
  // Guess: that of M6 at this clock. What is published of M1 (relu alone, 10
  // GB/s) is bound by copies of the host, as the same test is on M4.
  chip.elementsPerSecond = elementsOfM6 * 1.464 / 2.58;
  // Guess: that of M4 at this clock.
  chip.conversionsPerSecond = 29.86e9 * 1.464 / 2.344;
  // Guess: that of M4.
  chip.overlapLoss = 0.439;
  chip.prefetchesWeights = true; // deduced, see makeM4
  // Published: 0.23 ms from call to return.
  chip.dispatchSeconds = 0.23e-3;
  chip.guessedRates = "tiles window depthwise elements conversions loss";
  return chip;
}

static constexpr ChipInfo makeM2() {
  // Guess where nothing else is said: as M1. Times of layers are not published.
  ChipInfo chip = makeM1();
  chip.name = "m2";
  chip.description = "M2 (h14)";
  // Published: the last entry of the compiler's table. It makes the peak of
  // 15.8e12 operations a second that Apple advertises.
  chip.clockHertz = 1.938e9;
  // Published: a model whose weights do not fit any cache, on M2 Max and Ultra.
  chip.weightBytesPerSecond = 62e9;
  // Guess, as for M1: as fast as weights. That encoder takes about 90 ms on M2
  // Max, 93 predicted; with half of the rate 138, with twice 72.
  chip.tileBytesPerSecond = 62e9;
  chip.windowBytesPerSecond = 62e9;
  // Guess: the rates that go with the clock.
  chip.depthwiseMacsPerSecond *= 1.938 / 1.464;
  chip.elementsPerSecond *= 1.938 / 1.464;
  chip.conversionsPerSecond *= 1.938 / 1.464;
  chip.guessedRates =
      "sustained tiles window depthwise elements conversions loss dispatch";
  return chip;
}

static constexpr ChipInfo makeM4() {
  ChipInfo chip{};
  chip.name = "m4";
  chip.description = "M4 (h16g)";
  chip.neCount = 16;
  chip.macsPerCycle = 256;
  // Published: twice the products where both operands have 8 bits, at least two
  // output channels fit an engine.
  chip.pairsBytes = true;
  chip.l2Bytes = 2 << 20;
  chip.kernelBufferBytes = 64 << 10;
  // Published: 37.5e9 ticks a second of the counter that counts 16 per cycle.
  chip.clockHertz = 2.344e9;
  chip.winograd = 1;
  // Published: 64 to 67 GB/s of weights that no cache holds. The layers of the
  // fit are not bound by weights and say nothing about it.
  chip.weightBytesPerSecond = 67e9;
  // Fitted, eight constants with the time that counters add to a call, on 119
  // programs; on the rest of them and in cross-validation the error is the
  // same.
  chip.sustained = 0.983;
  chip.tileBytesPerSecond = 110.1e9;
  chip.windowBytesPerSecond = 18.18e9;
  chip.depthwiseMacsPerSecond = 258.7e9;
  chip.conversionsPerSecond = 29.86e9;
  // Guess: that of M6 at this clock. Elementwise work at the rate of
  // conversions would leave ResNet-50, which takes 0.78 ms with its call on M5
  // (published), 1 ms of computing there.
  chip.elementsPerSecond = elementsOfM6 * 2.344 / 2.58;
  chip.overlapLoss = 0.439;
  // Deduced: a chain of 128 layers, whose coefficients fill half of the kernel
  // buffers each, takes what its products take (14.8 ms published, 14.7
  // so, 15.2 without). That a task's coefficients start to move before it does
  // is seen in what recorded programs wait for.
  chip.prefetchesWeights = true;
  chip.dispatchSeconds = 0.1429e-3;
  chip.guessedRates = "elements";
  return chip;
}

static constexpr ChipInfo makeM6() {
  ChipInfo chip = makeM4();
  chip.name = "m6";
  chip.description = "M6 (one of two engines)";
  // Published: 21.1e12 operations a second at the peak.
  chip.clockHertz = 2.58e9;
  // Published: 149 to 159 GB/s of weights.
  chip.weightBytesPerSecond = 149e9;
  // Published: 34 to 36 GB/s of large tensors read and written.
  chip.tileBytesPerSecond = 35e9;
  chip.elementsPerSecond = elementsOfM6;
  // Guess: as fast as elementwise work.
  chip.conversionsPerSecond = elementsOfM6;
  // Fitted, on 17 programs; winograd is published too, as 1.4 to 1.5. The rest
  // is that of M4: a guess.
  chip.sustained = 0.933;
  chip.winograd = 1.404;
  chip.overlapLoss = 0.2;
  chip.guessedRates = "window depthwise conversions dispatch";
  return chip;
}

static constexpr ChipRate kRates[] = {
    {"clock", &ChipInfo::clockHertz},
    {"sustained", &ChipInfo::sustained},
    {"winograd", &ChipInfo::winograd},
    {"weights", &ChipInfo::weightBytesPerSecond},
    {"tiles", &ChipInfo::tileBytesPerSecond},
    {"window", &ChipInfo::windowBytesPerSecond},
    {"depthwise", &ChipInfo::depthwiseMacsPerSecond},
    {"elements", &ChipInfo::elementsPerSecond},
    {"conversions", &ChipInfo::conversionsPerSecond},
    {"loss", &ChipInfo::overlapLoss},
    {"dispatch", &ChipInfo::dispatchSeconds},
};

absl::Span<const ChipRate> chipRates() { return kRates; }

bool ChipRate::isGuessed(const ChipInfo &chip) const {
  for (absl::string_view guessed : absl::StrSplit(chip.guessedRates, ' '))
    if (guessed == name)
      return true;
  return false;
}

absl::Status setRate(ChipInfo &chip, absl::string_view assignment) {
  std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(assignment, absl::MaxSplits('=', 1));
  std::string names;
  for (const ChipRate &rate : kRates) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", rate.name);
    if (parts.first != rate.name)
      continue;
    double value = 0;
    if (!absl::SimpleAtod(parts.second, &value) || !(value > 0) ||
        value > std::numeric_limits<double>::max())
      return absl::InvalidArgumentError(
          absl::StrCat("rate '", rate.name, "' is '", parts.second,
                       "', expected a positive number"));
    chip.*rate.member = value;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no rate is called '", parts.first, "', expected one of: ", names));
}

static ChipInfo kChips[] = {makeM1(), makeM2(), makeM4(), makeM6()};

absl::Span<const ChipInfo> chips() { return kChips; }

static ChipInfo &chipToSet(Generation generation) {
  switch (generation) {
  case Generation::H13:
    break;
  case Generation::H14:
  case Generation::H15:
    return kChips[1];
  case Generation::H16:
  case Generation::H17:
    return kChips[2];
  case Generation::H18:
    return kChips[3];
  }
  return kChips[0];
}

const ChipInfo &chipOf(Generation generation) { return chipToSet(generation); }

absl::Status setRate(Generation generation, absl::string_view assignment) {
  return setRate(chipToSet(generation), assignment);
}

absl::StatusOr<ChipInfo> findChip(absl::string_view name) {
  std::string names;
  for (const ChipInfo &chip : kChips) {
    if (name == chip.name)
      return chip;
    absl::StrAppend(&names, names.empty() ? "" : ", ", chip.name);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no rates are known of chip '", name, "', expected one of: ", names));
}

} // namespace ane::hw
