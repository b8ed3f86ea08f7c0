//===- EvaluateOps.cpp - What ane tensor ops compute ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvaluateOps.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::ane;

size_t Array::offset(ArrayRef<int64_t> index) const {
  size_t position = 0;
  for (auto [size, i] : llvm::zip_equal(shape, index))
    position = position * size + (size == 1 ? 0 : i);
  return position;
}

using Index = SmallVector<int64_t, 5>;

// Calls `fn` with every index of `shape`, the last dimension fastest.
static void forEachIndex(ArrayRef<int64_t> shape,
                         llvm::function_ref<void(const Index &)> fn) {
  Index index(shape.size(), 0);
  for (int64_t left = ShapedType::getNumElements(shape); left > 0; --left) {
    fn(index);
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

// A result whose element at each index is what `fn` returns for it.
static Array generate(Value result,
                      llvm::function_ref<float(const Index &)> fn) {
  Array array(shapeOf(result));
  forEachIndex(array.shape,
               [&](const Index &index) { array.at(index) = fn(index); });
  return array;
}

static const Array *getOptional(Value value, GetArray get) {
  return value ? &get(value) : nullptr;
}

static FailureOr<Array> compute(ConstantOp op, GetArray get) {
  FailureOr<SmallVector<float>> elements = readConstant(op);
  if (failed(elements))
    return op->emitOpError("has no f16 or f32 elements to evaluate");
  Array array(shapeOf(op));
  array.data.assign(elements->begin(), elements->end());
  return array;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static float apply(ActivationAttr function, float x) {
  if (function)
    applyActivation(function, x);
  return x;
}

static float apply(ElementwiseKind kind, float x, float y) {
  applyElementwise(kind, x, y);
  return x;
}

static Array compute(ElementwiseOp op, GetArray get) {
  const Array &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  float scale = op.getScale().convertToFloat();
  float bias = op.getBias().convertToFloat();
  return generate(op.getResult(), [&](const Index &index) {
    return apply(op.getActivationAttr(),
                 scale * apply(op.getKind(), lhs.at(index), rhs.at(index)) +
                     bias);
  });
}

static Array compute(ActivationOp op, GetArray get) {
  const Array &input = get(op.getInput());
  return generate(op.getResult(), [&](const Index &index) {
    return apply(op.getFunction(), input.at(index));
  });
}

static Array compute(CompareOp op, GetArray get) {
  const Array &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  return generate(op.getResult(), [&](const Index &index) -> float {
    return applyCompare(op.getKind(), lhs.at(index), rhs.at(index));
  });
}

static Array compute(SelectOp op, GetArray get) {
  const Array &condition = get(op.getCondition());
  const Array &yes = get(op.getTrueValue()), &no = get(op.getFalseValue());
  return generate(op.getResult(), [&](const Index &index) {
    return condition.at(index) != 0 ? yes.at(index) : no.at(index);
  });
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

// act(scale[o] * sum + bias[o]) for conv and conv_transpose.
template <typename OpT>
static float applyEpilogue(OpT op, float sum, int64_t channel,
                           const Array *bias, const Array *scale) {
  if (scale)
    sum *= scale->at({channel});
  if (bias)
    sum += bias->at({channel});
  return apply(op.getActivationAttr(), sum);
}

// Adds `factor` times every `step`-th element of `from` to `count` of `to`.
static void addMultiple(float *to, float factor, const float *from,
                        int64_t step, int64_t count) {
  if (step == 1)
    for (int64_t i = 0; i != count; ++i)
      to[i] += factor * from[i];
  else
    for (int64_t i = 0; i != count; ++i)
      to[i] += factor * from[i * step];
}

// Convolutions and products take most of the time, so these two go by rows;
// every sum still runs over the taps in their order.
static Array compute(ConvOp op, GetArray get) {
  const Array &input = get(op.getInput()), &weight = get(op.getWeight());
  const Array *bias = getOptional(op.getBias(), get);
  const Array *scale = getOptional(op.getScale(), get);
  int64_t perGroup = weight.dim(0) / static_cast<int64_t>(op.getGroups());
  int64_t stride = op.getStrides()[1], height = input.dim(2),
          width = input.dim(3);
  Array result(shapeOf(op.getResult()));
  auto addTap = [&](const Index &row, const Index &tap, float *sums) {
    int64_t y = row[2] * op.getStrides()[0] + tap[1] * op.getDilations()[0] -
                op.getPad()[0];
    if (y < 0 || y >= height)
      return;
    // The input column of the first result; those in 0 .. width - 1 count.
    int64_t left = tap[2] * op.getDilations()[1] - op.getPad()[2];
    int64_t first = left < 0 ? llvm::divideCeil(-left, stride) : 0;
    int64_t end = left < width ? (width - 1 - left) / stride + 1 : 0;
    end = std::min(end, result.dim(3));
    if (first >= end)
      return;
    int64_t channel = row[1] / perGroup * weight.dim(1) + tap[0];
    addMultiple(
        sums + first, weight.at({row[1], tap[0], tap[1], tap[2]}),
        &input.data[((row[0] * input.dim(1) + channel) * height + y) * width +
                    left + first * stride],
        stride, end - first);
  };
  ArrayRef<int64_t> taps = ArrayRef<int64_t>(weight.shape).drop_front();
  float *sums = result.data.data();
  forEachIndex(
      ArrayRef<int64_t>(result.shape).drop_back(), [&](const Index &row) {
        forEachIndex(taps, [&](const Index &tap) { addTap(row, tap, sums); });
        for (int64_t x = 0; x != result.dim(3); ++x, ++sums)
          *sums = applyEpilogue(op, *sums, row[1], bias, scale);
      });
  return result;
}

// Every input pixel adds its kernel to the result.
static Array compute(ConvTransposeOp op, GetArray get) {
  const Array &input = get(op.getInput()), &weight = get(op.getWeight());
  const Array *bias = getOptional(op.getBias(), get);
  const Array *scale = getOptional(op.getScale(), get);
  Array sums(shapeOf(op.getResult()));
  int64_t groupSize = input.dim(1) / static_cast<int64_t>(op.getGroups());
  forEachIndex(input.shape, [&](const Index &from) {
    forEachIndex(
        ArrayRef<int64_t>(weight.shape).drop_front(), [&](const Index &tap) {
          int64_t channel = from[1] / groupSize * weight.dim(1) + tap[0];
          int64_t y = from[2] * op.getStrides()[0] +
                      tap[1] * op.getDilations()[0] - op.getPad()[0];
          int64_t x = from[3] * op.getStrides()[1] +
                      tap[2] * op.getDilations()[1] - op.getPad()[2];
          if (y < 0 || y >= sums.dim(2) || x < 0 || x >= sums.dim(3))
            return;
          sums.at({from[0], channel, y, x}) +=
              input.at(from) * weight.at({from[1], tap[0], tap[1], tap[2]});
        });
  });
  return generate(op.getResult(), [&](const Index &index) {
    return applyEpilogue(op, sums.at(index), index[1], bias, scale);
  });
}

static Array compute(MatmulOp op, GetArray get) {
  const Array &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  size_t rank = lhs.shape.size();
  bool lhsTransposed = op.getTransposeLhs(),
       rhsTransposed = op.getTransposeRhs();
  int64_t inner = lhs.dim(lhsTransposed ? rank - 2 : rank - 1);
  Array result(shapeOf(op.getResult()));
  int64_t rows = result.dim(rank - 2), columns = result.dim(rank - 1);
  std::vector<float> matrix(inner * columns);
  float *sums = result.data.data();
  forEachIndex(ArrayRef<int64_t>(result.shape).drop_back(2), [&](Index batch) {
    batch.append(2, 0);
    const float *left = &lhs.data[lhs.offset(batch)],
                *right = &rhs.data[rhs.offset(batch)];
    for (int64_t k = 0; k != inner; ++k)
      for (int64_t j = 0; j != columns; ++j)
        matrix[k * columns + j] =
            right[rhsTransposed ? j * inner + k : k * columns + j];
    for (int64_t i = 0; i != rows; ++i, sums += columns) {
      for (int64_t k = 0; k != inner; ++k)
        addMultiple(sums, left[lhsTransposed ? k * rows + i : i * inner + k],
                    &matrix[k * columns], 1, columns);
      for (int64_t j = 0; j != columns; ++j)
        sums[j] = apply(op.getActivationAttr(), sums[j]);
    }
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Pooling and reduction
//===----------------------------------------------------------------------===//

static Array compute(PoolOp op, GetArray get) {
  const Array &input = get(op.getInput());
  bool isMax = op.getKind() == PoolKind::Max;
  return generate(op.getResult(), [&](const Index &index) {
    float value = isMax ? -INFINITY : 0;
    int64_t count = 0;
    forEachIndex(op.getKernel(), [&](const Index &tap) {
      int64_t y = index[2] * op.getStrides()[0] + tap[0] - op.getPad()[0];
      int64_t x = index[3] * op.getStrides()[1] + tap[1] - op.getPad()[2];
      if (y < 0 || y >= input.dim(2) || x < 0 || x >= input.dim(3))
        return;
      float element = input.at({index[0], index[1], y, x});
      value = isMax ? maximumOf(value, element) : value + element;
      ++count;
    });
    if (op.getCountIncludePad())
      count = op.getKernel()[0] * op.getKernel()[1];
    return isMax ? value : value / count;
  });
}

static Array compute(ReduceOp op, GetArray get) {
  const Array &input = get(op.getInput());
  Array result(shapeOf(op.getResult()));
  int64_t count = 1;
  for (int64_t axis : op.getAxes())
    count *= input.dim(axis);
  std::vector<bool> isSet(result.data.size());
  forEachIndex(input.shape, [&](const Index &index) {
    size_t target = result.offset(index);
    float &value = result.data[target];
    float element = input.at(index);
    switch (op.getKind()) {
    case ReduceKind::Sum:
      value += element;
      break;
    case ReduceKind::Mean:
      value += element / count;
      break;
    case ReduceKind::Max:
      value = isSet[target] ? maximumOf(value, element) : element;
      break;
    case ReduceKind::Min:
      value = isSet[target] ? minimumOf(value, element) : element;
      break;
    case ReduceKind::SumSquare:
      value += element * element;
      break;
    case ReduceKind::MeanSquare:
      value += element * element / count;
      break;
    }
    isSet[target] = true;
  });
  for (float &value : result.data)
    value = apply(op.getActivationAttr(), value);
  return result;
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

// Sums of fn(index) over `axes`, which have size 1 in the result.
static Array sumOver(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes,
                     llvm::function_ref<float(const Index &)> fn) {
  SmallVector<int64_t> kept(shape);
  for (int64_t axis : axes)
    kept[axis] = 1;
  Array sums(kept);
  forEachIndex(shape, [&](const Index &index) { sums.at(index) += fn(index); });
  return sums;
}

static Array compute(SoftmaxOp op, GetArray get) {
  const Array &input = get(op.getInput());
  int64_t axis = op.getAxis();
  SmallVector<int64_t> kept(input.shape);
  kept[axis] = 1;
  Array maxima(kept);
  llvm::fill(maxima.data, -INFINITY);
  forEachIndex(input.shape, [&](const Index &index) {
    maxima.at(index) = std::max(maxima.at(index), input.at(index));
  });
  auto power = [&](const Index &index) {
    return std::exp(input.at(index) - maxima.at(index));
  };
  Array sums = sumOver(input.shape, axis, power);
  return generate(op.getResult(), [&](const Index &index) {
    return power(index) / sums.at(index);
  });
}

// Of the matrix for one head of all; heads that have the same one, and rows or
// columns that are the same for all, are counted once.
static float elementOf(const Array &matrices, const Index &head,
                       ArrayRef<int64_t> heads, int64_t row, int64_t column,
                       bool isTransposed) {
  Index index;
  for (auto [dim, i] : llvm::enumerate(head))
    index.push_back(i * matrices.dim(dim) / heads[dim]);
  index.push_back(isTransposed ? column : row);
  index.push_back(isTransposed ? row : column);
  return matrices.at(index);
}

static Array compute(AttentionOp op, GetArray get) {
  const Array &query = get(op.getQuery()), &key = get(op.getKey());
  const Array &value = get(op.getValue());
  size_t rank = query.shape.size();
  ArrayRef<int64_t> heads = ArrayRef<int64_t>(query.shape).drop_back(2);
  int64_t depth = query.dim(op.getTransposeQuery() ? rank - 2 : rank - 1);
  int64_t keys = key.dim(op.getTransposeKey() ? rank - 1 : rank - 2);
  auto scoreOf = [&](const Index &head, int64_t i, int64_t k) {
    float sum = 0;
    for (int64_t d = 0; d < depth; ++d)
      sum += elementOf(query, head, heads, i, d, op.getTransposeQuery()) *
             elementOf(key, head, heads, k, d, op.getTransposeKey());
    float score = apply(op.getCapAttr(), op.getScale().convertToFloat() * sum);
    if (op.getMask())
      score += elementOf(get(op.getMask()), head, heads, i, k,
                         op.getTransposeScores());
    for (auto [term, stride] : llvm::zip(op.getTerms(), op.getTermStrides())) {
      const Array &numbers = get(term);
      score +=
          elementOf(numbers, head, heads, i, k / stride % numbers.shape.back(),
                    /*isTransposed=*/false);
    }
    return score;
  };
  return generate(op.getResult(), [&](const Index &index) {
    Index head(ArrayRef<int64_t>(index).drop_back(2));
    int64_t i = index[rank - 2], column = index[rank - 1];
    if (op.getTransposeResult())
      std::swap(i, column);
    std::vector<float> scores;
    scores.reserve(keys + 1);
    for (int64_t k = 0; k < keys; ++k)
      scores.push_back(scoreOf(head, i, k));
    if (op.getSink())
      scores.push_back(elementOf(get(op.getSink()), head, heads, i, 0,
                                 /*isTransposed=*/false));
    if (scores.empty()) // a sum of nothing
      return 0.0f;
    float most = *llvm::max_element(scores);
    float powers = 0, mixed = 0;
    for (auto [k, score] : llvm::enumerate(scores)) {
      float power = std::exp(score - most);
      powers += power;
      if (int64_t(k) < keys)
        mixed += power * elementOf(value, head, heads, k, column,
                                   op.getTransposeValue());
    }
    return mixed / powers;
  });
}

// gamma and beta have the dimensions of the axes only.
static float factorAt(const Array *factor, const Index &index,
                      ArrayRef<int64_t> axes, float otherwise) {
  if (!factor)
    return otherwise;
  Index at;
  for (int64_t axis : axes)
    at.push_back(index[axis]);
  return factor->at(at);
}

// (x - mean) / sqrt(mean of squares + epsilon), without mean if not `centered`.
template <typename OpT>
static Array normalize(OpT op, bool centered, const Array *beta, GetArray get) {
  const Array &input = get(op.getInput());
  const Array *gamma = getOptional(op.getGamma(), get);
  ArrayRef<int64_t> axes = op.getAxes();
  float epsilon = op.getEpsilon().convertToFloat();
  float count = 1;
  for (int64_t axis : axes)
    count *= input.dim(axis);
  Array means = sumOver(input.shape, axes, [&](const Index &index) {
    return centered ? input.at(index) / count : 0;
  });
  auto centre = [&](const Index &index) {
    return input.at(index) - means.at(index);
  };
  Array squares = sumOver(input.shape, axes, [&](const Index &index) {
    return centre(index) * centre(index) / count;
  });
  return generate(op.getResult(), [&](const Index &index) {
    return centre(index) / std::sqrt(squares.at(index) + epsilon) *
               factorAt(gamma, index, axes, 1) +
           factorAt(beta, index, axes, 0);
  });
}

static Array compute(LayerNormOp op, GetArray get) {
  return normalize(op, /*centered=*/true, getOptional(op.getBeta(), get), get);
}

static Array compute(RmsNormOp op, GetArray get) {
  return normalize(op, /*centered=*/false, /*beta=*/nullptr, get);
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

static Array compute(ConcatOp op, GetArray get) {
  Array result(shapeOf(op.getResult()));
  int64_t first = 0;
  for (Value value : op.getInputs()) {
    const Array &input = get(value);
    forEachIndex(input.shape, [&](const Index &index) {
      Index target = index;
      target[op.getAxis()] += first;
      result.at(target) = input.at(index);
    });
    first += input.dim(op.getAxis());
  }
  return result;
}

static Array compute(SliceOp op, GetArray get) {
  const Array &input = get(op.getInput());
  return generate(op.getResult(), [&](const Index &index) {
    Index source;
    for (auto [i, offset, stride] :
         llvm::zip_equal(index, op.getOffsets(), op.getStrides()))
      source.push_back(offset + i * stride);
    return input.at(source);
  });
}

static Array compute(PadOp op, GetArray get) {
  const Array &input = get(op.getInput());
  return generate(op.getResult(), [&](const Index &index) {
    Index source;
    for (auto [i, low, size] :
         llvm::zip_equal(index, op.getLow(), input.shape)) {
      if (i < low || i >= low + size)
        return op.getValue().convertToFloat();
      source.push_back(i - low);
    }
    return input.at(source);
  });
}

static Array compute(TransposeOp op, GetArray get) {
  const Array &input = get(op.getInput());
  return generate(op.getResult(), [&](const Index &index) {
    Index source(index.size());
    for (auto [i, dim] : llvm::enumerate(op.getPerm()))
      source[dim] = index[i];
    return input.at(source);
  });
}

static FailureOr<Array> compute(ResizeOp op, GetArray get) {
  const Array &input = get(op.getInput());
  auto rows = getResizeTaps(op, 2), columns = getResizeTaps(op, 3);
  if (!rows || !columns)
    return op->emitOpError("has no definition to evaluate: it is nearest "
                           "by a factor that is not whole");
  return generate(op.getResult(), [&](const Index &index) {
    ResizeTap y = (*rows)[index[2]], x = (*columns)[index[3]];
    auto at = [&](int64_t row, int64_t column) {
      return input.at({index[0], index[1], std::min(row, input.dim(2) - 1),
                       std::min(column, input.dim(3) - 1)});
    };
    auto row = [&](int64_t i) {
      return (1 - x.weight) * at(i, x.index) + x.weight * at(i, x.index + 1);
    };
    return (1 - y.weight) * row(y.index) + y.weight * row(y.index + 1);
  });
}

static Array compute(TileOp op, GetArray get) {
  const Array &input = get(op.getInput());
  return generate(op.getResult(), [&](const Index &index) {
    Index source;
    for (auto [i, size] : llvm::zip_equal(index, input.shape))
      source.push_back(i % size);
    return input.at(source);
  });
}

static Array compute(InterleaveOp op, GetArray get) {
  const Array &input = get(op.getInput());
  int64_t factor = op.getFactor();
  return generate(op.getResult(), [&](const Index &index) {
    return input.at({index[0], index[1] * factor + index[3] % factor, index[2],
                     index[3] / factor});
  });
}

static Array compute(RuntimeConvOp op, GetArray get) {
  const Array &input = get(op.getInput()), &planes = get(op.getCoefficients());
  int64_t lanes = op.getLanes(), channels = input.shape[1];
  return generate(op.getResult(), [&](const Index &index) {
    int64_t row = planes.shape[2] == 1 ? 0 : index[2];
    float sum = 0;
    for (int64_t k = 0; k < channels; ++k)
      sum +=
          input.at({0, k, index[2], index[3]}) *
          planes.at({0, index[1] / lanes, row, k * lanes + index[1] % lanes});
    return sum;
  });
}

static Array compute(ReshapeOp op, GetArray get) {
  Array array(shapeOf(op.getResult()));
  array.data = get(op.getInput()).data;
  return array;
}

// Bytes are rounded to nearest even and saturate; what else is written after a
// function are whole numbers already.
static Array compute(CastOp op, GetArray get) {
  Type element = getElementTypeOrSelf(op.getResult().getType());
  Array result = get(op.getInput());
  if (!element.isInteger(8))
    return result;
  bool isUnsigned = element.isUnsignedInteger();
  float low = isUnsigned ? 0 : -128, high = isUnsigned ? 255 : 127;
  for (float &value : result.data)
    value = std::clamp(std::nearbyint(value), low, high);
  return result;
}

FailureOr<Array> mlir::ane::evaluateOp(Operation *op, GetArray get) {
  return llvm::TypeSwitch<Operation *, FailureOr<Array>>(op)
      .Case<ConstantOp, ConvOp, ConvTransposeOp, MatmulOp, ElementwiseOp,
            ActivationOp, CompareOp, SelectOp, SoftmaxOp, AttentionOp,
            LayerNormOp, RmsNormOp, PoolOp, ReduceOp, ConcatOp, SliceOp, PadOp,
            TransposeOp, ResizeOp, InterleaveOp, RuntimeConvOp, TileOp,
            ReshapeOp, CastOp>(
          [&](auto op) -> FailureOr<Array> { return compute(op, get); })
      .Default([](Operation *op) {
        return op->emitOpError("has no definition to evaluate");
      });
}
