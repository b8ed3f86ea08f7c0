//===- Kernel.cpp - The Linux driver, for other programs ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// $ANE_ASAHI_STAND_IN names the library of this, $ANE_ASAHI_STAND_IN_PROGRAM the
// file of the program that is going to run: a driver knows no tensors.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "ane/HW/AnecFile.h"
#include "ane/HW/Container.h"

#include <cstdlib>
#include <fstream>
#include <memory>

using namespace ane;

/// Null where there is no program.
static std::unique_ptr<standin::LockedKernel> makeKernel(const char *path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  auto program = hw::readProgram(bytes);
  if (!program.ok())
    program = hw::readAnec(bytes);
  if (!program.ok())
    return nullptr;
  auto kernel = std::make_unique<standin::LockedKernel>(*program);
  // As tools do by default.
  kernel->simulation.mode = sim::Mode::Exact;
  kernel->nodes[0].major = program->generation == hw::Generation::H14 ? 2 : 1;
  return kernel;
}

extern "C" __attribute__((visibility("default"))) rt::asahi::System *
aneAsahiStandIn() {
  static std::map<std::string, std::unique_ptr<standin::LockedKernel>> kernels;
  const char *path = std::getenv("ANE_ASAHI_STAND_IN_PROGRAM");
  if (!path)
    return nullptr;
  std::unique_ptr<standin::LockedKernel> &kernel = kernels[path];
  if (!kernel)
    kernel = makeKernel(path);
  return kernel.get();
}
