//===- Passes.td - L2 and DRAM -----------------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEKeepInL2 : Pass<"ane-keep-in-l2", "::mlir::func::FuncOp"> {
  let summary = "Choose the tensors that stay in L2 between tasks";
  let description = [{
    Chooses the tensors that save the most DRAM traffic and fit into L2 at every
    task, next to the streamed tiles of the other tensors:

    - an intermediate tensor, from the first task that writes it to the last that
      reads it. If one task writes all of it, it becomes a result of the
      task; otherwise an `ane.l2_buffer`, with the same views as the DRAM buffer;
    - a loaded source, until the next task that loads the same elements, even if the
      whole tensor is too large or live too long to stay in L2;
    - the result of an elementwise task, in place of a source whose last use is this task.

    The search tracks all sets of tensors that can be live at a task, so it is exact if
    there are few; otherwise it tracks the most promising sets, and more of them if none
    leaves room for the tiles of a later task. The result is never worse than the greedy
    choice by saved bytes per byte of L2 and task of lifetime. If the address
    allocation fails because of fragmentation, the tensors that save least go back to DRAM,
    and return if later evictions have made room.

    `ane.hold` on an op or on its buffer fixes the choice for its result,
    `#ane.space<l2>` or `#ane.space<dram>`, and the other tensors are chosen around it;
    an error gives the reason if that is impossible. For a tiled op it holds for all
    tiles. On an argument of the function it says whether a loaded source stays for the
    next task that loads the same elements. With `dump`, the pass adds the choice for each
    op of the plan to that file as `residency`, see ane-plan-tiles.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    Option<"dump", "dump", "std::string", "\"\"",
           "JSON file with a plan that ane-plan-tiles wrote; the pass adds the choices "
           "to it">
  ];
  let statistics = [
    Statistic<"kept", "kept", "Tensors that stay in L2">,
    Statistic<"keptLoads", "kept-loads", "Loads that were avoided because the elements are in L2">
  ];
}

def ANECutTasks : Pass<"ane-cut-tasks", "::mlir::func::FuncOp"> {
  let summary = "Parts of tasks whose least tile exceeds L2";
  let description = [{
    Tiles are cut by rows, so a row of all channels is the least that L2 has to
    hold of what a task streams. Where that is too much, the task becomes several on parts of the
    channels, in whole groups of a convolution, or else of the columns, from where
    rows in DRAM can begin: as few as fit. Nothing is computed twice or copied.
    Tasks that fit stay as they are.

    What has no such dimension stays, too, and ane-allocate-l2 reports it with the
    same numbers: a convolution of one group needs all its input channels.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [ANE_FlavourOption];
  let statistics = [Statistic<"cutTasks", "cut-tasks", "Tasks that are cut">,
                    Statistic<"numParts", "parts", "Parts of them">];
}

def ANEAssignLayout : Pass<"ane-assign-layout", "::mlir::func::FuncOp"> {
  let summary = "Assign strides to every tensor in DRAM";
  let description = [{
    The layout is planar: rows are padded to the granularity of the tile DMA (64 bytes),
    planes and images follow without a gap. Views get the strides of their source
    and their offset.
  }];
}

def ANEAllocateDram : Pass<"ane-allocate-dram", "::mlir::func::FuncOp"> {
  let summary = "Assign offsets in the scratch region to intermediate tensors";
  let description = [{
    Buffers whose lifetimes overlap get disjoint ranges; others share bytes. The pass
    takes the largest buffer first and gives each the lowest offset that is free during its
    lifetime. It writes the size of the region to the attribute `ane.scratch_bytes` of
    the function.
  }];
  let statistics = [
    Statistic<"scratchBytes", "scratch-bytes", "Bytes of the region">,
    Statistic<"bufferBytes", "buffer-bytes", "Bytes of all buffers together">
  ];
}

def ANEAllocateL2 : Pass<"ane-allocate-l2", "::mlir::func::FuncOp"> {
  let summary = "Assign addresses in L2 and tile heights";
  let description = [{
    Assigns an address and strides to every L2 memref: a row of all channels, then the
    next row, with padding if rows would otherwise use the same banks. A source that does
    not fit is loaded in tiles of rows. A result is staged if the flavour wants
    it and there is room, otherwise streamed.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption
  ];
  let statistics = [Statistic<"tiledTasks", "tiled-tasks", "Tasks cut into tiles of rows">];
}

def ANEVerifyMemory : Pass<"ane-verify-memory", "::mlir::func::FuncOp"> {
  let summary = "Check that no write overlaps data that is still needed";
  let description = [{
    Derives the lifetime of each tensor in L2 and in scratch memory from the tasks, and
    its addresses from the types; then it tracks the contents of memory task by task. It
    changes nothing and reports these errors:

    - a tensor that ends beyond the memory (`memory_c1`), or overlaps another live tensor
      or streamed tile (`memory_c2`);
    - a surface or constant whose layout a program cannot have (`memory_c3`);
    - a tensor or tile whose elements overlap each other (`memory_c4`);
    - a read of data that no earlier task wrote, also by the caller (`memory_c5`), or of a
      tensor that another one overwrote in part (`memory_c6`);
    - a write to an input or constant (`memory_c7`).
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_TD
