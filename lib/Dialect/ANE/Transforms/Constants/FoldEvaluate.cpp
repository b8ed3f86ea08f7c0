//===- FoldEvaluate.cpp - Ops on constants --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that move elements give views; functions of elements are computed in
// floats, a cache-sized part at a time, and rounded once to the type of the
// result.
//
//===----------------------------------------------------------------------===//

#include "FoldEvaluate.h"

#include "ane/Dialect/ANE/Utils/Evaluate.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

// 256 KB of floats for each operand.
static constexpr int64_t partElements = 1 << 16;

static RankedTensorType getResultType(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}

static bool isFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isF32();
}

/// Bytes of a tensor, at most INT64_MAX.
static int64_t getBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  for (int64_t extent : tensor.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return std::numeric_limits<int64_t>::max();
  return bytes;
}

// A broadcast or a pad may make gigabytes of a few bytes; the program is then
// better off with the op. A splat takes the bytes of one element.
static bool growsTooMuch(Operation *op, IsSplat isSplat) {
  constexpr int64_t always = int64_t(64) << 20;
  int64_t result = getBytes(getResultType(op)), operands = 0;
  if (result == std::numeric_limits<int64_t>::max())
    return true;
  for (Value operand : op->getOperands())
    if (!isSplat(operand) &&
        llvm::AddOverflow(operands, getBytes(operand.getType()), operands))
      return true;
  return result > always && result / 2 > operands;
}

// About a second.
static constexpr int64_t maxProducts = int64_t(1) << 30;

static int64_t countProducts(MatmulOp op) {
  ArrayRef<int64_t> lhs =
      cast<RankedTensorType>(op.getLhs().getType()).getShape();
  return getResultType(op).getNumElements() *
         lhs[lhs.size() - (op.getTransposeLhs() ? 2 : 1)];
}

bool mlir::ane::staysSplat(Operation *op, IsSplat isSplat) {
  if (!llvm::all_of(op->getOperands(), isSplat) || !getBytes(getResultType(op)))
    return false;
  if (isa<ConcatOp>(op)) // of different splats it is none
    return llvm::all_equal(op->getOperands());
  return isa<TransposeOp, SliceOp, ReshapeOp, TileOp, ElementwiseOp,
             ActivationOp, CompareOp, SelectOp, CastOp, ReduceOp, MatmulOp>(op);
}

bool mlir::ane::canEvaluate(Operation *op, IsSplat isSplat) {
  if (isa<TransposeOp, SliceOp, ReshapeOp>(op))
    return getBytes(getResultType(op)) < std::numeric_limits<int64_t>::max();
  bool staysOne = staysSplat(op, isSplat);
  if (!staysOne && growsTooMuch(op, isSplat))
    return false;
  if (isa<ConcatOp>(op))
    return getBytes(getResultType(op)) < std::numeric_limits<int64_t>::max();
  // What leaves the engine in a wider type is f16 until there.
  if (auto cast = dyn_cast<CastOp>(op); cast && cast.isWidening())
    return false;
  // The maximum of nothing is no number.
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && !getBytes(reduce.getInput().getType()))
    return false;
  if (auto matmul = dyn_cast<MatmulOp>(op);
      matmul && !staysOne && countProducts(matmul) > maxProducts)
    return false;
  if (isa<MatmulOp, PadOp, ElementwiseOp, ActivationOp, CompareOp, ReduceOp,
          SelectOp, CastOp, TileOp>(op))
    return llvm::all_of(op->getOperandTypes(), isFloat) &&
           isFloat(getResultType(op));
  return false;
}

//===----------------------------------------------------------------------===//
// Functions of elements
//===----------------------------------------------------------------------===//

namespace {
/// Bytes of a result that is computed as floats, part by part.
class FloatResult {
public:
  explicit FloatResult(RankedTensorType type, int64_t elements)
      : type(type), half(type.getElementType().isF16()),
        blob(allocateConstant(elements * (half ? 2 : 4))) {}

  void write(int64_t first, ArrayRef<float> values) {
    if (half)
      convertToHalf(values, getMutable<uint16_t>(blob).data() + first);
    else
      llvm::copy(values, getMutable<float>(blob).begin() + first);
  }

  /// The result; of a single element if that is all that was written.
  Evaluated finish() {
    const char *data = blob.getData().data();
    bool single = static_cast<int64_t>(blob.getData().size()) == (half ? 2 : 4);
    SmallVector<int64_t> ones(type.getRank(), 1);
    ConstantView view =
        single ? ConstantView(
                     data, RankedTensorType::get(ones, type.getElementType()))
                     .broadcast(type.getShape())
               : ConstantView(data, type);
    return {view, std::move(blob)};
  }

private:
  RankedTensorType type;
  bool half;
  AsmResourceBlob blob;
};
} // namespace

/// The operands after the first.
using Others = ArrayRef<std::vector<float>>;

/// Computes `fn(operands as floats) -> floats` element by element. Operands are
/// broadcast to the shape of the result; `fn` works in place on the first.
static Evaluated
mapElements(Operation *op, ArrayRef<ConstantView> operands,
            llvm::function_ref<void(MutableArrayRef<float>, Others)> fn) {
  RankedTensorType type = getResultType(op);
  bool splat = llvm::all_of(
      operands, [](const ConstantView &view) { return view.isSplat(); });
  SmallVector<int64_t> shape(type.getShape());
  if (splat && type.getNumElements() > 0)
    shape.assign(type.getRank(), 1);
  auto take = [&](const ConstantView &view) {
    SmallVector<int64_t> zero(view.getRank(), 0), one(view.getRank(), 1);
    return splat && view.getNumElements() > 0 ? view.slice(zero, one, one)
                                              : view.broadcast(shape);
  };
  FloatResult result(
      type,
      RankedTensorType::get(shape, type.getElementType()).getNumElements());
  std::vector<float> first;
  std::vector<std::vector<float>> others(operands.size() - 1);
  // Parts of equally shaped views are equal boxes.
  SmallVector<SmallVector<ConstantView>> otherParts(others.size());
  for (auto [operand, parts] :
       llvm::zip_equal(operands.drop_front(), otherParts))
    take(operand).forEachPart(
        partElements, [&parts = parts](int64_t, const ConstantView &part) {
          parts.push_back(part);
        });
  size_t index = 0;
  take(operands[0])
      .forEachPart(partElements, [&](int64_t begin, const ConstantView &part) {
        first.resize(part.getNumElements());
        part.readFloats(first);
        for (auto [other, parts] : llvm::zip_equal(others, otherParts)) {
          other.resize(first.size());
          parts[index].readFloats(other);
        }
        ++index;
        fn(first, others);
        result.write(begin, first);
      });
  return result.finish();
}

static Evaluated evaluateOp(ElementwiseOp op, ArrayRef<ConstantView> operands) {
  float scale = op.getScale().convertToFloat();
  float bias = op.getBias().convertToFloat();
  return mapElements(op, operands,
                     [&](MutableArrayRef<float> lhs, Others others) {
                       applyElementwise(op.getKind(), lhs, others[0]);
                       if (scale != 1 || bias != 0)
                         for (float &value : lhs)
                           value = scale * value + bias;
                       if (ActivationAttr function = op.getActivationAttr())
                         applyActivation(function, lhs);
                     });
}

static Evaluated evaluateOp(ActivationOp op, ArrayRef<ConstantView> operands) {
  return mapElements(op, operands, [&](MutableArrayRef<float> values, Others) {
    applyActivation(op.getFunction(), values);
  });
}

static Evaluated evaluateOp(CompareOp op, ArrayRef<ConstantView> operands) {
  return mapElements(
      op, operands, [&](MutableArrayRef<float> lhs, Others others) {
        for (auto [value, other] : llvm::zip_equal(lhs, others[0]))
          value = applyCompare(op.getKind(), value, other);
      });
}

static Evaluated evaluateOp(SelectOp op, ArrayRef<ConstantView> operands) {
  return mapElements(op, operands,
                     [](MutableArrayRef<float> conditions, Others others) {
                       for (auto [value, chosen, other] :
                            llvm::zip_equal(conditions, others[0], others[1]))
                         value = value != 0 ? chosen : other;
                     });
}

static Evaluated evaluateOp(CastOp op, ArrayRef<ConstantView> operands) {
  return mapElements(op, operands, [](MutableArrayRef<float>, Others) {});
}

static float reduceValues(ReduceKind kind, ArrayRef<float> values) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean: {
    double sum = 0;
    for (float value : values)
      sum += value;
    return kind == ReduceKind::Sum ? sum : sum / values.size();
  }
  case ReduceKind::Max:
    return *llvm::max_element(values);
  case ReduceKind::Min:
    return *llvm::min_element(values);
  case ReduceKind::SumSquare:
  case ReduceKind::MeanSquare: {
    double sum = 0;
    for (float value : values)
      sum += double(value) * value;
    return kind == ReduceKind::SumSquare ? sum : sum / values.size();
  }
  }
  llvm_unreachable("all kinds are handled");
}

/// Of `count` values that are all `value`. Sums are exact up to 2^29 of them.
static float reduceSplat(ReduceKind kind, float value, int64_t count) {
  double square = double(value) * value;
  switch (kind) {
  case ReduceKind::Sum:
    return double(value) * count;
  case ReduceKind::SumSquare:
    return square * count;
  case ReduceKind::MeanSquare:
    return square;
  case ReduceKind::Mean:
  case ReduceKind::Max:
  case ReduceKind::Min:
    return value;
  }
  llvm_unreachable("all kinds are handled");
}

/// The only element of a splat.
static float readSplat(const ConstantView &view) {
  SmallVector<int64_t> zero(view.getRank(), 0), one(view.getRank(), 1);
  return view.slice(zero, one, one).readFloats().front();
}

static Evaluated evaluateOp(ReduceOp op, ArrayRef<ConstantView> operands) {
  const ConstantView &input = operands[0];
  RankedTensorType type = getResultType(op);
  if (input.isSplat() && type.getNumElements() > 0) {
    int64_t count = 1;
    for (int64_t axis : op.getAxes())
      count *= input.getShape()[axis];
    float value = reduceSplat(op.getKind(), readSplat(input), count);
    if (ActivationAttr function = op.getActivationAttr())
      applyActivation(function, value);
    FloatResult one(type, 1);
    one.write(0, value);
    return one.finish();
  }
  FloatResult result(type, type.getNumElements());
  // The box of the input that makes one element, for each element.
  SmallVector<int64_t> sizes(input.getRank(), 1), ones(input.getRank(), 1);
  for (int64_t axis : op.getAxes())
    sizes[axis] = input.getShape()[axis];
  ConstantView corners = input; // first elements of these boxes
  for (int64_t axis : op.getAxes()) {
    SmallVector<int64_t> zero(input.getRank(), 0), kept(corners.getShape());
    kept[axis] = 1;
    corners = corners.slice(zero, kept, ones);
  }
  std::vector<float> values(1);
  for (int64_t size : sizes)
    values.resize(values.size() * size);
  int64_t index = 0;
  SmallVector<int64_t> at(input.getRank(), 0);
  corners.forEachPart(1, [&](int64_t first, const ConstantView &) {
    // Row-major index of the result, taken apart.
    int64_t rest = first;
    for (int64_t d = input.getRank() - 1; d >= 0; --d) {
      at[d] = rest % type.getDimSize(d);
      rest /= type.getDimSize(d);
    }
    input.slice(at, sizes, ones).readFloats(values);
    float value = reduceValues(op.getKind(), values);
    if (ActivationAttr function = op.getActivationAttr())
      applyActivation(function, value);
    result.write(index++, value);
  });
  return result.finish();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The last two dimensions of `view` exchanged.
static ConstantView transposeMatrices(const ConstantView &view) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq(view.getRank()));
  std::swap(perm.back(), perm[perm.size() - 2]);
  return view.transpose(perm);
}

namespace {
/// Rows of matrices of one batch after the other; one for all of a splat.
struct MatrixRows {
  MatrixRows(ConstantView view, ArrayRef<int64_t> batch) {
    SmallVector<int64_t> shape(batch);
    llvm::append_range(shape, view.getShape().take_back(2));
    view = view.broadcast(shape);
    length = shape.back();
    isOne = view.isSplat() && view.getNumElements() > 0;
    if (isOne)
      values.assign(length, readSplat(view));
    else
      values = view.readFloats();
  }
  const float *row(size_t index) const {
    return &values[isOne ? 0 : index * length];
  }

  std::vector<float> values;
  size_t length;
  bool isOne;
};
} // namespace

static Evaluated evaluateOp(MatmulOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = type.getShape(), batch = shape.drop_back(2);
  ConstantView lhs =
      op.getTransposeLhs() ? transposeMatrices(operands[0]) : operands[0];
  // Rows of both sides then: elements of a sum lie side by side.
  ConstantView rhs =
      op.getTransposeRhs() ? operands[1] : transposeMatrices(operands[1]);
  size_t k = lhs.getShape().back(), m = shape[shape.size() - 2],
         n = shape.back();
  auto finish = [&](float value) {
    if (ActivationAttr function = op.getActivationAttr())
      applyActivation(function, value);
    return value;
  };
  if (lhs.isSplat() && rhs.isSplat() && type.getNumElements() > 0 && k > 0) {
    FloatResult one(type, 1);
    float product = readSplat(lhs) * readSplat(rhs);
    one.write(0, finish(reduceSplat(ReduceKind::Sum, product, k)));
    return one.finish();
  }
  MatrixRows rows(lhs, batch), columns(rhs, batch);
  FloatResult result(type, type.getNumElements());
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    const float *row = rows.row(i / n);
    result.write(i,
                 finish(std::inner_product(
                     row, row + k, columns.row(i / (m * n) * n + i % n), 0.0)));
  }
  return result.finish();
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static Evaluated owned(AsmResourceBlob bytes, RankedTensorType type) {
  ConstantView view(bytes.getData().data(), type);
  return {view, std::move(bytes)};
}

static Evaluated evaluateOp(ReshapeOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  if (std::optional<ConstantView> view = operands[0].reshape(type.getShape()))
    return {*view, std::nullopt};
  return owned(operands[0].materialize(), type);
}

// A dimension more in front of each, along which nothing changes.
static Evaluated evaluateOp(TileOp op, ArrayRef<ConstantView> operands) {
  if (operands[0].isSplat())
    return {*operands[0].reshape(getResultType(op).getShape()), std::nullopt};
  SmallVector<int64_t> ones, repeated;
  for (auto [repeats, extent] :
       llvm::zip_equal(op.getRepeats(), operands[0].getShape())) {
    ones.append({1, extent});
    repeated.append({repeats, extent});
  }
  return owned(operands[0].reshape(ones)->broadcast(repeated).materialize(),
               getResultType(op));
}

static SmallVector<int64_t> getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

static Evaluated evaluateOp(ConcatOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  // Of one value, as staysSplat() knows it.
  if (llvm::all_of(operands, [&](const ConstantView &view) {
        return view.isSplat() && view.getData() == operands[0].getData();
      }))
    return {*operands[0].reshape(type.getShape()), std::nullopt};
  SmallVector<int64_t> strides = getDenseStrides(type.getShape());
  int64_t bytes = operands[0].getElementBytes();
  AsmResourceBlob blob = allocateConstant(type.getNumElements() * bytes);
  char *out = blob.getMutableData().data();
  for (const ConstantView &operand : operands) {
    operand.copyTo(out, strides);
    out += operand.getShape()[op.getAxis()] * strides[op.getAxis()] * bytes;
  }
  return owned(std::move(blob), type);
}

static Evaluated evaluateOp(PadOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  float value = op.getValue().convertToFloat();
  int64_t bytes = operands[0].getElementBytes();
  AsmResourceBlob blob = allocateConstant(type.getNumElements() * bytes);
  if (bytes == 2) {
    uint16_t half;
    convertToHalf(value, &half);
    llvm::fill(getMutable<uint16_t>(blob), half);
  } else {
    llvm::fill(getMutable<float>(blob), value);
  }
  SmallVector<int64_t> strides = getDenseStrides(type.getShape());
  int64_t offset = 0;
  for (auto [low, stride] : llvm::zip_equal(op.getLow(), strides))
    offset += low * stride;
  operands[0].copyTo(blob.getMutableData().data() + offset * bytes, strides);
  return owned(std::move(blob), type);
}

Evaluated mlir::ane::evaluate(Operation *op, ArrayRef<ConstantView> operands) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case([&](TransposeOp transpose) {
        return Evaluated{operands[0].transpose(transpose.getPerm()), {}};
      })
      .Case([&](SliceOp slice) {
        return Evaluated{operands[0].slice(slice.getOffsets(), slice.getSizes(),
                                           slice.getStrides()),
                         {}};
      })
      .Case<ReshapeOp, ConcatOp, PadOp, ElementwiseOp, ActivationOp, CompareOp,
            ReduceOp, SelectOp, CastOp, MatmulOp, TileOp>(
          [&](auto known) { return evaluateOp(known, operands); });
}
