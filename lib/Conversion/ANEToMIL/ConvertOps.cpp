//===- ConvertOps.cpp - Ops of the ane dialect in MIL ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

// Records the statement that `op` became; there is none if an operand was bad.
static LogicalResult finish(FunctionEmitter &emitter, Operation *op,
                            Value value) {
  if (!value)
    return op->emitOpError(
        "has an operand that is not the result of a converted operation");
  emitter.map(op->getResult(0), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Convolution and matrix multiplication
//===----------------------------------------------------------------------===//

// `bias` of conv is reported to fail on the private path (rule conv_bias);
// scale and bias are statements, which Apple's compiler fuses again.
template <typename OpTy>
static LogicalResult convertConv(FunctionEmitter &emitter, OpTy op,
                                 StringRef type) {
  RankedTensorType result = emitter.convert(op.getType());
  Type element = result.getElementType();
  Value value =
      emitter.emit(type,
                   {{"dilations", emitter.integers(op.getDilations())},
                    {"groups", emitter.integer(op.getGroups())},
                    {"pad", emitter.integers(op.getPad())},
                    {"pad_type", emitter.string("custom")},
                    {"strides", emitter.integers(op.getStrides())},
                    {"weight", emitter.operand(op.getWeight(), element)},
                    {"x", emitter.operand(op.getInput(), element)}},
                   result);
  int64_t channels[] = {1, result.getDimSize(1), 1, 1};
  if (Value scale = op.getScale(); scale && value)
    value = emitter.emitBinary(
        "mul", value, emitter.operand(scale, element, channels), result);
  if (Value bias = op.getBias(); bias && value)
    value = emitter.emitBinary(
        "add", value, emitter.operand(bias, element, channels), result);
  return finish(emitter, op,
                emitter.emitActivation(value, op.getActivationAttr()));
}

static LogicalResult convertMatmul(FunctionEmitter &emitter, MatmulOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Value value = emitter.emit(
      "matmul",
      {{"transpose_x", emitter.boolean(op.getTransposeLhs())},
       {"transpose_y", emitter.boolean(op.getTransposeRhs())},
       {"x", emitter.operand(op.getLhs(), result.getElementType())},
       {"y", emitter.operand(op.getRhs(), result.getElementType())}},
      result);
  return finish(emitter, op,
                emitter.emitActivation(value, op.getActivationAttr()));
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static StringRef getName(ElementwiseKind kind) {
  switch (kind) {
  case ElementwiseKind::Add:
    return "add";
  case ElementwiseKind::Sub:
    return "sub";
  case ElementwiseKind::Mul:
    return "mul";
  case ElementwiseKind::Max:
    return "maximum";
  case ElementwiseKind::Min:
    return "minimum";
  case ElementwiseKind::Div:
    return "real_div";
  case ElementwiseKind::Pow:
    return "pow";
  }
  llvm_unreachable("covered switch");
}

static LogicalResult convertElementwise(FunctionEmitter &emitter,
                                        ElementwiseOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Value lhs = emitter.operand(op.getLhs(), result.getElementType());
  Value rhs = emitter.operand(op.getRhs(), result.getElementType());
  Value value = emitter.emitBinary(getName(op.getKind()), lhs, rhs, result);
  if (!op.getScale().isExactlyValue(1.0))
    value = emitter.emitScalar("mul", value, op.getScale().convertToDouble());
  if (!op.getBias().isZero())
    value = emitter.emitScalar("add", value, op.getBias().convertToDouble());
  return finish(emitter, op,
                emitter.emitActivation(value, op.getActivationAttr()));
}

static LogicalResult convertActivation(FunctionEmitter &emitter,
                                       ActivationOp op) {
  Value input = emitter.operand(op.getInput());
  return finish(emitter, op, emitter.emitActivation(input, op.getFunction()));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static StringRef getName(CompareKind kind) {
  switch (kind) {
  case CompareKind::Equal:
    return "equal";
  case CompareKind::NotEqual:
    return "not_equal";
  case CompareKind::Less:
    return "less";
  case CompareKind::LessEqual:
    return "less_equal";
  case CompareKind::Greater:
    return "greater";
  case CompareKind::GreaterEqual:
    return "greater_equal";
  }
  llvm_unreachable("covered switch");
}

// MIL compares to bool; what wants truth as a number gets a cast from
// `operand`.
static LogicalResult convertCompare(FunctionEmitter &emitter, CompareOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Value lhs = emitter.operand(op.getLhs(), result.getElementType());
  Value rhs = emitter.operand(op.getRhs(), result.getElementType());
  return finish(
      emitter, op,
      emitter.emitBinary(getName(op.getKind()), lhs, rhs,
                         result.clone(emitter.getBuilder().getI1Type())));
}

static LogicalResult convertSelect(FunctionEmitter &emitter, SelectOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Type element = result.getElementType();
  Value a = emitter.operand(op.getTrueValue(), element);
  Value b = emitter.operand(op.getFalseValue(), element);
  Value condition = emitter.lookup(op.getCondition());
  if (!condition)
    condition = emitter.operand(op.getCondition());
  if (!a || !b || !condition)
    return finish(emitter, op, {});
  auto type = cast<RankedTensorType>(condition.getType());
  auto boolType = type.clone(emitter.getBuilder().getI1Type());
  if (isa<IntegerType>(type.getElementType()) && type != boolType)
    condition = emitter.emit(
        "cast", {{"dtype", emitter.string("bool")}, {"x", condition}},
        boolType);
  else if (type != boolType)
    condition = emitter.emit(
        "not_equal",
        {{"x", condition}, {"y", emitter.number(type.getElementType(), 0)}},
        boolType);
  return finish(emitter, op, emitter.emitSelect(condition, a, b, result));
}

/// What a cast to bytes would make of `x`, in floating point: MIL leaves the
/// fraction away, and does not say what is beyond the range.
static Value roundToBytes(FunctionEmitter &emitter, Value x, bool isUnsigned) {
  auto type = cast<RankedTensorType>(x.getType());
  auto number = [&](double value) {
    return emitter.number(type.getElementType(), value);
  };
  Value rounded = emitter.emit("round", {{"x", x}}, type);
  return emitter.emit("clip",
                      {{"alpha", number(isUnsigned ? 0 : -128)},
                       {"beta", number(isUnsigned ? 255 : 127)},
                       {"x", rounded}},
                      type);
}

static LogicalResult convertCast(FunctionEmitter &emitter, CastOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Value input = emitter.operand(op.getInput());
  if (!input || input.getType() == result)
    return finish(emitter, op, input);
  Type element = result.getElementType();
  std::string name;
  if (element.isF16() || element.isF32())
    name = element.isF16() ? "fp16" : "fp32";
  else
    name = (element.isUnsignedInteger() ? "uint" : "int") +
           std::to_string(element.getIntOrFloatBitWidth());
  Type from = cast<RankedTensorType>(input.getType()).getElementType();
  auto isNew = [](Type type) {
    return type.isInteger() && type.getIntOrFloatBitWidth() < 32;
  };
  if ((isNew(element) || isNew(from)) && emitter.getOpset() < 17)
    return op.emitOpError("needs ")
           << (isNew(element) ? element : from).getIntOrFloatBitWidth()
           << "-bit integers, which MIL casts from opset ios17 on, not in ios"
           << emitter.getOpset();
  if (isa<FloatType>(from) && element.isInteger(8))
    input = roundToBytes(emitter, input, element.isUnsignedInteger());
  return finish(emitter, op,
                emitter.emit("cast",
                             {{"dtype", emitter.string(name)}, {"x", input}},
                             result));
}

//===----------------------------------------------------------------------===//
// Pooling and reduction
//===----------------------------------------------------------------------===//

static LogicalResult convertPool(FunctionEmitter &emitter, PoolOp op) {
  bool isMax = op.getKind() == PoolKind::Max;
  SmallVector<FunctionEmitter::Argument> arguments = {
      {"ceil_mode", emitter.boolean(false)},
      {"kernel_sizes", emitter.integers(op.getKernel())},
      {"pad", emitter.integers(op.getPad())},
      {"pad_type", emitter.string("custom")},
      {"strides", emitter.integers(op.getStrides())},
      {"x", emitter.operand(op.getInput())}};
  if (!isMax)
    arguments.push_back({"exclude_padding_from_average",
                         emitter.boolean(!op.getCountIncludePad())});
  return finish(emitter, op,
                emitter.emit(isMax ? "max_pool" : "avg_pool",
                             std::move(arguments),
                             emitter.convert(op.getType())));
}

// MIL has a sum of squares, but no mean of them.
static LogicalResult convertReduce(FunctionEmitter &emitter, ReduceOp op) {
  ReduceKind kind = op.getKind();
  Value x = emitter.operand(op.getInput());
  if (x && kind == ReduceKind::MeanSquare) {
    kind = ReduceKind::Mean;
    x = emitter.emitBinary("mul", x, x,
                           emitter.convert(op.getInput().getType()));
  }
  Value value = emitter.emit(("reduce_" + stringifyReduceKind(kind)).str(),
                             {{"axes", emitter.integers(op.getAxes())},
                              {"keep_dims", emitter.boolean(true)},
                              {"x", x}},
                             emitter.convert(op.getType()));
  return finish(emitter, op,
                emitter.emitActivation(value, op.getActivationAttr()));
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

static LogicalResult convertSoftmax(FunctionEmitter &emitter, SoftmaxOp op) {
  return finish(emitter, op,
                emitter.emit("softmax",
                             {{"axis", emitter.integer(op.getAxis())},
                              {"x", emitter.operand(op.getInput())}},
                             emitter.convert(op.getType())));
}

static LogicalResult convertLayerNorm(FunctionEmitter &emitter,
                                      LayerNormOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Type element = result.getElementType();
  SmallVector<FunctionEmitter::Argument> arguments = {
      {"axes", emitter.integers(op.getAxes())}};
  if (Value beta = op.getBeta())
    arguments.push_back({"beta", emitter.operand(beta, element)});
  arguments.push_back(
      {"epsilon", emitter.guard(element, op.getEpsilon().convertToDouble())});
  if (Value gamma = op.getGamma())
    arguments.push_back({"gamma", emitter.operand(gamma, element)});
  arguments.push_back({"x", emitter.operand(op.getInput())});
  return finish(emitter, op,
                emitter.emit("layer_norm", std::move(arguments), result));
}

// x * (mean(x^2) + epsilon)^-1/2 * gamma, which MIL has no operation for. In
// fp16 the engine's mean of squares is infinite where x is above 256 (reported
// for models of language, github.com/Anemll/coremltools, "RMSNorm Patching"),
// and layer_norm has no such limit: [x, -x] has no mean, and the mean square of
// x is its variance.
static LogicalResult convertRmsNorm(FunctionEmitter &emitter, RmsNormOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Type element = result.getElementType();
  Value x = emitter.operand(op.getInput());
  if (!x)
    return finish(emitter, op, {});
  int64_t last = op.getAxes().back();
  SmallVector<int64_t> twice(result.getShape()), gammaShape(twice.size(), 1);
  twice[last] *= 2;
  for (int64_t axis : op.getAxes())
    gammaShape[axis] = result.getDimSize(axis);
  RankedTensorType both = result.clone(twice);
  SmallVector<Value> values = {x, emitter.emitScalar("mul", x, -1)};
  Value value = emitter.emit("concat",
                             {{"axis", emitter.integer(last)},
                              {"interleave", emitter.boolean(false)},
                              {"values", values}},
                             both);
  value = emitter.emit(
      "layer_norm",
      {{"axes", emitter.integers(op.getAxes())},
       {"epsilon", emitter.guard(element, op.getEpsilon().convertToDouble())},
       {"x", value}},
      both);
  SmallVector<int64_t> begin(twice.size(), 0);
  value = emitter.emit("slice_by_size",
                       {{"begin", emitter.integers(begin)},
                        {"size", emitter.integers(result.getShape())},
                        {"x", value}},
                       result);
  if (Value gamma = op.getGamma())
    value = emitter.emitBinary(
        "mul", value, emitter.operand(gamma, element, gammaShape), result);
  return finish(emitter, op, value);
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

static LogicalResult convertTile(FunctionEmitter &emitter, TileOp op) {
  return finish(emitter, op,
                emitter.emit("tile",
                             {{"reps", emitter.integers(op.getRepeats())},
                              {"x", emitter.operand(op.getInput())}},
                             emitter.convert(op.getType())));
}

// `interleave` has to be there (rule concat_interleave).
static LogicalResult convertConcat(FunctionEmitter &emitter, ConcatOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  SmallVector<Value> values;
  for (Value input : op.getInputs())
    values.push_back(emitter.operand(input, result.getElementType()));
  return finish(emitter, op,
                emitter.emit("concat",
                             {{"axis", emitter.integer(op.getAxis())},
                              {"interleave", emitter.boolean(false)},
                              {"values", values}},
                             result));
}

static LogicalResult convertSlice(FunctionEmitter &emitter, SliceOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Value input = emitter.operand(op.getInput());
  ArrayRef<int64_t> begin = op.getOffsets(), strides = op.getStrides();
  if (llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
    return finish(emitter, op,
                  emitter.emit("slice_by_size",
                               {{"begin", emitter.integers(begin)},
                                {"size", emitter.integers(op.getSizes())},
                                {"x", input}},
                               result));
  SmallVector<int64_t> end;
  for (auto [offset, size, stride] :
       llvm::zip(begin, result.getShape(), strides))
    end.push_back(offset + (size - 1) * stride + 1);
  return finish(emitter, op,
                emitter.emit("slice_by_index",
                             {{"begin", emitter.integers(begin)},
                              {"end", emitter.integers(end)},
                              {"stride", emitter.integers(strides)},
                              {"x", input}},
                             result));
}

static LogicalResult convertPad(FunctionEmitter &emitter, PadOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  SmallVector<int64_t> pad;
  for (auto [low, high] : llvm::zip(op.getLow(), op.getHigh()))
    pad.append({low, high});
  return finish(emitter, op,
                emitter.emit("pad",
                             {{"constant_val",
                               emitter.number(result.getElementType(),
                                              op.getValue().convertToDouble())},
                              {"mode", emitter.string("constant")},
                              {"pad", emitter.integers(pad)},
                              {"x", emitter.operand(op.getInput())}},
                             result));
}

static LogicalResult convertTranspose(FunctionEmitter &emitter,
                                      TransposeOp op) {
  return finish(emitter, op,
                emitter.emit("transpose",
                             {{"perm", emitter.integers(op.getPerm())},
                              {"x", emitter.operand(op.getInput())}},
                             emitter.convert(op.getType())));
}

static LogicalResult convertReshape(FunctionEmitter &emitter, ReshapeOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  return finish(emitter, op,
                emitter.emit("reshape",
                             {{"shape", emitter.integers(result.getShape())},
                              {"x", emitter.operand(op.getInput())}},
                             result));
}

// Nearest: by whole factors the three ways to place samples agree, and MIL has
// that operation. Where it is not whole, nothing public says which pixel
// resize_nearest_neighbor takes.
static LogicalResult convertResize(FunctionEmitter &emitter, ResizeOp op) {
  RankedTensorType result = emitter.convert(op.getType());
  Value input = emitter.operand(op.getInput());
  ArrayRef<int64_t> from =
      cast<RankedTensorType>(op.getInput().getType()).getShape();
  int64_t height = result.getDimSize(2), width = result.getDimSize(3);
  if (op.getMode() == ResizeMode::Nearest) {
    if (height % from[2] || width % from[3] || op.getAlignCorners())
      return op.emitOpError("takes ")
             << from[2] << " x " << from[3] << " to " << height << " x "
             << width << (op.getAlignCorners() ? " with aligned corners" : "")
             << ", but nearest sampling in MIL is known for whole factors "
                "without aligned corners; "
                "use bilinear sampling or another size";
    return finish(
        emitter, op,
        emitter.emit(
            "upsample_nearest_neighbor",
            {{"scale_factor_height", emitter.integer(height / from[2])},
             {"scale_factor_width", emitter.integer(width / from[3])},
             {"x", input}},
            result));
  }
  // DEFAULT: position = index * (in - in / out) / (out - 1) = index * in / out.
  StringRef mode = op.getAlignCorners() ? "STRICT_ALIGN_CORNERS"
                   : op.getHalfPixel()  ? "UNALIGN_CORNERS"
                                        : "DEFAULT";
  return finish(emitter, op,
                emitter.emit("resize_bilinear",
                             {{"sampling_mode", emitter.string(mode)},
                              {"target_size_height", emitter.integer(height)},
                              {"target_size_width", emitter.integer(width)},
                              {"x", input}},
                             result));
}

//===----------------------------------------------------------------------===//
// More dimensions than MIL has
//===----------------------------------------------------------------------===//

namespace {
/// A transpose, neighbours that stay neighbours as one dimension and without
/// dimensions of one element.
struct Movement {
  SmallVector<int64_t> shape, perm;

  Movement(ArrayRef<int64_t> sizes, ArrayRef<int64_t> order) {
    SmallVector<int64_t> group(sizes.size(), -1);
    int64_t previous = -1; // in the result
    SmallVector<int64_t> firsts;
    auto follows = [&](int64_t dim) {
      return previous >= 0 && previous < dim &&
             llvm::all_of(
                 sizes.slice(previous + 1, dim - previous - 1),
                 [](int64_t size) { return size == 1; });
    };
    for (int64_t dim : order) {
      if (sizes[dim] == 1)
        continue;
      if (!follows(dim))
        firsts.push_back(dim);
      group[dim] = firsts.back();
      previous = dim;
    }
    SmallVector<int64_t> sorted(firsts);
    llvm::sort(sorted);
    for (int64_t first : sorted) {
      shape.push_back(1);
      for (auto [dim, size] : llvm::enumerate(sizes))
        if (group[dim] == first)
          shape.back() *= size;
    }
    for (int64_t first : firsts)
      perm.push_back(llvm::find(sorted, first) - sorted.begin());
  }
};
} // namespace

static Value emitTranspose(FunctionEmitter &emitter, Value x,
                           ArrayRef<int64_t> shape, ArrayRef<int64_t> perm) {
  SmallVector<int64_t> result;
  for (int64_t dim : perm)
    result.push_back(shape[dim]);
  return emitter.emit(
      "transpose",
      {{"perm", emitter.integers(perm)}, {"x", emitter.emitReshape(x, shape)}},
      cast<RankedTensorType>(x.getType()).clone(result));
}

// Where no five are enough, one dimension after the other goes to its place.
static LogicalResult convertLargeTranspose(FunctionEmitter &emitter,
                                           TransposeOp op) {
  Value x = emitter.operand(op.getInput());
  Movement movement(shapeOf(op.getInput()), op.getPerm());
  while (x && int64_t(movement.perm.size()) > FunctionEmitter::maxRank) {
    ArrayRef<int64_t> shape = movement.shape;
    int64_t to = 0;
    while (movement.perm[to] == to)
      ++to;
    int64_t from = movement.perm[to];
    auto sizeOf = [](ArrayRef<int64_t> dims) {
      return ShapedType::getNumElements(dims);
    };
    x = emitTranspose(emitter, x,
                      {sizeOf(shape.take_front(to)),
                       sizeOf(shape.slice(to, from - to)), shape[from],
                       sizeOf(shape.drop_front(from + 1))},
                      {0, 2, 1, 3});
    SmallVector<int64_t> moved(shape), perm(movement.perm);
    std::rotate(moved.begin() + to, moved.begin() + from,
                moved.begin() + from + 1);
    for (int64_t &dim : perm)
      dim = dim == from ? to : dim + (dim >= to && dim < from);
    movement = Movement(moved, perm);
  }
  if (x && !llvm::is_sorted(movement.perm))
    x = emitTranspose(emitter, x, movement.shape, movement.perm);
  return finish(
      emitter, op,
      emitter.emitReshape(x, emitter.convert(op.getType()).getShape()));
}

static bool isLarge(Type type) {
  return cast<RankedTensorType>(type).getRank() > FunctionEmitter::maxRank;
}

// The first dimensions are one (FunctionEmitter::convert), which changes what
// names them.
static LogicalResult convertLarge(FunctionEmitter &emitter, Operation *op) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return convertLargeTranspose(emitter, transpose);
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    Value x = emitter.operand(reshape.getInput());
    return finish(
        emitter, op,
        emitter.emitReshape(x, emitter.convert(reshape.getType()).getShape()));
  }
  bool isAlike = llvm::all_of(op->getOperands(), [&](Value operand) {
    auto type = cast<RankedTensorType>(operand.getType());
    return type.getNumElements() == 1 ||
           type.getShape() == shapeOf(op->getResult(0));
  });
  if (isAlike &&
      isa<ActivationOp, CastOp, CompareOp, ElementwiseOp, SelectOp>(op))
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](ActivationOp op) { return convertActivation(emitter, op); })
        .Case([&](CastOp op) { return convertCast(emitter, op); })
        .Case([&](ElementwiseOp op) { return convertElementwise(emitter, op); })
        .Case([&](CompareOp op) { return convertCompare(emitter, op); })
        .Case([&](SelectOp op) { return convertSelect(emitter, op); });
  Type type = op->getResult(0).getType();
  for (Type operand : op->getOperandTypes())
    if (isLarge(operand))
      type = operand;
  return op->emitOpError("works on ")
         << type << ", but a tensor of MIL has at most "
         << FunctionEmitter::maxRank
         << " dimensions; reshape it to fewer before";
}

LogicalResult mlir::ane::convertOp(FunctionEmitter &emitter, Operation *op) {
  if (llvm::any_of(
          llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()),
          isLarge))
    return convertLarge(emitter, op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConvOp op) { return convertConv(emitter, op, "conv"); })
      .Case([&](ConvTransposeOp op) {
        return convertConv(emitter, op, "conv_transpose");
      })
      .Case([&](MatmulOp op) { return convertMatmul(emitter, op); })
      .Case([&](ElementwiseOp op) { return convertElementwise(emitter, op); })
      .Case([&](ActivationOp op) { return convertActivation(emitter, op); })
      .Case([&](CompareOp op) { return convertCompare(emitter, op); })
      .Case([&](SelectOp op) { return convertSelect(emitter, op); })
      .Case([&](SoftmaxOp op) { return convertSoftmax(emitter, op); })
      .Case([&](LayerNormOp op) { return convertLayerNorm(emitter, op); })
      .Case([&](RmsNormOp op) { return convertRmsNorm(emitter, op); })
      .Case([&](TileOp op) { return convertTile(emitter, op); })
      .Case([&](PoolOp op) { return convertPool(emitter, op); })
      .Case([&](ReduceOp op) { return convertReduce(emitter, op); })
      .Case([&](ConcatOp op) { return convertConcat(emitter, op); })
      .Case([&](SliceOp op) { return convertSlice(emitter, op); })
      .Case([&](PadOp op) { return convertPad(emitter, op); })
      .Case([&](TransposeOp op) { return convertTranspose(emitter, op); })
      .Case([&](ReshapeOp op) { return convertReshape(emitter, op); })
      .Case([&](ResizeOp op) { return convertResize(emitter, op); })
      .Case([&](CastOp op) { return convertCast(emitter, op); })
      .Default([](Operation *op) {
        return op->emitOpError(
            "has no counterpart in MIL; only the tensor level of the ane "
            "dialect has (run convert-tosa-to-ane first)");
      });
}
