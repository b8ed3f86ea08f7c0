//===- Simulator.cpp - Runs a register program ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks run one after the other, each as a whole: read sources, compute, write
// the result. On the engine they overlap and run in tiles; ordering words only
// keep that from changing the result, so they are not needed here.
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/Simulator.h"

#include "KernelDMA.h"
#include "L2.h"
#include "NeuralEngine.h"
#include "PlanarEngine.h"
#include "RegisterFile.h"

#include "ane/Simulator/CostModel.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ane::sim {
namespace {

class Machine {
public:
  Machine(const hw::Program &program, DRAM dram, const Options &options)
      : program(program), generation(hw::info(program.generation)),
        options(options), dram(std::move(dram)), l2(generation.l2Bytes) {}

  absl::Status runTask(uint32_t index);
  Stats finish();

private:
  absl::Status readSource(const SourceConfig &source, absl::string_view name,
                          Tile &tile);
  absl::Status writeResult(const TaskConfig &task, const Tile &tile);
  void streamOver(const Pattern &pattern, uint32_t rows);
  void account(const TaskConfig &task);

  const hw::Program &program;
  const hw::GenerationInfo &generation;
  const Options &options;
  DRAM dram;
  RegisterFile registers;
  L2Memory l2;
  Tile chained; ///< what the task before passed on
  bool hasChained = false;
  std::vector<ByteRange> constantRanges;
  Stats stats;
  TaskStats current;
  uint32_t tileRows = 0, sourceRows = 0; ///< of a tile of the current task
};

/// A tile of at most `rows` rows passes through the L2 range of the pattern.
void Machine::streamOver(const Pattern &pattern, uint32_t rows) {
  uint64_t size = std::min(rows, pattern.dims.h) * pattern.row;
  // A result without strides leaves through a buffer whose size no word says.
  // Guess: a row of all channels.
  if (!size)
    size = uint64_t(pattern.dims.c) * pattern.dims.w *
           hw::elementBytes(pattern.type);
  l2.streamOver(pattern.base, pattern.base + size, current.index);
}

absl::Status Machine::readSource(const SourceConfig &source,
                                 absl::string_view name, Tile &tile) {
  switch (source.place) {
  case Place::None:
    return absl::OkStatus();
  case Place::L2:
    return l2.read(source.l2, name, tile);
  case Place::Chained:
    if (!hasChained)
      return absl::FailedPreconditionError(absl::StrCat(
          name, " is the result of the task before, which passes nothing on"));
    if (chained.dims != source.l2.dims)
      return absl::InvalidArgumentError(
          absl::StrFormat("%s is %s, but the task before passes on %s", name,
                          text(source.l2.dims), text(chained.dims)));
    tile = std::move(chained);
    return absl::OkStatus();
  case Place::DRAM:
  case Place::DRAMKept:
    break;
  }
  absl::string_view user =
      name == "source 1" ? "DMA of source 1" : "DMA of source 2";
  if (absl::Status status =
          dram.load(source.base, source.dram, user, tile, current.read);
      !status.ok())
    return status;
  if (source.place == Place::DRAMKept)
    return l2.write(source.l2, current.index, tile);
  streamOver(source.l2, sourceRows);
  return absl::OkStatus();
}

absl::Status Machine::writeResult(const TaskConfig &task, const Tile &tile) {
  const ResultConfig &result = task.result;
  switch (result.place) {
  case Place::L2:
    return l2.write(result.l2, current.index, tile);
  case Place::DRAM:
    streamOver(result.l2, tileRows);
    return dram.store(result.base, result.dram, tile, current.written);
  default:
    return absl::OkStatus();
  }
}

void Machine::account(const TaskConfig &task) {
  current.unit = task.isNeural ? "NE" : "PE";
  current.macs = task.isNeural ? neuralMacs(task) : 0;
  current.l2Bytes = l2.takeHighest();
  TaskWork work;
  work.isNeural = task.isNeural;
  work.macs = current.macs;
  work.cout = task.result.dram.dims.c;
  work.weightBytes = current.read.weights;
  work.tileBytes =
      current.read.total() - current.read.weights + current.written.total();
  auto bytes = [](const Pattern &p) {
    return p.dims.count() * hw::elementBytes(p.type);
  };
  work.elementBytes = bytes(task.source1.dram) + bytes(task.result.dram);
  if (task.source2.place != Place::None)
    work.elementBytes += bytes(task.source2.dram);
  TaskTime time = predict(generation, work);
  current.computeMs = time.compute * 1e3;
  current.weightMs = time.weights * 1e3;
  current.tileMs = time.tiles * 1e3;
  current.predictedMs = time.total() * 1e3;
  stats.tasks.push_back(current);
}

absl::Status Machine::runTask(uint32_t index) {
  current = TaskStats();
  current.index = index;
  auto task =
      decodeTask(program.generation, registers.execute(program.tasks[index]));
  if (!task.ok())
    return task.status();
  if (task->endOfNetwork && index + 1 < program.tasks.size())
    return absl::FailedPreconditionError(
        absl::StrFormat("Header[0].EON ends the program here, but %d tasks "
                        "follow",
                        program.tasks.size() - index - 1));
  tileRows = task->tileHeight ? task->tileHeight : task->result.dram.dims.h;
  sourceRows = (tileRows - 1) * task->neural.sy + task->neural.kh;
  Tile first, second;
  if (absl::Status status = readSource(task->source1, "source 1", first);
      !status.ok())
    return status;
  if (absl::Status status = readSource(task->source2, "source 2", second);
      !status.ok())
    return status;
  absl::StatusOr<Tile> result;
  if (task->isNeural) {
    if (task->source1.relu)
      for (float &value : first.data)
        value = value < 0 ? 0 : value;
    auto kernel =
        loadKernel(generation, *task, dram, current.read, constantRanges);
    if (!kernel.ok())
      return kernel.status();
    result = runNeural(*task, first, *kernel, options);
  } else {
    result = runPlanar(*task, first, second, options);
  }
  if (!result.ok())
    return result.status();
  if (absl::Status status = writeResult(*task, *result); !status.ok())
    return status;
  hasChained = task->result.place == Place::Chained;
  if (hasChained)
    chained = *std::move(result);
  account(*task);
  return absl::OkStatus();
}

void add(Traffic &sum, const Traffic &more) {
  sum.weights += more.weights;
  sum.input += more.input;
  sum.output += more.output;
  sum.intermediate += more.intermediate;
}

Stats Machine::finish() {
  stats.predictedMs = generation.dispatchSeconds * 1e3;
  for (const TaskStats &task : stats.tasks) {
    stats.macs += task.macs;
    add(stats.read, task.read);
    add(stats.written, task.written);
    stats.l2PeakBytes = std::max(stats.l2PeakBytes, task.l2Bytes);
    stats.predictedMs += task.predictedMs;
  }
  stats.compulsoryBytes = unionBytes(constantRanges);
  for (const hw::Tensor &tensor : program.tensors)
    stats.compulsoryBytes +=
        tensor.elementCount() * hw::elementBytes(tensor.type);
  return std::move(stats);
}

} // namespace

absl::StatusOr<Stats> run(const hw::Program &program,
                          absl::Span<const absl::Span<uint8_t>> surfaces,
                          const Options &options) {
  auto dram = DRAM::create(program, surfaces);
  if (!dram.ok())
    return dram.status();
  Machine machine(program, *std::move(dram), options);
  for (uint32_t i = 0; i < program.tasks.size(); ++i) {
    if (absl::Status status = machine.runTask(i); !status.ok())
      return absl::Status(status.code(),
                          absl::StrCat("task ", i, ": ", status.message()));
    if (options.progress)
      options.progress(i + 1, program.tasks.size());
  }
  return machine.finish();
}

} // namespace ane::sim
