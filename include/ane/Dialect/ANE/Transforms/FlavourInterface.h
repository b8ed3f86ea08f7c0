//===- FlavourInterface.h - Where passes find flavours ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flavours are above the dialect (ane/Flavours/Flavour.h), and passes of
// the dialect ask them. This is how: registerFlavours() gives the dialect of a
// context an object that knows them by name.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_FLAVOURINTERFACE_H
#define ANE_DIALECT_ANE_TRANSFORMS_FLAVOURINTERFACE_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"

#include "mlir/IR/DialectInterface.h"

namespace mlir::ane {

class FlavourInterface : public DialectInterface::Base<FlavourInterface> {
public:
  explicit FlavourInterface(Dialect *dialect) : Base(dialect) {}

  /// Null when there is no flavour of that name.
  virtual const LoweringPolicy *getLowering(StringRef flavour) const = 0;
  virtual const MemoryPolicy *
  getMemory(StringRef flavour, ::ane::hw::Generation generation) const = 0;
  /// "'clean', ...", for messages.
  virtual StringRef getNames() const = 0;
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_FLAVOURINTERFACE_H
