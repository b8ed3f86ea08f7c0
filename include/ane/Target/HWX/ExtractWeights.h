//===- ExtractWeights.h - The weights of a program as arrays ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_HWX_EXTRACTWEIGHTS_H
#define ANE_TARGET_HWX_EXTRACTWEIGHTS_H

#include "ane/Target/HWX/TaskNames.h"

#include "ane/Files/OutputFiles.h"
#include "ane/HW/Program.h"

#include "mlir/IR/Diagnostics.h"

namespace mlir::ane::hwx {

/// Starts a folder of `outputs` with the constants of each task:
///
///   task3.weights.npy  float16 [output, input channels, rows, columns]
///   task3.bias.npy     float16 [output channels]
///   task3.scale.npy    float16 [1]: result = (sum + bias) * scale
///   task3.table.npy    uint8 [128]: the activation table as it is stored
///   weights.json       which tasks have which files
///
/// Tasks that read the same constants share the files of the first. A task that
/// is not understood is a warning. Errors: a stream that leaves the constants,
/// no task that is understood, a folder that holds anything else.
LogicalResult extractWeights(Location loc, const ::ane::hw::Program &program,
                             const TaskNames &names, StringRef folder,
                             OutputFiles &outputs);

} // namespace mlir::ane::hwx

#endif // ANE_TARGET_HWX_EXTRACTWEIGHTS_H
