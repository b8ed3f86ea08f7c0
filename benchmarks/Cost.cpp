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
//   ane-bench-cost CHIP [NAME=VALUE]...   with rates of the chip replaced
//   ane-bench-cost CHIP --rates           the rates, and which are guesses
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/CostModel.h"

#include "absl/strings/str_cat.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

using namespace ane;

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "ane-bench-cost: error: %s\n", message.c_str());
  std::exit(1);
}

static double predictLine(const hw::ChipInfo &chip, const std::string &line) {
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

int main(int argc, char **argv) {
  if (argc < 2)
    fail("no chip is given");
  auto found = hw::findChip(argv[1]);
  if (!found.ok())
    fail(std::string(found.status().message()));
  hw::ChipInfo chip = *found;
  if (argc == 3 && absl::string_view(argv[2]) == "--rates") {
    for (const hw::ChipRate &rate : hw::chipRates())
      std::printf("%s %.9g%s\n", rate.name, chip.*rate.member,
                  rate.isGuessed(chip) ? " guess" : "");
    return 0;
  }
  for (int i = 2; i < argc; ++i) {
    absl::Status status = setRate(chip, argv[i]);
    if (!status.ok())
      fail(std::string(status.message()));
  }
  std::printf("%.9g\n", chip.dispatchSeconds * 1e3);
  for (std::string line; std::getline(std::cin, line);)
    std::printf("%.9g\n", predictLine(chip, line) * 1e3);
  return 0;
}
