//===- TileSums.cpp - Sums of enlarged images into one product ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strip of an enlarged image is a product of few rows, which are channels
// then, and its matrix has a row for each of the strip. What is added to it is
// a product, too: of another enlarged image, or with the identity. All of them
// are one product of all rows, side by side in L2, and the engines multiply
// faster than the planar engine adds:
//
//   T(conv(a, v)) + T(conv(b, w)) + x
//     ->  T(conv(concat(a, b, T(x)), concat(v, w, 1)))
//
// Before strips are cut, a matrix of that many rows would be nearly all zeros.
//
//===----------------------------------------------------------------------===//

#include "TileSums.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Simulator/CostModel.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::ane;

static constexpr int64_t rowsAsChannels[] = {0, 2, 1, 3};

namespace {

/// What is added up, and the product that it is.
struct Term {
  Value value;
  ConvOp conv; ///< null: none, or another one

  /// Rows of its source; of a tensor, those of itself.
  int64_t rows() const {
    return conv ? shapeOf(conv->getOperand(0))[1] : shapeOf(value)[2];
  }
};

} // namespace

// The product whose rows `value` is.
static ConvOp getProduct(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  Operation *def = transpose ? transpose.getInput().getDefiningOp() : nullptr;
  return isProductOfRows(def) ? cast<ConvOp>(def) : ConvOp();
}

static void addTerms(Value value, bool isRoot, SmallVectorImpl<Term> &terms) {
  auto sum = value.getDefiningOp<ElementwiseOp>();
  if (isPlainSum(sum) &&
      (isRoot || (sum->hasOneUse() && !sum.getActivationAttr()))) {
    addTerms(sum.getLhs(), /*isRoot=*/false, terms);
    addTerms(sum.getRhs(), /*isRoot=*/false, terms);
    return;
  }
  terms.push_back({value, getProduct(value)});
}

// Whether a task writes it, and can write it to another place.
static bool isWritten(Value value) {
  return value.hasOneUse() &&
         isa_and_present<ConvOp, ElementwiseOp, ActivationOp, PoolOp>(
             value.getDefiningOp());
}

static double secondsOf(const ::ane::hw::ChipInfo &chip, int64_t from,
                        ArrayRef<int64_t> shape) {
  ::ane::sim::TaskWork work;
  work.macs = from * ShapedType::getNumElements(shape);
  work.cout = shape[2];
  return ::ane::sim::predict(chip, work).compute;
}

// What is saved where those of `terms` that `isPart` are one product.
static double savedBy(const ::ane::hw::ChipInfo &chip, ArrayRef<Term> terms,
                      llvm::function_ref<bool(Term)> isPart) {
  ArrayRef<int64_t> shape = shapeOf(terms.front().value);
  ::ane::sim::TaskWork addition;
  addition.elements = ShapedType::getNumElements(shape);
  double saved = -::ane::sim::predict(chip, addition).compute;
  int64_t rows = 0;
  for (const Term &term : terms) {
    if (!isPart(term))
      continue;
    rows += term.rows();
    saved += ::ane::sim::predict(chip, addition).compute;
    if (term.conv)
      saved += secondsOf(chip, term.rows(), shape);
  }
  return saved - secondsOf(chip, rows, shape);
}

static Value identity(OpBuilder &builder, Location loc, Type element,
                      int64_t size) {
  SmallVector<float> values(size * size, 0.0f);
  for (int64_t i = 0; i != size; ++i)
    values[i * size + i] = 1.0f;
  return createConstant(
      builder, loc, RankedTensorType::get({size, size, 1, 1}, element), values);
}

static Value multiplyAll(OpBuilder &builder, Location loc, ArrayRef<Term> terms,
                         ActivationAttr activation) {
  RankedTensorType type = typeOf(terms.front().value);
  SmallVector<Value> sources, weights;
  for (Term term : terms) {
    if (term.conv) {
      sources.push_back(term.conv.getInput());
      weights.push_back(term.conv.getWeight());
      continue;
    }
    sources.push_back(permuted(builder, loc, term.value, rowsAsChannels));
    weights.push_back(
        identity(builder, loc, type.getElementType(), type.getDimSize(2)));
  }
  Value source = ConcatOp::create(builder, loc, sources, /*axis=*/1);
  Value weight = ConcatOp::create(builder, loc, weights, /*axis=*/1);
  Value product = convolve(builder, loc, source, weight, ConvSpec(),
                           withDim(typeOf(source), 1, type.getDimSize(2)));
  product.getDefiningOp<ConvOp>().setActivationAttr(activation);
  return permuted(builder, loc, product, rowsAsChannels);
}

// With what it alone has used.
static void eraseUnused(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    if (Operation *def = operand.getDefiningOp(); def && isOpTriviallyDead(def))
      eraseUnused(def);
}

// `sum` is the last of several additions.
static void join(ElementwiseOp sum, const ::ane::hw::ChipInfo &chip,
                 int64_t room) {
  SmallVector<Term> terms, rest;
  addTerms(sum.getResult(), /*isRoot=*/true, terms);
  Type element = getElementTypeOrSelf(sum.getType());
  auto isProduct = [&](Term term) {
    return term.conv &&
           getElementTypeOrSelf(term.conv.getWeight().getType()) == element;
  };
  auto isAny = [&](const Term &term) {
    return isProduct(term) || (!term.conv && isWritten(term.value));
  };
  if (llvm::none_of(terms, isProduct))
    return;
  double ofAll = savedBy(chip, terms, isAny);
  double ofProducts = savedBy(chip, terms, isProduct);
  if (std::max(ofAll, ofProducts) <= 0)
    return;
  auto split = llvm::to_vector(terms);
  terms.clear();
  int64_t rows = 0;
  for (const Term &term : split) {
    bool isPart = ofAll > ofProducts ? isAny(term) : isProduct(term);
    (isPart ? terms : rest).push_back(term);
    rows += isPart ? term.rows() : 0;
  }
  ArrayRef<int64_t> shape = shapeOf(sum);
  int64_t bytes = (rows + shape[2]) * shape[1] * shape[3] * 2;
  if (terms.size() < 2 || bytes > room)
    return;
  OpBuilder builder(sum);
  Location loc = sum.getLoc();
  Value result =
      multiplyAll(builder, loc, terms,
                  rest.empty() ? sum.getActivationAttr() : ActivationAttr());
  for (auto [i, term] : llvm::enumerate(rest)) {
    result = binary(builder, loc, ElementwiseKind::Add, term.value, result);
    if (i + 1 == rest.size())
      result.getDefiningOp<ElementwiseOp>().setActivationAttr(
          sum.getActivationAttr());
  }
  sum.replaceAllUsesWith(result);
  eraseUnused(sum);
}

void mlir::ane::joinSumsOfRows(func::FuncOp func,
                               const ::ane::hw::GenerationInfo &generation) {
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(generation.id);
  int64_t room = generation.l2SourceBytes;
  SmallVector<ElementwiseOp> sums;
  func.walk([&](ElementwiseOp op) {
    if (!isPlainSum(op))
      return;
    auto user = op->hasOneUse() ? dyn_cast<ElementwiseOp>(*op->user_begin())
                                : ElementwiseOp();
    if (!isPlainSum(user) || op.getActivationAttr())
      sums.push_back(op);
  });
  for (ElementwiseOp sum : sums)
    join(sum, chip, room);
}
