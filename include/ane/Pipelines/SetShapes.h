//===- SetShapes.h - Sizes that a network leaves open -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program for the engine has fixed shapes; exporters leave the batch or the
// length of a sequence open, and Core ML has flexible shapes. A shape says
// which one is compiled:
//
//   N=1x3x224x224  the shape of argument N
//   default        what a Core ML program calls the default of its inputs
//
// N is the index of an argument, its `ane.name`, or in MIL its name. Sizes that
// the network has must stay; of a MIL program the shape must be one that it
// lists as possible. What follows from the arguments follows: in MLIR at once,
// by the shape inference of TOSA, canonicalization of linalg and tensor, and
// elementwise ops having the shape of their operands; in MIL when the program
// is imported.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINES_SETSHAPES_H
#define ANE_PIPELINES_SETSHAPES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::ane {

/// Applies `shapes` to the function called `function` of `module`, func.func or
/// mil.func, or to the only one when the name is empty. Reports what is wrong
/// with a shape at the function or the argument.
LogicalResult setShapes(ModuleOp module, StringRef function,
                        ArrayRef<std::string> shapes);

/// The same as a pass, `ane-set-shapes`.
void registerSetShapesPass();

} // namespace mlir::ane

#endif // ANE_PIPELINES_SETSHAPES_H
