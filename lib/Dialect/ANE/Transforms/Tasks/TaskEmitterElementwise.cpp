//===- TaskEmitterElementwise.cpp - Elementwise ops, reductions -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes of the planar engine over one or two tensors, and what the neural
// engines do of the same ops.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static bool peCanDo(ActivationAttr act) {
  return !act || act.getKind() == ActivationKind::Relu ||
         act.getKind() == ActivationKind::Abs;
}

LogicalResult TaskEmitter::emitElementwise(ElementwiseOp op) {
  if (centred(op.getResult())) { // whoever reads it looks at what it is of
    FailureOr<Value> source = memref(op, op.getLhs());
    if (succeeded(source))
      bind(op.getResult(), *source);
    return source;
  }
  // A function that only a table has needs a pass of its own.
  ActivationAttr act = op.getActivationAttr(), later;
  if (!peCanDo(act))
    std::swap(act, later);
  Value target = destination(op.getResult());
  Value result = target;
  if (later)
    result =
        makeBuffer(op.getLoc(), shapeOf(target), getElementTypeOrSelf(target));
  op.setActivationAttr(act);

  LogicalResult status = success();
  if (std::optional<float> value = getScalarConstant(op.getRhs())) {
    status = emitScalar(op, op.getLhs(), *value, false, result);
  } else if (std::optional<float> value = getScalarConstant(op.getLhs())) {
    status = emitScalar(op, op.getRhs(), *value, true, result);
  } else {
    status = emitPair(op, result);
  }
  if (later && succeeded(status))
    bypass(op, result, target, later);
  return status;
}

int64_t TaskEmitter::getRowsInL2(const ::ane::hw::GenerationInfo &info,
                                 ArrayRef<int64_t> source) {
  int64_t row = source[1] * ::ane::hw::alignTo(2 * source[3], info.l2Align) +
                uint64_t(3) * info.l2Align; // what rows are moved apart by
  return info.l2SourceBytes / 8 / row;
}

// In how many batches, and how many rows at a time, a pair of this shape is
// computed. The copy of a source that is repeated is a task of the NEs, which
// have no loop over the batch, and its result lies in L2 as a whole: one image
// and some rows at a time.
static std::pair<int64_t, int64_t>
cutPair(const ::ane::hw::GenerationInfo &info, ArrayRef<int64_t> shape,
        ValueRange sources) {
  int64_t batches = 1, rows = shape[2];
  for (Value value : sources) {
    ArrayRef<int64_t> source = shapeOf(value);
    if (source == shape)
      continue;
    if (source[0] > 1)
      batches = shape[0];
    if (source[2] > 1)
      rows =
          std::clamp<int64_t>(TaskEmitter::getRowsInL2(info, source), 1, rows);
  }
  return {batches, rows};
}

// A source of a pair may be repeated along W, H, C or the batch where it lies
// in L2, so a task in front of it copies it there (seen in all recorded
// broadcasts).
LogicalResult TaskEmitter::emitPair(ElementwiseOp op, Value target) {
  for (Value operand : op->getOperands())
    if (std::optional<Centred> from = centred(operand))
      return emitNormalize(op, *from, target);
  FailureOr<Value> lhs = memref(op, op.getLhs());
  FailureOr<Value> rhs = memref(op, op.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  Value first = *lhs, second = *rhs;
  float scale = op.getScale().convertToFloat();
  ArrayRef<int64_t> shape = shapeOf(target);
  if (shapeOf(first) != shape && shapeOf(second) == shape) {
    std::swap(first, second);
    if (op.getKind() == ElementwiseKind::Sub)
      scale = -scale; // s (a - b) = -s (b - a)
  }
  Pair how = {op.getKind(), scale, op.getBias().convertToFloat(),
              op.getActivationAttr()};
  how.reluRhs = isAddedRelu(op.getLhs()) || isAddedRelu(op.getRhs());
  bool isRepeated[] = {shapeOf(first) != shape, shapeOf(second) != shape};
  int64_t batches, rows;
  std::tie(batches, rows) = cutPair(info(), shape, {first, second});
  for (int64_t n = 0; n < batches; ++n)
    for (int64_t top = 0; top < shape[2]; top += rows) {
      int64_t height = std::min(rows, shape[2] - top);
      auto box = [&](Value value) {
        SmallVector<int64_t> part(shapeOf(value)), offsets(4, 0);
        if (batches > 1) {
          offsets[0] = part[0] == 1 ? 0 : n;
          part[0] = 1;
        }
        if (part[2] > 1) {
          offsets[2] = top;
          part[2] = height;
        }
        return subview(op.getLoc(), value, offsets, part);
      };
      Value to = box(target);
      TaskSpec spec;
      spec.target = to;
      for (int i : {0, 1}) {
        Value part = box(i == 0 ? first : second);
        spec.sources.push_back(isRepeated[i] ? keep(op.getLoc(), part) : part);
      }
      pair(op.getLoc(), spec, how);
    }
  return success();
}

// One operand is a number: scale and bias of a pass over the other one, or a
// clamp where the function is max or min.
LogicalResult TaskEmitter::emitScalar(ElementwiseOp op, Value tensor,
                                      float value, bool scalarFirst,
                                      Value target) {
  FailureOr<Value> source = memref(op, tensor);
  if (failed(source))
    return failure();
  if (std::optional<Affine> map = affineOf(op, value, scalarFirst)) {
    unary(op.getLoc(), {{*source}, target}, map->factor, map->summand,
          op.getActivationAttr());
    return success();
  }
  if (!op.isPlain() || source->getType() != target.getType())
    return op.emitOpError("is a bound with a scale, bias, activation or "
                          "broadcast, which takes two passes; run "
                          "ane-decompose");
  double infinity = std::numeric_limits<double>::infinity();
  bool isMax = op.getKind() == ElementwiseKind::Max;
  auto clamp =
      ActivationAttr::get(op.getContext(), ActivationKind::Clamp,
                          isMax ? value : -infinity, isMax ? infinity : value);
  if (isMax && value == 0)
    clamp = ActivationAttr::get(op.getContext(), ActivationKind::Relu);
  bypass(op, *source, target, clamp);
  return success();
}

//===----------------------------------------------------------------------===//
// Channels side by side
//===----------------------------------------------------------------------===//

// Planes are made of whole channels, so some of them at a time where a row of
// all does not fit L2 with what of the result passes through it.
void TaskEmitter::interleave(Location loc, Value source, Value target,
                             int64_t factor) {
  SmallVector<int64_t> in(shapeOf(source));
  SmallVector<int64_t> out(shapeOf(target));
  int64_t perChannel =
      in[3] * sizeof(uint16_t) +
      ::ane::hw::streamedResultBytes(/*channels=*/1, in[3], sizeof(uint16_t),
                                     /*isNeural=*/false);
  int64_t channels = in[1], room = info().l2SourceBytes;
  int64_t step = std::max<int64_t>(factor, room / perChannel / factor * factor);
  for (int64_t first = 0; first < channels; first += step) {
    in[1] = std::min(step, channels - first);
    out[1] = in[1] / factor;
    Value from = subview(loc, source, {0, first, 0, 0}, in);
    Value to = subview(loc, target, {0, first / factor, 0, 0}, out);
    task(loc, {{from}, to},
         [&](OpBuilder &builder, ValueRange tiles, MemRefType type) {
           return PeInterleaveOp::create(builder, loc, type, tiles[0], factor)
               .getResult();
         });
  }
}

LogicalResult TaskEmitter::emitInterleave(InterleaveOp op) {
  if (auto conv = op.getInput().getDefiningOp<ConvOp>();
      conv && storedInterleave(conv))
    return success(); // the convolution has stored it
  // Seen: an exchange of the NEs stores its result interleaved.
  if (auto transpose = op.getInput().getDefiningOp<TransposeOp>();
      transpose && isStoredInterleaved(transpose)) {
    FailureOr<Value> source = memref(op, transpose.getInput());
    if (failed(source))
      return failure();
    Value rows = permute(op.getLoc(), *source, {0, 2, 1, 3});
    exchange(op.getLoc(), rows, destination(op.getResult()), op.getFactor());
    return success();
  }
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  interleave(op.getLoc(), *source, destination(op.getResult()), op.getFactor());
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value TaskEmitter::zeroBuffer(Location loc) {
  auto type = RankedTensorType::get({1, 1, 1, 1}, tail.getF16Type());
  Value zero = ConstantOp::create(
      tail, loc,
      DenseElementsAttr::get(type, APFloat::getZero(APFloat::IEEEhalf())));
  return ConstantBufferOp::create(tail, loc, memrefType({1, 1, 1, 1}), zero);
}

// One image a task, as for all of the NEs, and columns whose channels fit L2 at
// once.
LogicalResult TaskEmitter::emitMaxOfChannels(ReduceOp op) {
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  Value target = destination(op.getResult());
  SmallVector<int64_t> in(shapeOf(*source));
  SmallVector<int64_t> out(shapeOf(target));
  int64_t batches = in[0], width = in[3], step = columnsInL2(in[1], width);
  in[0] = out[0] = 1;
  for (int64_t at = 0, parts = llvm::divideCeil(width, step);
       at < batches * parts; ++at) {
    int64_t n = at / parts, left = at % parts * step;
    in[3] = out[3] = std::min(step, width - left);
    Value from = subview(op.getLoc(), *source, {n, 0, 0, left}, in);
    Value to = subview(op.getLoc(), target, {n, 0, 0, left}, out);
    reduceChannels(op.getLoc(), {{from}, to}, ReduceKind::Max);
  }
  return success();
}

LogicalResult TaskEmitter::emitReduce(ReduceOp op) {
  SmallVector<int64_t> axes(op.getAxes());
  llvm::sort(axes);
  if (axes == ArrayRef<int64_t>{1} && op.getKind() == ReduceKind::Max &&
      !op.getActivation())
    return emitMaxOfChannels(op);
  bool rows = axes == ArrayRef<int64_t>{3};
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  Value target = destination(op.getResult());
  bool squares = op.getKind() == ReduceKind::SumSquare ||
                 op.getKind() == ReduceKind::MeanSquare;
  std::optional<Centred> from = centred(op.getInput());
  // Rows are reduced as groups of the engine, which then has none for a batch.
  ArrayRef<int64_t> in = shapeOf(*source);
  ArrayRef<int64_t> out = shapeOf(target);
  int64_t batches = rows && in[2] > 1 ? in[0] : 1;
  SmallVector<int64_t> inShape(in), outShape(out);
  if (batches > 1)
    inShape[0] = outShape[0] = 1;
  for (int64_t n = 0; n < batches; ++n) {
    Value part = subview(op.getLoc(), *source, {n, 0, 0, 0}, inShape);
    Value to = subview(op.getLoc(), target, {n, 0, 0, 0}, outShape);
    // Squares are of sums with a second source.
    TaskSpec spec = {{part}, to};
    if (from) {
      FailureOr<Value> means = meansOf(op, *from, in[1]);
      if (failed(means))
        return failure();
      spec.sources.push_back(keep(op.getLoc(), *means, -1));
    } else if (squares) {
      spec.sources.push_back(keep(op.getLoc(), zeroBuffer(op.getLoc())));
    }
    reduce(op.getLoc(), spec, {op.getKind(), op.getActivationAttr()});
  }
  return success();
}
