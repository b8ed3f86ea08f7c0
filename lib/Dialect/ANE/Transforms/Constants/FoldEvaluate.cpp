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
// better off with the op.
static bool growsTooMuch(Operation *op) {
  constexpr int64_t always = int64_t(64) << 20;
  int64_t result = getBytes(getResultType(op)), operands = 0;
  if (result == std::numeric_limits<int64_t>::max())
    return true;
  for (Type type : op->getOperandTypes())
    if (llvm::AddOverflow(operands, getBytes(type), operands))
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

bool mlir::ane::canEvaluate(Operation *op) {
  if (isa<TransposeOp, SliceOp, ReshapeOp, ConcatOp>(op))
    return getBytes(getResultType(op)) < std::numeric_limits<int64_t>::max();
  if (growsTooMuch(op))
    return false;
  // What leaves the engine in a wider type is f16 until there.
  if (auto cast = dyn_cast<CastOp>(op); cast && cast.isWidening())
    return false;
  // The maximum of nothing is no number.
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && !getBytes(reduce.getInput().getType()))
    return false;
  if (auto matmul = dyn_cast<MatmulOp>(op);
      matmul && countProducts(matmul) > maxProducts)
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

/// Computes `fn(operands as floats) -> floats` element by element. Operands are
/// broadcast to the shape of the result; `fn` works in place on the first.
static Evaluated mapElements(
    Operation *op, ArrayRef<ConstantView> operands,
    llvm::function_ref<void(MutableArrayRef<float>, ArrayRef<float>)> fn) {
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
  ConstantView lhs = take(operands[0]);
  std::vector<float> a, b;
  // Parts of equally shaped views are equal boxes.
  SmallVector<ConstantView> rhsParts;
  if (operands.size() > 1)
    take(operands[1])
        .forEachPart(partElements, [&](int64_t, ConstantView part) {
          rhsParts.push_back(part);
        });
  size_t index = 0;
  lhs.forEachPart(partElements, [&](int64_t first, ConstantView part) {
    a.resize(part.getNumElements());
    part.readFloats(a);
    if (operands.size() > 1) {
      b.resize(a.size());
      rhsParts[index++].readFloats(b);
    }
    fn(a, b);
    result.write(first, a);
  });
  return result.finish();
}

static Evaluated evaluateOp(ElementwiseOp op, ArrayRef<ConstantView> operands) {
  float scale = op.getScale().convertToFloat();
  float bias = op.getBias().convertToFloat();
  return mapElements(op, operands,
                     [&](MutableArrayRef<float> lhs, ArrayRef<float> rhs) {
                       applyElementwise(op.getKind(), lhs, rhs);
                       if (scale != 1 || bias != 0)
                         for (float &value : lhs)
                           value = scale * value + bias;
                       if (ActivationAttr function = op.getActivationAttr())
                         applyActivation(function, lhs);
                     });
}

static Evaluated evaluateOp(ActivationOp op, ArrayRef<ConstantView> operands) {
  return mapElements(op, operands,
                     [&](MutableArrayRef<float> values, ArrayRef<float>) {
                       applyActivation(op.getFunction(), values);
                     });
}

static bool compare(CompareKind kind, float lhs, float rhs) {
  switch (kind) {
  case CompareKind::Equal:
    return lhs == rhs;
  case CompareKind::NotEqual:
    return lhs != rhs;
  case CompareKind::Less:
    return lhs < rhs;
  case CompareKind::LessEqual:
    return lhs <= rhs;
  case CompareKind::Greater:
    return lhs > rhs;
  case CompareKind::GreaterEqual:
    return lhs >= rhs;
  }
  llvm_unreachable("all kinds are handled");
}

static Evaluated evaluateOp(CompareOp op, ArrayRef<ConstantView> operands) {
  return mapElements(op, operands,
                     [&](MutableArrayRef<float> lhs, ArrayRef<float> rhs) {
                       for (auto [value, other] : llvm::zip_equal(lhs, rhs))
                         value = compare(op.getKind(), value, other);
                     });
}

static Evaluated evaluateOp(SelectOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  FloatResult result(type, type.getNumElements());
  auto read = [&](const ConstantView &view) {
    return view.broadcast(type.getShape()).readFloats();
  };
  std::vector<float> chosen = read(operands[1]);
  std::vector<float> other = read(operands[2]);
  for (auto [value, instead, condition] :
       llvm::zip_equal(chosen, other, read(operands[0])))
    value = condition != 0 ? value : instead;
  result.write(0, chosen);
  return result.finish();
}

static Evaluated evaluateOp(CastOp op, ArrayRef<ConstantView> operands) {
  return mapElements(op, operands,
                     [](MutableArrayRef<float>, ArrayRef<float>) {});
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

static Evaluated evaluateOp(ReduceOp op, ArrayRef<ConstantView> operands) {
  const ConstantView &input = operands[0];
  RankedTensorType type = getResultType(op);
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
  corners.forEachPart(1, [&](int64_t first, ConstantView) {
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

/// All elements in row-major order, for the batch that the result has.
static std::vector<float> readMatrices(ConstantView view,
                                       ArrayRef<int64_t> batch) {
  SmallVector<int64_t> shape(batch);
  llvm::append_range(shape, view.getShape().take_back(2));
  view = view.broadcast(shape);
  std::vector<float> values(ShapedType::getNumElements(shape));
  view.readFloats(values);
  return values;
}

static Evaluated evaluateOp(MatmulOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = type.getShape(), batch = shape.drop_back(2);
  ConstantView lhs =
      op.getTransposeLhs() ? transposeMatrices(operands[0]) : operands[0];
  // Rows of both sides then: elements of a sum lie side by side.
  ConstantView rhs =
      op.getTransposeRhs() ? operands[1] : transposeMatrices(operands[1]);
  std::vector<float> rows = readMatrices(lhs, batch);
  std::vector<float> columns = readMatrices(rhs, batch);
  size_t k = lhs.getShape().back(), m = shape[shape.size() - 2],
         n = shape.back();
  FloatResult result(type, type.getNumElements());
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    size_t image = i / (m * n);
    const float *row = &rows[i / n * k];
    const float *column = &columns[(image * n + i % n) * k];
    float value = std::inner_product(row, row + k, column, 0.0);
    if (ActivationAttr function = op.getActivationAttr())
      applyActivation(function, value);
    result.write(i, value);
  }
  return result.finish();
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static Evaluated evaluateOp(ReshapeOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  if (std::optional<ConstantView> view = operands[0].reshape(type.getShape()))
    return {*view, std::nullopt};
  AsmResourceBlob blob = operands[0].materialize();
  ConstantView view(blob.getData().data(), type);
  return {view, std::move(blob)};
}

// A dimension more in front of each, along which nothing changes.
static Evaluated evaluateOp(TileOp op, ArrayRef<ConstantView> operands) {
  SmallVector<int64_t> ones, repeated;
  for (auto [repeats, extent] :
       llvm::zip_equal(op.getRepeats(), operands[0].getShape())) {
    ones.append({1, extent});
    repeated.append({repeats, extent});
  }
  AsmResourceBlob blob =
      operands[0].reshape(ones)->broadcast(repeated).materialize();
  ConstantView view(blob.getData().data(), getResultType(op));
  return {view, std::move(blob)};
}

static SmallVector<int64_t> getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

static Evaluated evaluateOp(ConcatOp op, ArrayRef<ConstantView> operands) {
  RankedTensorType type = getResultType(op);
  SmallVector<int64_t> strides = getDenseStrides(type.getShape());
  int64_t bytes = operands[0].getElementBytes();
  AsmResourceBlob blob = allocateConstant(type.getNumElements() * bytes);
  char *out = blob.getMutableData().data();
  for (const ConstantView &operand : operands) {
    operand.copyTo(out, strides);
    out += operand.getShape()[op.getAxis()] * strides[op.getAxis()] * bytes;
  }
  ConstantView view(blob.getData().data(), type);
  return {view, std::move(blob)};
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
  ConstantView view(blob.getData().data(), type);
  return {view, std::move(blob)};
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
