//===- ViewHazards.cpp - What compiler 9.509 waits for --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewHazards.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/WorkUnits.h"

using namespace mlir;
using namespace mlir::ane;

// From the first element to after the last row.
ViewHazards::Range ViewHazards::rangeOf(Value value) {
  auto type = cast<MemRefType>(value.getType());
  ByteLayout layout = *getByteLayout(type);
  Range range = {layout.offset, layout.offset + layout.strides.back()};
  for (auto [extent, stride] :
       llvm::zip(type.getShape().drop_back(), layout.strides))
    range.end += (extent - 1) * stride;
  return range;
}

// Rows of a tile, as far as they lie in L2: a wide one in strips.
static int64_t tileBytes(Value tile) {
  auto type = cast<MemRefType>(tile.getType());
  ByteLayout layout = *getByteLayout(type);
  int64_t rank = type.getRank();
  return layout.strides[rank - 2] * type.getDimSize(rank - 2);
}

// How far a result streams after its base: between 0x1e0 and 0x400 bytes on
// the PE, between 0x80 and 0x100 for each channel where they are stored side by
// side, and on the NEs more than its size (by the tasks that wait for it).
static int64_t streamBytes(TaskOp task, bool ne) {
  constexpr int64_t least = 0x400, channel = 0x100;
  const int64_t planar =
      std::max(least, channel * int64_t(task.getStore().getInterleave()));
  auto type = cast<MemRefType>(task.getCompute()->getResult(0).getType());
  int64_t size = elementBytes(type);
  return ne ? 2 * type.getNumElements() * size : planar;
}

ViewHazards::Use ViewHazards::useOf(TaskOp task, int64_t index) {
  Use use;
  use.task = task;
  use.index = index;
  Operation *compute = task.getCompute();
  use.ne = isOnNeuralEngines(compute);
  for (auto [i, source] : llvm::enumerate(getEngineSources(compute))) {
    auto load = source.value.getDefiningOp<DmaLoadOp>();
    Range range = rangeOf(source.value);
    if (!load) {
      use.resident.push_back(range);
      continue;
    }
    range.end = range.begin + tileBytes(source.value);
    use.tiles.push_back(range);
    use.tileSources.push_back(i);
    if (load.getResidency() == Residency::Kept)
      use.kept.push_back(range);
  }
  use.result = rangeOf(compute->getResult(0));
  DmaStoreOp store = task.getStore();
  if (store && store.getResidency() == Residency::Streamed)
    use.result.end = use.result.begin + streamBytes(task, use.ne);
  return use;
}

ViewHazards::Bits ViewHazards::bitsOf(Hazards &hazards, bool ne) {
  return ne ? Bits{hazards.neSource, hazards.neResult}
            : Bits{hazards.peSource, hazards.peResult};
}

// A patch of an exchanged result is enough for a product that reads its source
// in patches, which small sources are not (seen once against 21).
bool ViewHazards::waitsForPatches(TaskOp reader, TaskOp before) const {
  if (takesPatches(reader, before))
    return true;
  // Turned by the PE (2 of 2), or a statistic beside a value of L2 (2 of 2).
  if (flavour.exchangesInPatches && !before.getStore() &&
      getEngineSources(reader.getCompute())[0].value.getDefiningOp() ==
          before &&
      (isa<PeUnaryOp>(before.getCompute()) ||
       isa<PeUnaryOp>(reader.getCompute())))
    return true;
  // A row that the PE made of a column, on its way through a table to a sum and
  // a factor (4 of 4).
  Operation *compute = reader.getCompute(), *writer = before.getCompute();
  bool isRow =
      cast<MemRefType>(compute->getOperand(0).getType()).getDimSize(2) == 1;
  bool isOfColumn = (isa<NeBypassOp>(compute) && isa<PeElementwiseOp>(writer) &&
                     isRow && !reader.getStore()) ||
                    (isa<NeReduceOp>(compute) && isa<NeBypassOp>(writer)) ||
                    (isa<PeElementwiseOp>(compute) && isa<NeReduceOp>(writer));
  if (flavour.exchangesInPatches && !before.getStore() && isOfColumn &&
      getEngineSources(compute)[0].value.getDefiningOp() == before)
    return true;
  auto conv = dyn_cast<NeConvOp>(compute);
  auto bypass = dyn_cast<NeBypassOp>(writer);
  if (!flavour.exchangesInPatches || !conv || !bypass || bypass.getKernel() ||
      conv.getInput() != before->getResult(0) || before.getStore())
    return false;
  ArrayRef<int64_t> shape = conv.getInput().getType().getShape();
  return shape[2] * shape[3] > ::ane::hw::smallSourcePixels;
}

// Whether `value` is what a task computed, and not what it loaded for others.
static bool isComputed(Value value) {
  auto writer = dyn_cast<OpResult>(getViewRoot(value));
  auto task = writer ? dyn_cast<TaskOp>(writer.getOwner()) : TaskOp();
  if (!task)
    return false;
  auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
  return yield.getResults()[writer.getResultNumber()].getDefiningOp() ==
         task.getCompute();
}

// What it reads: the result of the task before it, a source that stays.
void ViewHazards::waitForSources(TaskPlace &place, const Use &use,
                                 const Use &before) {
  TaskOp task = use.task, taskBefore = before.task;
  Operation *compute = task.getCompute();
  SmallVector<EngineSource, 2> sources = getEngineSources(compute);
  bool waitsForAll = false;
  for (auto [i, source] : llvm::enumerate(sources)) {
    Bits bits = bitsOf(hazardsOf(place, i), before.ne);
    if (source.value.getDefiningOp<DmaLoadOp>())
      continue;
    Range range = rangeOf(source.value);
    if (range.overlaps(before.result) && !taskBefore.getStore()) {
      bool reducesTwo = isa<PeReduceOp>(compute) && sources.size() > 1;
      bool hasStatistic = reducesTwo && isComputed(sources[1].value);
      if (i == 0 &&
          (hasStatistic || (!reducesTwo && waitsForPatches(task, taskBefore))))
        place.fineWait = before.ne ? 1 : 2;
      else
        bits.result = true;
    }
    // A source that the task before it has just loaded.
    if (before.ne != use.ne)
      for (const Range &kept : before.kept)
        bits.source |= range.overlaps(kept);
  }
  // Tiles over tiles of the other engine.
  if (before.ne != use.ne)
    for (auto [tile, source] : llvm::zip_equal(use.tiles, use.tileSources))
      for (const auto *ranges : {&before.tiles, &before.resident})
        for (const Range &other : *ranges)
          bitsOf(hazardsOf(place, source), before.ne).source |=
              tile.overlaps(other);
  // Another operand of the other engine that nobody has waited for yet.
  if (before.ne != use.ne)
    for (const EngineSource &source : llvm::drop_begin(sources)) {
      auto writer = getViewRoot(source.value).getDefiningOp<TaskOp>();
      auto found = writer ? index.find(writer) : index.end();
      if (found != index.end() && found->second > waited[use.ne] &&
          found->second < before.index &&
          isOnNeuralEngines(writer.getCompute()) == before.ne)
        waitsForAll = true;
    }
  Bits bits = bitsOf(place.source, before.ne);
  if ((bits.source || waitsForAll) && place.fineWait) {
    // The factor of a column comes in patches nevertheless (4 of 4).
    if (!flavour.exchangesInPatches ||
        !isa<NeReduceOp>(taskBefore.getCompute()))
      place.fineWait = 0;
    bits.result = true;
  }
  // A value that takes the place of one that this engine wrote (seen once).
  const std::optional<Use> &own = last[use.ne];
  TaskOp ownTask = own ? own->task : TaskOp();
  if (!use.ne && place.fineWait == 1 && own && !ownTask.getStore() &&
      rangeOf(sources[0].value).overlaps(own->result))
    place.source.peResult = true;
}

// What it overwrites of the other engine, unless it has waited for that.
void ViewHazards::waitForPlaces(TaskPlace &place, const Use &use) {
  const std::optional<Use> &other = last[!use.ne];
  if (!other || waited[use.ne] >= other->index)
    return;
  Bits bits = bitsOf(place.result, other->ne);
  if (use.result.overlaps(other->result)) {
    bits.result = true;
    return;
  }
  for (const auto *ranges : {&other->tiles, &other->resident})
    for (const Range &range : *ranges)
      bits.source |= use.result.overlaps(range);
}

void ViewHazards::wait(TaskPlace &place, TaskOp task) {
  Use use = useOf(task, place.index);
  index[task] = place.index;
  std::optional<Use> before;
  for (const std::optional<Use> &one : last)
    if (one && one->index + 1 == use.index)
      before = one;
  if (!before) {
    place.source = place.source2 = place.result = {true, true, true, true};
  } else if (place.segmentStart && !use.tiles.empty()) {
    if (flavour.startsWait) {
      place.source.neSource = place.source.neResult = true;
      place.result.neSource = place.result.neResult = true;
    }
    if (const std::optional<Use> &planar = last[false]) {
      for (const Range &tile : use.tiles) {
        place.source.peResult |= tile.overlaps(planar->result);
        for (const auto *ranges : {&planar->tiles, &planar->resident})
          for (const Range &range : *ranges)
            place.source.peSource |=
                tile.overlaps(range) && !tile.overlaps(planar->result);
      }
      if (use.ne && (place.source.peResult || place.source.peSource))
        waited[use.ne] = planar->index;
      place.result.peResult =
          use.result.overlaps(planar->result) && !place.source.peResult;
    }
  } else {
    waitForSources(place, use, *before);
    Bits bits = bitsOf(place.source, before->ne);
    Bits bits2 = bitsOf(place.source2, before->ne);
    if (before->ne != use.ne && (bits.result || bits2.result || place.fineWait))
      waited[use.ne] = before->index;
    waitForPlaces(place, use);
  }
  last[use.ne] = use;
}
