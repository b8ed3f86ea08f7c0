//===- Attention.cpp - Finds attention ------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"

using namespace mlir;
using namespace mlir::ane;

static int64_t rowsOf(const Matrices &m) {
  return m.shape()[m.isTransposed ? 3 : 2];
}
static int64_t columnsOf(const Matrices &m) {
  return m.shape()[m.isTransposed ? 2 : 3];
}

// The first product, also where a multiple of its hyperbolic tangent keeps
// scores small.
static MatmulOp scoresOf(Value value, ActivationAttr &cap) {
  auto product = value.getDefiningOp<MatmulOp>();
  if (product && !product.getActivation())
    return product;
  auto multiple = value.getDefiningOp<ElementwiseOp>();
  if (!multiple || multiple.getKind() != ElementwiseKind::Mul ||
      multiple.getActivation() || !multiple->hasOneUse() ||
      !multiple.getBias().isZero())
    return {};
  std::optional<float> factor = getSplatValue(multiple.getRhs());
  product = multiple.getLhs().getDefiningOp<MatmulOp>();
  std::optional<ActivationAttr> function =
      product ? product.getActivation() : std::nullopt;
  if (!factor || !function || function->getKind() != ActivationKind::Tanh ||
      product.getType() != multiple.getType())
    return {};
  cap = ActivationAttr::get(value.getContext(), ActivationKind::ScaledTanh,
                            *factor * multiple.getScale().convertToFloat(),
                            /*beta=*/1);
  return product;
}

// What is added to scores, if they are a sum.
static Value takeMask(Value &scores) {
  auto sum = scores.getDefiningOp<ElementwiseOp>();
  if (!sum || !sum->hasOneUse() || !sum.isPlain(ElementwiseKind::Add))
    return {};
  Value product = sum.getLhs(), mask = sum.getRhs();
  ActivationAttr cap;
  if (!scoresOf(product, cap))
    std::swap(product, mask);
  if (product.getType() != sum.getType())
    return {};
  scores = product;
  return mask;
}

// Whether a value is as finite as what it is computed from: a mask may be
// infinite, and 0 times that is no 0.
static bool isProduct(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_present<ReshapeOp, TransposeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  auto conv = dyn_cast_if_present<ConvOp>(op);
  auto product = dyn_cast_if_present<MatmulOp>(op);
  return (conv && !conv.getActivation()) ||
         (product && !product.getActivation());
}

// Of images and heads that may be counted together in one of them.
static bool haveSameMatrices(Value first, Value second) {
  ArrayRef<int64_t> a = typeOf(first).getShape(), b = typeOf(second).getShape();
  return a.size() == 4 && b.size() == 4 && a.take_back(2) == b.take_back(2) &&
         a[0] * a[1] == b[0] * b[1];
}

// Keys are the pixels of an image, and something is added for each of its rows
// and each of its columns.
static SmallVector<KeyTerm, 2> takeTerms(Value &scores) {
  auto flat = scores.getDefiningOp<ReshapeOp>();
  if (!flat || !flat->hasOneUse() || !isImage(flat.getInput()))
    return {};
  SmallVector<KeyTerm, 2> terms;
  Value value = flat.getInput();
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  if (shape[2] * shape[3] != typeOf(scores).getDimSize(3))
    return {};
  auto sum = value.getDefiningOp<ElementwiseOp>();
  for (; sum && sum->hasOneUse() && sum.isPlain(ElementwiseKind::Add);
       sum = value.getDefiningOp<ElementwiseOp>()) {
    value = sum.getLhs();
    Value term = sum.getRhs();
    if (value.getType() != sum.getType())
      std::swap(value, term);
    ArrayRef<int64_t> own = typeOf(term).getShape();
    if (value.getType() != sum.getType() || own.size() != 4 ||
        !isProduct(term) || own.take_front(2) != shape.take_front(2) ||
        own[2] * own[3] == 1 || (own[2] != 1 && own[3] != 1))
      return {};
    bool isOfRows = own[3] == 1;
    terms.push_back({term, isOfRows ? shape[2] : shape[3],
                     isOfRows ? shape[3] : int64_t(1)});
  }
  auto product = value.getDefiningOp<ReshapeOp>();
  if (terms.empty() || !product || !product->hasOneUse() ||
      !haveSameMatrices(product.getInput(), scores) ||
      !product.getInput().getDefiningOp<MatmulOp>())
    return {};
  scores = product.getInput();
  return terms;
}

// Also where the weight of a sink is cut off, which comes last.
static SoftmaxOp softmaxOf(Value weights) {
  auto slice = weights.getDefiningOp<SliceOp>();
  if (!slice)
    return weights.getDefiningOp<SoftmaxOp>();
  SmallVector<int64_t> sizes(typeOf(slice.getInput()).getShape());
  sizes.back() -= 1;
  bool isCut = slice->hasOneUse() && typeOf(weights).getRank() == 4 &&
               slice.getSizes() == ArrayRef<int64_t>(sizes) &&
               llvm::all_of(slice.getOffsets(),
                            [](int64_t offset) { return offset == 0; });
  return isCut ? slice.getInput().getDefiningOp<SoftmaxOp>() : SoftmaxOp();
}

// The scores in front of it are left.
static Value takeSink(Value &scores) {
  auto concat = scores.getDefiningOp<ConcatOp>();
  if (!concat || !concat->hasOneUse() || concat.getInputs().size() != 2 ||
      concat.getAxis() != 3 || typeOf(concat.getInputs()[1]).getDimSize(3) != 1)
    return {};
  scores = concat.getInputs()[0];
  return concat.getInputs()[1];
}

// Whether the mask has a form that is known here; says whether it is one of
// keys.
static bool matchMask(Attention &found) {
  ArrayRef<int64_t> shape = typeOf(found.mask).getShape();
  int64_t count = shape[0] * shape[1];
  bool isRepeated = count != 1 && count != found.images * found.heads;
  auto isConstant = [&] { return succeeded(ConstantView::get(found.mask)); };
  found.isMaskOfKeys = !found.cap && count == 1 && found.numQueries > 1 &&
                       shape[found.areKeysLast ? 2 : 3] == 1 &&
                       shape[found.areKeysLast ? 3 : 2] == found.numKeys &&
                       !isConstant();
  return !isRepeated || isConstant();
}

// Which of the matrices of both products are queries, keys and values.
static void assignMatrices(Attention &found, MatmulOp scores, bool isLeft) {
  MatmulOp product = found.product;
  // Rows of the left matrix and columns of the right one are tokens.
  bool leftInRows = !scores.getTransposeLhs();
  bool rightInRows = scores.getTransposeRhs();
  found.queries = {found.areKeysLast ? scores.getLhs() : scores.getRhs(),
                   found.areKeysLast ? leftInRows : rightInRows};
  found.keys = {found.areKeysLast ? scores.getRhs() : scores.getLhs(),
                !(found.areKeysLast ? rightInRows : leftInRows)};
  found.values = {isLeft ? product.getRhs() : product.getLhs(),
                  isLeft ? !product.getTransposeRhs()
                         : product.getTransposeLhs()};
  found.isResultTransposed = isLeft;
  // Where heads of all images are counted together after the first product,
  // values come from matrices that are not.
  auto together = found.values.value.getDefiningOp<ReshapeOp>();
  if (found.values.shape()[0] != typeOf(scores).getDimSize(0) && together &&
      haveSameMatrices(together, together.getInput()))
    found.values.value = together.getInput();
}

std::optional<Attention> mlir::ane::matchAttention(MatmulOp product) {
  Attention found;
  found.product = product;
  bool isLeft = bool(softmaxOf(product.getLhs()));
  Value weights = isLeft ? product.getLhs() : product.getRhs();
  SoftmaxOp softmax = softmaxOf(weights);
  if (!softmax || !softmax->hasOneUse() || product.getActivation())
    return std::nullopt;
  bool areKeysLast =
      isLeft ? !product.getTransposeLhs() : product.getTransposeRhs();
  found.areKeysLast = areKeysLast;
  Value input = softmax.getInput();
  if (weights != softmax.getResult()) {
    found.sink = areKeysLast ? takeSink(input) : Value();
    if (!found.sink)
      return std::nullopt;
  }
  found.mask = takeMask(input);
  if (!found.mask && areKeysLast)
    found.terms = takeTerms(input);
  MatmulOp scores = scoresOf(input, found.cap);
  if (int64_t(softmax.getAxis()) != (areKeysLast ? 3 : 2) || !scores ||
      !scores->hasOneUse())
    return std::nullopt;
  assignMatrices(found, scores, isLeft);
  ArrayRef<int64_t> shape = typeOf(scores).getShape();
  found.images = shape[0];
  found.heads = shape[1];
  found.numQueries = columnsOf(found.queries);
  found.numKeys = rowsOf(found.keys);
  found.depth = rowsOf(found.queries);
  found.width = rowsOf(found.values);
  for (const Matrices *matrices : {&found.queries, &found.keys, &found.values})
    if (matrices->value.getDefiningOp<ConstantOp>() ||
        matrices->shape()[0] != found.images)
      return std::nullopt;
  if (found.mask && !matchMask(found))
    return std::nullopt;
  found.isShared = found.heads > 1 && found.keys.shape()[1] == 1;
  int64_t others = found.isShared ? 1 : found.heads;
  if (found.queries.shape()[1] != found.heads ||
      found.keys.shape()[1] != others || found.values.shape()[1] != others)
    return std::nullopt;
  return found;
}
