//===- Passes.td - The plan of tiles -----------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEPlanTiles : Pass<"ane-plan-tiles", "::mlir::func::FuncOp"> {
  let summary = "Choose the ops that are computed tile by tile";
  let description = [{
    Writes `ane.tile` on the ops that ane-tile will cut: groups of ops whose
    intermediate results then fit into L2. The pass searches, in the order of the function,
    for the plan with minimal DRAM traffic and time. For each value it compares three
    choices: whole in L2; tiled, with the halo recomputed or kept and weights
    loaded again for each tile; in DRAM. It does not cut ops itself.

    A function with an `ane.tile` attribute was planned by hand and is unchanged;
    with `channels` it gets `ane.planned`, so that later runs skip it, too.
    `plan` names a JSON file with a plan, in the form that `dump` writes, or is `none`:
    then nothing is tiled.

    ```json
    {"function": "f", "ops": 9, "column_parts": 1, "groups": [ {"first": 0, "last": 4, "dim": 2, "size": 8} ] }
    ```
    Ops are numbered from 0 in their order after ane-legalize, without constants; `names`
    of a dumped plan lists them. Keys of a plan:

    - `"keep": true` in a group is `ane.keep_rows` on its ops: the halo of two tiles is
      computed once. `"keep": "narrow"` does so only for ops whose result is at most half
      as large as one of their producers, so that few bytes replace many.
    - `residency` says whether results of ops stay in L2 between tasks or go through
      DRAM: `[ {"op": 3, "in": "l2"}, {"op": 4, "in": "dram"} ]` is `ane.hold` on ops 3
      and 4. `both` in a dumped plan means that the tiles of the op differ; it has no
      effect. With `"argument": 0` it says whether a loaded source of that argument stays
      for the next task that loads the same elements. ane-keep-in-l2 chooses the rest.
    - `"dim": [2, 1], "size": [16, 64]` cuts tiles of 16 rows once more, by 64 channels:
      all inner tiles of one tile come before the inner tiles of the next, and `keep`
      refers to the inner tiles.
    - `column_parts` is for ane-tile-images; ops are numbered after that pass.
      `{"function": "f", "column_parts": 4}` leaves the tiles of the parts to the search.
      Columns of convolutions are cut only by that pass, because columns in memory begin at
      multiples of 32 and convolutions read a halo. A transform script
      (`tile_sizes [0, 0, 16, 32]`) may cut rows and columns; the importer unrolls its
      loops.
    - `"reductions": [{"op": 3, "input_channels": 64} ]` is `ane.input_channels` on a
      convolution, which becomes a sum over slices of 64 input channels, each rounded.

    A file may contain an array of plans, one for each function; other functions are
    planned as without a file. Keys of `dump` that are not shown here are optional; a key
    that `dump` does not write, or a file without a plan for any function, is an error.

    Deep networks repeat layers: if a layer equals the previous one, and the search
    reaches it with the same states, it gets the same plan (TileRepeats.h), which is the
    plan that the search would find; `copied_ops` in the file counts these ops. A plan by
    hand has no figures of a search.

    `remarks`, and the file, report the distance of the plan from a lower bound for every
    program of these ops (TileBound.cpp), and whether the search skipped any plan:

    ```
    remark: plan: 169607168 bytes of DRAM traffic, 4.757 times the least; 1 groups, exact; no plan has less than 88080384 bytes, gap 0.926
    ```
  }];
  let options = [
    ANE_FlavourOption,
    Option<"channels", "channels", "bool", "false",
           "Tile by channels only: matrix products that do not fit into L2, and "
           "convolutions whose result is added to a large tensor; also move ops so "
           "that their results are live for a short time">,
    Option<"plan", "plan", "std::string", "\"\"", "JSON file with a plan to use instead of a search, or none to tile "
           "nothing">,
    Option<"dump", "dump", "std::string", "\"\"",
           "JSON file to write the plan to, in the form that plan reads; for "
           "modules with one function">,
    Option<"remarks", "remarks", "bool", "false",
           "Report the traffic of the plan relative to the compulsory traffic and to a lower bound">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numGroups", "groups", "Groups of ops that are tiled">,
    Statistic<"plannedBytes", "planned-bytes", "DRAM traffic of the plan">,
    Statistic<"compulsoryBytes", "compulsory-bytes", "DRAM traffic that no plan can avoid">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PASSES_TD
