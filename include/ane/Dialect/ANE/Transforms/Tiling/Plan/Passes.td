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
  let summary = "Choose which ops are computed strip by strip";
  let description = [{
    Writes `ane.tile` on ops that ane-tile is to cut: groups of ops whose
    intermediate results then fit L2. The plan has the least DRAM traffic and time
    that a search over the order of the function finds; for each value it weighs
    staying in L2 as a whole, strips with rows computed twice or kept and weights
    streamed again, and DRAM.

    A function with an `ane.tile` anywhere was planned by hand and stays as it is;
    with `channels` it gets `ane.planned`, so that it does behind ane-tile, too.
    `plan` names a JSON file with such a plan, as `dump` writes it, or is `none`:
    then nothing is cut.

    ```json
    {"function": "f", "ops": 9, "column_parts": 1, "groups": [ {"first": 0, "last": 4, "dim": 2, "size": 8} ] }
    ```
    Ops count from 0 in their order behind ane-legalize, without constants; `names`
    of a dumped plan lists them. `"keep": true` in a group
    is `ane.keep_rows` on its ops: rows that two strips need are computed once.
    `"keep": "narrow"` is that on ops whose results are at most half as large as
    something that they come from, where few bytes stand for many. `residency`
    says of results of ops whether they stay in L2 between tasks or go through
    DRAM: `[ {"op": 3, "in": "l2"}, {"op": 4, "in": "dram"} ]` is `ane.hold` on ops 3
    and 4; `both` says nothing, in a dumped plan of an op whose strips are here and
    there. With `"argument": 0` it is about what tasks load of that argument: whether
    it stays for the next one that loads the same. What it does not name, ane-keep-in-l2 chooses. `"dim": [2, 1], "size":
    [16, 64]` cuts strips of 16 rows once more, by 64 channels: all parts of one
    strip come before those of the next, and `keep` is about these. In memory columns
    begin at multiples of 32, and convolutions read around theirs, so that
    convolutions are cut by columns before: `column_parts` and `image_parts`
    are for ane-tile-images, and ops are those behind it; `{"function": "f",
    "column_parts": 4}` leaves the strips of the parts to the search. A transform script
    (`tile_sizes [0, 0, 16, 32]`) may cut by both, too; its loops import takes apart.
    `"reductions": [{"op": 3, "input_channels": 64} ]` is `ane.input_channels` on a
    convolution, which becomes a sum over parts of 64 input channels, rounded
    one by one. A file may hold
    an array of plans, one for each function; other functions are planned as without
    it. Keys of `dump` that are not shown here may be missing; a key that `dump` does
    not write, or a file for none of the functions, is an error.

    Deep networks are one layer again and again: where a layer is like the one
    before it, and the search has come to it in the same states, it gets what that
    one got (TileRepeats.h), which is what the search would find; `copied_ops` in the
    file says for how many ops. A plan by hand has no figures of a search.

    With `remarks`, and in the file, is how far the plan is from a bound below which
    no program for these ops can be (TileBound.cpp), and whether the search has left
    out any plan:

    ```
    remark: plan: 169607168 bytes of DRAM traffic, 4.757 times the least; 1 groups, exact; no plan has less than 88080384 bytes, gap 0.926
    ```
  }];
  let options = [
    ANE_FlavourOption,
    Option<"channels", "channels", "bool", "false",
           "Only cut what is better channel by channel: products of matrices "
           "that do not fit L2, convolutions that are added to something large; "
           "put ops where they take memory for a short time">,
    Option<"plan", "plan", "std::string", "\"\"", "JSON file with a plan to take instead of searching for one, or none to "
           "cut nothing">,
    Option<"dump", "dump", "std::string", "\"\"",
           "JSON file to write the plan to, in the form that plan takes; of a "
           "module with one function">,
    Option<"remarks", "remarks", "bool", "false",
           "Say how far the plan is from the least traffic, and from a bound on it">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numGroups", "groups", "Groups of ops that are cut">,
    Statistic<"plannedBytes", "planned-bytes", "DRAM traffic of the plan">,
    Statistic<"compulsoryBytes", "compulsory-bytes", "DRAM traffic that no plan can avoid">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_PASSES_TD
