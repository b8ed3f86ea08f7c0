//===- LiftTask.cpp - The ops that a task computes ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator's engines say what a task computes; these are the same
// functions as ops. Groups of a convolution are neighbouring channels.
//
//===----------------------------------------------------------------------===//

#include "Lift.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;
namespace h13 = ::ane::hw::h13;

namespace {

class TaskLifter : AneBuilder {
public:
  TaskLifter(OpBuilder &builder, Location loc, const sim::FlowTask &task,
             ArrayRef<Value> values, absl::Status &status)
      : AneBuilder(builder, loc), task(task), config(*task.config),
        values(values), status(status) {}

  Value lift() {
    Value value = config.isNeural ? liftNeural() : liftPlanar();
    return value ? ofResultType(value) : value;
  }

private:
  Value fail(const Twine &reason) {
    status = absl::UnimplementedError(reason.str());
    return {};
  }

  Value readOperand(const sim::Gather &gather, const sim::SourceConfig &source);
  /// Channels of a group are repeated where they are one, but groups are not.
  Value repeatChannels(Value value, int64_t channels);

  Value liftNeural();
  Value liftConv(Value x);
  Value liftProduct(Value x);
  Value liftPassBy(Value x);
  Value applyTable(Value x, ActivationAttr function);

  Value liftPlanar();
  Value liftReduction(Value value, bool isSquare);
  Value finishPlanar(Value value, double scale, double bias);

  Value constantOf(ArrayRef<int64_t> shape, ArrayRef<uint16_t> bits);
  /// scale * x + bias.
  Value linear(Value x, double scale, double bias = 0) {
    if (scale == 1 && bias == 0)
      return x;
    if (scale == 1)
      return add(x, number(bias, x));
    return binary(ElementwiseKind::Mul, x, number(scale, x), 1, bias);
  }
  ActivationAttr functionOfNeural();
  Value ofResultType(Value value);
  SmallVector<int64_t> resultShape() const {
    const sim::Dims &n = config.result.dram.dims;
    return {n.d, int64_t(n.g) * n.c, n.h, n.w};
  }

  const sim::FlowTask &task;
  const sim::TaskConfig &config;
  ArrayRef<Value> values;
  absl::Status &status;
};

} // namespace

Value TaskLifter::constantOf(ArrayRef<int64_t> shape, ArrayRef<uint16_t> bits) {
  AsmResourceBlob blob = allocateConstant(bits.size() * sizeof(uint16_t));
  llvm::copy(bits, getMutable<uint16_t>(blob).begin());
  return createConstant(builder, loc,
                        RankedTensorType::get(shape, builder.getF16Type()),
                        std::move(blob));
}

Value TaskLifter::readOperand(const sim::Gather &gather,
                              const sim::SourceConfig &source) {
  Value value = buildGather(builder, loc, gather, values, status);
  if (!value)
    return {};
  value = castTo(value, builder.getF16Type());
  return source.relu ? activate(value, ActivationKind::Relu) : value;
}

Value TaskLifter::repeatChannels(Value value, int64_t channels) {
  SmallVector<int64_t> shape(shapeOf(value));
  const int64_t groups = config.result.dram.dims.g;
  if (groups == 1 || shape[1] == groups * channels)
    return value;
  // One for each group.
  value = reshape(value, {shape[0], groups, 1, shape[2] * shape[3]});
  value =
      TileOp::create(builder, loc, value, ArrayRef<int64_t>{1, 1, channels, 1});
  return reshape(value, {shape[0], groups * channels, shape[2], shape[3]});
}

Value TaskLifter::ofResultType(Value value) {
  if (shapeOf(value) != ArrayRef<int64_t>(resultShape())) {
    SmallVector<int64_t> repeats;
    for (auto [have, want] : llvm::zip(shapeOf(value), resultShape())) {
      if (have != want && have != 1)
        return fail("its sizes do not fit those of its sources");
      repeats.push_back(want / have);
    }
    value = TileOp::create(builder, loc, value, repeats);
  }
  return castTo(value, elementTypeOf(builder, config.result.dram.type));
}

//===----------------------------------------------------------------------===//
// Neural engines
//===----------------------------------------------------------------------===//

ActivationAttr TaskLifter::functionOfNeural() {
  switch (config.neural.function) {
  case h13::NE::NonlinearMode::ReLU:
    return ActivationAttr::get(builder.getContext(), ActivationKind::Relu);
  case h13::NE::NonlinearMode::LUT: {
    auto function = functionOfTable(builder.getContext(), task.weights.table);
    if (!function)
      fail("its table is of no function that is known");
    return function;
  }
  default:
    return {};
  }
}

Value TaskLifter::liftNeural() {
  Value x = readOperand(*task.first, config.source1);
  if (!x)
    return {};
  if (config.neural.hasKernel)
    return task.kernel ? liftProduct(x) : liftConv(x);
  return liftPassBy(x);
}

// scale * (conv + bias + accumulator's bias)
Value TaskLifter::liftConv(Value x) {
  const sim::NeuralConfig &ne = config.neural;
  const sim::Dims &in = config.source1.dram.dims,
                  &out = config.result.dram.dims;
  const sim::TaskWeights &weights = task.weights;
  SmallVector<int64_t> shape(weights.shape.begin(), weights.shape.end());
  Value kernel = constantOf(shape, weights.weights);
  const double scale = ne.postScale;
  Value bias, factor;
  if (!weights.bias.empty() || ne.accBias != 0) {
    std::vector<float> numbers(shape[0], float(ne.accBias * scale));
    for (auto [i, bits] : llvm::enumerate(weights.bias))
      numbers[i] = float((hw::fromHalfBits(bits) + double(ne.accBias)) * scale);
    bias = createConstant(builder, loc,
                          RankedTensorType::get(shape[0], builder.getF32Type()),
                          numbers);
  }
  if (scale != 1)
    factor = createConstant(
        builder, loc, RankedTensorType::get(shape[0], builder.getF32Type()),
        std::vector<float>(shape[0], float(scale)));
  // Windows end where the result does; rows after the last one are not read.
  auto after = [](int64_t outputs, int64_t stride, int64_t kernel, int64_t pad,
                  int64_t inputs) {
    return (outputs - 1) * stride + kernel - pad - inputs;
  };
  int64_t bottom = after(out.h, ne.sy, ne.kh, ne.py, in.h),
          right = after(out.w, ne.sx, ne.kw, ne.px, in.w);
  SmallVector<int64_t> sizes(shapeOf(x)), zeros(4, 0);
  sizes[2] += std::min<int64_t>(bottom, 0);
  sizes[3] += std::min<int64_t>(right, 0);
  x = sliced(builder, loc, x, zeros, sizes);
  const int64_t groups = ne.unicast ? shape[0] : int64_t(out.g);
  ActivationAttr function = functionOfNeural();
  if (!status.ok())
    return {};
  return ConvOp::create(builder, loc, x, kernel, bias, factor,
                        ArrayRef<int64_t>{ne.sy, ne.sx},
                        ArrayRef<int64_t>{ne.py, std::max<int64_t>(bottom, 0),
                                          ne.px, std::max<int64_t>(right, 0)},
                        ArrayRef<int64_t>{1, 1}, groups, function);
}

// A kernel that was computed is a matrix, and pixels are columns.
Value TaskLifter::liftProduct(Value x) {
  const sim::NeuralConfig &ne = config.neural;
  const sim::Dims &in = config.source1.dram.dims,
                  &out = config.result.dram.dims;
  if (ne.kh != 1 || ne.kw != 1 || ne.sy != 1 || ne.sx != 1 || ne.py || ne.px ||
      ne.unicast)
    return fail("a computed kernel in a convolution that is no product of "
                "matrices is not lifted");
  Value kernel = buildGather(builder, loc, *task.kernel, values, status);
  if (!kernel)
    return {};
  Value lhs = reshape(kernel, {1, out.g, out.c, in.c});
  Value rhs = reshape(x, {in.d, in.g, in.c, int64_t(in.h) * in.w});
  ActivationAttr function = functionOfNeural();
  if (!status.ok())
    return {};
  bool isScaled = ne.postScale != 1 || ne.accBias != 0;
  Value product = MatmulOp::create(
      builder, loc, lhs, rhs, /*transpose_lhs=*/false,
      /*transpose_rhs=*/false, isScaled ? ActivationAttr() : function);
  product = reshape(product, resultShape());
  if (!isScaled)
    return product;
  product = linear(product, ne.postScale, double(ne.accBias) * ne.postScale);
  return function ? ActivationOp::create(builder, loc, product, function)
                  : product;
}

// A table of x / a after a product with a is one of x.
Value TaskLifter::applyTable(Value x, ActivationAttr function) {
  auto product = x.getDefiningOp<ElementwiseOp>();
  constexpr double digits = 0x1p-9;
  if (function.isStretched() && product &&
      product.isPlain(ElementwiseKind::Mul)) {
    auto factor = getConstantSplat(product.getRhs());
    if (factor && std::fabs(*factor / function.getAlpha() - 1) < digits) {
      x = product.getLhs();
      function = ActivationAttr::get(builder.getContext(), function.getKind());
    }
  }
  return ActivationOp::create(builder, loc, x, function);
}

Value TaskLifter::liftPassBy(Value x) {
  using Op = h13::NE::OpMode;
  const sim::NeuralConfig &ne = config.neural;
  const int64_t per =
      ne.unicast ? int64_t(ne.unicastCin) : int64_t(config.source1.dram.dims.c);
  if (per > 1 && !ne.unicast) {
    if (config.result.dram.dims.g != 1)
      return fail("a sum over the channels of several groups is not lifted");
    x = ReduceOp::create(builder, loc, ReduceKind::Sum, x,
                         ArrayRef<int64_t>{1});
  } else if (per > 1 && ne.op != Op::ElementMultiply) {
    SmallVector<int64_t> shape = resultShape();
    x = reshape(x, {shape[0], shape[1], per, shape[2] * shape[3]});
    x = ReduceOp::create(builder, loc,
                         ne.op == Op::Conv ? ReduceKind::Sum : ReduceKind::Max,
                         x, ArrayRef<int64_t>{2});
    x = reshape(x, shape);
  } else if (per > 1) {
    int64_t channels = shapeOf(x)[1] / per;
    Value result;
    for (int64_t i = 0; i < per; ++i) {
      Value part = slice(x, 1, i, channels, /*stride=*/per);
      result = result ? binary(ElementwiseKind::Mul, result, part) : part;
    }
    x = result;
  }
  x = linear(x, ne.postScale, double(ne.accBias) * ne.postScale);
  ActivationAttr function = functionOfNeural();
  if (!status.ok())
    return {};
  return function ? applyTable(x, function) : x;
}

//===----------------------------------------------------------------------===//
// Planar engine
//===----------------------------------------------------------------------===//

// scale * x + bias, then the functions in the order of the engine.
Value TaskLifter::finishPlanar(Value value, double scale, double bias) {
  using NL = h13::PE::NLMode;
  const sim::PlanarConfig &pe = config.planar;
  // The root has a guard of its own.
  bool isGuard = pe.function == NL::ReciprocalRoot && bias > 0;
  value = linear(value, scale, isGuard ? 0 : bias);
  if (pe.function == NL::Reciprocal)
    value = activate(value, ActivationKind::Reciprocal);
  if (pe.function == NL::ReciprocalRoot)
    value = activate(value, ActivationKind::Rsqrt, isGuard ? bias : 0);
  if (pe.abs)
    value = activate(value, ActivationKind::Abs);
  if (pe.relu)
    value = activate(value, ActivationKind::Relu);
  return value;
}

Value TaskLifter::liftReduction(Value value, bool isSquare) {
  const sim::PlanarConfig &pe = config.planar;
  const bool isMax = pe.pool == h13::PE::PoolMode::Max;
  if (isMax && isSquare) {
    value = activate(value, ActivationKind::Square);
    isSquare = false;
  }
  SmallVector<int64_t> axes;
  double count = 1;
  for (int64_t axis : {0, 2, 3})
    if (axis != 0 || shapeOf(value)[axis] != 1) {
      axes.push_back(axis);
      count *= shapeOf(value)[axis];
    }
  double scale = double(pe.scale) * pe.finalScale,
         bias = double(pe.bias) * pe.finalScale + pe.epsilon;
  ReduceKind kind = isMax      ? ReduceKind::Max
                    : isSquare ? ReduceKind::SumSquare
                               : ReduceKind::Sum;
  // The factor of a mean is a register with as many digits as f16 or f32.
  constexpr double digits = 0x1p-10;
  if (!isMax && scale != 1 && std::fabs(scale * count - 1) < digits) {
    kind = isSquare ? ReduceKind::MeanSquare : ReduceKind::Mean;
    scale = 1;
  }
  value = ReduceOp::create(builder, loc, kind, value, axes);
  return finishPlanar(value, scale, bias);
}

Value TaskLifter::liftPlanar() {
  using Op = h13::PE::OpMode;
  const sim::PlanarConfig &pe = config.planar;
  const int64_t channels = config.result.dram.dims.c;
  Value a = readOperand(*task.first, config.source1);
  if (!a)
    return {};
  a = repeatChannels(a, channels);
  double before = config.source1.negated ? -pe.preScale : pe.preScale;
  Value b;
  if (pe.binary || pe.scaleBias) {
    b = readOperand(*task.second, config.source2);
    if (!b)
      return {};
    b = repeatChannels(b, channels);
  }
  double scale = double(pe.scale) * pe.finalScale,
         bias = double(pe.bias) * pe.finalScale + pe.epsilon;
  if (pe.scaleBias) {
    // Row 0 is a bias, row 1 a factor. Their sign belongs to the bias.
    Value addend = slice(b, 2, 0, 1);
    Value factor = slice(b, 2, 1, 1);
    Value sum = binary(config.source2.negated ? ElementwiseKind::Sub
                                              : ElementwiseKind::Add,
                       linear(a, before), addend);
    Value value = binary(ElementwiseKind::Mul, sum, factor);
    return pe.reduces ? liftReduction(value, false)
                      : finishPlanar(value, scale, bias);
  }
  if (!pe.binary) {
    a = linear(a, before);
    bool isSquare = pe.reduces && pe.op == Op::SquareSum;
    return pe.reduces ? liftReduction(a, isSquare)
                      : finishPlanar(a, scale, bias);
  }
  ElementwiseKind kind = ElementwiseKind::Add;
  bool isNegated = config.source2.negated;
  switch (pe.op) {
  case Op::Add:
  case Op::SquareSum:
    if (isNegated)
      kind = ElementwiseKind::Sub;
    else if (before == -1) {
      kind = ElementwiseKind::Sub;
      std::swap(a, b);
      before = 1;
    }
    break;
  case Op::Mul:
    kind = ElementwiseKind::Mul;
    // Factors of a product come after it.
    if (!pe.reduces) {
      scale *= isNegated ? -before : before;
      before = 1;
    } else if (isNegated) {
      before = -before;
    }
    break;
  case Op::Max:
  case Op::Min:
    kind = pe.op == Op::Max ? ElementwiseKind::Max : ElementwiseKind::Min;
    if (isNegated)
      b = linear(b, -1);
    break;
  }
  a = linear(a, before);
  if (pe.reduces && kind == ElementwiseKind::Mul && a == b)
    return liftReduction(a, /*isSquare=*/true);
  bool isSquare = pe.op == Op::SquareSum;
  if (pe.reduces)
    return liftReduction(binary(kind, a, b), isSquare);
  if (isSquare)
    return finishPlanar(activate(binary(kind, a, b), ActivationKind::Square),
                        scale, bias);
  // The op has a factor and a summand of its own.
  bool isGuard =
      pe.function == h13::PE::NLMode::ReciprocalRoot && bias > 0 && scale == 1;
  return isGuard ? finishPlanar(binary(kind, a, b), 1, bias)
                 : finishPlanar(binary(kind, a, b, scale, bias), 1, 0);
}

Value mlir::ane::liftTask(OpBuilder &builder, Location loc,
                          const sim::FlowTask &task, ArrayRef<Value> values,
                          absl::Status &status) {
  return TaskLifter(builder, loc, task, values, status).lift();
}
