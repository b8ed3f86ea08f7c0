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
  let summary = "One task for each pass of the engine";
  let description = [{
    Replaces legal tensor ops by tasks on memrefs in DRAM. Results of the function
    become arguments with `ane.output`; slices, concats and reshapes that keep the
    width become views; a convolution whose coefficients exceed the buffer of an
    NE becomes several tasks, in flavour `clean` also one where coefficients then
    load while the task before runs and L2 holds source and result. Casts and
    reshapes at the border disappear: the surface has the shape behind them, and
    the host converts.

    A function whose table is better for a larger argument gets that, where the
    flavour wants it; with `stretch-tables=false` it has the table that the files
    of compiler 4.2.1 have.
  }];
  let options = [
    ANE_FlavourOption,
    ANE_AllowUnprovenOption,
    Option<"stretchTables", "stretch-tables", "bool", "true",
           "Give functions an argument that suits their table">
  ];
  let statistics = [Statistic<"numTasks", "tasks", "Number of tasks formed">];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
}

def ANESchedule : Pass<"ane-schedule", "::mlir::func::FuncOp"> {
  let summary = "The order of tasks";
  let description = [{
    Coefficients of a task load while the task before it runs, as far as the DRAM
    has time beside it and the kernel buffers have room. Among the first `window`
    tasks that are left and wait for nobody, one goes first where it, or the one
    behind it, gains by that; else the order of the program stays. What is alive
    grows over half of L2 by no such change, and two tasks that load the same rows
    one after the other stay together.

    The order is the same on every run. A flavour may want the order of the
    program (`zin-9.509`). Runs before `ane-keep-in-l2`, since the order decides
    what can stay in L2; behind `ane-allocate-l2` it is an error.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    Option<"window", "window", "unsigned", "16",
           "Among how many tasks that could go next one is chosen; below 2: the "
           "order stays">
  ];
  let statistics = [Statistic<"moved", "moved", "Tasks that have another place">];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TASKS_PASSES_TD
