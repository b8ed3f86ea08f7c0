//===- Flavours.cpp - The flavours that there are -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clean/Clean.h"
#include "Zin9509/Zin.h"
#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/FlavourInterface.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::Generation;

static std::array<const Flavour *, 2> flavoursOf(Generation generation) {
  switch (generation) {
  case Generation::H13:
    return {&clean::getH13(), &zin9509::getH13()};
  case Generation::H14:
    return {&clean::getH14(), &zin9509::getH14()};
  case Generation::H15:
    return {&clean::getH15(), &zin9509::getH15()};
  case Generation::H16:
    return {&clean::getH16(), &zin9509::getH16()};
  case Generation::H17:
    return {&clean::getH17(), &zin9509::getH17()};
  case Generation::H18:
    break;
  }
  return {&clean::getH18(), &zin9509::getH18()};
}

const Flavour *mlir::ane::getFlavour(StringRef name, Generation generation) {
  for (const Flavour *flavour : flavoursOf(generation))
    if (name == flavour->name)
      return flavour;
  return nullptr;
}

StringRef mlir::ane::getFlavourNames() { return "'clean', 'zin-9.509'"; }

namespace {
struct Flavours : FlavourInterface {
  using FlavourInterface::FlavourInterface;

  const LoweringPolicy *getLowering(StringRef name) const override {
    const Flavour *flavour = getFlavour(name, Generation::H13);
    return flavour ? flavour->lowering : nullptr;
  }
  const MemoryPolicy *getMemory(StringRef name,
                                Generation generation) const override {
    const Flavour *flavour = getFlavour(name, generation);
    return flavour ? flavour->memory : nullptr;
  }
  StringRef getNames() const override { return getFlavourNames(); }
};
} // namespace

void mlir::ane::registerFlavours(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, ANEDialect *dialect) {
    dialect->addInterfaces<Flavours>();
  });
}
