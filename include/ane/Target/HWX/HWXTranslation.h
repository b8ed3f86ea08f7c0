//===- HWXTranslation.h - Register programs in and out of IR ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_HWX_HWXTRANSLATION_H
#define ANE_TARGET_HWX_HWXTRANSLATION_H

#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/Target/HWX/TaskNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::ane {
class OutputFiles;
} // namespace mlir::ane

namespace mlir::ane::hwx {

/// Reads as much of a `.hwx` or `.anec` file as can be printed: where the tasks
/// have a fault, those in front of it. Errors go to `loc`.
FailureOr<::ane::hw::Container> readForDump(Location loc, StringRef bytes);

/// A module with the program of a file. With `verifyKnown`, bits without a name
/// are errors.
OwningOpRef<ModuleOp> translateFromHWX(MLIRContext *context, Location loc,
                                       StringRef bytes, bool verifyKnown);

/// The same of a `.anec` file.
OwningOpRef<ModuleOp> translateFromAnec(MLIRContext *context, Location loc,
                                        StringRef bytes, bool verifyKnown);

/// Writes the file of the one `hwx.program` in `op`. Nothing is written on
/// failure.
LogicalResult translateToHWX(Operation *op, raw_ostream &os);
LogicalResult translateToAnec(Operation *op, raw_ostream &os);

/// The program of a file as a table for people.
void dumpTable(const ::ane::hw::Container &container, const TaskNames &names,
               raw_ostream &os);
/// The same as JSON, every register word and every named field.
void dumpJSON(const ::ane::hw::Container &container, const TaskNames &names,
              raw_ostream &os);

/// Prints why the word at a place of a program is what it is; what sets words
/// is above this library.
using Explainer = LogicalResult (*)(Location loc,
                                    const ::ane::hw::Container &container,
                                    StringRef place, raw_ostream &os);

/// What the translations take from libraries above this one, and where they
/// leave what MLIR's driver has no place for.
struct HWXHooks {
  /// Says what may be read that is no program yet.
  void (*registerDialects)(DialectRegistry &);
  Explainer explain;
  TaskNamer nameTasks = nullptr;
  /// Gets the arrays of --extract-weights, which exists only with it.
  OutputFiles *outputs = nullptr;
  /// Becomes true where --diff-hwx found a difference.
  bool *differs = nullptr;
};

/// Registers `--from-hwx`, `--to-hwx`, `--from-anec`, `--to-anec`,
/// `--dump-hwx`, `--diff-hwx` and `--extract-weights` with their flags.
void registerHWXTranslations(const HWXHooks &hooks);

/// Rewrites what MLIR's driver does not know: the value of `--dump-hwx=json` and
/// `--diff-hwx=json`, the second file of `--diff-hwx`, the folder of
/// `--extract-weights`. All other arguments stay; a null pointer ends the list.
SmallVector<char *> splitFlags(ArrayRef<char *> arguments);

} // namespace mlir::ane::hwx

#endif // ANE_TARGET_HWX_HWXTRANSLATION_H
