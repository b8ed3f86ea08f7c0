//===- Arguments.h - Arguments of what is compiled --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_PIPELINES_ARGUMENTS_H
#define ANE_LIB_PIPELINES_ARGUMENTS_H

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

#include <optional>

namespace mlir::ane {

/// The function that is compiled: a func.func, or a mil.func of a program.
class CompiledFunction {
public:
  /*implicit*/ CompiledFunction(func::FuncOp op) : op(op) {}
  /*implicit*/ CompiledFunction(mil::FuncOp op) : op(op) {}

  /// The one called `name`, or the only one with a body when the name is empty.
  /// Emits an error when there is none or there are several.
  static FailureOr<CompiledFunction> find(ModuleOp module, StringRef name);

  Location getLoc() const { return op->getLoc(); }
  StringRef getName() const;
  Block &getBody() const { return op->getRegion(0).front(); }
  bool isMIL() const { return isa<mil::FuncOp>(op); }
  /// The index of the argument that `name` means: its number, its `ane.name`,
  /// or in MIL its name.
  std::optional<unsigned> findArgument(StringRef name) const;
  LogicalResult eraseArguments(const BitVector &which) const;
  /// Erases the functions that call this one, whose arguments are about to
  /// change: only one function of a module is compiled.
  void eraseCallers() const;

  Operation *op;
};

} // namespace mlir::ane

#endif // ANE_LIB_PIPELINES_ARGUMENTS_H
