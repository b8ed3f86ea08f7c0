//===- ANEToLinalg.cpp - Ops of the engine, for the host ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op means (Dialect/ANE/Transforms/Evaluate.cpp), in linalg: computed
// in f32 and rounded once, to the type of its result.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/ANEToLinalg/ANEToLinalg.h"

#include "LowerFunctions.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/Dialect/ANE/Utils/ExpandAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace mlir {
namespace ane {
#define GEN_PASS_DEF_CONVERTANETOLINALG
#include "ane/Conversion/Passes.h.inc"
} // namespace ane
} // namespace mlir

using namespace mlir;
using namespace mlir::ane;

namespace {

class Lowering {
public:
  explicit Lowering(Operation *op)
      : builder(op), host(builder, op->getLoc()), context(op->getContext()) {}

  Value lower(ConstantOp op);
  Value lower(ElementwiseOp op);
  Value lower(ActivationOp op);
  Value lower(CompareOp op);
  Value lower(SelectOp op);
  Value lower(CastOp op);
  Value lower(MatmulOp op);
  Value lower(ConvOp op);
  Value lower(ConvTransposeOp op);
  Value lower(PoolOp op);
  Value lower(ReduceOp op);
  Value lower(SoftmaxOp op);
  Value lower(LayerNormOp op);
  Value lower(RmsNormOp op);
  Value lower(ConcatOp op);
  Value lower(SliceOp op);
  Value lower(PadOp op);
  Value lower(TileOp op);
  Value lower(TransposeOp op);
  Value lower(ReshapeOp op);
  Value lower(ResizeOp op);
  Value lower(InterleaveOp op) { return lowerInterleave(host, op); }

private:
  using Combine = function_ref<Value(HostBuilder &, Value, Value)>;

  HostType single() { return {builder.getF32Type()}; }
  Value toSingle(Value x) {
    return host.convert(x, HostType::of(x.getType()), single());
  }
  Value map(ArrayRef<Value> operands, Type result,
            HostBuilder::Elementwise body);
  Value reduce(Value x, ArrayRef<int64_t> axes, double start, Combine combine);
  Value sum(Value x, ArrayRef<int64_t> axes);
  template <typename OpTy> Value finish(OpTy op, Value sums);
  Value norm(Value x, Type result, ArrayRef<int64_t> axes, double epsilon,
             bool centred, Value gamma, Value beta);
  AffineExpr dim(int64_t index) { return getAffineDimExpr(index, context); }

  OpBuilder builder;
  HostBuilder host;
  MLIRContext *context;
};

} // namespace

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static Value mulAdd(HostBuilder &inner, Value sum, Value x, Value y) {
  Value product = arith::MulFOp::create(inner.builder, inner.loc, x, y);
  return arith::AddFOp::create(inner.builder, inner.loc, sum, product);
}

static Value addTo(HostBuilder &inner, Value sum, Value x) {
  return arith::AddFOp::create(inner.builder, inner.loc, sum, x);
}

/// `body` of scalars of f32, with elements of the type that `result` has.
Value Lowering::map(ArrayRef<Value> operands, Type result,
                    HostBuilder::Elementwise body) {
  HostType to = HostType::of(result);
  return host.elementwise(
      operands, to.element, [&](HostBuilder &inner, ValueRange scalars) {
        SmallVector<Value> singles;
        for (Value scalar : scalars)
          singles.push_back(inner.convertScalar(
              scalar, HostType::of(scalar.getType()), single()));
        return inner.convertScalar(body(inner, singles), single(), to);
      });
}

Value Lowering::lower(ConstantOp op) {
  return host.constant(cast<ElementsAttr>(op.getValueAttr()));
}

Value Lowering::lower(ElementwiseOp op) {
  double scale = op.getScale().convertToDouble();
  double bias = op.getBias().convertToDouble();
  return map({op.getLhs(), op.getRhs()}, op.getType(),
             [&](HostBuilder &inner, ValueRange x) {
               Value y = lowerElementwise(inner, op.getKind(), x[0], x[1]);
               if (scale != 1 || bias != 0)
                 y = mulAdd(inner, inner.number(single(), bias), y,
                            inner.number(single(), scale));
               return lowerActivation(inner, op.getActivationAttr(), y);
             });
}

Value Lowering::lower(ActivationOp op) {
  return map(op.getInput(), op.getType(),
             [&](HostBuilder &inner, ValueRange x) {
               return lowerActivation(inner, op.getFunction(), x[0]);
             });
}

Value Lowering::lower(CompareOp op) {
  return map({op.getLhs(), op.getRhs()}, op.getType(),
             [&](HostBuilder &inner, ValueRange x) {
               Value holds = lowerCompare(inner, op.getKind(), x[0], x[1]);
               return inner.convertScalar(
                   holds, HostType::of(inner.builder.getI1Type()), single());
             });
}

Value Lowering::lower(SelectOp op) {
  return map({op.getCondition(), op.getTrueValue(), op.getFalseValue()},
             op.getType(), [&](HostBuilder &inner, ValueRange x) -> Value {
               Value holds = inner.convertScalar(
                   x[0], single(), HostType::of(inner.builder.getI1Type()));
               return arith::SelectOp::create(inner.builder, inner.loc, holds,
                                              x[1], x[2]);
             });
}

Value Lowering::lower(CastOp op) {
  return host.convert(op.getInput(), HostType::of(op.getInput().getType()),
                      HostType::of(op.getType()));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// In f32, with 1 for `axes`.
Value Lowering::reduce(Value x, ArrayRef<int64_t> axes, double start,
                       Combine combine) {
  SmallVector<int64_t> extents(shapeOf(x)), shape, kept;
  SmallVector<AffineExpr> places;
  for (auto [index, size] : llvm::enumerate(extents)) {
    bool isReduced = llvm::is_contained(axes, static_cast<int64_t>(index));
    kept.push_back(isReduced ? 1 : size);
    if (isReduced)
      continue;
    shape.push_back(size);
    places.push_back(dim(index));
  }
  unsigned rank = extents.size();
  Value result = host.accumulate(
      x, host.filled(shape, single(), start),
      {AffineMap::getMultiDimIdentityMap(rank, context),
       AffineMap::get(rank, 0, places, context)},
      extents, [&](HostBuilder &inner, ValueRange scalars) {
        Value element = inner.convertScalar(
            scalars[0], HostType::of(scalars[0].getType()), single());
        return combine(inner, scalars[1], element);
      });
  return host.reshape(result, kept);
}

Value Lowering::sum(Value x, ArrayRef<int64_t> axes) {
  return reduce(x, axes, 0, addTo);
}

Value Lowering::lower(ReduceOp op) {
  ReduceKind kind = op.getKind();
  auto extreme = [&](HostBuilder &inner, Value best, Value x) {
    return lowerElementwise(inner,
                            kind == ReduceKind::Max ? ElementwiseKind::Max
                                                    : ElementwiseKind::Min,
                            best, x);
  };
  auto square = [](HostBuilder &inner, Value sum, Value x) {
    return mulAdd(inner, sum, x, x);
  };
  Value result;
  double count = 1;
  switch (kind) {
  case ReduceKind::Max:
    result = reduce(op.getInput(), op.getAxes(), -INFINITY, extreme);
    break;
  case ReduceKind::Min:
    result = reduce(op.getInput(), op.getAxes(), INFINITY, extreme);
    break;
  case ReduceKind::Mean:
  case ReduceKind::MeanSquare:
    for (int64_t axis : op.getAxes())
      count *= shapeOf(op.getInput())[axis];
    [[fallthrough]];
  case ReduceKind::Sum:
  case ReduceKind::SumSquare:
    result = kind == ReduceKind::Sum || kind == ReduceKind::Mean
                 ? sum(op.getInput(), op.getAxes())
                 : reduce(op.getInput(), op.getAxes(), 0, square);
    break;
  }
  return map(result, op.getType(), [&](HostBuilder &inner, ValueRange x) {
    Value mean = lowerElementwise(inner, ElementwiseKind::Div, x[0],
                                  inner.number(single(), count));
    return lowerActivation(inner, op.getActivationAttr(), mean);
  });
}

// Loops over leading dimensions, rows, columns, and what is summed.
Value Lowering::lower(MatmulOp op) {
  SmallVector<int64_t> extents(shapeOf(op.getResult()));
  int64_t rank = extents.size(), row = rank - 2, column = rank - 1;
  extents.push_back(shapeOf(op.getLhs())[op.getTransposeLhs() ? row : column]);
  auto reads = [&](Value operand, AffineExpr first, AffineExpr second,
                   bool isTransposed) {
    SmallVector<AffineExpr> places;
    for (int64_t i = 0; i < row; ++i)
      places.push_back(shapeOf(operand)[i] == 1
                           ? getAffineConstantExpr(0, context)
                           : dim(i));
    places.push_back(isTransposed ? second : first);
    places.push_back(isTransposed ? first : second);
    return AffineMap::get(rank + 1, 0, places, context);
  };
  Value sums = host.accumulate(
      {toSingle(op.getLhs()), toSingle(op.getRhs())},
      host.filled(shapeOf(op.getResult()), single(), 0),
      {reads(op.getLhs(), dim(row), dim(rank), op.getTransposeLhs()),
       reads(op.getRhs(), dim(rank), dim(column), op.getTransposeRhs()),
       AffineMap::getMultiDimIdentityMap(rank + 1, context).dropResult(rank)},
      extents, [](HostBuilder &inner, ValueRange x) {
        return mulAdd(inner, x[2], x[0], x[1]);
      });
  return map(sums, op.getType(), [&](HostBuilder &inner, ValueRange x) {
    return lowerActivation(inner, op.getActivationAttr(), x[0]);
  });
}

/// The epilogue of a convolution.
template <typename OpTy> Value Lowering::finish(OpTy op, Value sums) {
  SmallVector<Value> operands = {sums};
  SmallVector<int64_t> channels = {shapeOf(sums)[1], 1, 1};
  for (Value vector : {op.getScale(), op.getBias()})
    if (vector)
      operands.push_back(host.reshape(vector, channels));
  return map(operands, op.getType(), [&](HostBuilder &inner, ValueRange x) {
    Value sum = x[0];
    if (op.getScale())
      sum = lowerElementwise(inner, ElementwiseKind::Mul, sum, x[1]);
    if (op.getBias())
      sum = lowerElementwise(inner, ElementwiseKind::Add, sum, x.back());
    return lowerActivation(inner, op.getActivationAttr(), sum);
  });
}

// Loops over images, groups, channels of a group, rows and columns of the
// result; then channels, rows and columns of the kernel.
Value Lowering::lower(ConvOp op) {
  ArrayRef<int64_t> pads = op.getPad(), out = shapeOf(op.getResult());
  int64_t groups = op.getGroups();
  Value x = host.pad(toSingle(op.getInput()), {0, 0, pads[0], pads[2]},
                     {0, 0, pads[1], pads[3]}, 0);
  Value w = toSingle(op.getWeight());
  SmallVector<int64_t> in(shapeOf(x)), taps(shapeOf(w));
  x = host.reshape(x, {in[0], groups, in[1] / groups, in[2], in[3]});
  w = host.reshape(w, {groups, taps[0] / groups, taps[1], taps[2], taps[3]});
  SmallVector<int64_t> shape = {out[0], groups, out[1] / groups, out[2],
                                out[3]};
  SmallVector<int64_t> extents = shape;
  extents.append({taps[1], taps[2], taps[3]});
  AffineExpr y = dim(3) * op.getStrides()[0] + dim(6) * op.getDilations()[0];
  AffineExpr column =
      dim(4) * op.getStrides()[1] + dim(7) * op.getDilations()[1];
  auto mapOf = [&](ArrayRef<AffineExpr> places) {
    return AffineMap::get(8, 0, places, context);
  };
  Value sums =
      host.accumulate({x, w}, host.filled(shape, single(), 0),
                      {mapOf({dim(0), dim(1), dim(5), y, column}),
                       mapOf({dim(1), dim(2), dim(5), dim(6), dim(7)}),
                       mapOf({dim(0), dim(1), dim(2), dim(3), dim(4)})},
                      extents, [](HostBuilder &inner, ValueRange x) {
                        return mulAdd(inner, x[2], x[0], x[1]);
                      });
  return finish(op, host.reshape(sums, out));
}

Value Lowering::lower(ConvTransposeOp op) {
  return finish(op, lowerConvTranspose(host, op));
}

/// How many taps of each window lie inside an image of `extent` elements.
static SmallVector<float> insideOf(int64_t count, int64_t extent,
                                   int64_t kernel, int64_t stride,
                                   int64_t pad) {
  SmallVector<float> result;
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = i * stride - pad, last = first + kernel;
    result.push_back(std::min(last, extent) - std::max<int64_t>(first, 0));
  }
  return result;
}

Value Lowering::lower(PoolOp op) {
  ArrayRef<int64_t> pads = op.getPad(), kernel = op.getKernel();
  ArrayRef<int64_t> out = shapeOf(op.getResult()), in = shapeOf(op.getInput());
  bool isMax = op.getKind() == PoolKind::Max;
  double start = isMax ? -INFINITY : 0;
  // What is above a window's last place may stick out.
  SmallVector<int64_t> high = {0, 0};
  for (size_t i : {0, 1})
    high.push_back(std::max<int64_t>(0, (out[2 + i] - 1) * op.getStrides()[i] +
                                            kernel[i] - in[2 + i] -
                                            pads[2 * i]));
  Value x =
      host.pad(toSingle(op.getInput()), {0, 0, pads[0], pads[2]}, high, start);
  SmallVector<int64_t> extents(out);
  llvm::append_range(extents, kernel);
  auto mapOf = [&](ArrayRef<AffineExpr> places) {
    return AffineMap::get(6, 0, places, context);
  };
  // A window has a shape of its own, of which nothing is read.
  Value window =
      tensor::EmptyOp::create(builder, host.loc, kernel, builder.getF32Type());
  Value result = host.accumulate(
      {x, window}, host.filled(out, single(), start),
      {mapOf({dim(0), dim(1), dim(2) * op.getStrides()[0] + dim(4),
              dim(3) * op.getStrides()[1] + dim(5)}),
       mapOf({dim(4), dim(5)}), mapOf({dim(0), dim(1), dim(2), dim(3)})},
      extents, [&](HostBuilder &inner, ValueRange x) {
        return lowerElementwise(
            inner, isMax ? ElementwiseKind::Max : ElementwiseKind::Add, x[2],
            x[0]);
      });
  if (isMax)
    return host.convert(result, single(), HostType::of(op.getType()));
  SmallVector<float> rows(out[2], kernel[0]), columns(out[3], kernel[1]);
  if (!op.getCountIncludePad()) {
    rows = insideOf(out[2], in[2], kernel[0], op.getStrides()[0], pads[0]);
    columns = insideOf(out[3], in[3], kernel[1], op.getStrides()[1], pads[2]);
  }
  auto vector = [&](ArrayRef<float> values, ArrayRef<int64_t> shape) {
    return host.constant(DenseElementsAttr::get(
        RankedTensorType::get(shape, builder.getF32Type()), values));
  };
  return map(
      {result, vector(rows, {out[2], 1}), vector(columns, out[3])},
      op.getType(), [](HostBuilder &inner, ValueRange x) {
        Value count = lowerElementwise(inner, ElementwiseKind::Mul, x[1], x[2]);
        return lowerElementwise(inner, ElementwiseKind::Div, x[0], count);
      });
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

Value Lowering::lower(SoftmaxOp op) {
  int64_t axis = op.getAxis();
  Type f32 = builder.getF32Type();
  Value most =
      reduce(op.getInput(), axis, -INFINITY,
             [](HostBuilder &inner, Value best, Value x) {
               return lowerElementwise(inner, ElementwiseKind::Max, best, x);
             });
  Value powers =
      map({op.getInput(), most}, f32,
          [](HostBuilder &inner, ValueRange x) -> Value {
            Value below =
                lowerElementwise(inner, ElementwiseKind::Sub, x[0], x[1]);
            return math::ExpOp::create(inner.builder, inner.loc, below);
          });
  return map({powers, sum(powers, axis)}, op.getType(),
             [](HostBuilder &inner, ValueRange x) {
               return lowerElementwise(inner, ElementwiseKind::Div, x[0], x[1]);
             });
}

Value Lowering::norm(Value x, Type result, ArrayRef<int64_t> axes,
                     double epsilon, bool centred, Value gamma, Value beta) {
  Type f32 = builder.getF32Type();
  double count = 1;
  SmallVector<int64_t> factorShape(shapeOf(x).size(), 1);
  for (int64_t axis : axes) {
    factorShape[axis] = shapeOf(x)[axis];
    count *= shapeOf(x)[axis];
  }
  Value centre = toSingle(x);
  if (centred)
    centre =
        map({centre, sum(centre, axes)}, f32,
            [&](HostBuilder &inner, ValueRange x) {
              Value mean = lowerElementwise(inner, ElementwiseKind::Div, x[1],
                                            inner.number(single(), count));
              return lowerElementwise(inner, ElementwiseKind::Sub, x[0], mean);
            });
  Value squares =
      reduce(centre, axes, 0, [](HostBuilder &inner, Value sum, Value x) {
        return mulAdd(inner, sum, x, x);
      });
  SmallVector<Value> operands = {centre, squares};
  for (Value factor : {gamma, beta})
    if (factor)
      operands.push_back(host.reshape(factor, factorShape));
  return map(operands, result, [&](HostBuilder &inner, ValueRange x) {
    Value mean = lowerElementwise(inner, ElementwiseKind::Div, x[1],
                                  inner.number(single(), count));
    mean = addTo(inner, mean, inner.number(single(), epsilon));
    Value root = math::SqrtOp::create(inner.builder, inner.loc, mean);
    Value y = lowerElementwise(inner, ElementwiseKind::Div, x[0], root);
    if (gamma)
      y = lowerElementwise(inner, ElementwiseKind::Mul, y, x[2]);
    if (beta)
      y = lowerElementwise(inner, ElementwiseKind::Add, y, x.back());
    return y;
  });
}

Value Lowering::lower(LayerNormOp op) {
  return norm(op.getInput(), op.getType(), op.getAxes(),
              op.getEpsilon().convertToDouble(), /*centred=*/true,
              op.getGamma(), op.getBeta());
}

Value Lowering::lower(RmsNormOp op) {
  return norm(op.getInput(), op.getType(), op.getAxes(),
              op.getEpsilon().convertToDouble(), /*centred=*/false,
              op.getGamma(), Value());
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

// The engine casts what it joins, as everybody does.
Value Lowering::lower(ConcatOp op) {
  HostType to = HostType::of(op.getType());
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(host.convert(input, HostType::of(input.getType()), to));
  return host.concat(inputs, op.getAxis());
}

Value Lowering::lower(SliceOp op) {
  return host.slice(op.getInput(), op.getOffsets(), op.getSizes(),
                    op.getStrides());
}

Value Lowering::lower(PadOp op) {
  return host.pad(op.getInput(), op.getLow(), op.getHigh(),
                  op.getValue().convertToDouble());
}

Value Lowering::lower(TileOp op) {
  return host.tile(op.getInput(), op.getRepeats());
}

Value Lowering::lower(TransposeOp op) {
  return host.transpose(op.getInput(), op.getPerm());
}

Value Lowering::lower(ReshapeOp op) {
  return host.reshape(op.getInput(), shapeOf(op.getResult()));
}

Value Lowering::lower(ResizeOp op) {
  return host.convert(lowerResize(host, op), single(),
                      HostType::of(op.getType()));
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// What `op` becomes, or whether it would become something.
template <typename Fn> static bool dispatch(Operation *op, Fn fn) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ConstantOp, ElementwiseOp, ActivationOp, CompareOp, SelectOp,
            CastOp, MatmulOp, ConvOp, ConvTransposeOp, PoolOp, ReduceOp,
            SoftmaxOp, LayerNormOp, RmsNormOp, ConcatOp, SliceOp, PadOp, TileOp,
            TransposeOp, ReshapeOp, ResizeOp, InterleaveOp>([&](auto op) {
        fn(op);
        return true;
      })
      .Default(false);
}

bool mlir::ane::hasLinalgForm(Operation *op) {
  auto isFloat = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF16() || element.isF32();
  };
  // Places between pixels that no mode names.
  if (auto resize = dyn_cast<ResizeOp>(op))
    if (!getResizeTaps(resize, 2) || !getResizeTaps(resize, 3))
      return false;
  return llvm::all_of(op->getOperandTypes(), isFloat) &&
         llvm::all_of(op->getResultTypes(), isFloat) &&
         (isa<AttentionOp>(op) || dispatch(op, [](auto) {}));
}

LogicalResult mlir::ane::lowerToLinalg(func::FuncOp function) {
  expandAttention(function);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<ANEDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (!hasLinalgForm(op))
      return op->emitOpError("has no form for the host, which does the tensor "
                             "ops of f16 and f32 but for runtime_conv and a "
                             "resize to the nearest pixel by no whole factor");
    dispatch(op, [&](auto known) {
      known.getResult().replaceAllUsesWith(Lowering(op).lower(known));
    });
    op->erase();
  }
  return success();
}

namespace {
struct ConvertANEToLinalg
    : public ane::impl::ConvertANEToLinalgBase<ConvertANEToLinalg> {
  using ConvertANEToLinalgBase::ConvertANEToLinalgBase;

  void runOnOperation() override {
    if (failed(lowerToLinalg(getOperation())))
      signalPassFailure();
  }
};
} // namespace
