//===- KeptProgram.h - A program that returns inner values ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ACCURACY_KEPTPROGRAM_H
#define ANE_LIB_ACCURACY_KEPTPROGRAM_H

#include "ane/Accuracy/Accuracy.h"

namespace mlir::ane {

struct KeptProgramOptions {
  const PipelineOptions *pipeline;
  ::ane::sim::Mode mode;
  unsigned threads;
};

struct KeptValues {
  SmallVector<Array> inputs; ///< as the program got them, rounded
  std::vector<std::vector<float>> outputs, kept;
};

/// Compiles `function` so that it returns `values`, too, and runs it. On
/// failure `error` has what the compiler or the simulator said.
FailureOr<KeptValues> runKeeping(func::FuncOp function, ArrayRef<Value> values,
                                 ArrayRef<Array> inputs,
                                 const KeptProgramOptions &options,
                                 std::string &error);

SmallVector<std::string> inputNames(func::FuncOp function);
SmallVector<std::string> outputNames(func::FuncOp function);

/// "add", where the op may do several things; else empty.
std::string describeKind(Operation *op);

} // namespace mlir::ane

#endif // ANE_LIB_ACCURACY_KEPTPROGRAM_H
