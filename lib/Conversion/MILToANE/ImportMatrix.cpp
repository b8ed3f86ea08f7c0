//===- ImportMatrix.cpp - MIL products of matrices, attention -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// x W^T + bias
static Value importLinear(Statement &s) {
  Value x = s.tensor("x"), weight = s.tensor("weight");
  Value bias = s.optionalTensor("bias");
  if (s.failed())
    return {};
  if (shapeOf(weight).size() != 2) {
    s.error() << "has a weight of rank " << shapeOf(weight).size()
              << ", but must have one of rank 2";
    return {};
  }
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = std::max<int64_t>(shape.size(), 2);
  Value rows = s.extendRank(x, rank);
  Value y = s.matmul(rows, s.extendRank(weight, rank), false, true);
  if (bias)
    y = s.binary(ElementwiseKind::Add, y, bias);
  if (!y || shape.empty())
    return y;
  shape.back() = shapeOf(weight)[0];
  return s.reshape(y, shape);
}

// Vectors are matrices of one row (left) or column (right), and lose it again.
static Value importMatmul(Statement &s) {
  Value x = s.tensor("x"), y = s.tensor("y");
  bool transposeX = s.boolean("transpose_x", false);
  bool transposeY = s.boolean("transpose_y", false);
  if (s.failed())
    return {};
  size_t rankX = shapeOf(x).size(), rankY = shapeOf(y).size();
  if (rankX == 0 || rankY == 0) {
    s.error() << "multiplies tensors of ranks " << rankX << " and " << rankY
              << ", but both must have at least one dimension";
    return {};
  }
  bool columnY = rankY == 1;
  if (columnY)
    y = s.reshape(y, {shapeOf(y)[0], 1});
  size_t rank = std::max<size_t>({rankX, shapeOf(y).size(), 2});
  x = s.extendRank(x, rank);
  y = s.extendRank(y, rank);
  Value product =
      s.matmul(x, y, transposeX && rankX > 1, transposeY && !columnY);
  if (!product)
    return {};
  SmallVector<int64_t> shape(shapeOf(product));
  if (columnY)
    shape.pop_back();
  if (rankX == 1)
    shape.erase(shape.end() - (columnY ? 1 : 2));
  return s.reshape(product, shape);
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// "ab,bc->ac", where a letter stands for a dimension.
struct Equation {
  StringRef lhs, rhs, result;

  bool isBatch(char c) const {
    return lhs.contains(c) && rhs.contains(c) && result.contains(c);
  }
  bool isContracted(char c) const {
    return lhs.contains(c) && rhs.contains(c) && !result.contains(c);
  }
};
} // namespace

static bool hasRepeats(StringRef letters) {
  for (size_t i = 0; i < letters.size(); ++i)
    if (letters.drop_front(i + 1).contains(letters[i]))
      return true;
  return false;
}

/// `value`, whose dimensions are called `letters`, as three dimensions: those
/// of `groups` merged.
static Value mergeInto(Statement &s, Value value, StringRef letters,
                       ArrayRef<std::string> groups) {
  SmallVector<int64_t> perm, shape;
  for (StringRef group : groups) {
    int64_t size = 1;
    for (char c : group) {
      perm.push_back(letters.find(c));
      size = llvm::SaturatingMultiply<uint64_t>(
          size, shapeOf(value)[letters.find(c)]);
    }
    shape.push_back(size);
  }
  return s.reshape(s.transpose(value, perm), shape);
}

// A product over batches of matrices: letters of both sides and the result are
// the batch, letters of both sides alone are summed over.
static Value emitEinsum(Statement &s, const Equation &equation, Value lhs,
                        Value rhs) {
  std::string batch, rows, inner, columns;
  llvm::SmallDenseMap<char, int64_t> sizes;
  for (auto [index, c] : llvm::enumerate(equation.lhs)) {
    sizes[c] = shapeOf(lhs)[index];
    (equation.isBatch(c)        ? batch
     : equation.isContracted(c) ? inner
                                : rows) += c;
  }
  for (auto [index, c] : llvm::enumerate(equation.rhs)) {
    int64_t size = shapeOf(rhs)[index];
    if (!equation.lhs.contains(c))
      columns += c;
    else if (sizes[c] != size)
      s.error() << "has the sizes " << sizes[c] << " and " << size
                << " for the dimension '" << Twine(c) << "'";
    sizes[c] = size;
  }
  if (s.failed())
    return {};
  lhs = mergeInto(s, lhs, equation.lhs, {batch, rows, inner});
  rhs = mergeInto(s, rhs, equation.rhs, {batch, inner, columns});
  Value y = s.matmul(lhs, rhs, false, false);
  if (!y)
    return {};
  std::string order = batch + rows + columns;
  SmallVector<int64_t> shape, perm;
  for (char c : order)
    shape.push_back(sizes[c]);
  for (char c : equation.result)
    perm.push_back(order.find(c));
  return s.transpose(s.reshape(y, shape), perm);
}

static Value importEinsum(Statement &s) {
  SmallVector<Value> values = s.tensors("values");
  StringRef text = s.string("equation");
  if (s.failed())
    return {};
  llvm::SmallString<32> compact;
  for (char c : text)
    if (c != ' ')
      compact += c;
  auto [operands, result] = compact.str().split("->");
  auto [lhs, rhs] = operands.split(',');
  Equation equation{lhs, rhs, result};
  auto isWord = [](StringRef letters) {
    return llvm::all_of(letters, llvm::isAlpha) && !hasRepeats(letters);
  };
  bool isProduct = values.size() == 2 && isWord(lhs) && isWord(rhs) &&
                   isWord(result) && lhs.size() == shapeOf(values[0]).size() &&
                   rhs.size() == shapeOf(values[1]).size();
  for (char c : compact.str())
    if (isProduct && llvm::isAlpha(c)) {
      bool inOperands = lhs.contains(c) || rhs.contains(c);
      bool isSummedAlone =
          !result.contains(c) && !(lhs.contains(c) && rhs.contains(c));
      isProduct = inOperands && !isSummedAlone;
    }
  if (isProduct)
    return emitEinsum(s, equation, values[0], values[1]);
  s.error() << "has the equation '" << text << "' for " << values.size()
            << " values, but only products of two tensors can be imported, in "
               "which each letter names one dimension of a tensor, and is in "
               "the result or in both tensors";
  return {};
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// What is added to the scores: a mask of numbers as it is, a mask of bools as
/// 0 where it is true. f16 has nothing lower than -65504, which no score that
/// was let through can reach.
static Value importMask(Statement &s) {
  Value mask = s.optionalTensor("attn_mask");
  if (!mask || !s.isBoolean("attn_mask"))
    return mask;
  SmallVector<int64_t> ones(shapeOf(mask).size(), 1);
  Value seen = s.constantOf(ones, 0.0f);
  return s.build<SelectOp>(mask, seen, s.constantOf(ones, -65504.0f));
}

/// Whether nothing but a mask is repeated for heads and images.
static bool haveSameHeads(Value q, Value k, Value v, Value mask) {
  auto headsOf = [](Value x) { return shapeOf(x).drop_back(2); };
  SmallVector<int64_t> scores(headsOf(q));
  scores.append({shapeOf(q).end()[-2], shapeOf(k).end()[-2]});
  return headsOf(k) == headsOf(q) && headsOf(v) == headsOf(q) &&
         (!mask || llvm::equal(shapeOf(mask), scores, [](int64_t a, int64_t b) {
           return a == 1 || a == b;
         }));
}

// softmax(q k^T / sqrt(e) + mask) v. Of products, the scale goes to q, so that
// the scores do not overflow.
static Value importAttention(Statement &s) {
  Value q = s.tensor("query"), k = s.tensor("key"), v = s.tensor("value");
  Value mask = importMask(s);
  if (s.failed())
    return {};
  int64_t rank = shapeOf(q).size();
  if (rank < 2 || shapeOf(k).size() != size_t(rank) ||
      shapeOf(v).size() != size_t(rank)) {
    s.error() << "has a query of rank " << rank << ", a key of rank "
              << shapeOf(k).size() << " and a value of rank "
              << shapeOf(v).size()
              << ", but all must have the same, at least 2";
    return {};
  }
  double scale = 1 / std::sqrt(double(shapeOf(q).back()));
  if (haveSameHeads(q, k, v, mask)) {
    Builder &b = s.getBuilder();
    return s.build<AttentionOp>(
        q, k, v, mask, Value(), ValueRange(), b.getDenseI64ArrayAttr({}),
        b.getF32FloatAttr(scale), ActivationAttr(), UnitAttr(), UnitAttr(),
        UnitAttr(), UnitAttr(), UnitAttr());
  }
  Value scores =
      s.matmul(s.binary(ElementwiseKind::Mul, q, scale), k, false, true);
  if (mask)
    scores = s.binary(ElementwiseKind::Add, scores, mask);
  if (!scores)
    return {};
  return s.matmul(s.softmax(scores, shapeOf(scores).size() - 1), v, false,
                  false);
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

// Sums of everything up to an element of rows A x B x N: a product with a
// triangle of ones. More than `most` elements are blocks, of which each also
// gets the sums of all blocks before it.
static Value sumUp(Statement &s, Value rows, bool exclusive, bool reverse) {
  constexpr int64_t most = 4096, blockSize = 1024;
  SmallVector<int64_t> shape(shapeOf(rows));
  int64_t count = shape[0] * shape[1], extent = shape[2];
  if (extent <= most) {
    std::vector<float> triangle(extent * extent, 0);
    for (int64_t from = 0; from < extent; ++from)
      for (int64_t to = 0; to < extent; ++to)
        if (reverse ? from >= to + exclusive : from + exclusive <= to)
          triangle[from * extent + to] = 1;
    return s.matmul(rows, s.constantOf({1, extent, extent}, triangle), false,
                    false);
  }
  int64_t blocks = llvm::divideCeil(extent, blockSize);
  int64_t missing = blocks * blockSize - extent;
  rows = s.reshape(rows, {1, count, extent});
  if (missing)
    rows =
        s.concat({rows, s.toData(s.constantOf({1, count, missing}, 0.0f))}, 2);
  Value parts = s.reshape(rows, {1, count * blocks, blockSize});
  Value totals =
      s.matmul(parts, s.constantOf({1, blockSize, 1}, 1.0f), false, false);
  Value before = sumUp(s, s.reshape(totals, {1, count, blocks}),
                       /*exclusive=*/true, reverse);
  Value sums =
      s.binary(ElementwiseKind::Add, sumUp(s, parts, exclusive, reverse),
               s.reshape(before, {1, count * blocks, 1}));
  sums = s.reshape(sums, {1, count, blocks * blockSize});
  return s.reshape(missing ? s.sliceAxis(sums, 2, 0, extent) : sums, shape);
}

static Value importCumsum(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  int64_t rank = shapeOf(x).size();
  int64_t axis = s.axis("axis", rank, 0);
  bool exclusive = s.boolean("exclusive", false);
  bool reverse = s.boolean("reverse", false);
  if (s.failed())
    return {};
  int64_t extent = shapeOf(x)[axis];
  // The axis goes to the end, and back.
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t before = 1, behind = 1;
  for (int64_t size : ArrayRef(shape).take_front(axis))
    before *= size;
  for (int64_t size : ArrayRef(shape).drop_front(axis + 1))
    behind *= size;
  Value rows = s.transpose(s.reshape(x, {before, extent, behind}), {0, 2, 1});
  Value sums = sumUp(s, rows, exclusive, reverse);
  return s.reshape(s.transpose(sums, {0, 2, 1}), shape);
}

// A band around the diagonal; -1 is everything on that side.
static Value importBandPart(Statement &s) {
  Value x = s.tensor("x");
  int64_t lower = s.integer("lower", -1), upper = s.integer("upper", -1);
  if (s.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  constexpr int64_t maxElements = 1 << 24;
  if (shape.size() < 2 ||
      shape[shape.size() - 2] > maxElements / shape.back()) {
    s.error() << "has an input of rank " << shape.size()
              << ", but must have one of matrices with at most " << maxElements
              << " elements";
    return {};
  }
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  SmallVector<bool> band(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      band[i * columns + j] =
          (lower < 0 || i - j <= lower) && (upper < 0 || j - i <= upper);
  if (s.isOnHost()) {
    HostType type = s.hostType("x");
    HostBuilder host = s.host();
    Value inside = host.constant(DenseElementsAttr::get(
        RankedTensorType::get({rows, columns}, s.attributes().getI1Type()),
        ArrayRef<bool>(band)));
    return host.elementwise(
        {inside, x}, type.element,
        [&](HostBuilder &inner, ValueRange scalars) -> Value {
          return arith::SelectOp::create(inner.builder, inner.loc, scalars[0],
                                         scalars[1], inner.number(type, 0));
        });
  }
  SmallVector<int64_t> sizes(shape.size(), 1), ones(shape.size(), 1);
  sizes[sizes.size() - 2] = rows;
  sizes.back() = columns;
  Value inside =
      s.constantOf(sizes, std::vector<float>(band.begin(), band.end()));
  return s.build<SelectOp>(inside, x, s.constantOf(ones, 0.0f));
}

void mlir::ane::addMILMatrixImport(MILImporter &importer) {
  importer.add("band_part", importBandPart);
  importer.add("cumsum", importCumsum);
  importer.add("einsum", importEinsum);
  importer.add("linear", importLinear);
  importer.add("matmul", importMatmul);
  importer.add("scaled_dot_product_attention", importAttention);
}
