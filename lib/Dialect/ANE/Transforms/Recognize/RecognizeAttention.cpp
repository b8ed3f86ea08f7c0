//===- RecognizeAttention.cpp - Attention from products and softmax -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(Q K + mask) V, however its matrices are turned. There may be one more
// score for each query, a sink, which takes a share and has no value. This is
// the last recognition, after passes that move transposes, scales and epilogues
// in and out of the products.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Recognize/Passes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/FunctionPattern.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANERECOGNIZEATTENTION
#include "ane/Dialect/ANE/Transforms/Recognize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

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
  if (product.getType() != sum.getType() || typeOf(mask).getRank() != 4)
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

namespace {
/// The numbers that are added for each row or column of pixels that are keys.
struct KeyTerms {
  SmallVector<Value, 2> values;
  SmallVector<int64_t, 2> counts, strides;
};
} // namespace

static KeyTerms takeTerms(Value &scores) {
  auto flat = scores.getDefiningOp<ReshapeOp>();
  if (!flat || !flat->hasOneUse() || !isImage(flat.getInput()))
    return {};
  KeyTerms terms;
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
    terms.values.push_back(term);
    terms.counts.push_back(isOfRows ? shape[2] : shape[3]);
    terms.strides.push_back(isOfRows ? shape[3] : 1);
  }
  auto product = value.getDefiningOp<ReshapeOp>();
  if (terms.values.empty() || !product || !product->hasOneUse() ||
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

// Where heads of all images are counted together after the first product,
// values come from matrices that are not.
static Value valuesOf(Value value, MatmulOp scores) {
  auto together = value.getDefiningOp<ReshapeOp>();
  return typeOf(value).getDimSize(0) != typeOf(scores).getDimSize(0) &&
                 together && haveSameMatrices(together, together.getInput())
             ? together.getInput()
             : value;
}

// Of all heads, or keys and values that all have in common.
static bool haveHeads(MatmulOp scores, Value query, Value key, Value value) {
  ArrayRef<int64_t> heads = typeOf(scores).getShape().take_front(2);
  for (Value matrices : {query, key, value})
    if (matrices.getDefiningOp<ConstantOp>() ||
        typeOf(matrices).getDimSize(0) != heads[0])
      return false;
  int64_t groups = typeOf(key).getDimSize(1);
  return typeOf(query).getDimSize(1) == heads[1] &&
         (groups == 1 || groups == heads[1]) &&
         typeOf(value).getDimSize(1) == groups;
}

static LogicalResult productsToAttention(MatmulOp op,
                                         PatternRewriter &rewriter) {
  bool isLeft = bool(softmaxOf(op.getLhs()));
  Value weights = isLeft ? op.getLhs() : op.getRhs();
  SoftmaxOp softmax = softmaxOf(weights);
  if (!softmax)
    return failure();
  auto refuse = [&](const char *reason) {
    return rewriter.notifyMatchFailure(op, reason);
  };
  if (!isImage(op.getResult()))
    return refuse("has not four dimensions");
  if (!softmax->hasOneUse() || op.getActivation())
    return refuse("its weights have other users, or it a function");
  bool areKeysLast = isLeft ? !op.getTransposeLhs() : op.getTransposeRhs();
  Value input = softmax.getInput(), sink;
  if (weights != softmax.getResult()) {
    sink = areKeysLast ? takeSink(input) : Value();
    if (!sink)
      return refuse("what is cut off its weights is no sink");
  }
  Value mask = takeMask(input);
  KeyTerms terms;
  if (!mask && areKeysLast)
    terms = takeTerms(input);
  ActivationAttr cap;
  MatmulOp scores = scoresOf(input, cap);
  if (int64_t(softmax.getAxis()) != (areKeysLast ? 3 : 2) || !scores ||
      !scores->hasOneUse())
    return refuse("its scores are no product of queries and keys alone");
  Value query = areKeysLast ? scores.getLhs() : scores.getRhs();
  Value key = areKeysLast ? scores.getRhs() : scores.getLhs();
  Value value = valuesOf(isLeft ? op.getRhs() : op.getLhs(), scores);
  if (!haveHeads(scores, query, key, value))
    return refuse("its matrices are constant, or not of the same heads");
  Location loc = op.getLoc();
  ArrayRef<int64_t> heads = typeOf(query).getShape().take_front(2);
  int64_t tokens = typeOf(scores).getDimSize(areKeysLast ? 2 : 3);
  auto ofQueries = [&](Value value, int64_t count) {
    return reshaped(rewriter, loc, value, {heads[0], heads[1], tokens, count});
  };
  for (auto [term, count] : llvm::zip(terms.values, terms.counts))
    term = ofQueries(term, count);
  if (sink)
    sink = ofQueries(sink, 1);
  auto flag = [&](bool isSet) {
    return isSet ? rewriter.getUnitAttr() : UnitAttr();
  };
  Value result = AttentionOp::create(
      rewriter, loc, query, key, value, mask, sink, terms.values,
      rewriter.getDenseI64ArrayAttr(terms.strides), rewriter.getF32FloatAttr(1),
      cap,
      flag(areKeysLast ? scores.getTransposeLhs() : !scores.getTransposeRhs()),
      flag(areKeysLast ? !scores.getTransposeRhs() : scores.getTransposeLhs()),
      flag(isLeft ? op.getTransposeRhs() : !op.getTransposeLhs()),
      flag(!areKeysLast), flag(!isLeft));
  rewriter.replaceOp(
      op, reshaped(rewriter, loc, result, typeOf(op.getResult()).getShape()));
  return success();
}

namespace {
struct RecognizeAttention
    : DecomposePass<
          RecognizeAttention,
          mlir::ane::impl::ANERecognizeAttentionBase<RecognizeAttention>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    if (!options.policy.sequences.keysAreChannels)
      return success();
    return rewrite(options,
                   {[](RewritePatternSet &patterns, const DecomposeOptions &) {
                     addPatterns<productsToAttention>(patterns);
                   }});
  }
};

} // namespace
