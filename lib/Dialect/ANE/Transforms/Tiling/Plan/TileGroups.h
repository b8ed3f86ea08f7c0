//===- TileGroups.h - Groups of ops that are cut together -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups are grown backwards from their last op, so that what each value needs
// is known when its op joins. Two sums of bytes are kept by op: those of strips
// that live in L2 in any group with these ops, and those of tiles and copies of
// values from outside, which are no more when the op that computes them joins.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEGROUPS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEGROUPS_H

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

namespace mlir::ane {

/// Rows of a source that a task holds while it streams.
constexpr int64_t streamedRows = 8;
/// One op, or a group in strips, without the state of L2 around it: what it
/// reads, writes and needs.
struct TileStep {
  struct Source {
    int value;
    int64_t bytes; ///< from DRAM, if it is there
    int64_t tile;  ///< room in L2 to stream it
    int user = -1; ///< node
    /// Nodes from and up to which room is taken.
    int start = 0, end = -1;
    bool isCopied = false; ///< the tile is copied to a place in L2
  };
  /// What leaves it, by the memory that it is written to.
  struct Output {
    int root;
    int64_t bytes; ///< of DRAM, if it goes there
    bool isStored; ///< it has to
  };
  TileGroup group;
  SmallVector<Source, 4> sources;
  SmallVector<Output, 4> outputs;
  /// A value that it could leave in L2 when it comes from DRAM, or -1.
  int filled = -1;
  /// Bytes of strips, with and without tiles of sources.
  int64_t peak = 0, residentPeak = 0;
  bool sharesTiles = false; ///< of sources, among its ops
  int64_t weights = 0;
  double seconds = 0;
  int64_t tasks = 0;
  /// Bytes that a resident output may take over from a resident source.
  int reused = -1;
  /// An output that is placed over a value cannot take its place: strips still
  /// need rows of it.
  bool needsOverwritten = false;

  void addOutput(const TileGraph &graph, const TileNode &node,
                 int64_t readBytes = 0);
};

/// How the result of `last` is cut; strips start at multiples of `align`.
struct TileCut {
  int last = 0;
  unsigned dim = 2;
  int strips = 1;
  int64_t align = 1;
  KeptRows keptRows = KeptRows::None;
};

class GroupGrower {
public:
  GroupGrower(const TileGraph &graph, int64_t budget);

  /// Calls `visit` for each group that `cut` makes, that begins where `isStart`
  /// and that fits `budget`, from the shortest on.
  void grow(const TileCut &cut, int maxGroup,
            llvm::function_ref<bool(int)> isStart,
            llvm::function_ref<void(const TileStep &)> visit);
  /// Whether a group was given up because it had too many ops.
  bool wasLimited = false;

private:
  /// What the ops that have joined need of a value.
  struct Need {
    unsigned stamp = 0;
    int64_t units = 0;
    uint8_t dim = 0;
    bool isWhole = false, isPlain = true;
    /// How many of the units lie in front of where the strip starts.
    int64_t before = 0;
    void add(int64_t from, int64_t count);
    // Where rows are kept: strip k needs rows [k * rows - lag, (k + 1) * rows +
    // lead).
    int64_t rows = 0, lead = 0, lag = 0;
  };

  bool join(int number);
  bool joinWholeView(int number, bool leaves);
  bool use(int number, const TileNode::Operand &operand, const CutMap &map,
           const Need &from);
  bool joinKept(int number);
  bool useKept(int number, const TileNode::Operand &operand, const CutMap &map,
               int64_t lag);
  int64_t findKeptRow(int number);
  void holdKept(int number, int64_t early, int64_t units);
  bool canBeOverwritten(int value) const;
  void findReused(int first);
  void forgetSources(int value);
  void hold(int number, int64_t early, int64_t units, bool leaves,
            bool isCopied);
  bool claimPlace(int number, int last, int64_t bytes, int64_t units);
  void holdFor(int number, int end, int64_t early, int64_t later);
  void notePeak(int number, int end);
  void holdJoined(int number, int64_t early, int64_t later, bool isCopied);
  void addTile(int number, int value, int64_t unit, int64_t wanted,
               const CutMap &map, int64_t bytes);
  int findLastUse(int value) const;
  int64_t countReads(int value) const;
  void findPeaks(int first, TileStep &whole) const;
  void findShared(int number, int value, int64_t bytes, int64_t tile);
  bool shareTiles(int first, TileStep &whole) const;

  /// A tile of a value from outside that one op can leave in L2 for another.
  struct SharedTile {
    int value;
    int first, last; ///< nodes
    int64_t bytes;   ///< of L2
    bool goesOn;     ///< from the last on for another
  };

  const TileGraph &graph;
  int64_t budget;
  TileCut cut;
  TileStep step;
  SmallVector<SharedTile, 2> shared;
  /// Scratch; needs are valid where the stamp is that of this call.
  unsigned stamp = 0;
  std::vector<Need> needs;
  /// In the first strip, which has no rows from one before, and in others.
  std::vector<int64_t> earlyLive, live, passing;
  int64_t kept = 0; ///< bytes of what lives from strip to strip
  /// By concat: what is known of its memory, and from which node on.
  struct Joined {
    unsigned stamp = 0;
    int start = 0;
    int64_t early = 0, later = 0;
  };
  std::vector<Joined> joined;
  /// By an op that works in place: the call, and the memory that it takes over.
  std::vector<std::pair<unsigned, int>> claimed;
  /// Bytes of the strip that a node of the group writes.
  std::vector<int64_t> written;
  /// By value: the last call in which it was kept as a whole.
  std::vector<unsigned> keptPlaces;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEGROUPS_H
