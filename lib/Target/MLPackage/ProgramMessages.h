//===- ProgramMessages.h - Programs and their messages ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MLPACKAGE_PROGRAMMESSAGES_H
#define ANE_LIB_TARGET_MLPACKAGE_PROGRAMMESSAGES_H

#include "../MIL/WeightFile.h"
#include "ProtoTypes.h"
#include "ane/Target/MLPackage/MLPackage.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::ane::mil {

/// Makes the message of a program; its weights go to `weights`.
LogicalResult exportModel(ProgramOp program, const PackageOptions &options,
                          WeightFile &weights, pb::Model &model);

/// Makes the program of a message. Locations name the function and the
/// operation in `file`.
LogicalResult importModel(const pb::Model &model, StringRef file,
                          ModuleOp module);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MLPACKAGE_PROGRAMMESSAGES_H
