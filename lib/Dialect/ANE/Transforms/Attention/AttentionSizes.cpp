//===- AttentionSizes.cpp - What of attention is computed at once ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSizes.h"

#include "AttentionPlanes.h"
#include "ane/Dialect/ANE/Transforms/Norms/AttentionPowers.h"
#include "ane/HW/Chip.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/CostModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

int64_t AttentionSizes::firstKeys(int64_t numKeys) const {
  return numKeys < keysOfTask() ? numKeys : numKeys - numKeys % keysOfTask();
}

bool AttentionSizes::isAligned(const Attention &from, int64_t numKeys,
                               int64_t terms) const {
  int64_t lanes = lanesFor(numKeys, from.depth + terms, info);
  return from.depth * lanes * sizeof(uint16_t) % info.dmaAlign == 0;
}

// The queries are copied, which a sum for each score has to outweigh.
bool AttentionSizes::takesMaskAsTerm(const Attention &from) const {
  return from.isMaskOfKeys && from.numKeys >= 4 * from.depth &&
         isAligned(from, from.numKeys, /*terms=*/1);
}

//===----------------------------------------------------------------------===//
// With all keys of a query at once
//===----------------------------------------------------------------------===//

// Strips of as many columns each, so that `bytes` of L2 hold `rows` rows.
int64_t AttentionSizes::columnsIn(int64_t bytes, int64_t width,
                                  int64_t rows) const {
  int64_t align = info.dmaAlign / sizeof(uint16_t);
  int64_t room = bytes / (2 * rows);
  int64_t most = std::max(align, room / align * align);
  return ::ane::hw::alignTo(
      llvm::divideCeil(width, llvm::divideCeil(width, most)), align);
}

int64_t AttentionSizes::columnsOfStrip(int64_t width, int64_t rows) const {
  return columnsIn(info.l2SourceBytes / 20 * 9, width, rows);
}

// Four strips take 5/8 of the products where no token sees those after it,
// eight 9/16.
int64_t AttentionSizes::columnsOfMasked(
    const Attention &from, const std::optional<AttentionMask> &mask) const {
  constexpr int64_t strips = 4, least = 128;
  int64_t width = from.numQueries;
  if (!mask)
    return width;
  int64_t step = std::max<int64_t>(
      least, ::ane::hw::alignTo(llvm::divideCeil(width, strips),
                                info.dmaAlign / sizeof(uint16_t)));
  int64_t products = 0;
  for (int64_t left = 0; left < width; left += step) {
    int64_t count = std::min(step, width - left);
    SeenKeys keys = mask->keysOf(left, count, keysOfTask());
    products += count * (keys.end - keys.first);
  }
  // Each strip reads its keys and values: a tenth less is worth it.
  return 10 * products < 9 * width * from.numKeys ? step : width;
}

// Scores and powers both, if they are apart, beside the queries and the result
// of all heads if L2 has room for these. Of windows there are queries and
// results of other heads, too.
int64_t AttentionSizes::headsAtOnce(const Attention &from, int64_t columns,
                                    bool areWindows,
                                    bool arePowersApart) const {
  int64_t heads = from.images * from.heads, minParts = areWindows ? 1 : 2;
  int64_t row = ::ane::hw::alignTo(2 * columns, info.l2Align);
  int64_t bytes = from.numKeys * row;
  int64_t most = info.l2SourceBytes / 4 / bytes;
  int64_t room = int64_t(info.l2SourceBytes) / 16 * 15 -
                 heads * (from.queryChannels() + from.width) * row;
  if (arePowersApart && room > 0)
    most = std::min(most, room / (2 * bytes));
  if (arePowersApart && areWindows)
    most /= 2;
  int64_t step =
      std::clamp<int64_t>(most, 1, std::max<int64_t>(1, heads / minParts));
  step = llvm::divideCeil(heads, llvm::divideCeil(heads, step));
  return from.isShared ? std::min(step, from.heads) : step;
}

//===----------------------------------------------------------------------===//
// With blocks of keys
//===----------------------------------------------------------------------===//

bool AttentionSizes::needsBlocks(const Attention &from) const {
  auto isAligned = [&](int64_t numKeys) {
    return this->isAligned(from, numKeys, from.queryChannels() - from.depth);
  };
  int64_t first = firstKeys(from.numKeys);
  return (!from.mask || from.isMaskOfKeys) && from.terms.empty() &&
         !from.sink && !from.cap && from.images == 1 &&
         from.numKeys >= 2 * keysOfTask() &&
         columnsOfStrip(from.numQueries, from.numKeys) < from.numQueries &&
         isAligned(first) &&
         (first == from.numKeys || isAligned(from.numKeys - first));
}

// Bytes in L2 of a row with all queries.
int64_t AttentionSizes::bytesOfRow(const Attention &from) const {
  return ::ane::hw::alignTo(2 * from.numQueries, info.l2Align);
}

// As many as L2 holds beside what they are made of, which nobody needs then.
// They take less room, and less with each head that is done.
int64_t AttentionSizes::countWaiting(const Attention &from) const {
  ConvOp conv = convOf(from.queries);
  if (!conv)
    return 0;
  int64_t row = bytesOfRow(from);
  int64_t room =
      info.l2SourceBytes - typeOf(conv.getInput()).getDimSize(1) * row;
  return std::max<int64_t>(0, room / (from.queryChannels() * row));
}

bool AttentionSizes::holdsInput(const Attention &from) const {
  constexpr int64_t slack = 0x8000; // for rows with one channel, and gaps
  ConvOp conv = convOf(from.queries);
  if (!conv || from.isShared || from.width % (2 * int64_t(info.neCount)))
    return false;
  int64_t channels = typeOf(conv.getInput()).getDimSize(1) +
                     from.queryChannels() + from.width + 1 + keysOfTask() +
                     from.width / 2 + 1;
  return channels * bytesOfRow(from) <= int64_t(info.l2Bytes) - slack;
}

// L2 holds the powers beside the queries of the heads that are left and two
// sums: as many keys for each step, in few tasks. More than half of L2 would
// be read in strips of columns. What queries are made of leaves room for the
// powers of one task and half of what they mix; the powers take the place of
// their scores there.
AttentionSizes::Steps AttentionSizes::stepsOf(const Attention &from,
                                              int64_t headsLeft) const {
  bool areProducts = !holdsInput(from);
  Steps least = areProducts ? stepsOfStrips(from)
                            : Steps{from.numQueries, keysOfTask(), /*parts=*/2,
                                    /*areProducts=*/false};
  int64_t row = bytesOfRow(from), half = info.l2SourceBytes / 2;
  int64_t others = (headsLeft * from.queryChannels() + 2 * (from.width + 1) +
                    areProducts * keysOfTask()) *
                   row;
  int64_t most =
      std::min<int64_t>(half, int64_t(info.l2SourceBytes) - others) / row;
  if (headsLeft == 0 || most < 2 * keysOfTask())
    return least;
  int64_t steps = llvm::divideCeil(from.numKeys, most);
  int64_t keys = llvm::divideCeil(from.numKeys, steps);
  int64_t granule = keysOfTask();
  while (int64_t(::ane::hw::alignTo(keys, granule)) > most &&
         granule > int64_t(info.neCount))
    granule /= 2;
  return {from.numQueries,
          std::min<int64_t>(::ane::hw::alignTo(keys, granule),
                            llvm::alignDown(most, granule)),
          /*parts=*/1, areProducts};
}

// Seconds of the tasks of a head, and of its coefficients alone, which are read
// again for each strip.
double AttentionSizes::costOf(const Attention &from, const Steps &steps) const {
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  ::ane::sim::Sequence sequence(chip);
  double seconds = 0;
  int64_t bytes = 0;
  auto product = [&](int64_t rows, int64_t depth, int64_t times) {
    ::ane::sim::TaskWork work;
    work.cout = rows;
    work.macs = rows * depth * times * steps.columns;
    work.weightBytes = rows * depth * sizeof(uint16_t);
    bytes += work.weightBytes;
    seconds += sequence.add(work).total;
  };
  auto pass = [&](int64_t rows) {
    ::ane::sim::TaskWork work;
    work.elements = rows * steps.columns;
    seconds += sequence.add(work).total;
  };
  for (int64_t first = 0, keys; first < from.numKeys; first += keys) {
    keys = std::min(steps.keys, from.numKeys - first);
    product(keys, from.depth, 1);
    pass(keys);
    product(keys, from.queryChannels(), 1);
    product(powerChannels, powerChannels, keys / powerChannels);
    product(from.width, keys, 1);
    if (first > 0)
      pass(from.width + 1);
  }
  int64_t strips = llvm::divideCeil(from.numQueries, steps.columns);
  return strips * (seconds + bytes / chip.weightBytesPerSecond);
}

// Beside the powers of a step there are the scores of one task, the queries
// with their maximum, the values that they mix and the sum of those before.
AttentionSizes::Steps
AttentionSizes::stepsOfStrips(const Attention &from) const {
  Steps best = {};
  double least = 0;
  for (int64_t keys = keysOfTask(); keys < from.numKeys + keysOfTask();
       keys += keysOfTask()) {
    int64_t rows =
        keys + keysOfTask() + from.queryChannels() + 1 + 2 * (from.width + 1);
    Steps steps = {columnsIn(info.l2SourceBytes, from.numQueries, rows), keys};
    double cost = costOf(from, steps);
    if (best.keys && cost >= least)
      continue;
    best = steps;
    least = cost;
  }
  return best;
}
