//===- RowRun.cpp - Ops along rows, strip by strip ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowRun.h"

#include "ane/HW/Chip.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::ane;

// Ops of a run; what they need is looked at for each number of them.
static constexpr size_t maxSteps = 96;
// At most every second column is computed twice.
static constexpr int64_t minShare = 2;
static constexpr int64_t halfBytes = sizeof(uint16_t);

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::pair<int64_t, int64_t> lowestTerms(int64_t num, int64_t den) {
  int64_t common = std::gcd(num, den);
  return {num / common, den / common};
}

static RunValue entryOf(Value value, std::pair<int64_t, int64_t> rate) {
  RunValue entry;
  std::tie(entry.num, entry.den) = lowestTerms(rate.first, rate.second);
  RankedTensorType type = typeOf(value);
  entry.length = type.getShape().back();
  entry.channels = type.getNumElements() / entry.length;
  return entry;
}

bool RowRun::add(const RowStep &step) {
  constexpr int64_t maxRate = 1 << 16;
  if (steps.size() == maxSteps)
    return false;
  std::optional<std::pair<int64_t, int64_t>> rate;
  for (unsigned index : step.rows) {
    Value operand = step.op->getOperand(index);
    if (operand.getDefiningOp<ConstantOp>())
      return false;
    auto found = values.find(operand);
    if (found == values.end())
      continue;
    std::pair known(found->second.num, found->second.den);
    if (rate && *rate != known)
      return false;
    rate = known;
  }
  if (!rate && !steps.empty())
    return false;
  rate = rate.value_or(std::pair(1, 1));
  std::pair after = *rate;
  (step.isTransposed ? after.first : after.second) *= step.stride;
  if (std::max(after.first, after.second) > maxRate)
    return false;
  steps.push_back(step);
  for (unsigned index : step.rows) {
    Value operand = step.op->getOperand(index);
    if (values.contains(operand))
      continue;
    RunValue entry = entryOf(operand, *rate);
    entry.isOutside = true;
    entry.first = steps.size();
    values[operand] = entry;
  }
  RunValue entry = entryOf(step.op->getResult(0), after);
  entry.first = steps.size();
  values[step.op->getResult(0)] = entry;
  return true;
}

SmallVector<Value> RowRun::getSources() const {
  SmallVector<Value> sources;
  for (const auto &[value, entry] : values)
    if (entry.isOutside)
      sources.push_back(value);
  return sources;
}

SmallVector<Value> RowRun::getResults() const {
  SmallVector<Value> results;
  for (const auto &[value, entry] : values)
    if (isResult(entry, steps.size()))
      results.push_back(value);
  return results;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

void RowRun::findUses() {
  DenseMap<Operation *, size_t> numbers;
  for (auto [index, step] : llvm::enumerate(steps))
    numbers[step.op] = index + 1;
  for (auto &[value, entry] : values) {
    entry.last = 0;
    for (Operation *user : value.getUsers()) {
      auto found = numbers.find(user);
      bool isInside = found != numbers.end();
      if (isInside || !entry.isOutside)
        entry.last =
            std::max(entry.last, isInside ? found->second : steps.size() + 1);
    }
  }
}

void RowRun::findNeeds(size_t count) {
  for (auto &[value, entry] : values)
    entry.left = entry.right = 0;
  for (const RowStep &step : llvm::reverse(ArrayRef(steps).take_front(count))) {
    const RunValue &result = values[step.op->getResult(0)];
    int64_t left = result.left, right = result.right;
    if (step.isTransposed) {
      // Element o is made of those from (o + low - extent + 1) / stride to
      // (o + low) / stride.
      left = llvm::divideFloorSigned(left - step.low + step.extent - 1,
                                     step.stride);
      right = llvm::divideFloorSigned(right + step.low - 1 + step.stride,
                                      step.stride);
    } else {
      left = left * step.stride + step.low;
      right = right * step.stride + step.extent - step.low - step.stride;
    }
    for (unsigned index : step.rows) {
      RunValue &operand = values[step.op->getOperand(index)];
      operand.left = std::max(operand.left, left);
      operand.right = std::max(operand.right, right);
    }
  }
}

// Bytes for each column of the first row, of all rows that wait for an op.
double RowRun::maxAlive(size_t count) const {
  SmallVector<double> change(count + 2, 0);
  for (const auto &[value, entry] : values) {
    if (!isThere(entry, count))
      continue;
    double bytes = double(entry.channels * halfBytes * entry.num) / entry.den;
    change[entry.first] += bytes;
    change[std::max(entry.first, std::min(entry.last, count)) + 1] -= bytes;
  }
  double alive = 0, most = 0;
  for (double bytes : change)
    most = std::max(most, alive += bytes);
  return most;
}

bool RowRun::setColumns(RunPlan &plan, size_t count) const {
  int64_t align = info.dmaAlign / halfBytes;
  int64_t unit = 1, wholeUnit = 1, left = 0, right = 0, most = info.maxWidth;
  int64_t all = 0;
  constexpr int64_t maxUnit = 1 << 16;
  for (const auto &pair : values) {
    const RunValue &entry = pair.second;
    if (!isThere(entry, count) || unit > maxUnit)
      continue;
    // Rows that come or go start where the DMA can address them.
    bool isMoved = entry.isOutside || isResult(entry, count);
    int64_t granule = isMoved ? align / std::gcd(align, entry.num) : 1;
    unit = std::lcm(unit, entry.den * granule);
    wholeUnit = std::lcm(wholeUnit, entry.den);
    auto back = [&](int64_t columns) -> int64_t {
      return llvm::divideCeil(columns * entry.den, entry.num);
    };
    all = std::max(all, back(entry.length));
    left = std::max(left, back(entry.left));
    right = std::max(right, back(entry.right));
    most = std::min(most, int64_t(info.maxWidth) * entry.den / entry.num);
  }
  if (unit > maxUnit)
    return false;
  plan.left = llvm::alignTo(left, unit);
  plan.right = llvm::alignTo(right, wholeUnit);
  int64_t beside = plan.left + plan.right;
  double room = share * info.l2Bytes / maxAlive(count);
  int64_t columns =
      std::min<int64_t>(int64_t(room) - beside, (most - beside) / 2);
  columns = columns / unit * unit;
  if (columns < std::max<int64_t>(unit, minShare * beside))
    return false;
  plan.columns = llvm::alignTo(
      llvm::divideCeil(all, llvm::divideCeil(all, columns)), unit);
  return true;
}

bool RowRun::setParts(RunPlan &plan, size_t count) const {
  // Windows at the end should see more than padding.
  constexpr int64_t minColumns = 32;
  int64_t last = info.maxTasks;
  for (const auto &[value, entry] : values)
    if (isThere(entry, count)) {
      int64_t columns = plan.columns * entry.num / entry.den;
      int64_t least = std::max(plan.right * entry.num / entry.den,
                               std::min(columns, minColumns));
      last = std::min(last, (entry.length - least) / columns);
    }
  for (const auto &[value, entry] : values)
    if (isThere(entry, count)) {
      int64_t columns = plan.columns * entry.num / entry.den;
      if (entry.length - last * columns > 2 * columns)
        return false;
    }
  plan.parts = last + 1;
  return plan.parts > 1;
}

FailureOr<RunPlan> RowRun::planFor(size_t count) {
  RunPlan plan;
  findNeeds(count);
  if (!setColumns(plan, count) || !setParts(plan, count))
    return failure();
  return plan;
}

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

// Whether what reads it is done where it is made: functions, and a factor or
// summand for each channel.
static bool isInEpilogue(Value value, ArrayRef<RowStep> steps,
                         const RunValue &entry) {
  if (!value.hasOneUse() || entry.last > steps.size())
    return false;
  const RowStep &user = steps[entry.last - 1];
  return isa<ActivationOp, ElementwiseOp>(user.op) && user.rows.size() == 1;
}

static Value weightOf(Operation *op) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return conv.getWeight();
  if (auto conv = dyn_cast<ConvTransposeOp>(op))
    return conv.getWeight();
  return {};
}

// Rows between the ops would be written and read, some of them several times.
RunGain RowRun::gainOf(const RunPlan &plan, size_t count) const {
  RunGain gain;
  auto bytesOf = [](const RunValue &entry) {
    return double(entry.length) * entry.channels * halfBytes;
  };
  double share = double(plan.left + plan.right) / plan.columns;
  for (const auto &[value, entry] : values) {
    double bytes = bytesOf(entry);
    bool isWide = 2 * bytes > info.l2Bytes;
    if (!isThere(entry, count))
      continue;
    if (entry.isOutside || isResult(entry, count))
      gain.again += share * bytes;
    if (isResult(entry, count) && !isWide) // it could stay in L2
      gain.again += 2 * bytes;
    if (!entry.isOutside && !isResult(entry, count) && isWide &&
        !isInEpilogue(value, steps, entry))
      gain.kept += 2 * bytes;
  }
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  double bytesForMac = chip.tileBytesPerSecond / chip.macsPerSecond();
  for (const RowStep &step : ArrayRef(steps).take_front(count)) {
    double source = bytesOf((*this)[step.op->getOperand(step.rows[0])]);
    if (source > info.l2SourceBytes && isa<LayerNormOp, RmsNormOp>(step.op))
      gain.kept += 4 * source;
    Value weight = weightOf(step.op);
    if (!weight)
      continue;
    double elements = typeOf(weight).getNumElements();
    gain.again += double(plan.parts - 1) * elements * halfBytes;
    // Each element of the weight meets each of what is strided.
    Value strided =
        step.isTransposed ? step.op->getOperand(0) : step.op->getResult(0);
    gain.again +=
        share * elements * double((*this)[strided].length) * bytesForMac;
  }
  return gain;
}

// Whether an op is more than one pass can be, or is not taken apart any more
// where L2 does not hold its source.
bool RowRun::mustCut(const RowStep &step) const {
  constexpr int64_t engineStride = 2;
  auto isAbove = [&](Value value, int64_t bytes) {
    const RunValue &entry = (*this)[value];
    return entry.length > info.maxWidth ||
           entry.length * entry.channels * halfBytes > bytes;
  };
  int64_t l2Bytes = info.l2Bytes;
  return isAbove(step.op->getResult(0), 2 * l2Bytes) ||
         llvm::any_of(step.rows, [&](unsigned index) {
           return isAbove(step.op->getOperand(index),
                          step.stride > engineStride ? l2Bytes : 2 * l2Bytes);
         });
}

SmallVector<RunPlan> RowRun::propose() {
  constexpr double none = -std::numeric_limits<double>::infinity();
  constexpr size_t most = 3;
  findUses();
  SmallVector<RunPlan> plans;
  SmallVector<double> saved = {none}; // by number of ops
  bool hasWindow = false, isForced = false;
  for (size_t count = 1; count <= steps.size(); ++count) {
    isForced |= mustCut(steps[count - 1]);
    hasWindow |= steps[count - 1].isWindow();
    FailureOr<RunPlan> plan = planFor(count);
    saved.push_back(none);
    if (failed(plan) || !hasWindow)
      continue;
    RunGain gain = gainOf(*plan, count);
    if (!isForced && gain.kept <= gain.again)
      continue;
    saved.back() = gain.kept - gain.again;
    plan->steps = count;
    plan->isForced = isForced;
    plans.push_back(*plan);
  }
  saved.push_back(none);
  // Neither one op less nor one more is better.
  llvm::erase_if(plans, [&](const RunPlan &plan) {
    return saved[plan.steps] < saved[plan.steps - 1] ||
           saved[plan.steps] <= saved[plan.steps + 1];
  });
  llvm::sort(plans, [&](const RunPlan &a, const RunPlan &b) {
    return std::pair(saved[a.steps], a.steps) >
           std::pair(saved[b.steps], b.steps);
  });
  if (plans.size() > most)
    plans.truncate(most);
  return plans;
}

void RowRun::take(size_t count) {
  steps.truncate(count);
  values.remove_if(
      [&](const auto &pair) { return !isThere(pair.second, count); });
  findUses();
  findNeeds(count);
}
