//===- PlanarTasks.cpp - Elementwise tasks of compiler 9.509 -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That compiler keeps what one elementwise op hands to the next in L2, and a
// source that several of them read. Of C x 1 x 1 tensors it has channels and
// columns exchanged there, which makes a row of C numbers out of C rows of one
// (seen after tables, in division, choice and rounding). A value in L2 is
// bound as it lies: one with exchanged dimensions has the exchanged shape.
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "Zin.h"

#include "Planar.h"

#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static SmallVector<int64_t> exchanged(ArrayRef<int64_t> shape) {
  return {shape[0], shape[3], shape[2], shape[1]};
}

// More than one channel of one pixel.
static bool isColumn(ArrayRef<int64_t> shape) {
  return shape[0] == 1 && shape[1] > 1 && shape[2] == 1 && shape[3] == 1;
}

//===----------------------------------------------------------------------===//
// Ops that are one with others
//===----------------------------------------------------------------------===//

namespace {

/// exp2(log2(base) * exponent), which is three tasks.
struct Power {
  ActivationOp log2, exp2;
  ElementwiseOp product;
  Value base, exponent;
};

} // namespace

static std::optional<Power> matchPower(ActivationOp exp2) {
  Power power;
  power.exp2 = exp2;
  if (exp2.getFunction().getKind() != ActivationKind::Exp2)
    return std::nullopt;
  power.product = exp2.getInput().getDefiningOp<ElementwiseOp>();
  if (!power.product || power.product.getKind() != ElementwiseKind::Mul ||
      !power.product->hasOneUse() || !power.product.isPlain())
    return std::nullopt;
  power.log2 = power.product.getLhs().getDefiningOp<ActivationOp>();
  if (!power.log2 || !power.log2->hasOneUse() ||
      power.log2.getFunction().getKind() != ActivationKind::Log2)
    return std::nullopt;
  power.base = power.log2.getInput();
  power.exponent = power.product.getRhs();
  if (power.base.getType() != power.exponent.getType() ||
      shapeOf(power.base)[0] != 1 || power.exponent.getDefiningOp<ConstantOp>())
    return std::nullopt;
  return power;
}

// The power that a logarithm or product is a part of.
static std::optional<Power> matchPowerPart(Operation *op) {
  Operation *last = op;
  for (int steps = 0; steps < 2 && last->hasOneUse(); ++steps) {
    last = *last->user_begin();
    if (auto exp2 = dyn_cast<ActivationOp>(last))
      if (std::optional<Power> power = matchPower(exp2);
          power && (power->log2 == op || power->product == op))
        return power;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {

/// Something that a task reads, in DRAM or in L2.
struct Source {
  Value value;
  bool exchanged = false; ///< lies in L2 with the shape exchanged
  bool keep = false;      ///< loaded once for later tasks, too

  bool inL2() const { return isInSpace(value.getType(), MemorySpace::L2); }
};

class PlanarTasks {
public:
  PlanarTasks(TaskEmitter &emitter, Operation *op)
      : emitter(emitter), op(op), loc(op->getLoc()) {}

  std::optional<LogicalResult> emit();

private:
  FailureOr<Source> source(Value tensor, bool mayKeep);
  bool isReadAgain(Value tensor) const;
  /// The NEs have the product of a power, else the PE.
  bool multipliesChannels() const {
    return emitter.info().records(::ane::hw::Work::ChannelProduct);
  }
  bool staysInL2(Value tensor) const;
  int64_t l2Bytes(ArrayRef<int64_t> shape) const;
  /// Of a task that stores to `target`, or without one leaves `shape` in L2.
  static TaskSpec specOf(ArrayRef<Source> sources, Value target,
                         ArrayRef<int64_t> shape, Type element);
  /// The result of such a task, which may have kept its sources.
  Value finish(ArrayRef<Source> sources, const TaskResults &results);
  Type half() const { return emitter.builder().getF16Type(); }
  /// `source` copied to L2 for a task that repeats it.
  Source copied(const Source &source);
  Value constantRows(ArrayRef<int64_t> shape, ArrayRef<float> values);
  void bindResult(Value tensor, Value target, Value value);
  /// `tensor`, which lies in L2, in DRAM for this task and all after it.
  Source putBack(Value tensor, const Source &source);

  std::optional<LogicalResult> activation(ActivationOp act);
  void bypass(Source source, ActivationAttr act, Value tensor, Type element);
  std::optional<LogicalResult> elementwise(ElementwiseOp pair);
  LogicalResult affine(ElementwiseOp pair, Value tensor, float value);
  std::optional<LogicalResult> channelRows(ElementwiseOp pair);
  std::optional<LogicalResult> pairwise(ElementwiseOp pair);
  LogicalResult power(Power power);

  TaskEmitter &emitter;
  Operation *op;
  Location loc;
};

} // namespace

int64_t PlanarTasks::l2Bytes(ArrayRef<int64_t> shape) const {
  int64_t align = emitter.info().l2Align;
  return shape[1] * shape[2] * int64_t(::ane::hw::alignTo(2 * shape[3], align));
}

// Whether a later op that this file forms the tasks of reads `tensor`, too.
bool PlanarTasks::isReadAgain(Value tensor) const {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    return user != op && op->isBeforeInBlock(user) &&
           isa<ElementwiseOp, ActivationOp>(user);
  });
}

// What only ops of this file read stays, if there is room for several of it.
bool PlanarTasks::staysInL2(Value tensor) const {
  ArrayRef<int64_t> shape = shapeOf(tensor);
  return !emitter.isPlaced(tensor) && shape[0] == 1 &&
         l2Bytes(shape) <= int64_t(emitter.info().l2SourceBytes) / 4 &&
         llvm::all_of(tensor.getUsers(),
                      llvm::IsaPred<ElementwiseOp, ActivationOp>);
}

FailureOr<Source> PlanarTasks::source(Value tensor, bool mayKeep) {
  FailureOr<Value> memref = emitter.memref(op, tensor);
  if (failed(memref))
    return failure();
  Source source;
  source.value = *memref;
  if (Value tile = emitter.lookupKept(*memref))
    source.value = tile;
  if (source.inL2()) {
    source.exchanged = shapeOf(source.value) != shapeOf(tensor);
    return source;
  }
  source.keep =
      mayKeep && shapeOf(tensor)[0] == 1 && isReadAgain(tensor) &&
      l2Bytes(shapeOf(tensor)) <= int64_t(emitter.info().l2SourceBytes) / 4;
  return source;
}

TaskSpec PlanarTasks::specOf(ArrayRef<Source> sources, Value target,
                             ArrayRef<int64_t> shape, Type element) {
  TaskSpec spec = {{}, target, llvm::to_vector(shape), element};
  for (const Source &source : sources)
    spec.sources.push_back({source.value, source.keep});
  return spec;
}

Value PlanarTasks::finish(ArrayRef<Source> sources,
                          const TaskResults &results) {
  const Value *kept = results.kept.begin();
  for (const Source &source : sources)
    if (source.keep)
      emitter.setKept(source.value, *kept++);
  return results.result;
}

Source PlanarTasks::copied(const Source &source) {
  return {emitter.keep(loc, source.value), source.exchanged, false};
}

// In DRAM, as halves.
Value PlanarTasks::constantRows(ArrayRef<int64_t> shape,
                                ArrayRef<float> values) {
  OpBuilder &builder = emitter.builder();
  return ConstantBufferOp::create(builder, loc, emitter.memrefType(shape),
                                  arrayConstant(builder, loc, shape, values));
}

void PlanarTasks::bindResult(Value tensor, Value target, Value value) {
  emitter.bind(tensor, target ? target : value);
}

Source PlanarTasks::putBack(Value tensor, const Source &source) {
  Value buffer = emitter.makeBuffer(loc, shapeOf(tensor),
                                    getElementTypeOrSelf(source.value));
  TaskSpec spec = specOf(source, buffer, shapeOf(tensor),
                         getElementTypeOrSelf(source.value));
  emitter.bypass(loc, spec, ActivationAttr(), /*scale=*/1, source.exchanged);
  emitter.bind(tensor, buffer);
  return {buffer, false, false};
}

//===----------------------------------------------------------------------===//
// One source
//===----------------------------------------------------------------------===//

std::optional<LogicalResult> PlanarTasks::activation(ActivationOp act) {
  // Parts of other tasks: whoever reads them looks after them.
  if (isAddedRelu(act.getResult()) ||
      (multipliesChannels() && matchPowerPart(act))) {
    FailureOr<Value> input = emitter.memref(op, act.getInput());
    if (succeeded(input))
      emitter.bind(act.getResult(), *input);
    return success(succeeded(input));
  }
  if (std::optional<Power> whole = matchPower(act);
      whole && multipliesChannels())
    return power(*whole);
  ArrayRef<int64_t> shape = shapeOf(act.getInput());
  FailureOr<Source> input = source(act.getInput(), /*mayKeep=*/true);
  if (failed(input))
    return failure();
  ActivationAttr function = act.getFunction();
  if (!input->inL2() && !isOnPe(function) &&
      (shape[0] != 1 || shape[1] * int64_t(::ane::hw::alignTo(
                                       2 * std::min(neStripColumns, shape[3]),
                                       emitter.info().l2Align)) >
                            int64_t(emitter.info().l2SourceBytes)))
    return std::nullopt;
  // A cast of the result to bytes is done in the same pass.
  Value result = act.getResult();
  if (result.hasOneUse())
    if (auto toBytes = dyn_cast<CastOp>(*result.user_begin());
        toBytes && isBytes(toBytes.getType()) && !isOnPe(function))
      result = toBytes.getResult();
  if (!isOnPe(function)) {
    bypass(*input, function, result, getElementTypeOrSelf(result));
    emitter.bind(act.getResult(), emitter.lookup(result));
    return success();
  }

  bool isAbs = function.getKind() == ActivationKind::Abs;
  if (input->exchanged) // the PE computes what lies as it is only
    input = putBack(act.getInput(), *input);
  Value target = staysInL2(result) ? Value() : emitter.destination(result);
  TaskSpec spec = specOf(*input, target, shape, half());
  bindResult(
      result, target,
      finish(*input,
             emitter.unary(loc, spec, isAbs ? 1 : -1,
                           /*bias=*/0, isAbs ? function : ActivationAttr())));
  return success();
}

// `act` of `source` on the NEs, as `tensor`.
void PlanarTasks::bypass(Source source, ActivationAttr act, Value tensor,
                         Type element) {
  ArrayRef<int64_t> shape = shapeOf(tensor);
  Value target = staysInL2(tensor) ? Value() : emitter.destination(tensor);
  // In L2 a column lies as a row; in DRAM it is put back.
  bool asRow = !target && isColumn(shape);
  bool exchange = asRow != source.exchanged;
  float scale = 1;
  ActivationAttr function = act;
  TaskEmitter::takesTable(function, scale);
  TaskSpec spec =
      specOf(source, target,
             asRow ? exchanged(shape) : SmallVector<int64_t>(shape), element);
  Value value =
      finish(source, emitter.bypass(loc, spec, function, scale, exchange));
  bindResult(tensor, target, value);
}

LogicalResult PlanarTasks::affine(ElementwiseOp pair, Value tensor,
                                  float value) {
  FailureOr<Source> input = source(tensor, /*mayKeep=*/true);
  if (failed(input))
    return failure();
  Value result = pair.getResult();
  if (input->exchanged)
    input = putBack(tensor, *input);
  Value target = staysInL2(result) ? Value() : emitter.destination(result);
  // No quotient and no power, which are left to the general way.
  Affine map = *affineOf(pair, value, /*isNumberLeft=*/false);
  TaskSpec spec = specOf(*input, target, shapeOf(result), half());
  bindResult(result, target,
             finish(*input, emitter.unary(loc, spec, map.factor, map.summand,
                                          pair.getActivationAttr())));
  return success();
}

//===----------------------------------------------------------------------===//
// Two sources
//===----------------------------------------------------------------------===//

std::optional<LogicalResult> PlanarTasks::elementwise(ElementwiseOp pair) {
  if (pair.getKind() == ElementwiseKind::Div ||
      pair.getKind() == ElementwiseKind::Pow)
    return std::nullopt;
  if (matchPowerPart(pair) && multipliesChannels()) {
    FailureOr<Value> input = emitter.memref(op, pair.getRhs());
    if (succeeded(input))
      emitter.bind(pair.getResult(), *input);
    return success(succeeded(input));
  }
  // A function that only a table has is a task of its own.
  if (ActivationAttr act = pair.getActivationAttr();
      act && act.getKind() != ActivationKind::Relu &&
      act.getKind() != ActivationKind::Abs)
    return std::nullopt;
  auto constant = pair.getRhs().getDefiningOp<ConstantOp>();
  std::optional<float> number =
      constant ? getScalarConstant(pair.getRhs()) : std::nullopt;
  bool isNumber =
      number && (tensorOf(pair.getRhs()).getNumElements() == 1 ||
                 shapeOf(pair.getLhs()) != shapeOf(pair.getResult()));
  bool isBound = pair.getKind() == ElementwiseKind::Max ||
                 pair.getKind() == ElementwiseKind::Min;
  if (isNumber && !isBound)
    return affine(pair, pair.getLhs(), *number);
  if (isNumber)
    return std::nullopt;
  if (constant)
    if (std::optional<LogicalResult> status = channelRows(pair))
      return status;
  return pairwise(pair);
}

// x + c or x * c with a value for each channel: (x + row 0) * row 1 from two
// rows in L2, where a task of the NEs may copy them.
std::optional<LogicalResult> PlanarTasks::channelRows(ElementwiseOp pair) {
  ArrayRef<int64_t> shape = shapeOf(pair.getResult());
  ArrayRef<int64_t> small = shapeOf(pair.getRhs());
  // The rows of one channel are as good as channels (seen once).
  bool rowsAsChannels = shape[0] == 1 && shape[1] == 1 && shape[2] > 1 &&
                        small == ArrayRef<int64_t>{1, 1, shape[2], 1};
  bool perChannel =
      shape[1] > 1 && small == ArrayRef<int64_t>{1, shape[1], 1, 1};
  bool isMul = pair.getKind() == ElementwiseKind::Mul;
  if ((!rowsAsChannels && !perChannel) || shapeOf(pair.getLhs()) != shape ||
      (!isMul && pair.getKind() != ElementwiseKind::Add &&
       pair.getKind() != ElementwiseKind::Sub) ||
      !pair.isUnscaled())
    return std::nullopt;
  FailureOr<Source> input = source(pair.getLhs(), /*mayKeep=*/false);
  FailureOr<SmallVector<float>> values = readConstant(pair.getRhs());
  if (failed(input) || failed(values))
    return failure();
  if (input->inL2())
    return std::nullopt;
  int64_t channels = small[1] * small[2];
  SmallVector<float> rows;
  for (float value : *values)
    rows.push_back(isMul                                    ? 0
                   : pair.getKind() == ElementwiseKind::Sub ? -value
                                                            : value);
  for (float value : *values)
    rows.push_back(isMul ? value : 1);
  Source kept = {constantRows({1, 1, 2, channels}, rows)};
  // Seen: later generations exchange what they load.
  if (!emitter.info().configuresSources)
    kept = copied(kept);
  Value target = emitter.destination(pair.getResult()), to = target;
  Source from = *input;
  if (rowsAsChannels) {
    from.value = emitter.permute(loc, from.value, {0, 2, 1, 3});
    to = emitter.permute(loc, to, {0, 2, 1, 3});
  }
  Source sources[] = {from, kept};
  finish(sources,
         emitter.normalize(loc, specOf(sources, to, shapeOf(to), half()),
                           /*exchangeRows=*/true, /*allChannels=*/false,
                           /*add=*/true, pair.getActivationAttr()));
  emitter.bind(pair.getResult(), target);
  return success();
}

std::optional<LogicalResult> PlanarTasks::pairwise(ElementwiseOp pair) {
  ArrayRef<int64_t> shape = shapeOf(pair.getResult());
  Value tensors[] = {pair.getLhs(), pair.getRhs()};
  float scale = pair.getScale().convertToFloat();
  bool reluRhs = isAddedRelu(tensors[0]) || isAddedRelu(tensors[1]);
  // The exponent comes first (seen once).
  if (isAddedRelu(tensors[0]) || matchPowerPart(pair) ||
      (shapeOf(tensors[0]) != shape && shapeOf(tensors[1]) == shape)) {
    std::swap(tensors[0], tensors[1]);
    if (pair.getKind() == ElementwiseKind::Sub)
      scale = -scale; // s (a - b) = -s (b - a)
  }
  SmallVector<Source> sources;
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    FailureOr<Source> found = source(tensor, /*mayKeep=*/i == 0);
    if (failed(found))
      return failure();
    sources.push_back(*found);
  }
  for (auto [source, tensor] : llvm::zip(sources, tensors)) {
    bool repeated = shapeOf(tensor) != shape;
    if (source.inL2() || (!repeated && !tensor.getDefiningOp<ConstantOp>()))
      continue;
    if (auto row = isColumn(shapeOf(tensor))
                       ? readConstant(tensor)
                       : FailureOr<SmallVector<float>>(failure());
        succeeded(row))
      source = {constantRows(exchanged(shapeOf(tensor)), *row),
                /*exchanged=*/true};
    // Seen: later generations repeat what they load.
    if (emitter.info().configuresSources)
      continue;
    // A loop of the NEs over images is not known, nor a copy in parts.
    if (shapeOf(tensor)[0] != 1 ||
        l2Bytes(shapeOf(tensor)) > int64_t(emitter.info().l2SourceBytes) / 4)
      return std::nullopt;
    source = copied(source);
  }
  bool anyExchanged =
      llvm::any_of(sources, [](const Source &s) { return s.exchanged; });
  Value result = pair.getResult();
  Value target = staysInL2(result) ? Value() : emitter.destination(result);
  bool asRow = !target && isColumn(shape) && anyExchanged;
  TaskSpec spec =
      specOf(sources, target,
             asRow ? exchanged(shape) : SmallVector<int64_t>(shape), half());
  Value value = finish(
      sources,
      emitter.pair(loc, spec,
                   {pair.getKind(), scale, pair.getBias().convertToFloat(),
                    pair.getActivationAttr(), sources[0].exchanged,
                    sources[1].exchanged, asRow, reluRhs}));
  bindResult(result, target, value);
  return success();
}

// The exponents and the logarithms of the bases side by side as channels, which
// the NEs multiply in pairs.
LogicalResult PlanarTasks::power(Power power) {
  ArrayRef<int64_t> shape = shapeOf(power.base);
  OpBuilder &builder = emitter.builder();
  SmallVector<int64_t> both(shape);
  both[1] *= 2;
  Value pairs = L2BufferOp::create(builder, loc,
                                   emitter.memrefType(both, MemorySpace::L2));
  auto fill = [&](Value tensor, int64_t slot,
                  ActivationAttr act) -> LogicalResult {
    FailureOr<Source> from = source(tensor, /*mayKeep=*/false);
    if (failed(from) || from->exchanged)
      return failure();
    Value place =
        emitter.stridedView(loc, pairs, {0, slot, 0, 0}, shape, {1, 2, 1, 1});
    float scale = 1;
    TaskEmitter::takesTable(act, scale);
    emitter.bypass(loc, {{from->value}, place}, act, scale);
    return success();
  };
  if (failed(fill(power.exponent, 0, ActivationAttr())) ||
      failed(fill(power.base, 1, power.log2.getFunction())))
    return failure();
  Value result = power.exp2.getResult();
  Value target = emitter.destination(result);
  float scale = 1;
  ActivationAttr act = power.exp2.getFunction();
  TaskEmitter::takesTable(act, scale);
  emitter.task(
      loc, specOf({{pairs}}, target, shape, half()),
      [&](OpBuilder &body, ValueRange tiles, MemRefType type) -> Value {
        return NeProductOp::create(body, loc, type, tiles[0],
                                   emitter.tableOf(body, loc, act), act);
      });
  emitter.bind(result, target);
  return success();
}

std::optional<LogicalResult> PlanarTasks::emit() {
  std::optional<LogicalResult> status;
  if (auto act = dyn_cast<ActivationOp>(op))
    status = activation(act);
  if (auto pair = dyn_cast<ElementwiseOp>(op))
    status = elementwise(pair);
  if (status)
    return status;
  // The tasks of every flavour read from DRAM.
  for (Value operand : op->getOperands())
    if (Value memref = emitter.lookup(operand);
        memref && isInSpace(memref.getType(), MemorySpace::L2))
      putBack(operand,
              {memref, shapeOf(memref) != shapeOf(operand), /*keep=*/false});
  return std::nullopt;
}

std::optional<LogicalResult> mlir::ane::emitZinPlanar(TaskEmitter &emitter,
                                                      Operation *op) {
  return PlanarTasks(emitter, op).emit();
}
