//===- CheckMovement.cpp - Rules of shapes, operands and moved data -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool mlir::ane::mil::hasUnboundedMask(TypedAttr value) {
  auto isBad = [](APFloat number) {
    bool loses;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return number.convertToDouble() < -65504;
  };
  if (auto number = dyn_cast<FloatAttr>(value))
    return isBad(number.getValue());
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto element =
      type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
  bool isSplat;
  std::optional<ArrayRef<char>> bytes = getConstantBytes(value, isSplat);
  if (!bytes || !element || element.getWidth() > 64)
    return false;
  unsigned size = element.getWidth() / 8;
  for (size_t i = 0; i + size <= bytes->size(); i += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->data() + i, size); // hosts are little endian
    if (bits >> (element.getWidth() - 1) &&      // positive ones are never bad
        isBad(APFloat(element.getFloatSemantics(),
                      APInt(element.getWidth(), bits))))
      return true;
  }
  return false;
}

// Masks are added, chosen, or a large number times a mask of ones.
static void checkMask(const Statement &s, Checker &checker) {
  if (!checker.holds(RuleId::MaskConstant) ||
      !(s.is("add") || s.is("sub") || s.is("mul") || s.is("select") ||
        s.is("scaled_dot_product_attention")))
    return;
  for (const NamedArgument &argument : s.getArguments())
    for (Value value : argument.values)
      if (auto constant = value.getDefiningOp<ConstOp>();
          constant && hasUnboundedMask(constant.getValue()))
        checker.report(RuleId::MaskConstant, s.op,
                       "argument '" + argument.name + "' of " + s.getType() +
                           " holds values below -65504");
}

static bool isBinary(const Statement &s) {
  static constexpr StringLiteral kTypes[] = {
      "add",     "sub", "mul",   "real_div",   "maximum",
      "minimum", "pow", "equal", "less_equal", "greater_equal"};
  return llvm::is_contained(kTypes, s.getType());
}

void mlir::ane::mil::checkLiterals(const Statement &s, Checker &checker) {
  for (const NamedArgument &argument : s.getArguments())
    for (Value value : argument.values) {
      auto constant = value.getDefiningOp<ConstOp>();
      if (!constant)
        continue;
      if (constant.getIsInline())
        checker.report(RuleId::InlineLiteral, s.op,
                       "argument '" + argument.name + "' of " + s.getType() +
                           " is a literal");
      auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (isBinary(s) && dense && dense.getNumElements() > 1)
        checker.report(RuleId::InlineTensor, s.op,
                       "operand '" + argument.name + "' of " + s.getType() +
                           " is a tensor of " + Twine(dense.getNumElements()) +
                           " elements in the text",
                       /*canRewrite=*/dense.getNumElements() >= 10);
    }
  checkMask(s, checker);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// Axes are counted from the back: width, height, channels, then batch, with a
// depth between channels and batch at rank 5.
static void checkExtents(const Statement &s, RankedTensorType type,
                         Checker &checker) {
  int64_t rank = type.getRank();
  for (auto [i, dim] : llvm::enumerate(type.getShape())) {
    int64_t fromBack = rank - 1 - int64_t(i);
    std::string subject = ("axis " + Twine(i) + " of the result").str();
    if (dim == 0)
      checker.report(RuleId::ZeroExtent, s.op, subject + " is empty");
    else if (fromBack < 2)
      checker.checkLimit({RuleId::SpatialOld, RuleId::SpatialNew}, s.op,
                         subject, dim);
    else if (fromBack == 2 && rank == 5)
      checker.checkLimit(RuleId::Depth, s.op, subject, dim);
    else if (fromBack == 2 || (fromBack == 3 && rank == 5))
      checker.checkLimit(RuleId::Channels, s.op, subject, dim);
    else
      checker.checkLimit({RuleId::BatchOld, RuleId::BatchNew}, s.op, subject,
                         dim);
  }
}

static bool isComputedFloat32(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32() &&
         !value.getDefiningOp<ConstOp>();
}

void mlir::ane::mil::checkShapes(const Statement &s, Checker &checker) {
  for (Value value : s.op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    checker.checkLimit(RuleId::Rank, s.op, "rank of the result",
                       type.getRank());
    if (!type.hasStaticShape())
      checker.report(RuleId::DynamicShape, s.op,
                     "result has an unknown extent");
    else if (type.getRank() <= 5)
      checkExtents(s, type, checker);
  }
  if (s.is("cast")) {
    if (s.getString("dtype", "") == "int32")
      checker.report(RuleId::CastInt32, s.op, "cast goes to int32");
    return;
  }
  if (llvm::any_of(s.op->getResults(), isComputedFloat32) ||
      llvm::any_of(s.op->getOperands(), isComputedFloat32))
    checker.report(RuleId::Float32, s.op,
                   s.getType() + " has operands or results of fp32");
}

void mlir::ane::mil::checkReach(const Statement &s, Checker &checker) {
  static constexpr StringLiteral kRefused[] = {"clip", "less", "log", "pad"};
  if (llvm::is_contained(kRefused, s.getType()))
    checker.report(RuleId::OpRefused, s.op, "operation is " + s.getType());
  if (s.is("read_state") || s.is("write_state"))
    checker.report(RuleId::State, s.op, "operation is " + s.getType());
  const OpReach *reach = getReach(s.getType());
  if (!reach)
    return;
  std::string actual = ("operation is " + s.getType()).str();
  if (!reach->chips)
    checker.report(RuleId::OpMissing, s.op, actual, true, reach->wayOut);
  else if (checker.target.chips & ~reach->chips)
    checker.report(RuleId::OpChip, s.op, actual, true, reach->wayOut);
  else if (reach->isDisputed)
    checker.report(RuleId::OpDisputed, s.op, actual, true, reach->wayOut);
}

//===----------------------------------------------------------------------===//
// Moved data
//===----------------------------------------------------------------------===//

static void checkConcat(const Statement &s, Checker &checker) {
  if (!s.has("interleave"))
    checker.report(RuleId::ConcatInterleave, s.op,
                   "concat has no argument 'interleave'");
  std::optional<int64_t> axis = s.getInteger("axis");
  Value value = s.get("axis");
  if (!axis)
    checker.report(RuleId::ConcatAxis, s.op, "axis of concat is no constant",
                   /*canRewrite=*/false);
  else if (*axis < 0 || !value.getType().isInteger(32))
    checker.report(RuleId::ConcatAxis, s.op,
                   *axis < 0 ? "axis of concat is " + Twine(*axis)
                             : Twine("axis of concat is a tensor"));
}

static void checkSlice(const Statement &s, Checker &checker) {
  std::optional<SmallVector<int64_t>> begin = s.getIntegers("begin");
  std::optional<SmallVector<int64_t>> mask = s.getIntegers("begin_mask");
  RankedTensorType x = s.getTensor("x"), result = s.getResultTensor();
  if (!x || !x.getRank())
    return;
  bool isMasked = mask && mask->size() == size_t(x.getRank()) && mask->back();
  if (begin && (begin->empty() || begin->back() == 0 || isMasked))
    return;
  // Turning keeps the rank, so nothing may be squeezed; each list has to be
  // there for each axis.
  bool areWhole = true;
  for (StringRef name :
       {"begin", "end", "size", "stride", "begin_mask", "end_mask"})
    if (auto list = s.getIntegers(name); s.has(name))
      areWhole &= list && int64_t(list->size()) == x.getRank();
  bool canRewrite = begin && x.getRank() >= 2 && x.getRank() <= 5 && result &&
                    result.getRank() == x.getRank() && areWhole &&
                    x.hasStaticShape() && result.hasStaticShape() &&
                    (s.is("slice_by_size") ||
                     (s.is("slice_by_index") && s.getIntegers("end"))) &&
                    !s.has("squeeze_mask");
  checker.report(RuleId::SliceSaturates, s.op,
                 begin ? "slice begins at element " + Twine(begin->back()) +
                             " of the last axis"
                       : Twine("begin of the slice is no constant"),
                 canRewrite);
}

static void checkTile(const Statement &s, Checker &checker) {
  std::optional<SmallVector<int64_t>> reps = s.getIntegers("reps");
  int64_t copies = 0;
  for (int64_t n : reps.value_or(SmallVector<int64_t>()))
    copies = std::max(copies, n);
  // A concat of very many operands is no help.
  checker.report(RuleId::Tile, s.op, "operation is tile",
                 /*canRewrite=*/copies >= 1 && copies <= 64);
  for (int64_t n : reps.value_or(SmallVector<int64_t>()))
    if (n > 1 && !llvm::is_contained({2, 3, 4, 8}, n))
      checker.report(RuleId::ReshuffleFactor, s.op,
                     "tile repeats " + Twine(n) + " times");
}

static void checkReshuffle(const Statement &s, Checker &checker) {
  for (StringRef name :
       {"upscale_factor", "downscale_factor", "block_size", "block_shape"})
    for (int64_t n : s.getIntegers(name).value_or(SmallVector<int64_t>()))
      if (n != 1 && !llvm::is_contained({2, 3, 4, 8}, n))
        checker.report(RuleId::ReshuffleFactor, s.op,
                       Twine(name) + " of " + s.getType() + " is " + Twine(n));
  if (!s.is("batch_to_space"))
    return;
  int64_t block = 1;
  for (int64_t n :
       s.getIntegers("block_shape").value_or(SmallVector<int64_t>()))
    block *= std::clamp<int64_t>(n, 1, 65536);
  RankedTensorType x = s.getTensor("x");
  if (x && x.getRank() && x.getDimSize(0) % block)
    checker.report(RuleId::BatchToSpace, s.op,
                   "batch is " + Twine(x.getDimSize(0)) + " and the block " +
                       Twine(block));
}

static void checkPad(const Statement &s, Checker &checker) {
  StringRef mode = s.getString("mode", "constant");
  if (mode != "constant")
    checker.report(RuleId::PadMode, s.op, "mode of pad is " + mode);
  std::optional<SmallVector<int64_t>> pad = s.getIntegers("pad");
  if (!pad || pad->size() <= 4 ||
      llvm::all_of(ArrayRef(*pad).drop_back(4),
                   [](int64_t n) { return n == 0; }))
    return;
  RankedTensorType type = s.getTensor("x");
  bool canRewrite = mode == "constant" && type && type.hasStaticShape() &&
                    (!s.has("constant_val") || s.getNumber("constant_val")) &&
                    isa<FloatType>(type.getElementType()) &&
                    int64_t(pad->size()) <= 2 * type.getRank();
  checker.report(RuleId::PadAxes, s.op,
                 "pad touches an axis before the last two", canRewrite);
}

void mlir::ane::mil::checkMovement(const Statement &s, Checker &checker) {
  if (s.is("concat"))
    checkConcat(s, checker);
  else if (s.getType().starts_with("slice_by_"))
    checkSlice(s, checker);
  else if (s.is("tile"))
    checkTile(s, checker);
  else if (s.is("pad"))
    checkPad(s, checker);
  else
    checkReshuffle(s, checker);
}
