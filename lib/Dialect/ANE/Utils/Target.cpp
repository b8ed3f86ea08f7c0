//===- Target.cpp - The option `target` of passes -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Target.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
namespace hw = ::ane::hw;

FailureOr<hw::Generation> mlir::ane::getTarget(Operation *op,
                                               StringRef target) {
  absl::StatusOr<hw::Generation> generation =
      hw::parseTarget({target.data(), target.size()});
  if (!generation.ok())
    return op->emitError(std::string(generation.status().message()));
  return *generation;
}
