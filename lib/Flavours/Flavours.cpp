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
  return {&clean::get(generation), &zin9509::get(generation)};
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
