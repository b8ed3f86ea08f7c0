//===- CheckCompute.cpp - Rules of statements that compute ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

// The extent of a kernel that the target takes along an axis.
static uint64_t getKernelLimit(const Checker &checker, bool isWidth) {
  RuleId first = isWidth ? RuleId::KernelWidthM1 : RuleId::KernelHeightM1;
  RuleId second = isWidth ? RuleId::KernelWidth : RuleId::KernelHeight;
  return getRule(checker.holds(first) ? first : second).limit;
}

// The sum of a constant and 0 is one still: it bridges what is no weight
// itself.
static bool isConstantWeight(Value weight) {
  MILOpInterface statement = getStatement(weight);
  if (weight.getDefiningOp<ConstOp>() ||
      (statement && statement.getMILType().starts_with("constexpr_")))
    return true;
  return statement && statement.getMILType() == "add" &&
         llvm::all_of(statement->getOperands(), [](Value operand) {
           MILOpInterface before = getStatement(operand);
           return operand.getDefiningOp<ConstOp>() ||
                  (before && before.getMILType().starts_with("constexpr_"));
         });
}

static bool hasOnly(const Statement &s, StringRef name, int64_t value) {
  std::optional<SmallVector<int64_t>> integers = s.getIntegers(name);
  return !s.has(name) || (integers && llvm::all_of(*integers, [&](int64_t i) {
                            return i == value;
                          }));
}

// A convolution whose product of weight and image is one matrix product.
static bool isMatrixProduct(const Statement &s) {
  RankedTensorType x = s.getTensor("x"), weight = s.getTensor("weight");
  RankedTensorType result = s.getResultTensor();
  if (!s.is("conv") || !x || !weight || !result || !x.hasStaticShape() ||
      !weight.hasStaticShape() || !result.hasStaticShape() || x.getRank() < 3 ||
      weight.getRank() != x.getRank() || result.getRank() != x.getRank())
    return false;
  // Same extents: no padding counts. The groups may stay away or be 1.
  return llvm::all_of(weight.getShape().drop_front(2),
                      [](int64_t n) { return n == 1; }) &&
         x.getShape().drop_front(2) == result.getShape().drop_front(2) &&
         hasOnly(s, "groups", 1) && hasOnly(s, "strides", 1) &&
         (s.getString("pad_type", "valid") != "custom" || hasOnly(s, "pad", 0));
}

// A kernel is turned where it fits the other way round and its bytes are at
// hand; a row of taps keeps its order, so those of a weight file may stay.
static bool canTurnKernel(const Statement &s, Checker &checker) {
  RankedTensorType x = s.getTensor("x"), weight = s.getTensor("weight");
  ConstOp constant = s.getConst("weight");
  if (!s.is("conv") || !x || x.getRank() != 4 || !x.hasStaticShape() ||
      !constant)
    return false;
  bool isSplat;
  int64_t height = weight.getDimSize(2), width = weight.getDimSize(3);
  return uint64_t(height) <= getKernelLimit(checker, /*isWidth=*/true) &&
         uint64_t(width) <= getKernelLimit(checker, /*isWidth=*/false) &&
         (height == 1 || getConstantBytes(constant.getValue(), isSplat));
}

static void checkKernel(const Statement &s, RankedTensorType weight,
                        Checker &checker) {
  checker.checkLimit(RuleId::ConvRank, s.op, "rank of " + s.getType(),
                     weight.getRank());
  if (weight.getRank() != 4 || !weight.hasStaticShape())
    return;
  checker.checkLimit({RuleId::KernelWidthM1, RuleId::KernelWidth}, s.op,
                     "kernel width", weight.getDimSize(3),
                     canTurnKernel(s, checker));
  checker.checkLimit({RuleId::KernelHeightM1, RuleId::KernelHeight}, s.op,
                     "kernel height", weight.getDimSize(2));
}

static void checkGroups(const Statement &s, RankedTensorType x,
                        RankedTensorType weight, Checker &checker) {
  int64_t groups = s.getInteger("groups").value_or(1);
  if (weight.getRank() < 2 || x.getRank() < 2)
    return;
  int64_t inputs = x.getDimSize(1);
  int64_t outputs =
      s.is("conv") ? weight.getDimSize(0) : weight.getDimSize(1) * groups;
  if (groups <= 0 || inputs % groups || outputs % groups)
    checker.report(RuleId::ConvGroups, s.op,
                   Twine(groups) + " groups are asked of " + Twine(inputs) +
                       " input and " + Twine(outputs) + " output channels");
}

void mlir::ane::mil::checkConvolution(const Statement &s, Checker &checker) {
  Value weight = s.get("weight");
  RankedTensorType x = s.getTensor("x"), type = s.getTensor("weight");
  if (!(s.is("conv") || s.is("conv_transpose")) || !x || !type)
    return;
  if (s.has("bias"))
    checker.report(RuleId::ConvBias, s.op,
                   s.getType() + " has an argument 'bias'",
                   s.getResultTensor() && s.getTensor("bias"));
  if (x.getRank() >= 2 && x.getDimSize(1) > 0)
    checker.checkLimit(RuleId::ConvInputChannels, s.op,
                       "number of input channels", x.getDimSize(1));
  checkKernel(s, type, checker);
  checkGroups(s, x, type, checker);
  if (!isConstantWeight(weight)) {
    checker.report(RuleId::RuntimeWeight, s.op,
                   "weight of " + s.getType() + " is no constant",
                   isMatrixProduct(s));
    if (x.getRank() && x.getDimSize(0) > 1)
      checker.report(RuleId::RuntimeWeightBatch, s.op,
                     "weight of " + s.getType() +
                         " is no constant and the batch is " +
                         Twine(x.getDimSize(0)),
                     isMatrixProduct(s));
  }
  MILOpInterface producer = getStatement(weight);
  if (producer && producer.getMILType() == "constexpr_blockwise_shift_scale")
    checker.report(RuleId::BlockwiseWeight, s.op,
                   "weight of " + s.getType() + " is " + producer.getMILType());
}

//===----------------------------------------------------------------------===//
// Matrix product
//===----------------------------------------------------------------------===//

// The constant operand becomes a weight [rows, columns, 1, 1]: x as it stands,
// y transposed; where that moves elements, the bytes must be at hand.
static bool canBecomeConvolution(const Statement &s) {
  RankedTensorType x = s.getTensor("x"), y = s.getTensor("y");
  if (!x || !y || !x.hasStaticShape() || !y.hasStaticShape())
    return false;
  bool isLeft = bool(s.getConst("x"));
  ConstOp constant = isLeft ? s.getConst("x") : s.getConst("y");
  if ((isLeft && s.getConst("y")) || (isLeft ? x : y).getRank() != 2 ||
      (isLeft ? y : x).getRank() < 2 || (isLeft ? y : x).getRank() > 4)
    return false;
  // A product that is too deep for a convolution has nowhere to go.
  bool isFirst =
      isLeft == s.getBool(isLeft ? "transpose_x" : "transpose_y", false);
  if (uint64_t((isLeft ? x : y).getDimSize(isFirst ? 0 : 1)) >
      getRule(RuleId::ConvInputChannels).limit)
    return false;
  bool isTransposed = isLeft ? s.getBool("transpose_x", false)
                             : !s.getBool("transpose_y", false);
  return !isTransposed || permuteConstant(constant.getValue(), {1, 0});
}

void mlir::ane::mil::checkMatmul(const Statement &s, Checker &checker) {
  if (!s.is("matmul"))
    return;
  RankedTensorType x = s.getTensor("x"), y = s.getTensor("y");
  if (!x || !y || !x.getRank() || !y.getRank())
    return;
  checker.checkLimit(RuleId::MatmulRank, s.op, "rank of matmul",
                     std::max(x.getRank(), y.getRank()));
  bool isWanted = checker.holds(RuleId::MatmulConstant) ||
                  checker.holds(RuleId::MatmulPlain);
  if (isWanted && (s.getConst("x") || s.getConst("y"))) {
    bool canRewrite = canBecomeConvolution(s);
    checker.report(RuleId::MatmulConstant, s.op,
                   "matmul has a constant operand", canRewrite);
    if (s.getConst("y") && !s.getBool("transpose_y", false))
      checker.report(RuleId::MatmulPlain, s.op,
                     "matmul has a constant y without transpose_y", canRewrite);
    return;
  }
  int64_t inner = x.getRank() < 2 || !s.getBool("transpose_x", false)
                      ? x.getShape().back()
                      : x.getDimSize(x.getRank() - 2);
  if (inner > 0 && inner % 32)
    checker.report(RuleId::MatmulInner, s.op,
                   "inner extent of matmul is " + Twine(inner));
}

//===----------------------------------------------------------------------===//
// Attention, norms, functions
//===----------------------------------------------------------------------===//

static void checkAttention(const Statement &s, Checker &checker) {
  RankedTensorType query = s.getTensor("query"), key = s.getTensor("key");
  bool isStatic = query && key && s.getTensor("value") &&
                  query.hasStaticShape() && key.hasStaticShape() &&
                  query.getRank() >= 3 && query.getRank() == key.getRank() &&
                  s.getTensor("value").getRank() == key.getRank();
  if (s.has("attn_mask"))
    checker.report(RuleId::AttentionMask, s.op,
                   "scaled_dot_product_attention has an argument 'attn_mask'",
                   isStatic);
  if (isStatic)
    checker.checkLimit(RuleId::AttentionLength, s.op,
                       "length of the longer sequence",
                       std::max(query.getDimSize(query.getRank() - 2),
                                key.getDimSize(key.getRank() - 2)));
}

static Type elementOf(Value value) {
  return value ? getElementTypeOrSelf(value.getType()) : Type();
}

static void checkLayerNorm(const Statement &s, Checker &checker) {
  RankedTensorType x = s.getTensor("x");
  bool canRewrite = x && x.hasStaticShape() &&
                    (!s.has("axes") || s.getIntegers("axes")) &&
                    (!s.has("epsilon") || s.getNumber("epsilon"));
  checker.report(RuleId::LayerNorm, s.op, "operation is layer_norm",
                 canRewrite);
  if (s.has("gamma") || s.has("beta"))
    checker.report(RuleId::LayerNormAffine, s.op,
                   "layer_norm has gamma or beta", canRewrite);
  Value scale = s.has("gamma") ? s.get("gamma") : s.get("beta");
  if (scale && s.has("epsilon") &&
      elementOf(scale) != elementOf(s.get("epsilon"))) {
    std::string actual;
    llvm::raw_string_ostream(actual)
        << "epsilon of layer_norm is " << elementOf(s.get("epsilon"))
        << " and gamma " << elementOf(scale);
    checker.report(RuleId::LayerNormEpsilon, s.op, actual,
                   s.getNumber("epsilon").has_value());
  }
}

void mlir::ane::mil::checkComposite(const Statement &s, Checker &checker) {
  if (s.is("scaled_dot_product_attention"))
    checkAttention(s, checker);
  else if (s.is("gelu"))
    checker.report(RuleId::Gelu, s.op, "operation is gelu",
                   bool(s.getTensor("x")));
  else if (s.is("layer_norm"))
    checkLayerNorm(s, checker);
}

static bool isFunction(StringRef type) {
  static constexpr StringLiteral kTypes[] = {
      "relu",  "sigmoid", "tanh", "sqrt", "rsqrt", "exp",  "log",
      "gelu",  "silu",    "erf",  "pow",  "exp2",  "sin",  "cos",
      "relu6", "clip",    "elu",  "abs",  "floor", "ceil", "inverse"};
  return llvm::is_contained(kTypes, type);
}

static void checkSquare(const Statement &s, Checker &checker) {
  RankedTensorType x = s.getTensor("x");
  if (!x || !x.getRank() || x.getShape().back() % 128 <= 64)
    return;
  for (Operation *user : s.getResult().getUsers())
    if (auto next = dyn_cast<MILOpInterface>(user);
        next && isFunction(next.getMILType()))
      return checker.report(RuleId::SquareFused, s.op,
                            next.getMILType() + " follows a square of width " +
                                Twine(x.getShape().back()));
}

static void checkProduct(const Statement &s, Checker &checker) {
  RankedTensorType result = s.getResultTensor();
  if (!result)
    return;
  for (StringRef name : {"x", "y"}) {
    RankedTensorType type = s.getTensor(name);
    StringRef otherName = name == "x" ? "y" : "x";
    RankedTensorType other = s.getTensor(otherName);
    if (!type || !other)
      continue;
    bool isVector = type.getRank() == 1 && type.getDimSize(0) > 1;
    if (s.getConst(name) && isVector && result.getRank() > 1)
      checker.report(RuleId::BroadcastVector, s.op,
                     "operand '" + name + "' of mul is a vector of " +
                         Twine(type.getDimSize(0)) + " elements");
    if (!s.getConst("x") && !s.getConst("y") && type.getRank() &&
        type.getRank() == other.getRank() && type.getShape().back() == 1 &&
        other.getShape().back() > 1)
      checker.report(RuleId::BroadcastColumn, s.op,
                     "operand '" + name + "' of mul has width 1 and operand '" +
                         otherName + "' " + Twine(other.getShape().back()));
  }
}

void mlir::ane::mil::checkElementwise(const Statement &s, Checker &checker) {
  MILOpInterface before = getStatement(s.get("x"));
  if ((s.is("sqrt") || s.is("rsqrt")) && before &&
      before.getMILType().starts_with("reduce_"))
    checker.report(RuleId::RootOfReduction, s.op,
                   s.getType() + " follows " + before.getMILType(),
                   s.getTensor("x") &&
                       (!s.has("epsilon") || s.getNumber("epsilon")));
  if (s.is("square"))
    checkSquare(s, checker);
  if (s.is("mul"))
    checkProduct(s, checker);
  ConstOp divisor = s.getConst("y");
  if (s.is("real_div") && divisor &&
      isa<BlobFileAttr, DenseResourceElementsAttr>(divisor.getValue()))
    checker.report(RuleId::RealDivBlob, s.op,
                   "divisor of real_div lies in a weight file");
}

//===----------------------------------------------------------------------===//
// Reductions, selection, windows
//===----------------------------------------------------------------------===//

static void checkSoftmax(const Statement &s, Checker &checker) {
  RankedTensorType x = s.getTensor("x");
  std::optional<int64_t> axis = s.getInteger("axis");
  if (!x || (s.has("axis") && !axis))
    return;
  int64_t index = axis.value_or(-1);
  index += index < 0 ? x.getRank() : 0;
  if (index < 0 || index >= x.getRank())
    return;
  int64_t extent = x.getDimSize(index);
  if (extent > 0 && !llvm::isPowerOf2_64(extent))
    checker.report(RuleId::SoftmaxWidth, s.op,
                   "softmax runs over " + Twine(extent) + " elements");
}

// The extent of the axis that a statement names; 0 if there is none.
static uint64_t getNamedExtent(const Statement &s, int64_t otherwise) {
  RankedTensorType x = s.getTensor("x");
  int64_t axis = s.getInteger("axis").value_or(otherwise);
  if (!x)
    return 0;
  axis += axis < 0 ? x.getRank() : 0;
  return axis < 0 || axis >= x.getRank() || x.isDynamicDim(axis)
             ? 0
             : x.getDimSize(axis);
}

void mlir::ane::mil::checkReduction(const Statement &s, Checker &checker) {
  RankedTensorType x = s.getTensor("x");
  if (s.is("softmax"))
    checkSoftmax(s, checker);
  if (s.is("reduce_argmax") || s.is("reduce_argmin"))
    checker.checkLimit(RuleId::ArgExtent, s.op, "extent of the reduced axis",
                       getNamedExtent(s, -1));
  std::optional<int64_t> k = s.getInteger("k");
  if (s.is("topk") && (k == 3 || k == 4))
    checker.report(RuleId::TopKCount, s.op, "k of topk is " + Twine(*k));
  if (s.is("local_response_norm") && x && x.getRank() >= 3 &&
      !x.isDynamicDim(1))
    checker.checkLimit(RuleId::ResponseNorm, s.op, "number of channels",
                       x.getDimSize(1));
  int64_t axis = s.getInteger("axis").value_or(0);
  if ((s.is("gather") || s.is("gather_along_axis")) && x && x.getRank() &&
      (axis == -1 || axis == x.getRank() - 1))
    checker.report(RuleId::GatherWidth, s.op,
                   s.getType() + " runs along the last axis");
  if (s.getType().ends_with("_pool"))
    for (int64_t n :
         s.getIntegers("kernel_sizes").value_or(SmallVector<int64_t>()))
      checker.checkLimit({RuleId::PoolWindowM1, RuleId::PoolWindow}, s.op,
                         "extent of the window", std::max<int64_t>(n, 0));
}
