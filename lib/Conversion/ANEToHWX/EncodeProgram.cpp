//===- EncodeProgram.cpp - Tasks to a register program --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What concerns more than one task: base addresses, who reads a tensor again,
// what a task must wait for in L2, the chain of descriptors.
//
//===----------------------------------------------------------------------===//

#include "RecordedWork.h"
#include "TaskEncoder.h"
#include "ViewHazards.h"

#include "ane/Dialect/ANE/Utils/Footprint.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/HW/Constraints.h"
#include "ane/HW/H13.h"
#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace h13 = ::ane::hw::h13;

namespace {

/// By which engines values in L2 were written so far.
struct Written {
  bool ne = false, pe = false;
};

/// What a task does to L2.
struct L2Use {
  bool ne = false;
  ByteRange tiles;                ///< of sources by DMA; empty without
  SmallVector<ByteRange, 2> kept; ///< sources that lie there
  ByteRange result;
};

class ProgramEncoder {
public:
  ProgramEncoder(func::FuncOp func, const Flavour &flavour,
                 const EncodingOptions &options)
      : func(func), flavour(flavour), options(options),
        info(hw::info(options.generation)),
        constants(func, info, flavour.tables, options.keepConstants),
        viewHazards(flavour, info) {}

  FailureOr<hw::Program> run();

private:
  LogicalResult bindTensors();
  LogicalResult addTensor(unsigned i, StringRef name, hw::TensorKind kind);
  LogicalResult collect();
  bool endsSegment(uint32_t index) const;
  void findCrossings(const DenseMap<Operation *, uint32_t> &index);
  LogicalResult checkLayouts(TaskOp task);
  FailureOr<SmallVector<bool>> findSurfaces();
  LogicalResult encodeTask(uint32_t index);
  LogicalResult checkScratch(BufferOp buffer);
  FailureOr<DramPlace> placeOf(Operation *user, Value memref, uint32_t index,
                               bool isRead);
  LogicalResult placeKernel(TaskPlace &place, KernelLoadOp kernel);
  L2Use l2Use(TaskOp task) const;
  void setHazards(TaskPlace &place, TaskOp task, const L2Use &use);
  void waitForOlder(TaskPlace &place, const L2Use &use);
  void remember(const L2Use &use);
  void setChain(TaskPlace &place);
  LogicalResult placeSaved(TaskPlace &place, TaskOp task);
  LogicalResult finishTask(TaskOp task, uint32_t index,
                           const hw::Task &encoded);
  void chain();
  LogicalResult pack();

  func::FuncOp func;
  const Flavour &flavour;
  const EncodingOptions &options;
  const hw::GenerationInfo &info;
  ConstantSection constants;
  hw::Program program;
  SmallVector<TaskOp> tasks;
  DenseMap<Value, uint32_t> bases;
  /// By root: the tasks that read and write it, ascending.
  DenseMap<Value, SmallVector<uint32_t>> reads, writes;
  /// Tasks up to which L2 is not empty after them.
  SmallVector<bool> crosses;
  /// A bit for each part of L2 that has values which a task finds or leaves
  /// there for others.
  SmallVector<uint32_t> liveParts;
  /// Of the tasks so far, in a packed stream.
  uint64_t packedBytes = 0;
  std::optional<L2Use> lastNe, lastPe;
  /// What earlier tasks of an engine than its last touched since the other
  /// engine waited for it.
  SmallVector<ByteRange> olderNe, olderPe;
  ViewHazards viewHazards;
  DenseMap<Value, Written> writers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

LogicalResult ProgramEncoder::addTensor(unsigned i, StringRef name,
                                        hw::TensorKind kind) {
  auto type = dyn_cast<MemRefType>(func.getArgument(i).getType());
  bool isBytes = type && type.getElementType().isUnsignedInteger(8);
  if (!type || !getByteLayout(type) || type.getRank() != 4 ||
      !(isBytes || type.getElementType().isF16()))
    return func.emitOpError("argument ")
           << i << " is " << func.getArgument(i).getType()
           << ", but a surface is an f16 or ui8 memref of rank 4 with a "
              "layout; "
              "run ane-form-tasks and ane-assign-layout";
  if (!hasSurfaceLayout(info, type))
    return func.emitOpError("argument ")
           << i << " is " << type << ", but a surface has "
           << getMemRefType(type.getShape(), type.getElementType(),
                            getSurfaceLayout(info, type), MemorySpace::Dram)
           << "; run ane-assign-layout";
  hw::Tensor tensor;
  tensor.name = name.str();
  tensor.kind = kind;
  tensor.type = isBytes ? hw::ElementType::UInt8 : hw::ElementType::Float16;
  for (int dim = 0; dim < 4; ++dim)
    tensor.shape[dim] = type.getDimSize(dim);
  hw::setPlanar(info, tensor);
  if (auto shape = func.getArgAttrOfType<DenseI64ArrayAttr>(i, kShapeAttrName))
    tensor.setDenseShape(llvm::to_vector_of<uint64_t>(shape.asArrayRef()));
  tensor.isLow = !!func.getArgAttr(i, kLowAttrName);
  tensor.base = bases[func.getArgument(i)];
  program.tensors.push_back(tensor);
  return success();
}

unsigned mlir::ane::maxSurfaces(const hw::GenerationInfo &info) {
  return (1u << h13::Header::RBase0.width()) - info.firstTensorBase;
}

// What no task names needs no base. As long as there are enough, it has one all
// the same: a program has the inputs of its function then.
FailureOr<SmallVector<bool>> ProgramEncoder::findSurfaces() {
  SmallVector<bool> isSurface(func.getNumArguments(), true);
  if (func.getNumArguments() <= maxSurfaces(info))
    return isSurface;
  for (BlockArgument argument : func.getArguments())
    isSurface[argument.getArgNumber()] = !argument.use_empty();
  unsigned used = llvm::count(isSurface, true);
  if (used > maxSurfaces(info))
    return func.emitOpError("has ")
           << used << " inputs and outputs, but tasks can name "
           << maxSurfaces(info)
           << "; make constants of those that are weights (ane-compile "
              "--bind), pass some of them as one tensor, or have several "
              "programs, which the host calls (ane-compile --host)";
  func.emitWarning("the function has ")
      << func.getNumArguments() << " inputs and outputs, but tasks can name "
      << maxSurfaces(info) << "; the " << func.getNumArguments() - used
      << " arguments that nothing reads are no inputs of the program";
  return isSurface;
}

LogicalResult ProgramEncoder::bindTensors() {
  FailureOr<SmallVector<bool>> isSurface = findSurfaces();
  if (failed(isSurface))
    return failure();
  SmallVector<unsigned> inputs, outputs;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    (func.getArgAttr(i, ANEDialect::getOutputAttrName()) ? outputs : inputs)
        .push_back(i);
  TensorNames chosen = nameTensors(func);
  std::vector<std::string> names(func.getNumArguments());
  for (auto [i, name] : llvm::zip_equal(inputs, chosen.inputs))
    names[i] = name;
  for (auto [i, name] : llvm::zip_equal(outputs, chosen.outputs))
    names[i] = name;
  llvm::erase_if(inputs, [&](unsigned i) { return !(*isSurface)[i]; });
  SmallVector<unsigned> order(outputs);
  llvm::append_range(order, inputs);
  if (flavour.baseOrder == BaseOrder::ByName)
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::tie(names[a], a) < std::tie(names[b], b);
    });
  for (auto [position, i] : llvm::enumerate(order))
    bases[func.getArgument(i)] = info.firstTensorBase + position;

  for (unsigned i : inputs)
    if (failed(addTensor(i, names[i], hw::TensorKind::Input)))
      return failure();
  for (unsigned i : outputs)
    if (failed(addTensor(i, names[i], hw::TensorKind::Output)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

LogicalResult ProgramEncoder::checkLayouts(TaskOp task) {
  auto check = [&](Value value) -> LogicalResult {
    auto type = cast<MemRefType>(value.getType());
    if (isInSpace(type, MemorySpace::Kernel) || getByteLayout(type))
      return success();
    return task.emitOpError("uses ")
           << type
           << ", which has no layout; run ane-assign-layout, ane-allocate-dram "
              "and ane-allocate-l2 before convert-ane-to-hwx";
  };
  for (Operation &op : task.getBody().front()) {
    for (Value value : op.getOperands())
      if (isa<MemRefType>(value.getType()) && failed(check(value)))
        return failure();
    for (Value value : op.getResults())
      if (failed(check(value)))
        return failure();
  }
  if (!task.getTileHeight())
    return task.emitOpError("has no tile height; run ane-allocate-l2");
  return success();
}

LogicalResult ProgramEncoder::collect() {
  for (Operation &op : func.front()) {
    if (auto task = dyn_cast<TaskOp>(op))
      tasks.push_back(task);
    else if (!isView(&op) && !isa<BufferOp, L2BufferOp, ConstantBufferOp,
                                  ConstantOp, func::ReturnOp>(op))
      return op.emitOpError("is not at the task level; run ane-form-tasks");
  }
  if (tasks.empty())
    return func.emitOpError("has no tasks: there is nothing to run");
  DenseMap<Operation *, uint32_t> index;
  crosses.assign(tasks.size(), false);
  for (auto [i, task] : llvm::enumerate(tasks)) {
    index[task] = i;
    if (failed(checkLayouts(task)))
      return failure();
    for (Operation &op : task.getBody().front()) {
      if (auto load = dyn_cast<DmaLoadOp>(op))
        reads[getViewRoot(load.getSource())].push_back(i);
      if (auto kernel = dyn_cast<KernelLoadOp>(op);
          kernel && kernel.getSource())
        reads[getViewRoot(kernel.getSource())].push_back(i);
      if (auto store = dyn_cast<DmaStoreOp>(op))
        writes[getViewRoot(store.getTarget())].push_back(i);
    }
  }
  findCrossings(index);
  return success();
}

// Between which tasks L2 holds something.
void ProgramEncoder::findCrossings(
    const DenseMap<Operation *, uint32_t> &index) {
  SmallVector<uint32_t> last(tasks.size());
  liveParts.assign(tasks.size(), 0);
  // Many tasks may write parts of one place.
  DenseMap<Value, uint32_t> lastUses;
  auto hold = [&](uint32_t first, Value root) {
    auto [known, isNew] = lastUses.try_emplace(root, 0);
    uint32_t &end = known->second;
    if (isNew)
      forEachUse(root, [&](OpOperand &use) {
        end = std::max(end, index.lookup(use.getOwner()->getParentOp()));
      });
    last[first] = std::max(last[first], end);
    if (first == end)
      return;
    // Both ends count, also the one that is the begin of the next part.
    const int64_t part = info.l2Bytes / 32;
    ByteRange range = *getByteRange(cast<MemRefType>(root.getType()));
    const uint32_t parts =
        llvm::maskTrailingOnes<uint32_t>(std::min<int64_t>(
            32, hw::alignTo(range.end, info.l2Align) / part + 1)) &
        ~llvm::maskTrailingOnes<uint32_t>(range.begin / part);
    for (uint32_t i = first; i <= end; ++i)
      liveParts[i] |= parts;
  };
  for (auto [i, task] : llvm::enumerate(tasks)) {
    for (Value result : task->getResults())
      hold(i, result);
    for (auto keep : task.getBody().front().getOps<KeepOp>())
      hold(i, getViewRoot(keep.getTarget()));
  }
  uint32_t end = 0;
  for (uint32_t i = 0; i < tasks.size(); ++i) {
    end = std::max(end, last[i]);
    crosses[i] = i < end;
  }
}

static ByteRange rangeOf(Value value) {
  return *getByteRange(cast<MemRefType>(value.getType()));
}

// A program says how large its scratch region is; what lies after it belongs
// to others.
LogicalResult ProgramEncoder::checkScratch(BufferOp buffer) {
  auto attribute =
      func->getAttrOfType<IntegerAttr>(ANEDialect::getScratchAttrName());
  int64_t scratch = attribute ? attribute.getInt() : 0;
  if (!getByteLayout(buffer.getType()))
    return buffer.emitOpError("has no layout; run ane-assign-layout");
  int64_t offset = *buffer.getOffset(), end = rangeOf(buffer).end;
  if (end <= scratch && offset <= scratch - end)
    return success();
  return buffer.emitOpError("has ")
         << end << " bytes at offset " << offset << ", but "
         << ANEDialect::getScratchAttrName() << " is " << scratch
         << "; run ane-allocate-dram";
}

FailureOr<DramPlace> ProgramEncoder::placeOf(Operation *user, Value memref,
                                             uint32_t index, bool isRead) {
  Value root = getViewRoot(memref);
  DramPlace place;
  place.layout = *getByteLayout(cast<MemRefType>(memref.getType()));
  place.offset = place.layout.offset;
  if (auto buffer = root.getDefiningOp<BufferOp>()) {
    if (!buffer.getOffset())
      return buffer.emitOpError("has no offset; run ane-allocate-dram");
    if (failed(checkScratch(buffer)))
      return failure();
    place.base = hw::BaseScratch;
    place.offset += *buffer.getOffset();
    place.isScratch = true;
  } else if (auto constant = root.getDefiningOp<ConstantBufferOp>()) {
    FailureOr<uint64_t> offset = constants.addTensor(constant);
    if (failed(offset))
      return failure();
    place.base = hw::BaseConst;
    place.offset += *offset;
  } else {
    place.base = bases.lookup(root);
  }
  if (isRead) {
    auto has = [&](ArrayRef<uint32_t> uses, bool earlier) {
      return !uses.empty() &&
             (earlier ? uses.front() < index : uses.back() > index);
    };
    place.written = has(writes[root], true);
    place.readBefore = has(reads[root], true);
    place.readAgain = has(reads[root], false);
  }
  return place;
}

//===----------------------------------------------------------------------===//
// Hazards
//===----------------------------------------------------------------------===//

L2Use ProgramEncoder::l2Use(TaskOp task) const {
  Operation *compute = task.getCompute();
  L2Use use;
  use.ne = isOnNeuralEngines(compute);
  auto resultType = cast<MemRefType>(compute->getResult(0).getType());
  ByteLayout result = *getByteLayout(resultType);
  DmaStoreOp store = task.getStore();
  // Tiles lie at the addresses of their loads, up to a result that is stored.
  int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
  for (Value operand : compute->getOperands()) {
    if (!isInSpace(operand.getType(), MemorySpace::L2))
      continue;
    ByteRange range = rangeOf(operand);
    auto load = operand.getDefiningOp<DmaLoadOp>();
    if (!load) {
      use.kept.push_back(range);
      continue;
    }
    begin = std::min(begin, range.begin);
    if (load.getResidency() == Residency::Kept)
      end = std::max(end, range.end);
    else
      end = std::max(end, store && result.offset > range.begin
                              ? result.offset
                              : int64_t(info.l2Bytes));
  }
  if (begin != std::numeric_limits<int64_t>::max())
    use.tiles = {begin, end};
  // How much a streamed result takes is not known: all that is left.
  use.result = rangeOf(compute->getResult(0));
  if (store && store.getResidency() == Residency::Streamed)
    use.result.end = info.l2Bytes;
  return use;
}

// Recorded programs wait for the last task of either engine where their places
// in L2 meet, and for everything on the NEs when a chain starts (409 of 409
// tasks). The engines run in order within themselves; what was kept in L2 is
// waited for as a whole.
void ProgramEncoder::setHazards(TaskPlace &place, TaskOp task,
                                const L2Use &use) {
  if (place.index == 0) {
    place.source = place.source2 = place.result = {true, true, true, true};
    return;
  }
  bool hasDma = use.tiles.end > 0;
  bool start = place.segmentStart && hasDma;
  auto meets = [](const ByteRange &range, const std::optional<L2Use> &last,
                  bool &source, bool &result) {
    if (!last)
      return;
    result = result || range.overlaps(last->result);
    bool read = range.overlaps(last->tiles);
    for (const ByteRange &kept : last->kept)
      read = read || range.overlaps(kept);
    source = source || (!result && read);
  };
  if (start) {
    place.source.neSource = place.source.neResult = true;
    place.result.neSource = place.result.neResult = true;
  } else {
    meets(use.tiles, lastNe, place.source.neSource, place.source.neResult);
    meets(use.result, lastNe, place.result.neSource, place.result.neResult);
  }
  meets(use.tiles, lastPe, place.source.peSource, place.source.peResult);
  meets(use.result, lastPe, place.result.peSource, place.result.peResult);
  for (Value operand : task.getCompute()->getOperands()) {
    Written written = writers.lookup(getViewRoot(operand));
    place.source.neResult |= written.ne;
    place.source.peResult |= written.pe;
  }
  waitForOlder(place, use);
  if (getEngineSources(task.getCompute()).size() > 1)
    place.source2 = place.source;
}

// The words know the last task of an engine only. Whoever waits for its result
// has waited for all before it; a place that one of those touched needs that.
void ProgramEncoder::waitForOlder(TaskPlace &place, const L2Use &use) {
  SmallVector<ByteRange> &older = use.ne ? olderPe : olderNe;
  bool &source = use.ne ? place.source.peResult : place.source.neResult;
  bool &result = use.ne ? place.result.peResult : place.result.neResult;
  if (!source && !result) {
    auto meets = [&](const ByteRange &range) {
      return llvm::any_of(
          older, [&](const ByteRange &other) { return range.overlaps(other); });
    };
    source = meets(use.tiles);
    result = meets(use.result);
  }
  if (source || result)
    older.clear();
}

void ProgramEncoder::remember(const L2Use &use) {
  std::optional<L2Use> &last = use.ne ? lastNe : lastPe;
  SmallVector<ByteRange> &older = use.ne ? olderNe : olderPe;
  if (last) {
    older.append({last->tiles, last->result});
    llvm::append_range(older, last->kept);
  }
  last = use;
  // Many of them count as all that is between them.
  constexpr size_t most = 64;
  if (older.size() <= most)
    return;
  ByteRange hull = older.front();
  for (const ByteRange &range : older)
    if (range.end > range.begin)
      hull = {std::min(hull.begin, range.begin), std::max(hull.end, range.end)};
  older.assign(1, hull);
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

// The coefficients of a task start to move before the task does; what waits for
// an earlier task to write them is known for scratch memory only.
LogicalResult ProgramEncoder::placeKernel(TaskPlace &place,
                                          KernelLoadOp kernel) {
  FailureOr<DramPlace> from =
      placeOf(kernel, kernel.getSource(), place.index, /*isRead=*/true);
  if (failed(from))
    return failure();
  place.kernel = *from;
  std::optional<uint32_t> writer;
  for (uint32_t task : writes[getViewRoot(kernel.getSource())])
    if (task < place.index)
      writer = task;
  if (from->isScratch)
    place.kernelWriter = writer.value_or(0);
  else if (writer)
    return kernel.emitOpError(
               "reads coefficients from a tensor of the function "
               "that task ")
           << *writer
           << " writes, but only for scratch memory is it known how to wait; "
              "copy them to a buffer";
  return success();
}

// Chains of tasks that L2 hands values over in end where it is empty, and where
// a result has a place to be saved in.
bool ProgramEncoder::endsSegment(uint32_t index) const {
  TaskOp task = tasks[index];
  return !crosses[index] ||
         !task.getBody().front().getOps<ScratchPlaceOp>().empty();
}

// The place of a result, and that of the source of the task that begins after
// it.
LogicalResult ProgramEncoder::placeSaved(TaskPlace &place, TaskOp task) {
  auto placeIn = [&](TaskOp owner) -> FailureOr<std::optional<DramPlace>> {
    auto saved = owner.getBody().front().getOps<ScratchPlaceOp>();
    if (saved.empty())
      return std::optional<DramPlace>();
    ScratchPlaceOp op = *saved.begin();
    assert(info.savesL2 && "the verifier of ane.scratch_place has seen it");
    FailureOr<DramPlace> at =
        placeOf(op, op.getTarget(), place.index, /*isRead=*/false);
    if (failed(at))
      return failure();
    return std::make_optional<DramPlace>(*at);
  };
  FailureOr<std::optional<DramPlace>> own = placeIn(task);
  if (failed(own))
    return failure();
  place.savedTarget = *own;
  if (place.index == 0)
    return success();
  TaskOp before = tasks[place.index - 1];
  EngineSource source = getEngineSources(task.getCompute())[0];
  if (getViewRoot(source.value).getDefiningOp() != before)
    return success();
  FailureOr<std::optional<DramPlace>> saved = placeIn(before);
  if (failed(saved))
    return failure();
  place.savedSource = *saved;
  return success();
}

// Tasks of the PE that follow each other in a chain, copies of the NEs between
// them included, pass their results on (all recorded tasks).
void ProgramEncoder::setChain(TaskPlace &place) {
  auto isPlanar = [&](int64_t at) {
    return !isOnNeuralEngines(tasks[at].getCompute());
  };
  auto isCopy = [&](int64_t at) {
    auto bypass = dyn_cast<NeBypassOp>(tasks[at].getCompute());
    return bypass && !bypass.getActivation();
  };
  auto reaches = [&](int64_t step) {
    for (int64_t at = place.index;;) {
      if (step > 0 ? endsSegment(at) : at == 0 || endsSegment(at - 1))
        return false;
      at += step;
      if (isPlanar(at))
        return true;
      if (!isCopy(at))
        return false;
    }
  };
  bool planar = isPlanar(place.index);
  bool behind = reaches(-1), before = reaches(1);
  if (!planar && !(isCopy(place.index) && behind && before))
    return;
  place.chainOut = before;
  place.chainIn = planar && behind;
}

LogicalResult ProgramEncoder::encodeTask(uint32_t index) {
  TaskOp task = tasks[index];
  TaskPlace place;
  place.index = index;
  place.count = tasks.size();
  place.segmentStart = index == 0 || endsSegment(index - 1);
  place.segmentEnd = endsSegment(index);
  unsigned source = 0;
  for (const EngineSource &operand : getEngineSources(task.getCompute())) {
    if (auto load = operand.value.getDefiningOp<DmaLoadOp>()) {
      FailureOr<DramPlace> from =
          placeOf(load, load.getSource(), index, /*isRead=*/true);
      if (failed(from))
        return failure();
      // Each image of the result reads it, where it is loaded for each.
      auto result = cast<MemRefType>(task.getCompute()->getResult(0).getType());
      from->readAgain |= info.configuresSources &&
                         load.getType().getDimSize(0) < result.getDimSize(0);
      place.sources[source] = *from;
      if (source == 0)
        place.keepsSource = load.getResidency() == Residency::Kept;
    }
    ++source;
  }
  if (KernelLoadOp kernel = task.getKernelLoad();
      kernel && kernel.getSource() && failed(placeKernel(place, kernel)))
    return failure();
  if (DmaStoreOp store = task.getStore()) {
    FailureOr<DramPlace> to =
        placeOf(store, store.getTarget(), index, /*isRead=*/false);
    if (failed(to))
      return failure();
    place.target = *to;
  }
  if (failed(placeSaved(place, task)))
    return failure();
  L2Use use = l2Use(task);
  if (flavour.waitsByView)
    viewHazards.wait(place, task);
  else
    setHazards(place, task, use);
  if (index + 1 < tasks.size())
    place.feedsNeural = isOnNeuralEngines(tasks[index + 1].getCompute()) &&
                        takesPatches(tasks[index + 1], task);
  if (flavour.chainsTasks)
    setChain(place);
  remember(use);
  auto write = [&](Value root) {
    (use.ne ? writers[root].ne : writers[root].pe) = true;
  };
  llvm::for_each(task->getResults(), write);
  for (auto keep : task.getBody().front().getOps<KeepOp>())
    write(getViewRoot(keep.getTarget()));
  FailureOr<hw::Task> encoded =
      TaskEncoder(task, place, flavour, options, constants).encode();
  if (failed(encoded))
    return failure();
  return finishTask(task, index, *encoded);
}

// The registers of the target. What is in L2 after a task must survive it, as
// must what was there in front of it: a bit for each part of L2. A task that
// starts before the one in front of it has ended has what both need.
LogicalResult ProgramEncoder::finishTask(TaskOp task, uint32_t index,
                                         const hw::Task &encoded) {
  hw::StreamStyle style = flavour.stream;
  style.before = packedBytes;
  style.kernelBase = program.kernelBase();
  absl::StatusOr<hw::Task> made =
      hw::fromH13Form(options.generation, encoded, style);
  if (made.ok())
    packedBytes += hw::alignTo(made->byteSize(), 16);
  if (made.ok() && info.stream == hw::StreamKind::Packed) {
    bool isLast = index + 1 == tasks.size();
    uint32_t parts = liveParts[index];
    if (index && takesPatches(task, tasks[index - 1]))
      parts |= liveParts[index - 1];
    if (!isLast && takesPatches(tasks[index + 1], task))
      parts |= liveParts[index + 1];
    hw::setLiveOuts(options.generation, *made, isLast ? 0 : parts);
  }
  if (!made.ok())
    return task.getCompute()->emitOpError("cannot be encoded for ")
           << info.name << ": " << std::string(made.status().message());
  program.tasks.push_back(std::move(*made));
  return success();
}

// Tasks of a packed stream stand one after the other.
LogicalResult ProgramEncoder::pack() {
  absl::StatusOr<uint64_t> bytes =
      hw::packTasks(options.generation, program.tasks);
  if (!bytes.ok())
    return func.emitOpError("has tasks that no stream can hold: ")
           << std::string(bytes.status().message());
  program.textBytes = *bytes;
  return success();
}

// Descriptors follow each other; each says where the next one is and how long.
void ProgramEncoder::chain() {
  constexpr uint32_t taskAlign = 0x100; // bytes
  uint32_t offset = 0;
  for (auto [i, task] : llvm::enumerate(program.tasks)) {
    task.offset = offset;
    uint32_t end = offset + task.byteSize();
    program.textBytes = end;
    offset = hw::alignTo(end, taskAlign);
    if (i + 1 == program.tasks.size())
      break;
    absl::Status status;
#define RULE(block, field, value, why)                                         \
  status.Update(task.set(h13::block::field, value));
#include "Rules/Chain.def"
#undef RULE
    assert(status.ok() && "a task is shorter than the field can say");
  }
}

FailureOr<hw::Program> ProgramEncoder::run() {
  program.generation = options.generation;
  if (failed(bindTensors()) || failed(collect()))
    return failure();
  if (!options.allowUnproven && failed(checkRecorded(tasks, info)))
    return failure();
  for (uint32_t i = 0; i < tasks.size(); ++i) {
    if (failed(encodeTask(i)))
      return failure();
    constants.release(tasks[i]);
  }
  if (info.stream == hw::StreamKind::Linked)
    chain();
  else if (failed(pack()))
    return failure();
  if (auto scratch =
          func->getAttrOfType<IntegerAttr>(ANEDialect::getScratchAttrName()))
    program.scratchBytes = scratch.getInt();
  std::tie(program.constants, program.kernelBytes) = constants.take();
  return std::move(program);
}

FailureOr<hw::Program>
mlir::ane::encodeProgram(func::FuncOp func, const EncodingOptions &options) {
  const Flavour *flavour = getFlavour(options.flavour, options.generation);
  if (!flavour)
    return func.emitError("flavour '")
           << options.flavour
           << "' is not available; available: " << getFlavourNames();
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return func.emitOpError("has no body of one block to encode");
  return ProgramEncoder(func, *flavour, options).run();
}
