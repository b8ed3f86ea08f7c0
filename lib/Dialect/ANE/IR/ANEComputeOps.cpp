//===- ANEComputeOps.cpp - What the engines compute in a task -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the ops of which each task has one. The rules have ids as in
// ANETaskOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "TaskLevel.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Limits.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

static bool needsTable(std::optional<ActivationAttr> activation) {
  return activation && activation->getKind() != ActivationKind::Relu;
}

static SmallVector<MemRefType, 3> getTypesInL2(Operation *op) {
  SmallVector<MemRefType, 3> types;
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isInSpace(type, MemorySpace::L2))
      types.push_back(cast<MemRefType>(type));
  return types;
}

// What no task is known to say of its elements: that bytes have a sign, or that
// the second source of the PE has bytes.
static LogicalResult verifyElements(Operation *op) {
  for (MemRefType type : getTypesInL2(op))
    if (Type element = type.getElementType();
        !element.isF16() && !element.isUnsignedInteger(8))
      return op->emitOpError("computes on ")
             << type << ", but needs f16 or ui8 [compute_c2]";
  SmallVector<EngineSource, 2> sources = getEngineSources(op);
  for (const EngineSource &source : llvm::drop_begin(sources))
    if (auto type = cast<MemRefType>(source.value.getType());
        !type.getElementType().isF16())
      return op->emitOpError("has ")
             << type << " as its second source, which must be f16 [compute_c3]";
  return verifyL2Layout(op, cast<MemRefType>(op->getResult(0).getType()));
}

static LogicalResult verifyImages(Operation *op) {
  for (MemRefType type : getTypesInL2(op))
    if (type.getRank() != 4)
      return op->emitOpError("computes on ") << type
                                             << ", but needs rank 4 "
                                                "[compute_c1]";
  return verifyElements(op);
}

// The shape that an engine computes: that of its result, or with channels and
// columns exchanged back.
static SmallVector<int64_t> computedShape(MemRefType result, bool exchange) {
  SmallVector<int64_t> shape(result.getShape());
  if (exchange)
    std::swap(shape[1], shape[3]);
  return shape;
}

SmallVector<int64_t> mlir::ane::getComputedShape(Operation *compute) {
  bool exchange = false;
  if (auto conv = dyn_cast<NeConvOp>(compute))
    exchange = conv.getExchange();
  if (auto bypass = dyn_cast<NeBypassOp>(compute))
    exchange = bypass.getExchange();
  if (auto pair = dyn_cast<PeElementwiseOp>(compute))
    exchange = pair.getExchangeResult();
  if (auto unary = dyn_cast<PeUnaryOp>(compute))
    exchange = unary.getExchangeResult();
  if (auto reduce = dyn_cast<PeReduceOp>(compute))
    exchange = reduce.getExchangeResult();
  return computedShape(cast<MemRefType>(compute->getResult(0).getType()),
                       exchange);
}

SmallVector<int64_t> NeConvOp::getTileRows(int64_t height) {
  int64_t in = getInput().getType().getDimSize(2);
  int64_t kernel = getKernel().getType().getDimSize(2);
  int64_t stride = getStrides()[0], pad = getPad()[0];
  // An exchange keeps the rows.
  int64_t out = getType().getDimSize(2);
  if (height >= out)
    return {in};
  SmallVector<int64_t> rows;
  for (int64_t y = 0; y < out; y += height) {
    int64_t first = std::max<int64_t>(0, y * stride - pad);
    int64_t last = std::min(out, y + height) - 1;
    int64_t end = std::min(in, last * stride - pad + kernel);
    rows.push_back(llvm::alignTo(std::max<int64_t>(0, end - first), stride));
  }
  return rows;
}

SmallVector<EngineSource, 2> mlir::ane::getEngineSources(Operation *compute) {
  if (auto pair = dyn_cast<PeElementwiseOp>(compute))
    return {{pair.getLhs(), pair.getExchangeLhs()},
            {pair.getRhs(), pair.getExchangeRhs()}};
  if (auto normalize = dyn_cast<PeNormalizeOp>(compute))
    return {{normalize.getInput(), false},
            {normalize.getRows(), normalize.getExchangeRows()}};
  if (auto unary = dyn_cast<PeUnaryOp>(compute))
    return {{unary.getInput(), unary.getExchangeInput()}};
  auto reduce = dyn_cast<PeReduceOp>(compute);
  if (!reduce || !reduce.getOffset())
    return {{compute->getOperand(0), false}};
  EngineSource input = {reduce.getInput(), false};
  EngineSource offset = {reduce.getOffset(), reduce.getExchangeOffset()};
  if (reduce.getSubtractOffset())
    return {offset, input};
  return {input, offset};
}

bool mlir::ane::isResultExchanged(Operation *compute) {
  if (auto conv = dyn_cast<NeConvOp>(compute))
    return conv.getExchange();
  if (auto bypass = dyn_cast<NeBypassOp>(compute))
    return bypass.getExchange();
  if (auto pair = dyn_cast<PeElementwiseOp>(compute))
    return pair.getExchangeResult();
  if (auto unary = dyn_cast<PeUnaryOp>(compute))
    return unary.getExchangeResult();
  auto reduce = dyn_cast<PeReduceOp>(compute);
  return reduce && reduce.getExchangeResult();
}

// Patches of the PE are what the NEs exchange where one work unit covers the
// image (4x4 and 8x8; not 16x16, and not a row of 64).
static bool exchangesPatches(Operation *compute, Operation *writer) {
  auto bypass = dyn_cast<NeBypassOp>(compute);
  if (!bypass || !bypass.getExchange() || isOnNeuralEngines(writer))
    return true;
  constexpr int64_t narrowestUnit = 8;
  MemRefType type = bypass.getInput().getType();
  return type.getDimSize(2) <= narrowestUnit &&
         type.getDimSize(3) <= narrowestUnit;
}

bool mlir::ane::takesPatches(TaskOp reader, TaskOp before) {
  EngineSource source = getEngineSources(reader.getCompute())[0];
  Operation *writer = before.getCompute();
  if (source.value.getDefiningOp() != before ||
      source.value != before.getResult(0) || before.getStore() ||
      source.exchanged != isResultExchanged(writer) ||
      !exchangesPatches(reader.getCompute(), writer))
    return false;
  KernelLoadOp kernel = before.getKernelLoad();
  bool hasTable =
      isa<NeConvOp, NeReduceOp>(writer) && kernel && kernel.getTable();
  return !hasTable && before.getBody().front().getOps<ScratchPlaceOp>().empty();
}

bool mlir::ane::isOnNeuralEngines(Operation *compute) {
  return isa<NeConvOp, NeBypassOp, NeProductOp, NeReduceOp>(compute);
}

bool NeConvOp::isPointwise() {
  ArrayRef<int64_t> kernel = getKernel().getType().getShape();
  return kernel[2] == 1 && kernel[3] == 1 && getGroups() == 1 &&
         llvm::all_of(getStrides(), [](int64_t n) { return n == 1; });
}

bool NeConvOp::isDepthwise() {
  int64_t channels = getInput().getType().getDimSize(1);
  return int64_t(getGroups()) == channels && channels > 1 &&
         getComputedShape(*this)[1] == channels;
}

LogicalResult NeConvOp::verify() {
  if (failed(verifyImages(*this)))
    return failure();
  MemRefType input = getInput().getType(), kernel = getKernel().getType();
  SmallVector<int64_t> shape = getComputedShape(*this);
  if (kernel.getRank() != 4)
    return emitOpError("has a kernel of rank ")
           << kernel.getRank() << ", but needs 4 [ne_conv_c1]";
  if (kernel.getDimSize(1) * int64_t(getGroups()) != input.getDimSize(1))
    return emitOpError("has ")
           << input.getDimSize(1) << " input channels, but the kernel has "
           << kernel.getDimSize(1) << " for each of " << getGroups()
           << " groups [ne_conv_c2]";
  if (kernel.getDimSize(0) != shape[1])
    return emitOpError("has ")
           << shape[1] << " output channels, but the kernel has "
           << kernel.getDimSize(0) << " [ne_conv_c3]";
  if (getGroups() == 0 || shape[1] % int64_t(getGroups()))
    return emitOpError("has ")
           << shape[1] << " output channels, but " << getGroups()
           << " groups, which must have equally many [ne_conv_c7]";
  if (input.getDimSize(0) != shape[0])
    return emitOpError("makes ") << shape[0] << " images of "
                                 << input.getDimSize(0) << " [ne_conv_c8]";
  if (getStrides().size() != 2 || getPad().size() != 2)
    return emitOpError("needs two strides and two pads (top, left), but has ")
           << getStrides().size() << " and " << getPad().size()
           << " [ne_conv_c4]";
  if (llvm::any_of(getStrides(), [](int64_t stride) { return stride < 1; }))
    return emitOpError("has strides ")
           << getStrides()[0] << " x " << getStrides()[1]
           << ", but needs at least 1 [ne_conv_c4]";
  if (failed(checkWindow(*this, getTarget(*this),
                         kernel.getShape().take_back(2), getStrides())))
    return failure();
  for (int64_t dim = 0; dim < 2; ++dim) {
    int64_t in = input.getDimSize(2 + dim), out = shape[2 + dim];
    int64_t size = kernel.getDimSize(2 + dim), pad = getPad()[dim];
    // What the last window needs beyond the image is padding at the end.
    int64_t last = (out - 1) * getStrides()[dim] - pad;
    if (last >= in || pad >= size || pad < 0)
      return emitOpError("computes ")
             << out << " elements of dimension " << 2 + dim << " from " << in
             << " with kernel " << size << ", stride " << getStrides()[dim]
             << " and pad " << pad
             << ": a window lies outside the image [ne_conv_c5]";
  }
  if (needsTable(getActivation())) {
    auto load = getKernel().getDefiningOp<KernelLoadOp>();
    if (load && load.getTable() != getActivation())
      return emitOpError("has activation ")
             << stringifyActivationKind(getActivation()->getKind())
             << ", but its kernel has "
             << (load.getTable() ? "that of " + stringifyActivationKind(
                                                    load.getTable()->getKind())
                                 : Twine("no table"))
             << " [ne_conv_c6]";
  }
  return success();
}

// What an NE computes without coefficients has a kernel for its table alone.
static LogicalResult verifyTable(Operation *op,
                                 std::optional<ActivationAttr> act,
                                 Value kernel, StringRef id) {
  if (needsTable(act) == bool(kernel))
    return success();
  InFlightDiagnostic error = op->emitOpError("has ");
  if (act)
    error << "activation " << stringifyActivationKind(act->getKind());
  else
    error << "no activation";
  return error << (kernel ? " and a kernel, but needs none: relu and no "
                            "activation have no table"
                          : ", but no kernel with the table of it")
               << " [" << id << "]";
}

LogicalResult NeBypassOp::verify() {
  if (failed(verifyImages(*this)))
    return failure();
  MemRefType input = getInput().getType();
  // The NEs convert bytes, which recorded programs do with tables.
  if (input.getShape() != ArrayRef<int64_t>(getComputedShape(*this)) ||
      (input.getElementType() != getType().getElementType() && !getKernel()))
    return emitOpError("moves ")
           << input << " to " << getType() << ", but "
           << (getExchange() ? "only channels and columns are exchanged"
                             : "both must have one shape and element type")
           << " [ne_bypass_c1]";
  return verifyTable(*this, getActivation(), getKernel(), "ne_bypass_c2");
}

static LogicalResult verifyPeActivation(Operation *op,
                                        std::optional<ActivationAttr> act) {
  if (!act || act->getKind() == ActivationKind::Relu ||
      act->getKind() == ActivationKind::Abs)
    return success();
  return op->emitOpError("has activation ")
         << stringifyActivationKind(act->getKind())
         << ", but the PE has relu and abs [pe_c1]";
}

// Of a source, exchanged in L2 or not, to the shape that is computed.
static LogicalResult verifyBroadcast(Operation *op, MemRefType source,
                                     ArrayRef<int64_t> result,
                                     bool exchange = false) {
  SmallVector<int64_t> shape = computedShape(source, exchange);
  for (auto [in, out] : llvm::zip_equal(shape, result))
    if (in != out && in != 1)
      return op->emitOpError("cannot broadcast ")
             << (exchange ? "the exchanged " : "") << source << " to a "
             << llvm::join(
                    llvm::map_range(result,
                                    [](int64_t n) { return Twine(n).str(); }),
                    "x")
             << " [pe_c2]";
  return success();
}

LogicalResult PeElementwiseOp::verify() {
  if (failed(verifyImages(*this)) ||
      failed(verifyPeActivation(*this, getActivation())) ||
      failed(verifyBroadcast(*this, getLhs().getType(), getComputedShape(*this),
                             getExchangeLhs())) ||
      failed(verifyBroadcast(*this, getRhs().getType(), getComputedShape(*this),
                             getExchangeRhs())))
    return failure();
  if (getKind() == ElementwiseKind::Div || getKind() == ElementwiseKind::Pow)
    return emitOpError("computes ")
           << stringifyElementwiseKind(getKind())
           << ", but the PE has add, sub, mul, max and min [pe_c3]";
  return success();
}

LogicalResult PeUnaryOp::verify() {
  if (failed(verifyImages(*this)) ||
      failed(verifyPeActivation(*this, getActivation())))
    return failure();
  return verifyBroadcast(*this, getInput().getType(), getComputedShape(*this),
                         getExchangeInput());
}

// Of five dimensions the depth goes, too.
static LogicalResult verifyDeepReduce(PeReduceOp op) {
  MemRefType input = op.getInput().getType();
  ArrayRef<int64_t> in = input.getShape(), out = op.getType().getShape();
  bool isRight = in.size() == 5 && out.size() == 4 && out[0] == in[0] &&
                 out[1] == in[1] && out[2] == 1 && out[3] == 1 &&
                 !op.getExchangeResult() && !op.getExchangeOffset();
  if (isRight && op.getOffset())
    isRight = op.getOffset().getType().getShape() == out;
  if (isRight)
    return success();
  return op.emitOpError("reduces ")
         << input << " to " << op.getType()
         << ", but of five dimensions depth, height and width go, with an "
            "offset of the shape of the result [pe_reduce_c5]";
}

LogicalResult PeReduceOp::verify() {
  if (getKind() == ReduceKind::Min)
    return emitOpError("computes min, but the PE reduces by sum, mean and max "
                       "[pe_reduce_c1]");
  bool squares =
      getKind() == ReduceKind::SumSquare || getKind() == ReduceKind::MeanSquare;
  if (!squares && getOffset())
    return emitOpError("reduces by ")
           << stringifyReduceKind(getKind())
           << " with an offset, which only sum_square and mean_square take "
              "[pe_reduce_c3]";
  if (std::optional<ActivationAttr> act = getActivation();
      act && act->getKind() != ActivationKind::Reciprocal &&
      act->getKind() != ActivationKind::Rsqrt)
    return emitOpError("has activation ")
           << stringifyActivationKind(act->getKind())
           << ", but the PE ends a reduction with reciprocal or rsqrt "
              "[pe_reduce_c4]";
  ArrayRef<int64_t> in = getInput().getType().getShape();
  if (in.size() == 5)
    return failed(verifyElements(*this)) ? failure() : verifyDeepReduce(*this);
  if (failed(verifyImages(*this)))
    return failure();
  if (getOffset() && failed(verifyBroadcast(*this, getOffset().getType(), in,
                                            getExchangeOffset())))
    return failure();
  SmallVector<int64_t> out = getComputedShape(*this);
  if (in[0] != out[0] || in[1] != out[1] || out[3] != 1 ||
      (out[2] != 1 && out[2] != in[2]))
    return emitOpError("reduces ")
           << getInput().getType() << " to " << getType()
           << ", but only the width, or width and height, can go "
              "[pe_reduce_c2]";
  return success();
}

LogicalResult NeProductOp::verify() {
  if (failed(verifyImages(*this)))
    return failure();
  SmallVector<int64_t> shape(getType().getShape());
  shape[1] *= 2;
  if (ArrayRef<int64_t>(shape) != getInput().getType().getShape())
    return emitOpError("multiplies the channels of ")
           << getInput().getType() << " to " << getType()
           << ", but two of them give one [ne_product_c1]";
  return verifyTable(*this, getActivation(), getKernel(), "ne_product_c2");
}

LogicalResult NeReduceOp::verify() {
  if (failed(verifyImages(*this)))
    return failure();
  if (getKind() != ReduceKind::Sum && getKind() != ReduceKind::Max)
    return emitOpError("computes ")
           << stringifyReduceKind(getKind())
           << ", but the NEs reduce channels by sum and max [ne_reduce_c1]";
  SmallVector<int64_t> shape(getInput().getType().getShape());
  shape[1] = 1;
  if (ArrayRef<int64_t>(shape) != getType().getShape())
    return emitOpError("reduces ")
           << getInput().getType() << " to " << getType()
           << ", but only the channels go [ne_reduce_c2]";
  return verifyTable(*this, getActivation(), getKernel(), "ne_reduce_c3");
}

LogicalResult PeNormalizeOp::verify() {
  if (failed(verifyImages(*this)) ||
      failed(verifyPeActivation(*this, getActivation())))
    return failure();
  ArrayRef<int64_t> in = getInput().getType().getShape();
  SmallVector<int64_t> rows =
      computedShape(getRows().getType(), getExchangeRows());
  if (in != getType().getShape() || rows[0] != 1 ||
      rows[1] != (getAllChannels() ? 1 : in[1]) || rows[2] != 2 || rows[3] != 1)
    return emitOpError("takes ")
           << getRows().getType() << " for " << getInput().getType()
           << ", but needs two rows of one number for each channel or for all "
              "[pe_normalize_c1]";
  return success();
}

LogicalResult PeInterleaveOp::verify() {
  if (failed(verifyImages(*this)))
    return failure();
  ArrayRef<int64_t> in = getInput().getType().getShape();
  ArrayRef<int64_t> out = getType().getShape();
  int64_t factor = getFactor();
  if (factor < 1 || factor > maxInterleave || in[0] != out[0] ||
      in[2] != out[2] || in[1] != out[1] * factor || out[3] != in[3] * factor)
    return emitOpError("puts ")
           << factor << " channels of " << getInput().getType()
           << " side by side to " << getType()
           << ", but the channels become fewer and the columns more by a "
              "factor "
              "of 1 to "
           << maxInterleave << " [pe_interleave_c1]";
  return success();
}
