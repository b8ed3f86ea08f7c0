//===- LoweringPolicy.cpp - Choices of a flavour in tasks -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

#include "mlir/IR/Diagnostics.h"

#include <string>

using namespace mlir::ane;

// Our own compiler: the general way of every op.
static const LoweringPolicy &clean() {
  static const LoweringPolicy policy = {"clean",
                                        {},
                                        {},
                                        {},
                                        /*plansTiles=*/true};
  return policy;
}

static const LoweringPolicy &zin() {
  static const LoweringPolicy policy = {"zin-9.509", getZinConvChoices(),
                                        getZinPlanarChoices(),
                                        getZinSequenceChoices()};
  return policy;
}

const LoweringPolicy *mlir::ane::getLoweringPolicy(llvm::StringRef flavour) {
  for (const LoweringPolicy *policy : {&clean(), &zin()})
    if (flavour == policy->flavour)
      return policy;
  return nullptr;
}

mlir::FailureOr<LoweringTarget>
mlir::ane::getLoweringTarget(Operation *op, llvm::StringRef target,
                             llvm::StringRef flavour) {
  auto generation = ::ane::hw::parseGeneration({target.data(), target.size()});
  if (!generation.ok())
    return op->emitError(std::string(generation.status().message()));
  const LoweringPolicy *policy = getLoweringPolicy(flavour);
  if (!policy)
    return op->emitError("flavour '")
           << flavour << "' is not available; available: '" << clean().flavour
           << "', '" << zin().flavour << "'";
  return LoweringTarget{*generation, policy};
}
