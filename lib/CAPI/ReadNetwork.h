//===- ReadNetwork.h - Networks that C gives ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CAPI_READNETWORK_H
#define ANE_LIB_CAPI_READNETWORK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::ane::capi {

/// The network of the main file; null after an error. Text that nests too deep
/// is one.
OwningOpRef<ModuleOp> readNetwork(llvm::SourceMgr &sources,
                                  MLIRContext *context);

/// A copy that free() takes.
char *copyOf(StringRef bytes);

/// Runs `work` on a thread with the stack that the deepest text needs which is
/// let through, whatever the caller has.
void runOnThread(llvm::function_ref<void()> work);

} // namespace mlir::ane::capi

#endif // ANE_LIB_CAPI_READNETWORK_H
