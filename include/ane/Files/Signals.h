//===- Signals.h - What signals do to a tool --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FILES_SIGNALS_H
#define ANE_FILES_SIGNALS_H

namespace mlir::ane {

/// To be called first by the main of `tool`, which is a literal. LLVM takes
/// signals so that files under passing names are removed; after this,
///
/// - what the parent ignores (nohup, a background job) stays ignored,
/// - a file that grows beyond `ulimit -f` is an error of the write,
/// - an input that somebody cuts while it is mapped is an error that names it.
void takeSignals(const char *tool);

} // namespace mlir::ane

#endif // ANE_FILES_SIGNALS_H
