//===- Residents.cpp - What compiler 9.509 leaves in L2 ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layout and address of values that tasks hand over in L2. Results lie lowest,
// the sources that stay for later tasks above all results that live with them,
// and tiles and streams above everything that lives then. The order in which
// results find their place was fitted on 22 recorded programs, of which 21
// agree.
//
//===----------------------------------------------------------------------===//

#include "../WorkUnits.h"
#include "Facts.h"
#include "Zin.h"

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/WorkUnits.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;

namespace {

/// A value that stays, or several that share one place.
struct Resident {
  Value root;
  bool isKept = false;    ///< a source by tile DMA
  bool isNeural = false;  ///< written by the NEs
  bool isSwapped = false; ///< a source whose rows are channels
  bool isBrief = false;   ///< the NEs write it, and what they read outlives it
  bool isViewed = false;  ///< read in another way than it was written
  bool isFolded = false;  ///< seen with rows cut or joined
  bool isJoined = false;  ///< folded, and not as groups
  bool isVector = false;  ///< only repeated by its readers: a statistic
  /// The PE writes it and reduces its squares, and a statistic of it is as
  /// large: it comes first (3 of 3, and 2 of 2 with longer rows do not).
  bool isSquared = false;
  bool isOtherView =
      false; ///< a statistic of rows that were seen in another way
  int64_t first = 0, last = 0, lastWrite = 0;
  int64_t bytes = 0, plain = 0; ///< with padding, without
  int64_t offset = 0;
  /// The resident whose place it takes; itself if none.
  unsigned place;
};

/// Residents by the tasks during which they live.
class Lives {
public:
  explicit Lives(size_t tasks) : starting(tasks), living(tasks) {}

  void add(unsigned resident, int64_t first, int64_t last) {
    starting[first].push_back(resident);
    for (int64_t at = first; at <= last; ++at)
      living[at].push_back(resident);
  }

  /// Those that live during some task from `first` to `last`, each once.
  void visit(int64_t first, int64_t last,
             llvm::function_ref<void(unsigned)> see) const {
    llvm::for_each(living[first], see);
    for (int64_t at = first + 1; at <= last; ++at)
      llvm::for_each(starting[at], see);
  }

private:
  std::vector<SmallVector<unsigned, 4>> starting, living;
};

class Placer {
public:
  Placer(func::FuncOp func, const ::ane::hw::GenerationInfo &info)
      : info(info), tasks(llvm::to_vector(func.getOps<TaskOp>())), func(func) {}

  FailureOr<SmallVector<int64_t>> run();

private:
  void collect();
  void addRoot(Value root, int64_t first, Value inside);
  void examine(Resident &resident);
  ByteLayout layoutOf(const Resident &resident);
  ByteLayout recordedLayout(const Resident &resident);
  int64_t paddingOf(const Resident &resident, int64_t row);
  void findBrief();
  void shareInPlace();
  void place();
  void placeAbove();
  int64_t endOf(const Resident &resident) const;
  LogicalResult setTypes();
  LogicalResult setViews();

  const ::ane::hw::GenerationInfo &info;
  SmallVector<TaskOp> tasks;
  func::FuncOp func;
  DenseMap<Operation *, int64_t> time;
  SmallVector<Resident> residents;
  DenseMap<Value, unsigned> index;
  /// Tasks that start before the one before them has ended.
  SmallVector<bool> followsPredecessor;
};

} // namespace

static Operation *computeAt(OpOperand &use) {
  auto task = dyn_cast_or_null<TaskOp>(use.getOwner()->getParentOp());
  return task ? task.getCompute() : nullptr;
}

// Channels of several rows that lie inside of these in memory.
static bool hasSwappedRows(Value source) {
  auto type = cast<MemRefType>(source.getType());
  std::optional<ByteLayout> layout = getByteLayout(type);
  return layout && type.getRank() == 4 && type.getDimSize(1) > 1 &&
         type.getDimSize(2) > 1 && layout->strides[1] < layout->strides[2];
}

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

void Placer::addRoot(Value root, int64_t first, Value inside) {
  Resident resident;
  resident.root = root;
  resident.first = resident.last = resident.lastWrite = first;
  resident.place = residents.size();
  auto load = inside.getDefiningOp<DmaLoadOp>();
  resident.isKept = load != nullptr;
  resident.isSwapped = load && hasSwappedRows(load.getSource());
  resident.isNeural = isOnNeuralEngines(tasks[first].getCompute());
  index[root] = residents.size();
  examine(resident);
  residents.push_back(resident);
}

// Who reads a value, and how.
void Placer::examine(Resident &resident) {
  bool repeated = true, read = false;
  forEachUse(resident.root, [&](OpOperand &use) {
    Operation *compute = computeAt(use);
    if (!compute)
      return;
    int64_t at = time.lookup(compute->getParentOp());
    resident.last = std::max(resident.last, at);
    if (isa<KeepOp>(use.getOwner())) {
      resident.lastWrite = std::max(resident.lastWrite, at);
      return;
    }
    read = true;
    auto type = cast<MemRefType>(resident.root.getType());
    bool isGranule =
        type.getShape().back() * elementBytes(type) <= info.l2Align;
    if (auto reduce = dyn_cast<PeReduceOp>(compute))
      resident.isSquared |=
          isGranule && reduce.getKind() == ReduceKind::MeanSquare &&
          isa<PeElementwiseOp>(tasks[resident.first].getCompute());
    bool isVector = isa<PeNormalizeOp>(compute) && use.getOperandNumber() == 1;
    for (const EngineSource &source : getEngineSources(compute)) {
      if (source.value != use.get())
        continue;
      Operation *writer = tasks[resident.first].getCompute();
      bool exchanged = !resident.isKept && isResultExchanged(writer);
      resident.isViewed |=
          use.get() != resident.root || exchanged != source.exchanged;
      SmallVector<int64_t> computed =
          isa<PeReduceOp>(compute)
              ? llvm::to_vector(
                    cast<MemRefType>(compute->getOperand(0).getType())
                        .getShape())
              : getComputedShape(compute);
      SmallVector<int64_t> shape(
          cast<MemRefType>(use.get().getType()).getShape());
      if (source.exchanged)
        std::swap(shape[1], shape[3]);
      isVector |= !isOnNeuralEngines(compute) && shape != computed;
    }
    repeated &= isVector;
  });
  resident.isVector = repeated && read && !resident.isKept;
  SmallVector<Value> views(1, resident.root);
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers())
      if (isView(user)) {
        resident.isFolded |= isa<ReshapeViewOp>(user);
        auto shape = cast<MemRefType>(user->getResult(0).getType()).getShape();
        resident.isJoined |= isa<ReshapeViewOp>(user) && shape[0] == 1;
        views.push_back(user->getResult(0));
      }
}

void Placer::collect() {
  for (auto [i, task] : llvm::enumerate(tasks))
    time[task] = i;
  for (auto [i, task] : llvm::enumerate(tasks)) {
    auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
    for (OpResult result : task->getResults())
      addRoot(result, i, yield.getResults()[result.getResultNumber()]);
    for (auto keep : task.getBody().front().getOps<KeepOp>()) {
      Value root = getViewRoot(keep.getTarget());
      if (!index.contains(root))
        addRoot(root, i, keep.getSource());
    }
  }
  // A statistic of rows that a copy left in L2 and that are seen in another way
  // there is placed after what it belongs to.
  for (Resident &resident : residents) {
    auto reduce = dyn_cast<PeReduceOp>(tasks[resident.first].getCompute());
    if (!reduce || !resident.isVector)
      continue;
    auto source = index.find(getViewRoot(reduce.getInput()));
    if (source == index.end() || residents[source->second].isKept)
      continue;
    const Resident &from = residents[source->second];
    resident.isOtherView = reduce.getInput() != from.root &&
                           !isResultExchanged(tasks[from.first].getCompute());
  }
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

// Bytes by which rows move apart. Work units of two rows write 64 columns of
// each at once (2 of 2), those that multiply channels read four rows.
int64_t Placer::paddingOf(const Resident &resident, int64_t row) {
  TaskOp task = tasks[resident.first];
  Operation *writer = task.getCompute();
  bool isCopy = !resident.isKept && isa<NeBypassOp>(writer);
  int64_t units = row / info.l2Align;
  int64_t padding = paddingFromBanks(
      units, resident.isSwapped || (isCopy && isResultExchanged(writer)));
  auto type = cast<MemRefType>(resident.root.getType());
  int64_t height = type.getShape().end()[-2], width = type.getShape().back();
  constexpr int64_t wordsOfHalfUnit = 8;
  bool followsPlanar =
      isCopy && !writer->getOperand(0).getDefiningOp<DmaLoadOp>();
  if (isCopy && !isResultExchanged(writer) && !followsPlanar &&
      ::ane::hw::bypassUnit(info.id, height, width, elementBytes(type)) == 1)
    padding = std::max(padding, paddingOfRows(units, 2, wordsOfHalfUnit));
  bool isMultiplied = false;
  forEachUse(resident.root, [&](OpOperand &use) {
    isMultiplied |= isa<NeProductOp>(use.getOwner());
    auto exchange = dyn_cast<NeBypassOp>(use.getOwner());
    if (!exchange || !exchange.getExchange() || resident.isKept || isCopy)
      return;
    bool isOne = takesPatches(cast<TaskOp>(exchange->getParentOp()), task);
    unsigned code = isOne ? 4
                          : ::ane::hw::bypassUnit(info.id, height, width,
                                                  elementBytes(type));
    padding = std::max(padding, paddingOfUnits(units, code));
  });
  if (int64_t words = wordsOfUnit[::ane::hw::bypassUnit(info.id, height, width,
                                                        elementBytes(type))];
      isMultiplied && words)
    padding = std::max(padding, paddingOfRows(units, rowsAtOnce, words));
  return padding * info.l2Align;
}

// Pixels of a product of matrices: the NEs read up to four rows of a work unit
// at once, as many words of each as the unit has.
static int64_t pixelPadding(int64_t channels, int64_t height, int64_t width,
                            int64_t units) {
  NeWork work;
  work.channels = channels;
  work.height = height;
  work.width = width;
  int64_t atOnce = workunits::isSmallMatrix(work)
                       ? 3
                       : wordsOfUnit[::ane::hw::minAreaUnit(height, width)];
  return atOnce ? paddingOfRows(units, rowsAtOnce, atOnce) : 0;
}

// The layout of [N, C, H, W] or [N, C, D, H, W] at address 0.
ByteLayout Placer::recordedLayout(const Resident &resident) {
  auto type = cast<MemRefType>(resident.root.getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t align = info.l2Align, rank = shape.size();
  int64_t size = elementBytes(type);
  int64_t groups = shape[0], height = shape[rank - 2], width = shape[rank - 1];
  int64_t column = llvm::alignTo(width * size, align);
  Operation *writer = tasks[resident.first].getCompute();
  bool exchanged =
      !resident.isKept && isa<NeBypassOp>(writer) && isResultExchanged(writer);
  // An odd number of units where the NEs write single elements of many
  // channels.
  if (exchanged && height == 1 && shape[1] > 1 && width * size > align &&
      !resident.isVector && !resident.isFolded)
    column = (column / align | 1) * align;
  int64_t channels = shape[1] * (rank == 5 ? shape[2] : 1);
  int64_t dense = column * channels, row = dense;
  NeConvOp reader;
  forEachUse(resident.root, [&](OpOperand &use) {
    if (auto conv = dyn_cast<NeConvOp>(use.getOwner()))
      reader = conv;
  });
  if (resident.isKept && !reader)
    if (auto conv = dyn_cast<NeConvOp>(writer))
      reader = conv;
  if (reader && resident.isKept && !(reader.isPointwise() && height == 1)) {
    L2Tile tile = getMemory(recorded().id).convResident(reader);
    column = tile.channelStride;
    dense = tile.dense;
    row = tile.row;
  } else if (reader && height > 1) {
    row = dense + pixelPadding(channels, height, width, dense / align) * align;
  } else if (height > 1 && !resident.isFolded) {
    row = dense + paddingOf(resident, dense);
  }
  ByteLayout layout;
  layout.strides.assign(rank, size);
  layout.strides[1] = column;
  if (rank == 5) {
    layout.strides[2] = column * shape[1];
    layout.strides[0] = dense;
  } else if (groups > 1 && height > 1) {
    layout.strides[0] = row * height; // images
  } else if (groups > 1) {
    // Groups are rows to others: each lies after the one before.
    layout.strides[0] = dense;
    row = groups * dense;
  } else {
    layout.strides[0] = resident.isJoined ? height * row : dense;
  }
  layout.strides[rank - 2] = row;
  return layout;
}

// No record has several images, or rows of several channels, as something else;
// then channels lie one after the other (guess).
ByteLayout Placer::layoutOf(const Resident &resident) {
  ByteLayout layout = recordedLayout(resident);
  auto type = cast<MemRefType>(resident.root.getType());
  if (type.getRank() != 4 || hasViewsInL2(resident.root, layout))
    return layout;
  ByteLayout planar = getPlanarLayout(info, type);
  return hasViewsInL2(resident.root, planar) ? planar : layout;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static int64_t extent(MemRefType type, const ByteLayout &layout) {
  int64_t height = type.getDimSize(type.getRank() - 2);
  int64_t row = layout.strides[type.getRank() - 2];
  int64_t bytes = type.getDimSize(0) > 1
                      ? layout.strides[0] * type.getDimSize(0)
                      : row * height;
  // Channels may be what lies furthest apart.
  return std::max(bytes, getResidentBytes(type, layout));
}

// The next task may start before the last one that reads it has ended.
int64_t Placer::endOf(const Resident &resident) const {
  int64_t next = resident.last + 1;
  return next < int64_t(followsPredecessor.size()) && followsPredecessor[next]
             ? next
             : resident.last;
}

void Placer::findBrief() {
  for (Resident &resident : residents) {
    Operation *compute = tasks[resident.first].getCompute();
    if (!resident.isNeural || resident.isKept)
      continue;
    for (const EngineSource &operand : getEngineSources(compute)) {
      auto found = index.find(getViewRoot(operand.value));
      if (found == index.end())
        continue;
      const Resident &source = residents[found->second];
      resident.isBrief |=
          !source.isNeural && !source.isKept && resident.last < source.last;
    }
  }
}

// The result of an elementwise task takes the place of its source, if nobody
// reads that later and it has one layout and one form for all.
void Placer::shareInPlace() {
  for (auto [i, resident] : llvm::enumerate(residents)) {
    Operation *compute = tasks[resident.first].getCompute();
    bool isElementwise =
        isa<PeElementwiseOp, NeBypassOp, PeNormalizeOp>(compute);
    if (!isElementwise || resident.isKept || isResultExchanged(compute) ||
        !resident.root.getDefiningOp<TaskOp>())
      continue;
    auto found = index.end();
    for (const EngineSource &source : getEngineSources(compute))
      if (found == index.end())
        found = index.find(source.value);
    if (found == index.end())
      continue;
    const Resident &source = residents[found->second];
    // A row that the PE turned is none that is seen in another way.
    bool isViewed = source.isViewed && !isa<PeNormalizeOp>(compute);
    if (source.isKept || isViewed || source.last != resident.first ||
        source.bytes != resident.bytes ||
        source.root.getType() != resident.root.getType() ||
        layoutOf(source).strides != layoutOf(resident).strides)
      continue;
    resident.place = found->second;
  }
}

// Vectors first and large ones before small ones; between those of one size
// what the NEs write, but not from something of the PE that outlives it, and
// what lives long.
void Placer::place() {
  SmallVector<unsigned> order;
  struct Group {
    int64_t rank = 0, plain = 0;
    bool isPlanar = false, isSquared = false;
    SmallVector<unsigned, 1> members;
  };
  DenseMap<unsigned, Group> groups;
  for (unsigned i = 0; i < residents.size(); ++i) {
    if (residents[i].isKept)
      continue;
    unsigned root = i;
    while (residents[root].place != root)
      root = residents[root].place;
    Group &group = groups[root];
    if (root == i) {
      order.push_back(i);
      group.rank = residents[i].isOtherView ? 2 : residents[i].isVector ? 0 : 1;
    }
    group.members.push_back(i);
    group.plain = std::max(group.plain, residents[i].plain);
    group.isPlanar |= !residents[i].isNeural || residents[i].isBrief;
    group.isSquared |= residents[i].isSquared;
  }
  auto keyOf = [&](unsigned i) {
    const Group &group = groups[i];
    const Resident &root = residents[i];
    return std::tuple(group.rank, -group.plain, !group.isSquared,
                      group.isPlanar, root.first - root.last, root.first, i);
  };
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return keyOf(a) < keyOf(b); });
  Lives placed(tasks.size());
  for (unsigned root : order) {
    ArrayRef<unsigned> members = groups[root].members;
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (unsigned member : members)
      placed.visit(residents[member].first, endOf(residents[member]),
                   [&](unsigned other) {
                     const Resident &there = residents[other];
                     taken.emplace_back(there.offset,
                                        there.offset + there.bytes);
                   });
    llvm::sort(taken);
    int64_t at = 0;
    for (auto [begin, end] : taken) {
      if (at + residents[root].bytes <= begin)
        break;
      at = std::max(at, end);
    }
    for (unsigned member : members) {
      residents[member].offset = at;
      placed.add(member, residents[member].first, endOf(residents[member]));
    }
  }
}

// Sources that stay, above what lives with them, or begins while the PE still
// reads them.
void Placer::placeAbove() {
  Lives placed(tasks.size());
  auto add = [&](unsigned i) {
    placed.add(i, residents[i].first, residents[i].last);
  };
  for (unsigned i = 0; i < residents.size(); ++i)
    if (!residents[i].isKept)
      add(i);
  for (unsigned i = 0; i < residents.size(); ++i) {
    Resident &kept = residents[i];
    if (!kept.isKept)
      continue;
    const bool lingers = !isOnNeuralEngines(tasks[kept.last].getCompute());
    const int64_t end = lingers ? endOf(kept) : kept.last;
    placed.visit(kept.first, end, [&](unsigned other) {
      kept.offset = std::max(kept.offset,
                             residents[other].offset + residents[other].bytes);
    });
    add(i);
  }
}

LogicalResult Placer::setTypes() {
  for (const Resident &resident : residents) {
    auto type = cast<MemRefType>(resident.root.getType());
    ByteLayout layout = layoutOf(resident);
    layout.offset = resident.offset;
    if (resident.offset + resident.bytes > int64_t(info.l2Bytes))
      return resident.root.getDefiningOp()->emitOpError("keeps ")
             << resident.bytes << " bytes in L2 at " << resident.offset
             << ", but only " << info.l2Bytes
             << " can be used; use flavour 'clean', which keeps less";
    Value root = resident.root;
    root.setType(getMemRefType(type.getShape(), type.getElementType(), layout,
                               MemorySpace::L2));
  }
  return setViews();
}

// What has one element has a distance, too: that of depth stays where it is.
LogicalResult Placer::setViews() {
  for (Operation &op : func.front()) {
    if (!isView(&op) || !isInSpace(op.getResult(0).getType(), MemorySpace::L2))
      continue;
    auto source = cast<MemRefType>(op.getOperand(0).getType());
    auto type = cast<MemRefType>(op.getResult(0).getType());
    std::optional<ByteLayout> from = getByteLayout(source), layout;
    if (from)
      layout = getViewLayout(&op, *from);
    if (!layout)
      return op.emitOpError("looks at ")
             << source << " as " << type
             << ", which has no strides in L2; compile with "
                "--hwx-flavour=clean";
    bool losesGroups = isa<PermuteViewOp>(op) && source.getDimSize(0) > 1 &&
                       type.getDimSize(0) == 1;
    if (losesGroups)
      layout->strides[0] = from->strides[1] * source.getDimSize(1);
    op.getResult(0).setType(getMemRefType(
        type.getShape(), type.getElementType(), *layout, MemorySpace::L2));
  }
  return success();
}

FailureOr<SmallVector<int64_t>> Placer::run() {
  collect();
  for (int64_t at = 0; at < int64_t(tasks.size()); ++at)
    followsPredecessor.push_back(at > 0 &&
                                 takesPatches(tasks[at], tasks[at - 1]));
  for (Resident &resident : residents) {
    auto type = cast<MemRefType>(resident.root.getType());
    ByteLayout layout = layoutOf(resident);
    resident.bytes = extent(type, layout);
    int64_t rank = type.getRank();
    resident.plain =
        type.getNumElements() / type.getDimSize(rank - 1) *
        int64_t(llvm::alignTo(type.getDimSize(rank - 1) * 2, info.l2Align));
  }
  findBrief();
  shareInPlace();
  place();
  placeAbove();
  if (failed(setTypes()))
    return failure();
  SmallVector<int64_t> bases(tasks.size(), 0);
  for (const Resident &resident : residents)
    for (int64_t at = resident.first; at <= resident.last; ++at)
      bases[at] = std::max(bases[at], resident.offset + resident.bytes);
  return bases;
}

FailureOr<SmallVector<int64_t>>
zin9509::placeResidents(func::FuncOp func,
                        const ::ane::hw::GenerationInfo &info) {
  return Placer(func, info).run();
}
