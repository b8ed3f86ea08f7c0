//===- Schedule.cpp - The order of tasks ----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list scheduler over a window of tasks: at each step, among the first tasks
// that are left, one of those that wait for nobody. It keeps the order of the
// program, which the planner of tiles has made for the sake of L2, unless
// another task has coefficients that load while the last one runs, or runs
// while those of the one after it load; the model of time says how much that
// is worth.
//
// Only tasks within the window can change places, so dependences are needed
// between those only, and the time is linear in the number of tasks.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tasks/Passes.h"
#include "ane/Dialect/ANE/Utils/TaskOrder.h"
#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESCHEDULE
#include "ane/Dialect/ANE/Transforms/Tasks/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;
namespace sim = ::ane::sim;

namespace {

/// A tensor that a task reads or writes, or a part of it.
struct Access {
  Value root;
  bool isWrite;
  std::optional<ByteLayout> layout; ///< none: all of the root
  ArrayRef<int64_t> shape;
};

struct Node {
  TaskOp task;
  sim::TaskWork work;
  double alone = 0; ///< seconds without anything loaded ahead
  SmallVector<Access, 4> accesses;
  SmallVector<unsigned> before; ///< tasks of the window that come first
  bool isDone = false;
};

/// An intermediate tensor: how many tasks that touch it are left.
struct Life {
  int64_t bytes = 0;
  unsigned left = 0;
  bool isAlive = false;
};

class Scheduler {
public:
  Scheduler(func::FuncOp func, const MemoryTarget &memory, unsigned window)
      : func(func), chip(::ane::hw::chipOf(memory.generation->id)),
        // The rest is for tiles of what passes through.
        budget(memory.generation->l2Bytes / 2), window(window), sequence(chip) {
  }

  LogicalResult collect();
  /// Number of tasks that have another place.
  int64_t run();

private:
  void addAccesses(Node &node);
  void setWork(Node &node) const;
  void findDependences(unsigned at);
  bool isReady(unsigned at, std::optional<unsigned> besides = {}) const;
  int64_t growth(const Node &node) const;
  int64_t peak(ArrayRef<unsigned> tasks) const;
  bool hasRoomAhead(unsigned at) const;
  double gain(const sim::Sequence &state, const Node &node) const;
  double gainWithNext(unsigned at, unsigned end) const;
  bool loadsTheSame(unsigned a, unsigned b) const;
  unsigned choose() const;
  void finish(unsigned at);
  void moveOps();

  func::FuncOp func;
  const ::ane::hw::ChipInfo &chip;
  const int64_t budget;
  const unsigned window;
  sim::Sequence sequence;
  std::vector<Node> nodes;
  DenseMap<Value, Life> lives;
  int64_t alive = 0;  ///< bytes
  unsigned first = 0; ///< the first task that is left
  std::vector<unsigned> order;
};

} // namespace

static bool isIntermediate(Value root) {
  return isa_and_nonnull<BufferOp, L2BufferOp, TaskOp>(root.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// What tasks do
//===----------------------------------------------------------------------===//

void Scheduler::addAccesses(Node &node) {
  auto add = [&](Value value, bool isWrite) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || isInSpace(type, MemorySpace::Kernel))
      return;
    node.accesses.push_back(
        {getViewRoot(value), isWrite, getByteLayout(type), type.getShape()});
  };
  for (Operation &op : node.task.getBody().front())
    for (OpOperand &operand : op.getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      if (source && source->getParentOp() == node.task)
        continue;
      bool isTarget = isa<DmaStoreOp, KeepOp, ScratchPlaceOp>(op) &&
                      operand.getOperandNumber() == 1;
      add(operand.get(), isTarget);
    }
  for (Value result : node.task->getResults())
    add(result, /*isWrite=*/true);
}

// Intermediate tensors are taken to stay in L2.
void Scheduler::setWork(Node &node) const {
  sim::TaskWork &work = node.work;
  Operation *compute = node.task.getCompute();
  auto result = cast<MemRefType>(compute->getResult(0).getType());
  work.cout = result.getDimSize(1);
  if (auto conv = dyn_cast<NeConvOp>(compute)) {
    auto kernel = cast<MemRefType>(conv.getKernel().getType());
    work.macs = result.getNumElements() * kernel.getDimSize(1) *
                kernel.getDimSize(2) * kernel.getDimSize(3);
    work.cout = std::max<int64_t>(1, work.cout / conv.getGroups());
    work.kernelWidth = kernel.getDimSize(3);
    work.depthwise = conv.isDepthwise();
    work.results = result.getNumElements();
  }
  work.elements = result.getNumElements();
  for (const EngineSource &source : getEngineSources(compute))
    work.elements = std::max<uint64_t>(
        work.elements,
        cast<MemRefType>(source.value.getType()).getNumElements());
  if (KernelLoadOp kernel = node.task.getKernelLoad()) {
    uint64_t bytes = bytesOf(kernel.getResult());
    (kernel.getSource() ? work.tileBytes : work.weightBytes) += bytes;
  }
  for (Operation &op : node.task.getBody().front()) {
    Value moved;
    if (auto load = dyn_cast<DmaLoadOp>(op))
      moved = load.getSource();
    else if (auto store = dyn_cast<DmaStoreOp>(op))
      moved = store.getTarget();
    if (!moved || isIntermediate(getViewRoot(moved)))
      continue;
    bool isConstant = getViewRoot(moved).getDefiningOp<ConstantBufferOp>();
    (isConstant ? work.weightBytes : work.tileBytes) += bytesOf(moved);
  }
}

LogicalResult Scheduler::collect() {
  for (auto task : func.getOps<TaskOp>()) {
    if (task.getTileHeight())
      return task.emitOpError("has its place in L2 already, which depends on "
                              "the order of tasks; run ane-schedule before "
                              "ane-keep-in-l2");
    Node &node = nodes.emplace_back();
    node.task = task;
    addAccesses(node);
    setWork(node);
    node.alone = sim::predict(chip, node.work).total;
    for (const Access &access : node.accesses)
      if (isIntermediate(access.root)) {
        Life &life = lives[access.root];
        life.bytes = bytesOf(access.root);
        ++life.left;
      }
  }
  for (unsigned at = 0; at < nodes.size(); ++at)
    findDependences(at);
  return success();
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

// Whether two boxes of one tensor have no byte in common. With equal strides,
// their distance says how far they are apart in each dimension.
static bool areApart(const Access &a, const Access &b) {
  if (!a.layout || !b.layout)
    return false;
  auto end = [](const Access &access) {
    int64_t end = access.layout->offset + access.layout->strides.back();
    for (auto [extent, stride] :
         llvm::zip_equal(access.shape, access.layout->strides))
      end += (extent - 1) * stride;
    return end;
  };
  if (end(a) <= b.layout->offset || end(b) <= a.layout->offset)
    return true;
  if (a.layout->strides != b.layout->strides)
    return false;
  const Access &low = a.layout->offset <= b.layout->offset ? a : b;
  const Access &high = &low == &a ? b : a;
  int64_t distance = high.layout->offset - low.layout->offset;
  int64_t outer = std::numeric_limits<int64_t>::max();
  for (unsigned dim = 0; dim < low.shape.size(); ++dim) {
    int64_t stride = low.layout->strides[dim];
    if (stride <= 0 || stride > outer)
      return false; // dimensions were exchanged
    outer = stride;
    int64_t steps = distance / stride;
    distance %= stride;
    // What follows must stay inside of this step.
    int64_t inner = 0;
    for (unsigned other = dim + 1; other < low.shape.size(); ++other)
      inner += (std::max(low.shape[other], high.shape[other]) - 1) *
               low.layout->strides[other];
    if (distance + inner + low.layout->strides.back() > stride)
      return false;
    if (steps >= low.shape[dim])
      return true;
  }
  return false;
}

static bool mustKeepOrder(const Node &a, const Node &b) {
  for (const Access &x : a.accesses)
    for (const Access &y : b.accesses)
      if (x.root == y.root && (x.isWrite || y.isWrite) && !areApart(x, y))
        return true;
  return false;
}

void Scheduler::findDependences(unsigned at) {
  unsigned begin = at < window ? 0 : at - window + 1;
  for (unsigned other = begin; other < at; ++other)
    if (mustKeepOrder(nodes[other], nodes[at]))
      nodes[at].before.push_back(other);
}

bool Scheduler::isReady(unsigned at, std::optional<unsigned> besides) const {
  return !nodes[at].isDone && llvm::all_of(nodes[at].before, [&](unsigned b) {
    return nodes[b].isDone || b == besides;
  });
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

// Bytes of intermediate tensors that are alive after a task and not before.
int64_t Scheduler::growth(const Node &node) const {
  int64_t bytes = 0;
  llvm::SmallDenseMap<Value, unsigned, 4> uses;
  for (const Access &access : node.accesses)
    if (isIntermediate(access.root))
      ++uses[access.root];
  for (auto [root, count] : uses) {
    const Life &life = lives.find(root)->second;
    if (!life.isAlive)
      bytes += life.bytes;
    if (life.left == count)
      bytes -= life.bytes;
  }
  return bytes;
}

// Bytes of intermediate tensors while `tasks` run one after the other.
int64_t Scheduler::peak(ArrayRef<unsigned> tasks) const {
  int64_t now = alive, most = alive;
  llvm::SmallDenseMap<Value, unsigned, 16> left;
  for (unsigned at : tasks) {
    int64_t freed = 0;
    for (const Access &access : nodes[at].accesses) {
      if (!isIntermediate(access.root))
        continue;
      const Life &life = lives.find(access.root)->second;
      auto [it, isNew] = left.try_emplace(access.root, life.left);
      if (isNew && !life.isAlive)
        now += life.bytes;
      if (--it->second == 0)
        freed += life.bytes;
    }
    most = std::max(most, now);
    now -= freed;
  }
  return most;
}

// Whether what `at` leaves has room beside the tasks that it goes in front of.
bool Scheduler::hasRoomAhead(unsigned at) const {
  if (growth(nodes[at]) <= 0)
    return true;
  SmallVector<unsigned> tasks;
  for (unsigned other = first; other < at; ++other)
    if (!nodes[other].isDone)
      tasks.push_back(other);
  tasks.push_back(at);
  int64_t before = peak(tasks);
  std::rotate(tasks.begin(), tasks.end() - 1, tasks.end());
  return peak(tasks) <= std::max(budget, before);
}

double Scheduler::gain(const sim::Sequence &state, const Node &node) const {
  sim::Sequence with = state;
  return node.alone - with.add(node.work).total;
}

// Of a task and the best one after it.
double Scheduler::gainWithNext(unsigned at, unsigned end) const {
  sim::Sequence with = sequence;
  double own = nodes[at].alone - with.add(nodes[at].work).total, best = 0;
  for (unsigned next = first; next < end; ++next)
    if (next != at && isReady(next, at))
      best = std::max(best, gain(with, nodes[next]));
  return own + best;
}

// Two tasks that read the same elements of a tensor in DRAM: ane-keep-in-l2 has
// the second find them in L2, if nothing comes between that needs the room.
bool Scheduler::loadsTheSame(unsigned a, unsigned b) const {
  for (const Access &x : nodes[a].accesses)
    for (const Access &y : nodes[b].accesses)
      if (x.root == y.root && !isIntermediate(x.root) && !x.isWrite &&
          !y.isWrite && x.shape == y.shape && x.layout && y.layout &&
          x.layout->offset == y.layout->offset &&
          x.layout->strides == y.layout->strides)
        return true;
  return false;
}

unsigned Scheduler::choose() const {
  if (!order.empty() && loadsTheSame(order.back(), first))
    return first;
  const unsigned end = std::min(nodes.size(), size_t(first) + window);
  constexpr double worthIt = 1e-7; // seconds
  unsigned best = first;
  double most = gainWithNext(first, end);
  for (unsigned at = first + 1; at < end; ++at) {
    if (!isReady(at) || alive + growth(nodes[at]) > budget)
      continue;
    double value = gainWithNext(at, end);
    if (value > most + worthIt && hasRoomAhead(at)) {
      best = at;
      most = value;
    }
  }
  return best;
}

void Scheduler::finish(unsigned at) {
  Node &node = nodes[at];
  node.isDone = true;
  sequence.add(node.work);
  for (const Access &access : node.accesses) {
    if (!isIntermediate(access.root))
      continue;
    Life &life = lives[access.root];
    if (!life.isAlive)
      alive += life.bytes;
    life.isAlive = true;
    if (--life.left == 0)
      alive -= life.bytes;
  }
  order.push_back(at);
  while (first < nodes.size() && nodes[first].isDone)
    ++first;
}

int64_t Scheduler::run() {
  while (first < nodes.size())
    finish(choose());
  int64_t moved = 0;
  for (auto [place, at] : llvm::enumerate(order))
    moved += place != at;
  if (moved)
    moveOps();
  return moved;
}

// Buffers and views go in front of their first user.
void Scheduler::moveOps() {
  Operation *end = func.front().getTerminator();
  SmallVector<Operation *> all = llvm::to_vector(
      llvm::make_pointer_range(func.front().without_terminator()));
  DenseSet<Operation *> placed;
  auto place = [&](auto &self, Operation *op) -> void {
    if (!op || op->getBlock() != &func.front() || !placed.insert(op).second)
      return;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        self(self, operand.getDefiningOp());
    });
    op->moveBefore(end);
  };
  for (unsigned at : order)
    place(place, nodes[at].task);
  for (Operation *op : all) // what nobody uses
    place(place, op);
}

namespace {

struct Schedule : public mlir::ane::impl::ANEScheduleBase<Schedule> {
  using ANEScheduleBase::ANEScheduleBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, flavour);
    if (failed(memory) || failed(checkTaskOrder(func)))
      return signalPassFailure();
    if (func.isExternal() || !memory->policy->ordersTasks || window < 2)
      return;
    Scheduler scheduler(func, *memory, window);
    if (failed(scheduler.collect()))
      return signalPassFailure();
    moved += scheduler.run();
  }
};

} // namespace
