//===- LegalizeChecks.cpp - Is an op one pass of the engine? --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every message comes from the constraint table (ane/HW/Constraints.def); this
// file says what was found.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

#include "ane/Dialect/ANE/IR/Limits.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::ConstraintId;

namespace {

class Checker {
public:
  Checker(Operation *op, const LegalizeOptions &options)
      : op(op), options(options) {}

  LogicalResult check();

private:
  LogicalResult violation(ConstraintId id, const Twine &actual) {
    return reportViolation(op, id, options.info, actual);
  }
  LogicalResult within(ConstraintId id, int64_t actual) {
    return checkLimit(op, id, options.info, actual);
  }

  LogicalResult checkType(Type type);
  LogicalResult checkTypes();
  LogicalResult checkFunction(ConstraintId id, ActivationAttr function);
  LogicalResult check(ConvOp conv);
  LogicalResult check(PoolOp pool);
  LogicalResult check(ElementwiseOp elementwise);
  LogicalResult check(ActivationOp activation);
  LogicalResult check(ReduceOp reduce);
  LogicalResult check(SliceOp slice);
  LogicalResult check(ConcatOp concat);
  LogicalResult check(MatmulOp matmul);
  LogicalResult check(ConstantOp constant);
  LogicalResult check(ReshapeOp reshape);
  LogicalResult check(CastOp cast);

  Operation *op;
  const LegalizeOptions &options;
};

} // namespace

static std::string textOf(ArrayRef<int64_t> numbers, StringRef separator) {
  return llvm::join(
      llvm::map_range(numbers, [](int64_t i) { return std::to_string(i); }),
      separator);
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  return textOf(shape, "x");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult Checker::checkType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (!tensor.getElementType().isF16()) {
    std::string text;
    llvm::raw_string_ostream(text) << "works on " << tensor;
    return violation(ConstraintId::TensorType, text);
  }
  if (tensor.getRank() == 1) // bias and scale
    return success();
  if (tensor.getRank() != 4)
    return violation(ConstraintId::TensorRank, "has a tensor of " +
                                                   Twine(tensor.getRank()) +
                                                   " dimensions");
  if (failed(within(ConstraintId::TensorWidth, tensor.getDimSize(3))) ||
      failed(within(ConstraintId::TensorHeight, tensor.getDimSize(2))))
    return failure();
  return within(ConstraintId::TensorChannels, tensor.getDimSize(1));
}

LogicalResult Checker::checkTypes() {
  auto isLegal = [&](Type type) { return succeeded(checkType(type)); };
  return success(llvm::all_of(op->getOperandTypes(), isLegal) &&
                 llvm::all_of(op->getResultTypes(), isLegal));
}

LogicalResult Checker::checkFunction(ConstraintId id, ActivationAttr function) {
  if (!function || hasTable(function.getKind()))
    return success();
  return violation(id,
                   "applies " + stringifyActivationKind(function.getKind()));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Checker::check(ConvOp conv) {
  auto weight = cast<RankedTensorType>(conv.getWeight().getType());
  for (Value coefficient : {conv.getWeight(), conv.getBias(), conv.getScale()})
    if (coefficient && !coefficient.getDefiningOp<ConstantOp>())
      return violation(ConstraintId::ConvWeightConstant,
                       "has coefficients that are no constant");
  ArrayRef<int64_t> dilations = conv.getDilations();
  if (llvm::any_of(dilations, [](int64_t dilation) { return dilation != 1; }))
    return violation(ConstraintId::ConvDilation,
                     "has dilations " + shapeText(dilations) +
                         " of a kernel of " +
                         shapeText(weight.getShape().take_back(2)));
  if (failed(checkWindow(op, options.info, weight.getShape().take_back(2),
                         conv.getStrides())))
    return failure();
  return checkFunction(ConstraintId::ConvActivation, conv.getActivationAttr());
}

LogicalResult Checker::check(PoolOp pool) {
  return violation(ConstraintId::PoolWindow,
                   "has a window of " + shapeText(pool.getKernel()) +
                       " with strides " + shapeText(pool.getStrides()));
}

LogicalResult Checker::check(ElementwiseOp elementwise) {
  if (elementwise.getKind() == ElementwiseKind::Div ||
      elementwise.getKind() == ElementwiseKind::Pow)
    return violation(ConstraintId::ElementwiseKind,
                     "computes " +
                         stringifyElementwiseKind(elementwise.getKind()));
  auto result = cast<RankedTensorType>(elementwise.getType());
  auto repeats = options.policy.planar.repeatsBatch;
  for (Value operand : elementwise->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getNumElements() != 1 &&
        type.getDimSize(0) != result.getDimSize(0) &&
        !(repeats && repeats(elementwise, options.info)))
      return violation(ConstraintId::ElementwiseBroadcast,
                       "repeats an operand " + Twine(result.getDimSize(0)) +
                           " times along the batch");
  }
  ActivationAttr function = elementwise.getActivationAttr();
  if (function && function.getKind() == ActivationKind::Abs)
    return success();
  return checkFunction(ConstraintId::ActivationTable, function);
}

LogicalResult Checker::check(ActivationOp activation) {
  ActivationKind kind = activation.getFunction().getKind();
  // The planar engine takes absolute values and changes signs.
  if (hasTable(kind) || kind == ActivationKind::Abs ||
      kind == ActivationKind::Neg)
    return success();
  return violation(ConstraintId::ActivationTable,
                   "is " + stringifyActivationKind(kind));
}

LogicalResult Checker::check(ReduceOp reduce) {
  ArrayRef<int64_t> axes = reduce.getAxes();
  // The NEs take the maximum of all channels.
  bool isLegal =
      axes == ArrayRef<int64_t>{3} || axes == ArrayRef<int64_t>{2, 3} ||
      (axes == ArrayRef<int64_t>{1} && reduce.getKind() == ReduceKind::Max &&
       !reduce.getActivation() && options.policy.sequences.reducesChannels);
  if (ActivationAttr function = reduce.getActivationAttr();
      function && function.getKind() != ActivationKind::Reciprocal &&
      function.getKind() != ActivationKind::Rsqrt)
    return violation(ConstraintId::ReduceActivation,
                     "applies " + stringifyActivationKind(function.getKind()));
  if (isLegal && reduce.getKind() != ReduceKind::Min)
    return axes == ArrayRef<int64_t>{3}
               ? within(ConstraintId::ReduceRows,
                        reduce.getInput().getType().getDimSize(2))
               : success();
  return violation(ConstraintId::ReduceAxes,
                   "takes the " + stringifyReduceKind(reduce.getKind()) +
                       " over dimensions {" + textOf(axes, ", ") + "}");
}

LogicalResult Checker::check(SliceOp slice) {
  int64_t columns = options.info.dmaAlign / sizeof(uint16_t);
  if (slice.getStrides().back() == 1 &&
      slice.getOffsets().back() % columns == 0)
    return success();
  return violation(ConstraintId::SliceView,
                   "starts at column " + Twine(slice.getOffsets().back()) +
                       " with strides " + shapeText(slice.getStrides()));
}

LogicalResult Checker::check(ConcatOp concat) {
  if (concat.getAxis() < 3)
    return success();
  int64_t columns = options.info.dmaAlign / sizeof(uint16_t);
  bool isAligned = llvm::all_of(concat.getInputs().drop_back(), [&](Value v) {
    return cast<RankedTensorType>(v.getType()).getDimSize(3) % columns == 0;
  });
  if (isAligned)
    return success();
  return violation(ConstraintId::ConcatAxis, "joins along the width");
}

LogicalResult Checker::check(MatmulOp matmul) {
  return checkFunction(ConstraintId::ConvActivation,
                       matmul.getActivationAttr());
}

bool mlir::ane::isStoredInterleaved(TransposeOp transpose) {
  constexpr int64_t toChannels[] = {0, 3, 1, 2};
  return transpose.getPerm() == ArrayRef<int64_t>(toChannels) &&
         transpose->hasOneUse() && isa<InterleaveOp>(*transpose->user_begin());
}

// Seen with windows of one pixel: matrix products, whose rows are stored as
// columns.
TransposeOp mlir::ane::getStoredTranspose(ConvOp conv) {
  if (!conv->hasOneUse() || conv.getGroups() != 1 || !conv.isByPixel())
    return {};
  auto transpose = dyn_cast<TransposeOp>(*conv->user_begin());
  return transpose && transpose.getPerm()[3] == 1 ? transpose : TransposeOp();
}

// Seen in recorded convolutions whose result is saved for the next task: one of
// two columns and one of 9 x 9, both depthwise with stride 1. Of several rows
// the convolution and the interleave are in strips, which end after the
// latter.
InterleaveOp mlir::ane::getStoredInterleave(ConvOp conv) {
  if (!conv->hasOneUse() || conv.getGroups() != 1 ||
      cast<ShapedType>(conv.getType()).getDimSize(2) != 1 ||
      !conv.hasUnitStrides())
    return {};
  return dyn_cast<InterleaveOp>(*conv->user_begin());
}

bool mlir::ane::isTooLong(ArrayRef<int64_t> shape,
                          const ::ane::hw::GenerationInfo &info) {
  // Each image takes a task.
  int64_t limits[] = {info.maxWidth, info.maxHeight, info.maxChannels,
                      info.maxTasks};
  return llvm::any_of(llvm::zip(llvm::reverse(shape), limits), [](auto pair) {
    return std::get<0>(pair) > std::get<1>(pair);
  });
}

bool mlir::ane::isHostReshape(ReshapeOp reshape,
                              const ::ane::hw::GenerationInfo &info) {
  constexpr int64_t maxRank = 4;
  auto isOne = [](int64_t extent) { return extent == 1; };
  SmallVector<int64_t> from(
      cast<RankedTensorType>(reshape.getInput().getType()).getShape());
  SmallVector<int64_t> to(cast<RankedTensorType>(reshape.getType()).getShape());
  bool isAbove =
      to.size() > maxRank || isTooLong(from, info) || isTooLong(to, info);
  llvm::erase_if(from, isOne);
  llvm::erase_if(to, isOne);
  // A surface has four dimensions up to a limit, so there is no other way for
  // more.
  return isAbove || from.size() > maxRank || from == to;
}

// Between the border of the function and the engine the host converts elements
// and adds or drops dimensions of 1.
static bool isHostOp(Operation *op, const ::ane::hw::GenerationInfo &info) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return isa<CastOp>(op) || (reshape && isHostReshape(reshape, info));
}

static bool isAtArgument(Value value, const ::ane::hw::GenerationInfo &info) {
  while (auto *def = value.getDefiningOp()) {
    if (!isHostOp(def, info) || !value.hasOneUse())
      return false;
    value = def->getOperand(0);
  }
  return value.hasOneUse();
}

static bool isAtResult(Operation *op, const ::ane::hw::GenerationInfo &info) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return isa<func::ReturnOp>(user) ||
           (isHostOp(user, info) && isAtResult(user, info));
  });
}

// The program holds what it returns, element by element. Weights of that size
// come from files that have it; a splat comes from a few letters.
LogicalResult Checker::check(ConstantOp constant) {
  constexpr int64_t maxBytes = int64_t(64) << 20;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!dense || !dense.isSplat())
    return success();
  int64_t bytes = sizeof(uint16_t);
  for (int64_t extent : dense.getType().getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      bytes = std::numeric_limits<int64_t>::max();
  bool isReturned = llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isa<func::ReturnOp>(user) ||
           (isHostOp(user, options.info) && isAtResult(user, options.info));
  });
  if (bytes <= maxBytes || !isReturned)
    return success();
  return op->emitOpError("is returned: a splat of ")
         << dense.getNumElements() << " elements needs " << bytes
         << " bytes in the program, but a splat may have at most " << maxBytes
         << "; return it outside the network";
}

LogicalResult Checker::check(ReshapeOp reshape) {
  if (isHostReshape(reshape, options.info) &&
      (isAtArgument(reshape.getInput(), options.info) ||
       isAtResult(reshape, options.info)))
    return success();
  // Ones in front of a shape are implied, so only more dimensions matter. Those
  // of an argument are merged where it becomes a surface.
  constexpr int64_t maxRank = 4;
  SmallVector<Type> types = {reshape.getType()};
  if (!isa<BlockArgument>(reshape.getInput()))
    types.push_back(reshape.getInput().getType());
  for (Type type : types)
    if (auto tensor = mlir::cast<RankedTensorType>(type);
        tensor.getRank() > maxRank || !tensor.getElementType().isF16())
      return checkTypes();
  return success();
}

LogicalResult Checker::check(CastOp cast) {
  Type from = cast.getInput().getType(), to = cast.getType();
  bool atBorder = isHostElement(from)
                      ? isa<BlockArgument>(cast.getInput()) ||
                            isAtArgument(cast.getInput(), options.info)
                      : isAtResult(cast, options.info);
  if (!isHostElement(from) && !isHostElement(to)) {
    auto isLegal = [](Type type) {
      auto tensor = mlir::cast<RankedTensorType>(type);
      return tensor.getRank() == 4 &&
             (tensor.getElementType().isF16() ||
              tensor.getElementType().isUnsignedInteger(8));
    };
    return isLegal(from) && isLegal(to) ? success() : checkTypes();
  }
  if (atBorder)
    return success();
  std::string text;
  llvm::raw_string_ostream(text)
      << "goes from " << getElementTypeOrSelf(from) << " to "
      << getElementTypeOrSelf(to) << " inside the network";
  return violation(ConstraintId::CastBorder, text);
}

LogicalResult Checker::check() {
  if (auto cast = dyn_cast<CastOp>(op))
    return check(cast);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return check(reshape);
  if (auto constant = dyn_cast<ConstantOp>(op))
    return check(constant);
  if (failed(checkTypes()))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ConvOp, MatmulOp, PoolOp, ElementwiseOp, ActivationOp, ReduceOp,
            SliceOp, ConcatOp>([&](auto known) { return check(known); })
      .Case([&](ConvTransposeOp conv) {
        return violation(ConstraintId::ConvTransposeStride,
                         "has strides " + shapeText(conv.getStrides()));
      })
      // Rows of coefficients are no wider than a tensor, less than the engines
      // hold.
      .Case<TransposeOp, RuntimeConvOp>([](auto) { return success(); })
      .Case([&](InterleaveOp interleave) -> LogicalResult {
        if (isInterleaveFactor(interleave.getFactor()))
          return success();
        return violation(ConstraintId::InterleaveFactor,
                         "stores " + Twine(interleave.getFactor()));
      })
      .Case([&](PadOp pad) {
        return violation(ConstraintId::PadZero,
                         "pads by " + shapeText(pad.getLow()) + " and " +
                             shapeText(pad.getHigh()) + " with " +
                             std::to_string(pad.getValue().convertToFloat()));
      })
      .Case([&](ResizeOp resize) {
        return violation(ConstraintId::ResizeView,
                         "is " + stringifyResizeMode(resize.getMode()));
      })
      .Default([](Operation *op) {
        return op->emitOpError(
            "is not an operation of the engine; run ane-decompose, which "
            "expands it if an expansion is known, or run it on the host");
      });
}

LogicalResult mlir::ane::checkLegal(Operation *op,
                                    const LegalizeOptions &options) {
  return Checker(op, options).check();
}
