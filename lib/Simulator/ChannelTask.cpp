//===- ChannelTask.cpp - Tasks that treat channels one by one -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChannelTask.h"

#include "NeuralEngine.h"
#include "Parallel.h"
#include "PlanarEngine.h"

#include <mutex>

namespace ane::sim {
namespace {

/// Bytes of single-precision data of a slice.
constexpr size_t kSliceBytes = 512 << 10;
/// Smaller tasks are not worth the trouble, in elements.
constexpr size_t kSmallest = 1 << 15;

/// Source channels for one channel of the result.
uint32_t inputsOf(const TaskConfig &task) {
  return task.isNeural ? task.neural.unicastCin : 1;
}

const Pattern &inMemory(const SourceConfig &source) {
  return source.place == Place::L2 ? source.l2 : source.dram;
}
const Pattern &inMemory(const ResultConfig &result) {
  return result.place == Place::L2 ? result.l2 : result.dram;
}

bool samePlaces(const Pattern &a, const Pattern &b) {
  return a.dims == b.dims && a.type == b.type && a.base == b.base &&
         a.group == b.group && a.depth == b.depth && a.plane == b.plane &&
         a.row == b.row;
}

/// Whether a slice of the result may be written while other slices of the
/// source are still to be read. `perElement`: an element of the result needs
/// none of the source but the one in its place.
bool isIndependent(const SourceConfig &source, const ResultConfig &result,
                   bool perElement) {
  if (source.place != result.place ||
      (source.place == Place::DRAM && source.base != result.base))
    return true;
  const Pattern &from = inMemory(source), &to = inMemory(result);
  return from.end() <= to.base || to.end() <= from.base ||
         (perElement && samePlaces(from, to));
}

/// A source has the channels of the task, or one that is repeated.
bool hasSlices(const SourceConfig &source, uint32_t channels) {
  if (source.place != Place::L2 && source.place != Place::DRAM)
    return false;
  const Pattern &pattern = inMemory(source);
  return hasChannels(pattern) &&
         (pattern.dims.c == channels || pattern.dims.c == 1);
}

/// Channels [first, first + count) of a source that has `channels` or one.
View slice(View view, uint32_t first, uint32_t count, uint32_t channels) {
  if (view.bytes && view.pattern.dims.c == channels)
    view.pattern = someChannels(view.pattern, first, count);
  return view;
}

Kernel slice(const Kernel &kernel, uint32_t first, uint32_t count,
             uint32_t channels) {
  Kernel some;
  some.table = kernel.table;
  const size_t size = kernel.weights.size() / channels;
  some.weights.assign(kernel.weights.begin() + first * size,
                      kernel.weights.begin() + (first + count) * size);
  if (!kernel.bias.empty())
    some.bias.assign(kernel.bias.begin() + first,
                     kernel.bias.begin() + first + count);
  return some;
}

absl::Status computeSlice(const ChannelTask &work, uint32_t first,
                          uint32_t count, const Options &options,
                          ValueTally &all) {
  const uint32_t channels = work.result.pattern.dims.c,
                 inputs = inputsOf(work.task);
  const View one =
      slice(work.first, first * inputs, count * inputs, channels * inputs);
  const View two = slice(work.second, first, count, channels);
  const Pattern result = someChannels(work.result.pattern, first, count);
  TaskConfig task = work.task;
  task.source1.dram.dims = task.source1.l2.dims = one.pattern.dims;
  task.source2.dram.dims = task.source2.l2.dims = two.pattern.dims;
  task.result.dram.dims = task.result.l2.dims = result.dims;
  if (task.computed.c == channels * inputs)
    task.computed.c = count * inputs;

  ValueTally tally;
  absl::StatusOr<Tile> tile;
  Tile source, second;
  if (task.isNeural) {
    const Kernel kernel = slice(work.kernel, first, count, channels);
    if (worksOnHalves(task, one.pattern)) {
      tile = runNeuralOnHalves(task, one.pattern, one.bytes, kernel, options,
                               tally);
    } else {
      loadTile(one.pattern, one.bytes, source, options.threads);
      tile = runNeural(task, source, kernel, options, tally);
    }
  } else {
    loadTile(one.pattern, one.bytes, source, options.threads);
    if (two.bytes)
      loadTile(two.pattern, two.bytes, second, options.threads);
    tile = runPlanar(task, source, second, options, tally);
  }
  if (!tile.ok())
    return tile.status();
  all.add(tally.result());
  if (tally.result().hasSpecial()) { // rare
    if (source.data.empty())
      loadTile(one.pattern, one.bytes, source, options.threads);
    if (hasSpecial(source) || hasSpecial(second))
      all.setInherits();
  }
  storeTile(result, *tile, work.result.bytes, options.threads);
  return absl::OkStatus();
}

} // namespace

bool worksByChannel(const TaskConfig &task) {
  const ResultConfig &result = task.result;
  const Dims &out = result.dram.dims;
  if ((result.place != Place::L2 && result.place != Place::DRAM) || out.c < 2 ||
      !hasChannels(inMemory(result)) ||
      std::max(out.count(), task.source1.dram.dims.count()) < kSmallest)
    return false;
  // Weights and biases of several groups lie one after the other.
  if (task.isNeural && (!task.neural.unicast || out.g != 1))
    return false;
  const bool perElement =
      task.isNeural ? !task.neural.hasKernel : !task.planar.reduces;
  const uint32_t channels = out.c * inputsOf(task);
  if (!hasSlices(task.source1, channels) ||
      !isIndependent(task.source1, result, perElement))
    return false;
  if (task.isNeural)
    return task.source2.place == Place::None &&
           inMemory(task.source1).dims.c == channels;
  return task.source2.place == Place::None ||
         (hasSlices(task.source2, channels) &&
          isIndependent(task.source2, result, perElement));
}

absl::Status checkChannels(const ChannelTask &work) {
  return work.task.isNeural ? checkNeural(work.task)
                            : checkPlanar(work.task, work.first.pattern.dims,
                                          work.second.pattern.dims);
}

absl::Status computeChannels(const ChannelTask &work, const Options &options,
                             ValueTally &tally) {
  const uint32_t channels = work.result.pattern.dims.c;
  const uint64_t elements = work.first.pattern.dims.count() +
                            work.second.pattern.dims.count() +
                            work.result.pattern.dims.count();
  const uint64_t slices =
      std::min<uint64_t>(channels, elements * sizeof(float) / kSliceBytes + 1);
  Options alone = options;
  if (slices > 1)
    alone.threads = 1;
  std::mutex mutex;
  absl::Status status;
  parallelFor(slices, options.threads, [&](size_t i) {
    const uint32_t first = uint32_t(i * channels / slices),
                   end = uint32_t((i + 1) * channels / slices);
    absl::Status mine = computeSlice(work, first, end - first, alone, tally);
    if (mine.ok())
      return;
    std::lock_guard<std::mutex> lock(mutex);
    status = mine;
  });
  return status;
}

} // namespace ane::sim
