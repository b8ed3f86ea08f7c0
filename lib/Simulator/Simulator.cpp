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

#include "ChannelTask.h"
#include "EngineArithmetic.h"
#include "L2.h"
#include "NeuralEngine.h"
#include "PlanarEngine.h"
#include "Seams.h"
#include "ane/HW/RegisterFile.h"

#include "ane/HW/H13Form.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/CostModel.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ane::sim {

namespace {
class Machine {
public:
  Machine(const hw::Program &program, absl::Span<const hw::Task> tasks,
          DRAM dram, const Options &options)
      : program(program), tasks(tasks),
        generation(hw::info(program.generation)), options(options),
        dram(std::move(dram)), l2(generation.l2Bytes),
        sequence(hw::chipOf(program.generation)) {
    if (rules().order == assumed::Order::Early)
      l2.clear();
  }

  void countInputs(absl::Span<const absl::Span<uint8_t>> surfaces);
  absl::Status runTask(uint32_t index);
  Stats finish();
  /// Stores a result that is late (assumed::Order::Early).
  void storeLate();

private:
  absl::Status readSource(const SourceConfig &source, absl::string_view name,
                          Tile &tile);
  absl::StatusOr<View> openSource(const SourceConfig &source,
                                  absl::string_view name);
  absl::StatusOr<ResultView> openResult(const TaskConfig &task);
  absl::Status runWhole(const TaskConfig &task);
  absl::Status runChannels(const TaskConfig &task);
  absl::Status checkSizes(const TaskConfig &task) const;
  absl::Status checkTiles(const TaskConfig &task) const;
  void streamOver(const Pattern &pattern, uint32_t rows, bool isNeural);
  TaskWork work(const TaskConfig &task) const;
  OperandStats describe(absl::string_view role, Place place, uint32_t base,
                        const Pattern &dram, const Pattern &l2,
                        ByteRange range) const;
  void describeOperands(const TaskConfig &task);
  bool counts() const { return options.mode == Mode::Count; }
  const Assumptions &rules() const { return *options.assumptions; }
  void account(const TaskConfig &task);
  void take(const ValueTally &tally) {
    current.values = tally.result();
    current.largestSum = tally.largestSum();
    current.inheritsSpecial = tally.inherits();
  }
  void countTensors(const TaskConfig &task);

  const hw::Program &program;
  const absl::Span<const hw::Task> tasks; ///< of it, in the registers of H13
  const hw::GenerationInfo &generation;
  const Options &options;
  DRAM dram;
  hw::RegisterFile registers;
  L2Memory l2;
  /// Of the task before, where tasks read before it has been stored.
  struct LateResult {
    ResultView view;
    Tile tile;
  };
  std::optional<LateResult> late;
  Tile chained; ///< what the task before passed on
  bool hasChained = false;
  std::vector<ByteRange> constantRanges;
  Stats stats;
  TaskStats current;
  Sequence sequence;
  uint32_t tileRows = 0, sourceRows = 0; ///< of a tile of the current task
};

} // namespace

/// A tensor has to come from somewhere: with strides of 0, words that make no
/// sense would describe any number of elements.
absl::Status Machine::checkSizes(const TaskConfig &task) const {
  constexpr uint64_t repeats = 16; // a batch that repeats a source needs some
  const uint64_t memory = dram.totalBytes() + generation.l2Bytes;
  for (const Dims &dims : {task.source1.dram.dims, task.source2.dram.dims,
                           task.result.dram.dims, task.computed})
    if (dims.count() > repeats * memory)
      return absl::OutOfRangeError(absl::StrFormat(
          "a tensor of %s has %d elements, expected at most %d: %d for each of "
          "the %d bytes of memory",
          text(dims), dims.count(), repeats * memory, repeats, memory));
  // The time of a task has 16 bits of microseconds: 4e11 products at the rate
  // of the compiler's estimate. This is more, and takes a simulator minutes.
  constexpr uint64_t maxMacs = uint64_t(1) << 40;
  if (uint64_t macs = task.isNeural ? neuralMacs(task) : 0; macs > maxMacs)
    return absl::OutOfRangeError(absl::StrFormat(
        "a convolution has %d products, expected at most %d", macs, maxMacs));
  return absl::OkStatus();
}

/// The most source rows that a tile of `tileRows` result rows needs. Rows of
/// padding are not stored (seen: two tiles of 32 rows of a 3x3 convolution over
/// 64 rows hold 33 rows each).
static uint32_t maxSourceRows(const TaskConfig &task, uint32_t tileRows) {
  const NeuralConfig &ne = task.neural;
  const int64_t rows = task.result.dram.dims.h, height = task.computed.h;
  int64_t most = 0;
  for (int64_t first = 0; first < rows; first += tileRows) {
    int64_t last = std::min<int64_t>(first + tileRows, rows) - 1;
    int64_t begin = std::max<int64_t>(0, first * ne.sy - ne.py);
    int64_t end = std::min<int64_t>(height, last * ne.sy - ne.py + ne.kh);
    most = std::max(most, end - begin);
  }
  // The planar engine may reduce rows; then the tile is what it reads.
  return static_cast<uint32_t>(
      task.isNeural ? most : std::min<int64_t>(tileRows, height));
}

/// The range of L2 that a tile of at most `rows` rows passes through.
static ByteRange tileRange(const Pattern &pattern, uint32_t rows,
                           bool isNeural) {
  uint64_t size = std::min(rows, pattern.dims.h) * pattern.row;
  if (!size) // a result without strides
    size = hw::streamedResultBytes(pattern.dims.c, pattern.dims.w,
                                   hw::elementBytes(pattern.type), isNeural);
  return {pattern.base, pattern.base + size};
}

/// The tiles of a task are in L2 at the same time. Only a result that stays in
/// L2 may lie over a source: then the task works in place.
absl::Status Machine::checkTiles(const TaskConfig &task) const {
  struct Use {
    absl::string_view name;
    ByteRange range;
    bool isResident;
  };
  std::vector<Use> uses;
  auto add = [&](absl::string_view name, Place place, const Pattern &pattern,
                 uint32_t rows) {
    if (place == Place::DRAM)
      uses.push_back({name, tileRange(pattern, rows, task.isNeural), false});
    else if (place == Place::L2 || place == Place::DRAMKept)
      uses.push_back({name, {pattern.base, pattern.end()}, true});
  };
  add("source 1", task.source1.place, task.source1.l2, sourceRows);
  add("source 2", task.source2.place, task.source2.l2, sourceRows);
  add("the result", task.result.place, task.result.l2, tileRows);
  for (const Use &use : uses)
    if (!use.isResident && use.range.end > generation.l2Bytes)
      return absl::OutOfRangeError(absl::StrFormat(
          "a tile of %s passes through L2 bytes 0x%x to 0x%x, but L2 has 0x%x "
          "bytes",
          use.name, use.range.begin, use.range.end, generation.l2Bytes));
  for (size_t i = 0; i < uses.size(); ++i)
    for (size_t k = i + 1; k < uses.size(); ++k) {
      const Use &a = uses[i], &b = uses[k];
      if (a.isResident && b.isResident)
        continue;
      if (a.range.begin < b.range.end && b.range.begin < a.range.end)
        return absl::FailedPreconditionError(absl::StrFormat(
            "L2 bytes 0x%x to 0x%x of %s overlap 0x%x to 0x%x of %s",
            a.range.begin, a.range.end, a.name, b.range.begin, b.range.end,
            b.name));
    }
  return absl::OkStatus();
}

void Machine::streamOver(const Pattern &pattern, uint32_t rows, bool isNeural) {
  ByteRange range = tileRange(pattern, rows, isNeural);
  l2.streamOver(range.begin, range.end, current.index);
}

absl::StatusOr<View> Machine::openSource(const SourceConfig &source,
                                         absl::string_view name) {
  if (source.place == Place::L2) {
    auto bytes = l2.open(source.l2, current.index, name);
    if (!bytes.ok())
      return bytes.status();
    return View{source.l2, *bytes};
  }
  absl::string_view user =
      name == "source 1" ? "DMA of source 1" : "DMA of source 2";
  auto bytes = dram.open(source.base, source.dram, user, current.read);
  if (!bytes.ok())
    return bytes.status();
  if (source.place == Place::DRAM)
    streamOver(source.l2, sourceRows, /*isNeural=*/true); // it has strides
  return View{source.dram, *bytes};
}

absl::Status Machine::readSource(const SourceConfig &source,
                                 absl::string_view name, Tile &tile) {
  if (source.place == Place::None)
    return absl::OkStatus();
  if (source.place == Place::Chained) {
    if (!hasChained)
      return absl::FailedPreconditionError(absl::StrCat(
          name, " is the result of the task before, which passes nothing on"));
    if (chained.dims != source.l2.dims)
      return absl::InvalidArgumentError(
          absl::StrFormat("%s is %s, but the task before passes on %s", name,
                          text(source.l2.dims), text(chained.dims)));
    tile = std::move(chained);
    return absl::OkStatus();
  }
  auto view = openSource(source, name);
  if (!view.ok())
    return view.status();
  if (counts())
    tile.dims = view->pattern.dims;
  else
    loadTile(view->pattern, view->bytes, tile, options.threads);
  if (source.place != Place::DRAMKept)
    return absl::OkStatus();
  auto kept = l2.openResult(source.l2, current.index, name);
  if (!kept.ok())
    return kept.status();
  if (!counts())
    storeTile(source.l2, tile, *kept, options.threads);
  return absl::OkStatus();
}

absl::StatusOr<ResultView> Machine::openResult(const TaskConfig &task) {
  const ResultConfig &result = task.result;
  if (result.place == Place::L2) {
    auto bytes = l2.openResult(result.l2, current.index, "the result");
    if (!bytes.ok())
      return bytes.status();
    return ResultView{result.l2, *bytes};
  }
  streamOver(result.l2, tileRows, task.isNeural);
  auto bytes = dram.openResult(result.base, result.dram, current.written);
  if (!bytes.ok())
    return bytes.status();
  return ResultView{result.dram, *bytes};
}

absl::Status Machine::runWhole(const TaskConfig &task) {
  Tile first, second;
  if (absl::Status status = readSource(task.source1, "source 1", first);
      !status.ok())
    return status;
  if (absl::Status status = readSource(task.source2, "source 2", second);
      !status.ok())
    return status;
  // The engine's arithmetic makes numbers of what is none.
  bool isSpecial = false;
  if (options.mode == Mode::Engine) {
    isSpecial = hasSpecial(first) || hasSpecial(second);
    settleSource(rules(), task, first);
    settleSource(rules(), task, second);
  }
  ValueTally tally;
  Kernel kernel;
  if (task.isNeural) {
    auto loaded = loadKernel(generation, task, dram, current.read,
                             constantRanges, counts(), rules());
    if (!loaded.ok())
      return loaded.status();
    kernel = *std::move(loaded);
  }
  storeLate();
  absl::StatusOr<Tile> tile = Tile();
  if (counts()) {
    if (absl::Status status = task.isNeural
                                  ? checkNeural(task)
                                  : checkPlanar(task, first.dims, second.dims);
        !status.ok())
      return status;
    tile->dims = task.result.dram.dims;
  } else {
    tile = !task.isNeural ? runPlanar(task, first, second, options, tally)
           : options.mode == Mode::Engine
               ? runNeuralApart(task, first, kernel, options, tileRows, tally)
               : runNeural(task, first, kernel, options, tally);
  }
  if (!tile.ok())
    return tile.status();
  if (tally.result().hasSpecial() &&
      (isSpecial || hasSpecial(first) || hasSpecial(second)))
    tally.setInherits();
  take(tally);
  if (options.mode == Mode::Engine)
    settleResult(rules(), *tile);
  hasChained = task.result.place == Place::Chained;
  if (hasChained) {
    chained = *std::move(tile);
    return absl::OkStatus();
  }
  if (task.result.place != Place::L2 && task.result.place != Place::DRAM)
    return absl::OkStatus();
  auto view = openResult(task);
  if (!view.ok())
    return view.status();
  if (counts())
    return absl::OkStatus();
  late = LateResult{*view, *std::move(tile)};
  if (rules().order == assumed::Order::Kept)
    storeLate();
  return absl::OkStatus();
}

void Machine::storeLate() {
  if (late)
    storeTile(late->view.pattern, late->tile, late->view.bytes,
              options.threads);
  late.reset();
}

/// The same for a task that needs no other channel for a channel. All is
/// checked and counted before the first byte is written.
absl::Status Machine::runChannels(const TaskConfig &task) {
  ChannelTask work{task, {}, {}, {}, {}};
  auto first = openSource(task.source1, "source 1");
  if (!first.ok())
    return first.status();
  work.first = *first;
  if (task.source2.place != Place::None) {
    auto second = openSource(task.source2, "source 2");
    if (!second.ok())
      return second.status();
    work.second = *second;
  }
  if (task.isNeural) {
    auto kernel = loadKernel(generation, task, dram, current.read,
                             constantRanges, /*counts=*/false, rules());
    if (!kernel.ok())
      return kernel.status();
    work.kernel = *std::move(kernel);
  }
  if (absl::Status status = checkChannels(work); !status.ok())
    return status;
  auto result = openResult(task);
  if (!result.ok())
    return result.status();
  work.result = *result;
  hasChained = false;
  ValueTally tally;
  absl::Status status = computeChannels(work, options, tally);
  take(tally);
  return status;
}

TaskWork Machine::work(const TaskConfig &task) const {
  const hw::ChipInfo &chip = hw::chipOf(program.generation);
  const SourceConfig &source = task.source1;
  const NeuralConfig &ne = task.neural;
  TaskWork work;
  work.macs = current.macs;
  work.cout = task.result.dram.dims.c;
  work.weightBytes = current.read.weights;
  work.tileBytes =
      current.read.total() - current.read.weights + current.written.total();
  if (task.isNeural) {
    work.kernelWidth = ne.kw;
    work.depthwise = ne.unicast;
    work.results = task.result.dram.dims.count();
    const uint32_t size = hw::elementBytes(source.dram.type);
    const uint64_t bytes = source.dram.dims.count() * size;
    if (source.place == Place::DRAM && !ne.unicast &&
        isWindowed(chip, bytes, size, ne.kh, ne.kw))
      work.windowBytes = bytes;
  }
  work.elements =
      std::max(source.dram.dims.count(), task.result.dram.dims.count());
  if (task.source2.place != Place::None)
    work.elements = std::max(work.elements, task.source2.dram.dims.count());
  return work;
}

static const char *name(Place place) {
  switch (place) {
  case Place::None:
    return "none";
  case Place::L2:
    return "l2";
  case Place::DRAM:
    return "dram";
  case Place::DRAMKept:
    return "kept";
  case Place::Chained:
    break;
  }
  return "chained";
}

OperandStats Machine::describe(absl::string_view role, Place place,
                               uint32_t base, const Pattern &dram,
                               const Pattern &l2, ByteRange range) const {
  OperandStats operand;
  operand.role = std::string(role);
  operand.place = name(place);
  const Dims &dims = dram.dims;
  operand.shape = {dims.g, dims.d, dims.c, dims.h, dims.w};
  if (place == Place::DRAM || place == Place::DRAMKept) {
    operand.tensor = base == hw::BaseConst ? "constants" : "scratch";
    for (const hw::Tensor &tensor : program.tensors)
      if (tensor.base == base)
        operand.tensor = tensor.name;
  }
  if (place == Place::L2 || place == Place::DRAMKept)
    range = {l2.base, l2.end()};
  if (place != Place::Chained) {
    operand.l2Begin = std::min(range.begin, generation.l2Bytes);
    operand.l2End = std::min(range.end, generation.l2Bytes);
  }
  return operand;
}

void Machine::describeOperands(const TaskConfig &task) {
  auto addSource = [&](const char *role, const SourceConfig &source) {
    if (source.place != Place::None)
      current.operands.push_back(
          describe(role, source.place, source.base, source.dram, source.l2,
                   tileRange(source.l2, sourceRows, /*isNeural=*/true)));
  };
  addSource("source 1", task.source1);
  addSource("source 2", task.source2);
  const ResultConfig &result = task.result;
  current.operands.push_back(
      describe("result", result.place, result.base, result.dram, result.l2,
               tileRange(result.l2, tileRows, task.isNeural)));
}

void Machine::countInputs(absl::Span<const absl::Span<uint8_t>> surfaces) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    stats.tensors.push_back({tensor.name, tensor.kind, {}, {}});
    if (tensor.kind == hw::TensorKind::Input)
      stats.tensors.back().values = countValues(tensor, surfaces[i]);
  }
}

/// Adds what a task wrote to the tensor that it is.
void Machine::countTensors(const TaskConfig &task) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    if (program.tensors[i].base != task.result.base)
      continue;
    TensorStats &tensor = stats.tensors[i];
    tensor.values.add(current.values);
    tensor.tasks.push_back(current.index);
  }
}

void Machine::account(const TaskConfig &task) {
  current.unit = task.isNeural ? "NE" : "PE";
  current.op = describeOperation(task);
  describeOperands(task);
  current.macs = task.isNeural ? neuralMacs(task) : 0;
  current.l2Bytes = l2.takeHighest();
  const TaskTime time = sequence.add(work(task));
  current.computeMs = time.compute * 1e3;
  current.weightMs = (time.weights + time.weightsAhead) * 1e3;
  current.weightAheadMs = time.weightsAhead * 1e3;
  current.tileMs = time.tiles * 1e3;
  current.predictedMs = time.total * 1e3;
  current.bound = name(time.bound());
  stats.tasks.push_back(current);
  if (!counts() && task.result.place == Place::DRAM)
    countTensors(task);
}

absl::Status Machine::runTask(uint32_t index) {
  current = TaskStats();
  current.index = index;
  auto task = decodeTask(program.generation, registers.execute(tasks[index]));
  if (!task.ok())
    return task.status();
  if (task->endOfNetwork && index + 1 < tasks.size())
    return absl::FailedPreconditionError(
        absl::StrFormat("EON ends the program here, but %d tasks "
                        "follow",
                        tasks.size() - index - 1));
  tileRows = task->tileHeight ? task->tileHeight : task->result.dram.dims.h;
  sourceRows = maxSourceRows(*task, tileRows);
  if (absl::Status status = checkSizes(*task); !status.ok())
    return status;
  if (absl::Status status = checkTiles(*task); !status.ok())
    return status;
  const bool byChannel = options.mode != Mode::Engine && !counts() &&
                         !options.tracksSums && worksByChannel(*task);
  if (absl::Status status = byChannel ? runChannels(*task) : runWhole(*task);
      !status.ok())
    return status;
  account(*task);
  return absl::OkStatus();
}

static void add(Traffic &sum, const Traffic &more) {
  sum.weights += more.weights;
  sum.input += more.input;
  sum.output += more.output;
  sum.intermediate += more.intermediate;
  sum.moved += more.moved;
}

Stats Machine::finish() {
  storeLate();
  stats.dispatchMs = hw::chipOf(program.generation).dispatchSeconds * 1e3;
  stats.predictedMs = stats.dispatchMs;
  for (TaskStats &task : stats.tasks) {
    task.startMs = stats.predictedMs;
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

absl::StatusOr<Stats> run(const hw::Program &program,
                          absl::Span<const absl::Span<uint8_t>> surfaces,
                          const Options &options) {
  auto tasks = hw::inH13Form(program.generation, program.tasks,
                             hw::constantPlaces(program));
  if (!tasks.ok())
    return tasks.status();
  auto dram = DRAM::create(program, surfaces);
  if (!dram.ok())
    return dram.status();
  if (options.assumptions && options.mode != Mode::Engine)
    return absl::InvalidArgumentError(
        "assumptions are of mode engine, but another mode is given");
  Options resolved = options;
  if (!resolved.sums)
    resolved.sums = hw::info(program.generation).sums;
  if (options.mode != Mode::Engine)
    resolved.assumptions = Assumptions(); // of memory; others compute exactly
  else if (!options.assumptions)
    resolved.assumptions = assumptionsOf(*resolved.sums);
  Machine machine(program, *tasks, *std::move(dram), resolved);
  if (options.mode != Mode::Count)
    machine.countInputs(surfaces);
  for (uint32_t i = 0; i < tasks->size(); ++i) {
    if (absl::Status status = machine.runTask(i); !status.ok())
      return absl::Status(
          status.code(),
          absl::StrCat("task ", i, ": ",
                       hw::inFieldsOf(program.generation, status.message())));
    if (options.progress)
      options.progress(i + 1, tasks->size());
  }
  return machine.finish();
}

} // namespace ane::sim
