//===- BindArguments.h - Arguments that become constants --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many exporters make the weights of a network arguments of its function. A
// binding gives such an argument its value, so that it becomes a constant and
// leaves the signature:
//
//   N=@FILE                  a .npy file with type and shape of argument N
//   N=random:SEED[:SCALE]    numbers from a generator, for f32 and f16
//   A-B=random:SEED[:SCALE]  the same for arguments A to B
//
// N is the index of an argument (before any binding), its `ane.name`, or in a
// MIL program its name.
//
// The generator counts instead of keeping state: element i of argument N
// depends on SEED, N and i only. With SCALE all numbers are normal with this
// standard deviation. Without, they are such that a network stays in the range
// of f16: a tensor with two or more dimensions above 1 is a weight and normal
// with sqrt(2 / fan-in) (all dimensions but the first; after a batch of one
// the second), anything else (biases, means, variances) is uniform in [0.2, 1).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINES_BINDARGUMENTS_H
#define ANE_PIPELINES_BINDARGUMENTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::ane {

/// Applies `bindings` to the function called `function` of `module`, or to the
/// only one with a body when the name is empty. Reports what is wrong with a
/// binding at the function or the argument.
LogicalResult bindArguments(ModuleOp module, StringRef function,
                            ArrayRef<std::string> bindings);

/// `--ane-bind-arguments="bind=0=@w.npy,1=random:3 function=net"`.
void registerBindArgumentsPass();

} // namespace mlir::ane

#endif // ANE_PIPELINES_BINDARGUMENTS_H
