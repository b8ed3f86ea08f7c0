//===- Passes.td - Tasks and their order -------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TASKS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_TASKS_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEFormTasks : Pass<"ane-form-tasks", "::mlir::func::FuncOp"> {
  let summary = "Form one task for each pass of the engine";
  let description = [{
    Replaces legal tensor ops by tasks on memrefs in DRAM. Results of the function
    become arguments with `ane.output`; slices, concats and reshapes that keep the
    width become views. A convolution whose coefficients exceed the buffer of an
    NE becomes several tasks; in flavour `clean` also a convolution whose coefficients can
    then load while the previous task runs, if L2 holds source and result. Casts and
    reshapes at the border disappear: the surface has the inner shape, and
    the host converts.

    If the table of a function is more accurate for a larger argument, the task scales the
    argument, if the flavour wants it; with `stretch-tables=false` it uses the table of the
    files of compiler 4.2.1. The pass assigns no strides and no addresses.
  }];
  let options = [
    ANE_FlavourOption,
    Option<"stretchTables", "stretch-tables", "bool", "true",
           "Scale the arguments of functions to suit their tables">
  ];
  let statistics = [Statistic<"numTasks", "tasks", "Number of tasks formed">];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
}

def ANESchedule : Pass<"ane-schedule", "::mlir::func::FuncOp"> {
  let summary = "Choose the order of tasks";
  let description = [{
    Coefficients of a task load while the previous task runs, as far as the DRAM
    bandwidth and the kernel buffers allow. Among the first `window` ready
    tasks, the pass moves one to the front if it, or its successor, becomes faster;
    otherwise it keeps the order of the program. No move lets the live values exceed half
    of L2, and two consecutive tasks that load the same rows stay together.

    The result is deterministic. A flavour may keep the order of the
    program (`zin-9.509`). Run it before `ane-keep-in-l2`, because the order decides
    which tensors can stay in L2; after `ane-allocate-l2` it is an error.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    Option<"window", "window", "unsigned", "16",
           "Number of ready tasks to choose from; below 2 the order of the "
           "program is kept">
  ];
  let statistics = [Statistic<"moved", "moved", "Tasks that were moved">];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TASKS_PASSES_TD
