//===- ViewHazards.h - What compiler 9.509 waits for ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines run side by side, each in order. A task waits for the last task
// of the other one, or of its own, where it reads what that left in L2; if it
// reads it in the way it was written, patch by patch. The rules agree with 170
// of 175 recorded transitions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_VIEWHAZARDS_H
#define ANE_LIB_CONVERSION_ANETOHWX_VIEWHAZARDS_H

#include "TaskEncoder.h"

namespace mlir::ane {

class ViewHazards {
public:
  ViewHazards(const Flavour &flavour, const ::ane::hw::GenerationInfo &info)
      : flavour(flavour), configuresSources(info.configuresSources) {}

  /// Fills in what `task`, the next one, waits for.
  void wait(TaskPlace &place, TaskOp task);

private:
  struct Range {
    int64_t begin = 0, end = 0;
    bool overlaps(const Range &other) const {
      return begin < other.end && other.begin < end;
    }
  };
  struct Use {
    TaskOp task;
    int64_t index = 0;
    bool ne = false;
    SmallVector<Range, 2> tiles, resident; ///< sources by DMA, and in L2
    SmallVector<unsigned, 2> tileSources;  ///< which source each tile is
    SmallVector<Range, 1> kept;            ///< of the tiles
    Range result;
  };
  static Range rangeOf(Value value);
  static Use useOf(TaskOp task, int64_t index);
  /// The bits of one engine.
  struct Bits {
    bool &source, &result;
  };
  static Bits bitsOf(Hazards &hazards, bool ne);
  void waitForSources(TaskPlace &place, const Use &use, const Use &before);
  void waitForPlaces(TaskPlace &place, const Use &use);
  /// What a source waits for.
  Hazards &hazardsOf(TaskPlace &place, unsigned source) const {
    return source && configuresSources ? place.source2 : place.source;
  }

  bool waitsForPatches(TaskOp reader, TaskOp before) const;

  const Flavour &flavour;
  const bool configuresSources;
  std::optional<Use> last[2]; ///< of the PE and of the NEs
  DenseMap<Operation *, int64_t> index;
  /// Up to which task of the other engine each has waited.
  int64_t waited[2] = {-1, -1};
};

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOHWX_VIEWHAZARDS_H
