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
  let summary = "Tensors that stay in L2 between tasks";
  let description = [{
    Chooses what saves the most bytes of DRAM traffic and fits in L2 at every
    task, beside the tiles of what is still moved:

    - an intermediate tensor from the first task that writes it to the last that
      reads it. Where that is one task and all of it, it becomes a result of the
      task; else an `ane.l2_buffer`, with the same views as the buffer had;
    - what a task has loaded, until the next task that loads the same elements,
      also of a tensor that is too large or too long alive to stay for ever;
    - a result of an elementwise task in the place of a source that dies there.

    All sets of tensors that may be alive at a task are followed, so the choice is
    the best one as long as there are few of them; with more, the most promising
    sets are, and more of these where none of them leaves room for the tiles of a
    task behind. The choice is never worse than the greedy one by bytes saved for
    a byte of L2 and task of life. Where addresses leave gaps that are too small,
    the tensors that save least go back to DRAM, and return if others that went
    behind them have made room.

    An intermediate tensor with `ane.hold`, on the op that makes it or on its
    buffer, is where that says, `#ane.space<l2>` or `#ane.space<dram>`, and the
    others are chosen around it; an error says why it cannot be. Of an op that
    is cut, it is said of all strips. On an argument of the function it says whether
    what a task loads of it stays for the next that loads the same. With `dump`, what became of the ops of the
    plan in that file is added to it as `residency`, see ane-plan-tiles.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    Option<"dump", "dump", "std::string", "\"\"",
           "JSON file that ane-plan-tiles has dumped a plan to; what stays in L2 is "
           "added to it">
  ];
  let statistics = [
    Statistic<"kept", "kept", "Tensors that stay in L2">,
    Statistic<"keptLoads", "kept-loads", "Loads of what is in L2 already">
  ];
}

def ANEAssignLayout : Pass<"ane-assign-layout", "::mlir::func::FuncOp"> {
  let summary = "Strides of every tensor in DRAM";
  let description = [{
    Planar: rows are padded to the granularity of the tile DMA (64 bytes), planes
    and images follow without a gap. Views get the strides of what they look at
    and their offset.
  }];
}

def ANEAllocateDram : Pass<"ane-allocate-dram", "::mlir::func::FuncOp"> {
  let summary = "Offsets of intermediate tensors in the scratch region";
  let description = [{
    Buffers whose lives overlap get disjoint ranges; others share bytes. Largest
    first, each at the lowest offset that is free during its life. The size of the
    region becomes the attribute `ane.scratch_bytes` of the function.
  }];
  let statistics = [
    Statistic<"scratchBytes", "scratch-bytes", "Bytes of the region">,
    Statistic<"bufferBytes", "buffer-bytes", "Bytes of all buffers together">
  ];
}

def ANEAllocateL2 : Pass<"ane-allocate-l2", "::mlir::func::FuncOp"> {
  let summary = "Addresses in L2, tile heights";
  let description = [{
    Gives every L2 memref its address and strides: a row of all channels, then the
    next row, padded where rows would meet in the same banks. A source that does
    not fit is cut into tiles of rows. A result is staged where the flavour wants
    it and there is room, else streamed.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption
  ];
  let statistics = [Statistic<"tiledTasks", "tiled-tasks", "Tasks cut into tiles of rows">];
}

def ANEVerifyMemory : Pass<"ane-verify-memory", "::mlir::func::FuncOp"> {
  let summary = "Check that nothing lies over what is still needed";
  let description = [{
    Computes from the tasks alone when each tensor in L2 and in scratch memory is
    needed, and from the types where it lies; then, task by task, what is there.
    So that no program is written that has one, these are errors; nothing changes:

    - an end beyond the memory (`memory_c1`), bytes that another holds, tiles
      included (`memory_c2`);
    - a surface or constant that does not lie as a program says (`memory_c3`);
    - a tensor or tile that lies over itself (`memory_c4`);
    - reading what no earlier task writes, also by the caller (`memory_c5`), or a
      tensor that another was written over in part (`memory_c6`);
    - writing to an input or constant (`memory_c7`).
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_TD
