//===- DataFlow.cpp - Which elements each task reads ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Simulator/DataFlow.h"

#include "CoefficientStreams.h"

#include "ane/HW/Generation.h"
#include "ane/HW/H13Form.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/Simulator.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <numeric>

namespace ane::sim {

namespace {
/// The name of an element; 0: none. Those of a value are consecutive.
using Name = uint32_t;
using Names = std::vector<Name>;

/// The same for each byte of a memory: the element that begins there.
using Memory = std::vector<Name>;

constexpr uint64_t maxMemoryBytes = uint64_t(1) << 28;
constexpr size_t maxParts = 4096;

} // namespace

//===----------------------------------------------------------------------===//
// From names to parts of tensors
//===----------------------------------------------------------------------===//

namespace {
/// A box of a dense tensor of names.
struct Box {
  std::vector<int64_t> begin, size;
};

class GatherFinder {
public:
  GatherFinder(const std::vector<Name> &firstNames, const Names &names,
               std::vector<int64_t> shape)
      : firstNames(firstNames), names(names), shape(std::move(shape)),
        strides(this->shape.size(), 1) {
    for (size_t i = this->shape.size(); i-- > 1;)
      strides[i - 1] = strides[i] * this->shape[i];
  }

  absl::StatusOr<Gather> find() {
    // A scalar is one element, too.
    const bool isScalar = shape.empty();
    if (isScalar)
      shape = strides = {1};
    Gather result;
    if (!find({std::vector<int64_t>(shape.size(), 0), shape}, result))
      return absl::UnimplementedError(
          absl::StrFormat("what is read lies in more than %d parts", maxParts));
    return result;
  }

private:
  /// Where an element stands in `names`.
  int64_t placeOf(const std::vector<int64_t> &index) const {
    return std::inner_product(index.begin(), index.end(), strides.begin(),
                              int64_t(0));
  }
  /// The value that an element belongs to.
  uint32_t valueOf(Name name) const {
    return std::upper_bound(firstNames.begin(), firstNames.end(), name) -
           firstNames.begin() - 1;
  }
  /// The same, of a name that is mostly of the same value as the one before.
  uint32_t valueNear(Name name, uint32_t value) const {
    bool isSame =
        firstNames[value] <= name &&
        (value + 1 == firstNames.size() || name < firstNames[value + 1]);
    return isSame ? value : valueOf(name);
  }

  /// Calls `visit(index, place)` for the beginnings of all lines of a box along
  /// `axis`; stops where that gives false.
  template <typename Visit>
  bool forEachLine(const Box &box, size_t axis, Visit visit) const {
    std::vector<int64_t> index = box.begin;
    int64_t place = placeOf(index);
    while (true) {
      if (!visit(index, place))
        return false;
      size_t other = index.size();
      while (other-- > 0) {
        if (other == axis)
          continue;
        place += strides[other];
        if (++index[other] < box.begin[other] + box.size[other])
          break;
        place -= box.size[other] * strides[other];
        index[other] = box.begin[other];
      }
      if (other == size_t(-1))
        return true;
    }
  }

  /// The differences along an axis as digits, outermost first; false where they
  /// have no such form.
  static bool digitsOf(std::vector<int64_t> moves,
                       std::vector<Gather::Digit> &digits) {
    while (moves.size() > 1) {
      const size_t count = moves.size();
      size_t period = 1;
      while (period < count && moves[period] == int64_t(period) * moves[1])
        ++period;
      if (count % period != 0)
        return false;
      std::vector<int64_t> outer;
      for (size_t i = 0; i < count; ++i) {
        if (i % period == 0)
          outer.push_back(moves[i]);
        else if (moves[i] != outer.back() + int64_t(i % period) * moves[1])
          return false;
      }
      digits.insert(digits.begin(), {moves[1], int64_t(period)});
      moves = std::move(outer);
    }
    return true;
  }

  /// Whether all elements are of one value at regular steps.
  bool isRegular(const Box &box, Gather &result) const {
    const size_t rank = shape.size(), last = rank - 1;
    const int64_t begin = placeOf(box.begin);
    const Name first = names[begin];
    std::vector<std::vector<int64_t>> moves(rank);
    result = Gather();
    result.shape = box.size;
    result.source = valueOf(first);
    result.offset = int64_t(first) - firstNames[result.source];
    result.digits.resize(rank);
    for (size_t axis = 0; axis < rank; ++axis) {
      for (int64_t i = 0; i < box.size[axis]; ++i)
        moves[axis].push_back(int64_t(names[begin + i * strides[axis]]) -
                              first);
      if (!digitsOf(moves[axis], result.digits[axis]))
        return false;
    }
    return forEachLine(
        box, last, [&](const std::vector<int64_t> &index, int64_t place) {
          int64_t name = first;
          for (size_t axis = 0; axis < last; ++axis)
            name += moves[axis][index[axis] - box.begin[axis]];
          for (int64_t move : moves[last]) {
            const Name actual = names[place++];
            if (actual != name + move ||
                valueNear(actual, result.source) != result.source)
              return false;
          }
          return true;
        });
  }

  /// Where a tensor goes on otherwise along `axis`: the first index of each
  /// part after the first.
  std::vector<int64_t> cutsOf(const Box &box, size_t axis) const {
    const int64_t count = box.size[axis], stride = strides[axis];
    std::vector<bool> isCut(count);
    std::vector<int64_t> steps(count), cuts;
    uint32_t value = 0;
    bool isFirst = true;
    forEachLine(box, axis, [&](const std::vector<int64_t> &, int64_t place) {
      Name before = names[place];
      uint32_t valueBefore = value = valueNear(before, value);
      for (int64_t i = 1; i < count; ++i) {
        const Name after = names[place += stride];
        const int64_t step = int64_t(after) - before;
        value = valueNear(after, value);
        if (isFirst)
          steps[i] = step;
        if (step != steps[i] || value != valueBefore)
          isCut[i] = true;
        before = after;
        valueBefore = value;
      }
      isFirst = false;
      return true;
    });
    for (int64_t i = 1; i < count; ++i)
      if (isCut[i])
        cuts.push_back(i);
    return cuts;
  }

  bool find(const Box &box, Gather &result) {
    if (isRegular(box, result)) {
      ++parts;
      return parts <= maxParts;
    }
    size_t axis = shape.size();
    std::vector<int64_t> cuts;
    for (size_t i = 0; i < shape.size(); ++i) {
      std::vector<int64_t> other = cutsOf(box, i);
      if (other.empty() || (axis < shape.size() && other.size() >= cuts.size()))
        continue;
      axis = i;
      cuts = std::move(other);
    }
    // Regular from element to element, but in no digits: by halves.
    if (axis == shape.size()) {
      axis =
          std::max_element(box.size.begin(), box.size.end()) - box.size.begin();
      if (box.size[axis] == 1)
        return false;
      cuts = {box.size[axis] / 2};
    }
    if (cuts.size() >= maxParts)
      return false;
    result = Gather();
    result.shape = box.size;
    result.axis = axis;
    cuts.push_back(box.size[axis]);
    int64_t begin = 0;
    for (int64_t end : cuts) {
      Box part = box;
      part.begin[axis] += begin;
      part.size[axis] = end - begin;
      result.parts.emplace_back();
      if (!find(part, result.parts.back()))
        return false;
      begin = end;
    }
    return true;
  }

  const std::vector<Name> &firstNames;
  const Names &names;
  std::vector<int64_t> shape, strides;
  size_t parts = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Execution with names
//===----------------------------------------------------------------------===//

/// Depth, channels of all groups, rows, columns.
static std::vector<int64_t> shapeOf(const Dims &dims) {
  return {dims.d, int64_t(dims.g) * dims.c, dims.h, dims.w};
}

/// A tile keeps groups outside of depth, a tensor has them next to channels.
static size_t placeInTensor(const Dims &n, size_t element) {
  if (n.g == 1 || n.d == 1)
    return element;
  const size_t block = size_t(n.c) * n.h * n.w;
  const size_t inside = element % block, d = element / block % n.d,
               g = element / block / n.d;
  return (d * n.g + g) * block + inside;
}

/// Calls `visit(element of the tensor, byte)`.
template <typename Visit>
static void forEachPlace(const Pattern &pattern, Visit visit) {
  const uint64_t bytes = hw::elementBytes(pattern.type);
  const bool isInOrder = pattern.dims.g == 1 || pattern.dims.d == 1;
  forEachRun(pattern, [&](const Run &run) {
    if (isInOrder && run.interleave == 1) {
      for (uint32_t k = 0; k < run.count; ++k)
        visit(run.first + k * run.wideStep, run.offset + k * bytes);
      return true;
    }
    for (uint32_t k = 0; k < run.count; ++k)
      visit(placeInTensor(pattern.dims,
                          run.first + k / run.interleave * run.wideStep +
                              k % run.interleave * run.channelStep),
            run.offset + k * bytes);
    return true;
  });
}

static Names load(const Pattern &pattern, const Memory &memory) {
  Names names(pattern.dims.count());
  forEachPlace(pattern, [&](size_t element, uint64_t byte) {
    names[element] = memory[byte];
  });
  return names;
}

static void store(const Pattern &pattern, const Names &names, Memory &memory) {
  const uint64_t bytes = hw::elementBytes(pattern.type);
  forEachPlace(pattern, [&](size_t element, uint64_t byte) {
    memory[byte] = names[element];
    for (uint64_t i = 1; i < bytes; ++i)
      memory[byte + i] = 0;
  });
}

/// Whether the result is the source, element by element.
static bool isCopy(const TaskConfig &task) {
  if (task.source1.relu || task.source1.negated ||
      task.source1.dram.type != task.result.dram.type ||
      task.source1.dram.dims != task.result.dram.dims)
    return false;
  const NeuralConfig &ne = task.neural;
  if (task.isNeural)
    return !ne.hasKernel && (!ne.unicast || ne.unicastCin == 1) &&
           (ne.unicast || task.source1.dram.dims.c == 1) && ne.accBias == 0 &&
           ne.postScale == 1 && ne.function == h13::NE::NonlinearMode::None;
  const PlanarConfig &pe = task.planar;
  return !pe.binary && !pe.scaleBias && !pe.reduces && !pe.abs && !pe.relu &&
         pe.function == h13::PE::NLMode::None && pe.preScale == 1 &&
         pe.scale == 1 && pe.bias == 0 && pe.epsilon == 0 && pe.finalScale == 1;
}

namespace {
class Tracer {
public:
  explicit Tracer(const hw::Program &program) : program(program) {}

  absl::StatusOr<DataFlow> trace();

private:
  absl::Status checkMemory() const;
  absl::Status makeInputs();
  absl::Status traceTask(uint32_t index, const TaskSummary &summary);
  absl::Status traceKernel(FlowTask &task);
  absl::StatusOr<Names> readConstant(const Pattern &pattern);
  absl::Status readSource(const SourceConfig &source, std::optional<Gather> &to,
                          Names &names);
  absl::StatusOr<Gather> gatherOf(const Names &names,
                                  std::vector<int64_t> shape) const {
    return GatherFinder(firstNames, names, std::move(shape)).find();
  }
  absl::StatusOr<Names> newValue(FlowValue value);
  absl::StatusOr<Gather> outputOf(const hw::Tensor &tensor) const;
  Memory &memoryOf(uint32_t base) { return memories[base]; }

  const hw::Program &program;
  DataFlow flow;
  std::vector<Name> firstNames; ///< for each value
  uint64_t nextName = 1;
  absl::flat_hash_map<uint32_t, Memory> memories; ///< by base
  Memory l2;
  Names chained;
  std::vector<uint8_t> kernelBytes; ///< parts of names in place of coefficients
};

} // namespace

absl::Status Tracer::checkMemory() const {
  uint64_t total = program.scratchBytes + hw::info(program.generation).l2Bytes;
  for (const hw::Tensor &tensor : program.tensors) {
    if (absl::Status status = hw::checkSurface(tensor); !status.ok())
      return status;
    total += tensor.bytes;
  }
  if (total > maxMemoryBytes)
    return absl::OutOfRangeError(absl::StrFormat(
        "the program has %d bytes of memory, but what tasks read can be "
        "followed through %d",
        total, maxMemoryBytes));
  return absl::OkStatus();
}

absl::StatusOr<Names> Tracer::newValue(FlowValue value) {
  uint64_t count = 1;
  for (int64_t size : value.shape)
    count *= size;
  if (nextName + count > UINT32_MAX)
    return absl::OutOfRangeError(
        "the tensors of the program have more than 2^32 elements");
  firstNames.push_back(nextName);
  flow.values.push_back(std::move(value));
  Names names(count);
  std::iota(names.begin(), names.end(), Name(nextName));
  nextName += count;
  return names;
}

/// A dense array as many times as its elements take for a name, each time with
/// other bits of the names.
template <typename Visit>
static absl::Status forEachShare(uint32_t bytes, Visit visit) {
  for (uint32_t i = 0; i < sizeof(Name); i += bytes)
    if (absl::Status status = visit(8 * i); !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status Tracer::makeInputs() {
  for (uint32_t i = 0; i < program.tensors.size(); ++i) {
    const hw::Tensor &tensor = program.tensors[i];
    Memory &memory = memories[tensor.base];
    memory.resize(tensor.bytes);
    if (tensor.kind != hw::TensorKind::Input)
      continue;
    FlowValue value;
    for (uint64_t size : tensor.denseShape())
      value.shape.push_back(size);
    value.type = tensor.type;
    value.kind = FlowValue::Kind::Input;
    auto names = newValue(std::move(value));
    if (!names.ok())
      return names.status();
    const uint32_t bytes = hw::elementBytes(tensor.type);
    std::vector<uint8_t> dense(names->size() * bytes), surface(tensor.bytes);
    if (absl::Status status = forEachShare(
            bytes,
            [&](uint32_t shift) {
              for (size_t element = 0; element < names->size(); ++element)
                for (uint32_t k = 0; k < bytes; ++k)
                  dense[element * bytes + k] =
                      uint8_t((*names)[element] >> shift >> 8 * k);
              absl::Status packed =
                  hw::packSurface(tensor, dense, absl::MakeSpan(surface));
              for (uint64_t byte = 0;
                   packed.ok() && byte + bytes <= surface.size(); byte += bytes)
                for (uint32_t k = 0; k < bytes; ++k)
                  memory[byte] |= Name(surface[byte + k]) << (shift + 8 * k);
              return packed;
            });
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<Gather> Tracer::outputOf(const hw::Tensor &tensor) const {
  const Memory &memory = memories.at(tensor.base);
  const uint32_t bytes = hw::elementBytes(tensor.type);
  Names names(tensor.elementCount());
  std::vector<uint8_t> dense(names.size() * bytes), surface(tensor.bytes);
  if (absl::Status status = forEachShare(
          bytes,
          [&](uint32_t shift) {
            for (uint64_t byte = 0; byte + bytes <= surface.size();
                 byte += bytes)
              for (uint32_t k = 0; k < bytes; ++k)
                surface[byte + k] = uint8_t(memory[byte] >> shift >> 8 * k);
            absl::Status unpacked =
                hw::unpackSurface(tensor, surface, absl::MakeSpan(dense));
            for (size_t element = 0; element < names.size(); ++element)
              for (uint32_t k = 0; k < bytes; ++k)
                names[element] |= Name(dense[element * bytes + k])
                                  << (shift + 8 * k);
            return unpacked;
          });
      !status.ok())
    return status;
  if (std::find(names.begin(), names.end(), 0) != names.end())
    return absl::FailedPreconditionError(absl::StrFormat(
        "output '%s' has elements that no task writes", tensor.name));
  std::vector<int64_t> shape;
  for (uint64_t size : tensor.denseShape())
    shape.push_back(size);
  return gatherOf(names, std::move(shape));
}

absl::StatusOr<Names> Tracer::readConstant(const Pattern &pattern) {
  const uint32_t bytes = hw::elementBytes(pattern.type);
  FlowValue value;
  value.shape = shapeOf(pattern.dims);
  value.type = pattern.type;
  value.kind = FlowValue::Kind::Constant;
  value.bytes.resize(pattern.dims.count() * bytes);
  const absl::Span<const uint8_t> section = program.constantBytes();
  forEachPlace(pattern, [&](size_t element, uint64_t byte) {
    std::copy_n(section.data() + byte, bytes,
                value.bytes.data() + element * bytes);
  });
  return newValue(std::move(value));
}

absl::Status Tracer::readSource(const SourceConfig &source,
                                std::optional<Gather> &to, Names &names) {
  if (source.place == Place::None)
    return absl::OkStatus();
  const bool isByDMA =
      source.place == Place::DRAM || source.place == Place::DRAMKept;
  if (isByDMA && source.base == hw::BaseConst) {
    auto constant = readConstant(source.dram);
    if (!constant.ok())
      return constant.status();
    names = *std::move(constant);
  } else if (source.place == Place::Chained)
    names = chained;
  else if (source.place == Place::L2)
    names = load(source.l2, l2);
  else
    names = load(source.dram, memoryOf(source.base));
  if (source.place == Place::DRAMKept)
    store(source.l2, names, l2);
  if (std::find(names.begin(), names.end(), 0) != names.end())
    return absl::UnimplementedError(
        "reads bytes that are no elements of a tensor");
  auto gather = gatherOf(names, shapeOf(source.dram.dims));
  if (!gather.ok())
    return gather.status();
  to = *std::move(gather);
  return absl::OkStatus();
}

/// A kernel that tasks computed, by the reader of streams: twice, with half of
/// each name in place of a coefficient.
absl::Status Tracer::traceKernel(FlowTask &task) {
  const StreamShape shape(*task.config);
  if (shape.skipsZeros || shape.hasBias || shape.hasTable)
    return absl::UnimplementedError(
        "a computed kernel with a bias, a table or masks is not followed");
  const Memory &memory = memoryOf(task.config->kernel.base);
  Names names(shape.weights());
  if (kernelBytes.size() < memory.size())
    kernelBytes.resize(memory.size());
  std::vector<uint16_t> halves(names.size());
  for (uint32_t shift : {0, 16}) {
    for (const StreamPlace &place : streamPlaces(*task.config))
      for (uint64_t byte = place.begin;
           byte + 1 <
           std::min<uint64_t>(place.begin + place.size, memory.size());
           byte += 2) {
        kernelBytes[byte] = uint8_t(memory[byte] >> shift);
        kernelBytes[byte + 1] = uint8_t(memory[byte] >> shift >> 8);
      }
    absl::Span<const uint8_t> section(kernelBytes.data(), memory.size());
    if (absl::Status status =
            readCoefficients(hw::info(program.generation), *task.config,
                             section, absl::MakeSpan(halves), {});
        !status.ok())
      return status;
    for (size_t i = 0; i < names.size(); ++i)
      names[i] |= Name(halves[i]) << shift;
  }
  auto gather = gatherOf(
      names, {int64_t(shape.outputs()), shape.inputs, shape.kh, shape.kw});
  if (!gather.ok())
    return gather.status();
  task.kernel = *std::move(gather);
  return absl::OkStatus();
}

absl::Status Tracer::traceTask(uint32_t index, const TaskSummary &summary) {
  FlowTask task;
  task.index = index;
  task.config = summary.config;
  const TaskConfig &config = *summary.config;
  Names first, second;
  if (absl::Status status = readSource(config.source1, task.first, first);
      !status.ok())
    return status;
  if (absl::Status status = readSource(config.source2, task.second, second);
      !status.ok())
    return status;
  if (summary.hasWeights) {
    auto weights = summary.readWeights(program);
    if (!weights.ok())
      return weights.status();
    task.weights = *std::move(weights);
  } else if (config.isNeural && config.neural.hasKernel) {
    if (absl::Status status = traceKernel(task); !status.ok())
      return status;
  }
  Names names;
  if (isCopy(config)) {
    names = std::move(first);
  } else {
    FlowValue value;
    value.shape = shapeOf(config.result.dram.dims);
    value.type = config.result.dram.type;
    auto made = newValue(std::move(value));
    if (!made.ok())
      return made.status();
    names = *std::move(made);
    task.result = flow.values.size() - 1;
    flow.tasks.push_back(std::move(task));
  }
  if (config.result.place == Place::L2)
    store(config.result.l2, names, l2);
  else if (config.result.place == Place::DRAM)
    store(config.result.dram, names, memoryOf(config.result.base));
  chained = std::move(names);
  return absl::OkStatus();
}

absl::StatusOr<DataFlow> Tracer::trace() {
  if (absl::Status status = checkMemory(); !status.ok())
    return status;
  // All accesses are of memory that exists and holds something after this.
  std::vector<absl::Span<uint8_t>> surfaces;
  surfaces.reserve(program.tensors.size());
  for (const hw::Tensor &tensor : program.tensors)
    surfaces.emplace_back(static_cast<uint8_t *>(nullptr), tensor.bytes);
  Options options;
  options.mode = Mode::Count;
  if (auto stats = run(program, surfaces, options); !stats.ok())
    return stats.status();
  if (absl::Status status = makeInputs(); !status.ok())
    return status;
  memories[hw::BaseScratch].resize(program.scratchBytes);
  l2.resize(hw::info(program.generation).l2Bytes);
  std::vector<TaskSummary> summaries = summarizeTasks(program);
  for (uint32_t i = 0; i < summaries.size(); ++i)
    if (absl::Status status = traceTask(i, summaries[i]); !status.ok())
      return absl::Status(
          status.code(),
          absl::StrCat("task ", i, ": ",
                       hw::inFieldsOf(program.generation, status.message())));
  for (const hw::Tensor &tensor : program.tensors) {
    if (tensor.kind != hw::TensorKind::Output)
      continue;
    auto output = outputOf(tensor);
    if (!output.ok())
      return output.status();
    flow.outputs.push_back(*std::move(output));
  }
  return std::move(flow);
}

absl::StatusOr<DataFlow> traceDataFlow(const hw::Program &program) {
  return Tracer(program).trace();
}

} // namespace ane::sim
