//===- Cost.cpp - The cost model on layers from a table -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one program a line and prints what the cost model predicts for it, in
// milliseconds and without the dispatch:
//
//   LAYERS CIN COUT HEIGHT WIDTH KH KW GROUPS ABYTES WBYTES BYTEWEIGHTS
//   RESIDENT
//
// LAYERS convolutions of the same shape one after the other; only the first
// reads its input from DRAM and only the last writes its output there. RESIDENT
// 1: they stand in the middle of a chain and do neither. Its first line of
// output is the dispatch of the chip.
//
//   ane-bench-cost CHIP [NAME=VALUE]...   with constants of the chip replaced
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/CostModel.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

using namespace ane;

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "ane-bench-cost: error: %s\n", message.c_str());
  std::exit(1);
}

const struct {
  const char *name;
  double hw::ChipInfo::*member;
} constants[] = {
    {"clock", &hw::ChipInfo::clockHertz},
    {"sustained", &hw::ChipInfo::sustained},
    {"winograd", &hw::ChipInfo::winograd},
    {"weights", &hw::ChipInfo::weightBytesPerSecond},
    {"tiles", &hw::ChipInfo::tileBytesPerSecond},
    {"window", &hw::ChipInfo::windowBytesPerSecond},
    {"depthwise", &hw::ChipInfo::depthwiseMacsPerSecond},
    {"conversions", &hw::ChipInfo::conversionsPerSecond},
    {"elements", &hw::ChipInfo::elementsPerSecond},
    {"loss", &hw::ChipInfo::overlapLoss},
    {"dispatch", &hw::ChipInfo::dispatchSeconds},
};

/// NAME=VALUE
void replace(hw::ChipInfo &chip, const std::string &text) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  for (const auto &constant : constants) {
    if (parts.first != constant.name)
      continue;
    if (!absl::SimpleAtod(parts.second, &(chip.*constant.member)))
      fail(absl::StrCat("'", parts.second, "' is not a number for ",
                        parts.first));
    return;
  }
  std::string names;
  for (const auto &constant : constants)
    absl::StrAppend(&names, names.empty() ? "" : ", ", constant.name);
  fail(absl::StrCat("no constant is called '", parts.first,
                    "', expected one of: ", names));
}

double predictLine(const hw::ChipInfo &chip, const std::string &line) {
  std::istringstream in(line);
  uint32_t layers, resident;
  sim::LayerShape layer;
  in >> layers >> layer.cin >> layer.cout >> layer.height >> layer.width >>
      layer.kh >> layer.kw >> layer.groups >> layer.activationBytes >>
      layer.weightBytes >> layer.byteWeights >> resident;
  if (!in || !layers || !layer.cin || !layer.cout || !layer.groups)
    fail(absl::StrCat("cannot read '", line, "'"));
  sim::Sequence sequence(chip);
  auto addLayer = [&](bool reads, bool writes) {
    sim::TaskWork work = workOf(chip, layer, reads, writes);
    if (resident == 2)
      work.weightBytes = 0;
    return sequence.add(work).total;
  };
  if (resident) { // after some of their like
    for (int i = 0; i < 8; ++i)
      addLayer(false, false);
  }
  double total = 0;
  for (uint32_t i = 0; i < layers; ++i)
    total += addLayer(!resident && i == 0, !resident && i + 1 == layers);
  return total;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    fail("no chip is given");
  auto found = hw::findChip(argv[1]);
  if (!found.ok())
    fail(std::string(found.status().message()));
  hw::ChipInfo chip = *found;
  for (int i = 2; i < argc; ++i)
    replace(chip, argv[i]);
  std::printf("%.9g\n", chip.dispatchSeconds * 1e3);
  for (std::string line; std::getline(std::cin, line);)
    std::printf("%.9g\n", predictLine(chip, line) * 1e3);
  return 0;
}
