//===- CheckFlags.h - Flags that a translation has no use for ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flags of all translations are those of one tool. One that would do
// nothing is a mistake that its user does not see.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_CHECKFLAGS_H
#define ANE_TARGET_CHECKFLAGS_H

#include "mlir/IR/Location.h"

namespace mlir::ane {

/// Whether the command line has only flags that `translation` ("from-mil")
/// looks at; an error at `loc` if not.
LogicalResult checkFlags(Location loc, StringRef translation);

/// The same for a translation of `op`. From here on errors show the place of an
/// op and not the op: it may be a whole network.
LogicalResult checkFlags(Operation *op, StringRef translation);

} // namespace mlir::ane

#endif // ANE_TARGET_CHECKFLAGS_H
