//===- StableHLOVerifiers.cpp - What stablehlo ops must be ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the import relies on: lists have a number for each dimension, and where
// sizes are known, those of the result follow from the others.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::ane::stablehlo;

using Sizes = SmallVector<int64_t>;

/// Numbers and sizes are below this, so that what is computed from them fits.
static constexpr int64_t maxNumber = int64_t(1) << 31;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static int64_t rankOf(Value value) {
  return static_cast<int64_t>(shapeOf(value).size());
}

/// Whether all sizes are known and of use.
static bool isKnown(Operation *op) {
  auto isSmall = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() &&
           llvm::all_of(tensor.getShape(),
                        [](int64_t size) { return size < maxNumber; });
  };
  return llvm::all_of(op->getOperandTypes(), isSmall) &&
         llvm::all_of(op->getResultTypes(), isSmall);
}

static int64_t countOf(Attribute attr) {
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attr))
    return numbers.size();
  if (auto flags = dyn_cast<DenseBoolArrayAttr>(attr))
    return flags.size();
  auto dense = dyn_cast<DenseIntElementsAttr>(attr);
  return dense ? dense.getNumElements() : -1;
}

/// `attr` may be null.
static LogicalResult checkNumbers(Operation *op, Attribute attr, int64_t count,
                                  StringRef what,
                                  int64_t least = 1 - maxNumber) {
  if (!attr)
    return success();
  if (countOf(attr) != count)
    return op->emitOpError("has ")
           << countOf(attr) << " numbers of " << what << ", expected " << count;
  for (int64_t number : numbersOf(attr))
    if (number < least || number >= maxNumber)
      return op->emitOpError("has ")
             << what << " of " << number << ", expected " << least << " to "
             << maxNumber - 1;
  return success();
}

/// `dims` are different dimensions of a tensor of rank `rank`.
static LogicalResult checkDims(Operation *op, ArrayRef<int64_t> dims,
                               int64_t rank, StringRef what) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("has dimension ")
             << dim << " in " << what << ", but the rank is " << rank;
    if (seen[dim])
      return op->emitOpError("has dimension ") << dim << " twice in " << what;
    seen.set(dim);
  }
  return success();
}

static LogicalResult checkResult(Operation *op, ArrayRef<int64_t> expected) {
  if (!isKnown(op))
    return success();
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  if (shape == expected)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("has a result of ");
  llvm::interleave(shape, diagnostic, "x");
  diagnostic << ", expected ";
  llvm::interleave(expected, diagnostic, "x");
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Bounds and conditions may be one number for all.
static LogicalResult checkOneOrAll(Operation *op, Value value, Value like,
                                   StringRef what) {
  if (rankOf(value) == 0 ||
      succeeded(verifyCompatibleShape(value.getType(), like.getType())))
    return success();
  return op->emitOpError("has ")
         << what << " of " << value.getType() << " for " << like.getType();
}

LogicalResult ClampOp::verify() {
  if (failed(checkOneOrAll(*this, getMin(), getOperand(), "a least value")) ||
      failed(checkOneOrAll(*this, getMax(), getOperand(), "a largest value")))
    return failure();
  return checkResult(*this, shapeOf(getOperand()));
}

LogicalResult SelectOp::verify() {
  if (failed(checkOneOrAll(*this, getPred(), getOnTrue(), "a condition")) ||
      failed(
          verifyCompatibleShape(getOnTrue().getType(), getOnFalse().getType())))
    return emitOpError("chooses between tensors of other sizes");
  return checkResult(*this, shapeOf(getOnTrue()));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  int64_t dim = getIotaDimension();
  return checkDims(*this, {dim}, rankOf(getResult()), "dim");
}

LogicalResult BroadcastInDimOp::verify() {
  if (failed(checkNumbers(*this, getBroadcastDimensions(), rankOf(getOperand()),
                          "dims")))
    return failure();
  Sizes dims = numbersOf(getBroadcastDimensions());
  if (failed(checkDims(*this, dims, rankOf(getResult()), "dims")))
    return failure();
  if (isKnown(*this))
    for (auto [dim, size] : llvm::zip_equal(dims, shapeOf(getOperand())))
      if (size != 1 && size != shapeOf(getResult())[dim])
        return emitOpError("repeats ")
               << size << " elements along dimension " << dim << ", which has "
               << shapeOf(getResult())[dim];
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (!isKnown(*this))
    return success();
  int64_t from = cast<ShapedType>(getOperand().getType()).getNumElements(),
          to = cast<ShapedType>(getType()).getNumElements();
  if (from != to)
    return emitOpError("makes ") << to << " elements of " << from;
  return success();
}

LogicalResult TransposeOp::verify() {
  int64_t rank = rankOf(getOperand());
  if (failed(checkNumbers(*this, getPermutation(), rank, "dims")))
    return failure();
  Sizes expected, dims = numbersOf(getPermutation());
  if (failed(checkDims(*this, dims, rank, "dims")))
    return failure();
  for (int64_t dim : dims)
    expected.push_back(shapeOf(getOperand())[dim]);
  return checkResult(*this, expected);
}

LogicalResult SliceOp::verify() {
  int64_t rank = rankOf(getOperand());
  if (failed(checkNumbers(*this, getStartIndices(), rank, "starts", 0)) ||
      failed(checkNumbers(*this, getLimitIndices(), rank, "limits", 0)) ||
      failed(checkNumbers(*this, getStrides(), rank, "strides", 1)))
    return failure();
  if (!isKnown(*this))
    return success();
  Sizes expected;
  for (auto [dim, range] : llvm::enumerate(llvm::zip_equal(
           numbersOf(getStartIndices()), numbersOf(getLimitIndices()),
           numbersOf(getStrides())))) {
    auto [start, limit, stride] = range;
    if (start > limit || limit > shapeOf(getOperand())[dim])
      return emitOpError("takes ")
             << start << " to " << limit << " of dimension " << dim
             << ", which has " << shapeOf(getOperand())[dim] << " elements";
    expected.push_back((limit - start + stride - 1) / stride);
  }
  return checkResult(*this, expected);
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return emitOpError("has no operand");
  Sizes expected(shapeOf(getInputs().front()));
  int64_t along = getDimension();
  if (failed(checkDims(*this, {along}, expected.size(), "dim")))
    return failure();
  if (llvm::any_of(getInputs(), [&](Value input) {
        return rankOf(input) != int64_t(expected.size());
      }))
    return emitOpError("has operands of several ranks");
  if (!isKnown(*this))
    return success();
  expected[along] = 0;
  for (Value input : getInputs()) {
    for (auto [dim, size] : llvm::enumerate(shapeOf(input)))
      if (int64_t(dim) != along && size != expected[dim])
        return emitOpError("has operands of ")
               << size << " and " << expected[dim]
               << " elements along dimension " << dim;
    expected[along] += shapeOf(input)[along];
  }
  return checkResult(*this, expected);
}

LogicalResult PadOp::verify() {
  int64_t rank = rankOf(getOperand());
  if (failed(checkNumbers(*this, getEdgePaddingLow(), rank, "low")) ||
      failed(checkNumbers(*this, getEdgePaddingHigh(), rank, "high")) ||
      failed(checkNumbers(*this, getInteriorPadding(), rank, "interior", 0)))
    return failure();
  if (rankOf(getPaddingValue()) != 0)
    return emitOpError("has a padding value of ")
           << getPaddingValue().getType() << ", expected one number";
  if (!isKnown(*this))
    return success();
  Sizes expected;
  for (auto [size, low, high, interior] : llvm::zip_equal(
           shapeOf(getOperand()), numbersOf(getEdgePaddingLow()),
           numbersOf(getEdgePaddingHigh()), numbersOf(getInteriorPadding())))
    expected.push_back(size + low + high +
                       std::max<int64_t>(size - 1, 0) * interior);
  return checkResult(*this, expected);
}

LogicalResult ReverseOp::verify() {
  if (failed(checkNumbers(*this, getDimensions(), countOf(getDimensions()),
                          "dims")))
    return failure();
  if (countOf(getDimensions()) > rankOf(getOperand()))
    return emitOpError("has more dims than dimensions");
  return checkDims(*this, numbersOf(getDimensions()), rankOf(getOperand()),
                   "dims");
}

/// One number for each dimension, which are of integers.
static LogicalResult checkStarts(Operation *op, ValueRange starts,
                                 int64_t rank) {
  if (int64_t(starts.size()) != rank)
    return op->emitOpError("has ")
           << starts.size() << " starts for " << rank << " dimensions";
  for (Value start : starts)
    if (rankOf(start) != 0 ||
        !isa<IntegerType>(getElementTypeOrSelf(start.getType())))
      return op->emitOpError("has a start of ")
             << start.getType() << ", expected one integer";
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  int64_t rank = rankOf(getOperand());
  if (failed(checkStarts(*this, getStartIndices(), rank)) ||
      failed(checkNumbers(*this, getSliceSizes(), rank, "sizes", 0)))
    return failure();
  Sizes sizes = numbersOf(getSliceSizes());
  if (isKnown(*this))
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (size > shapeOf(getOperand())[dim])
        return emitOpError("takes ")
               << size << " elements of dimension " << dim << ", which has "
               << shapeOf(getOperand())[dim];
  return checkResult(*this, sizes);
}

LogicalResult DynamicUpdateSliceOp::verify() {
  int64_t rank = rankOf(getOperand());
  if (failed(checkStarts(*this, getStartIndices(), rank)))
    return failure();
  if (rankOf(getUpdate()) != rank)
    return emitOpError("puts ")
           << getUpdate().getType() << " into " << getOperand().getType();
  if (isKnown(*this))
    for (auto [has, puts] :
         llvm::zip_equal(shapeOf(getOperand()), shapeOf(getUpdate())))
      if (puts > has)
        return emitOpError("puts ") << puts << " elements into " << has;
  return checkResult(*this, shapeOf(getOperand()));
}

LogicalResult GatherOp::verify() {
  GatherDimensionsAttr dims = getDimensionNumbers();
  int64_t rank = rankOf(getOperand()), result = rankOf(getResult());
  int64_t indices = rankOf(getStartIndices()),
          vector = dims.getIndexVectorDim();
  if (!isa<IntegerType>(getElementTypeOrSelf(getStartIndices().getType())))
    return emitOpError("takes elements at ") << getStartIndices().getType();
  if (vector < 0 || vector > indices)
    return emitOpError("has index_vector_dim ")
           << vector << ", but the rank of its indices is " << indices;
  Sizes gone(dims.getCollapsedSliceDims());
  llvm::append_range(gone, dims.getOperandBatchingDims());
  Sizes batching(dims.getStartIndicesBatchingDims());
  if (failed(checkNumbers(*this, getSliceSizes(), rank, "slice_sizes", 0)) ||
      failed(checkDims(*this, dims.getOffsetDims(), result, "offset_dims")) ||
      failed(checkDims(*this, gone, rank, "dimensions that go")) ||
      failed(
          checkDims(*this, batching, indices, "start_indices_batching_dims")) ||
      failed(
          checkDims(*this, dims.getStartIndexMap(), rank, "start_index_map")))
    return failure();
  if (batching.size() != dims.getOperandBatchingDims().size() ||
      llvm::is_contained(batching, vector))
    return emitOpError("has other batches of indices than of its operand");
  int64_t outer = indices - (vector < indices ? 1 : 0);
  if (int64_t(dims.getOffsetDims().size() + gone.size()) != rank ||
      result != outer + int64_t(dims.getOffsetDims().size()) ||
      !llvm::is_sorted(dims.getOffsetDims()))
    return emitOpError("has dimension_numbers that do not fit its operands");
  if (!isKnown(*this))
    return success();
  Sizes sizes = numbersOf(getSliceSizes()), kept;
  int64_t each = vector < indices ? shapeOf(getStartIndices())[vector] : 1;
  if (each != int64_t(dims.getStartIndexMap().size()))
    return emitOpError("has indices of ")
           << each << " numbers for " << dims.getStartIndexMap().size()
           << " dimensions";
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    bool isGone = llvm::is_contained(gone, int64_t(dim));
    if (size > shapeOf(getOperand())[dim] || (isGone && size != 1))
      return emitOpError("takes ")
             << size << " elements of dimension " << dim << ", which has "
             << shapeOf(getOperand())[dim];
    if (!isGone)
      kept.push_back(size);
  }
  Sizes expected(result, 0);
  for (auto [dim, size] : llvm::zip_equal(dims.getOffsetDims(), kept))
    expected[dim] = size;
  int64_t next = 0;
  for (int64_t dim = 0; dim < indices; ++dim) {
    if (dim == vector)
      continue;
    while (llvm::is_contained(dims.getOffsetDims(), next))
      ++next;
    expected[next++] = shapeOf(getStartIndices())[dim];
  }
  return checkResult(*this, expected);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// A block with arguments of these types that returns `results`.
static LogicalResult checkBlock(Operation *op, Region &region,
                                TypeRange arguments, TypeRange results,
                                StringRef what) {
  Block &block = region.front();
  if (TypeRange(block.getArgumentTypes()) != arguments)
    return op->emitOpError("has ") << what << " with other arguments";
  auto end = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!end || TypeRange(end->getOperandTypes()) != results)
    return op->emitOpError("has ") << what << " that returns other values";
  return success();
}

LogicalResult CaseOp::verify() {
  if (rankOf(getIndex()) != 0 ||
      !getElementTypeOrSelf(getIndex().getType()).isInteger(32))
    return emitOpError("chooses by ") << getIndex().getType();
  if (getBranches().empty())
    return emitOpError("has no branch");
  for (Region &branch : getBranches())
    if (failed(checkBlock(*this, branch, {}, getResultTypes(), "a branch")))
      return failure();
  return success();
}

LogicalResult IfOp::verify() {
  if (rankOf(getPred()) != 0 ||
      !getElementTypeOrSelf(getPred().getType()).isInteger(1))
    return emitOpError("chooses by ") << getPred().getType();
  for (Region *branch : {&getTrueBranch(), &getFalseBranch()})
    if (failed(checkBlock(*this, *branch, {}, getResultTypes(), "a branch")))
      return failure();
  return success();
}

LogicalResult WhileOp::verify() {
  TypeRange types = getInits().getTypes();
  Type flag =
      RankedTensorType::get({}, IntegerType::get(getContext(), /*width=*/1));
  if (TypeRange(getResultTypes()) != types)
    return emitOpError("has results of other types than its operands");
  if (failed(checkBlock(*this, getCond(), types, flag, "a condition")) ||
      failed(checkBlock(*this, getBody(), types, types, "a body")))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  ArrayRef<int64_t> lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs());
  if (lhs.empty() || rhs.empty() || lhs.size() > 2 || rhs.size() > 2)
    return emitOpError("multiplies ")
           << getLhs().getType() << " and " << getRhs().getType()
           << ", expected vectors or matrices";
  if (!isKnown(*this))
    return success();
  if (lhs.back() != rhs.front())
    return emitOpError("sums up ") << lhs.back() << " products on the left and "
                                   << rhs.front() << " on the right";
  Sizes expected(lhs.drop_back());
  llvm::append_range(expected, rhs.drop_front());
  return checkResult(*this, expected);
}

LogicalResult DotGeneralOp::verify() {
  DotDimensionsAttr dims = getDotDimensionNumbers();
  ArrayRef<int64_t> lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs());
  Sizes ofLhs(dims.getLhsBatching()), ofRhs(dims.getRhsBatching());
  size_t batches = ofLhs.size();
  llvm::append_range(ofLhs, dims.getLhsContracting());
  llvm::append_range(ofRhs, dims.getRhsContracting());
  if (failed(checkDims(*this, ofLhs, lhs.size(), "those of the left side")) ||
      failed(checkDims(*this, ofRhs, rhs.size(), "those of the right side")))
    return failure();
  if (batches != dims.getRhsBatching().size() || ofLhs.size() != ofRhs.size())
    return emitOpError("has other numbers of dimensions on its sides");
  if (!isKnown(*this))
    return success();
  Sizes expected;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(ofLhs, ofRhs))) {
    int64_t left = lhs[std::get<0>(pair)], right = rhs[std::get<1>(pair)];
    if (left != right)
      return emitOpError("has ")
             << left << " elements along dimension " << std::get<0>(pair)
             << " of the left side, but " << right << " along dimension "
             << std::get<1>(pair) << " of the right one";
    if (i < batches)
      expected.push_back(left);
  }
  for (auto [i, size] : llvm::enumerate(lhs))
    if (!llvm::is_contained(ofLhs, int64_t(i)))
      expected.push_back(size);
  for (auto [i, size] : llvm::enumerate(rhs))
    if (!llvm::is_contained(ofRhs, int64_t(i)))
      expected.push_back(size);
  return checkResult(*this, expected);
}

/// How many windows there are along a dimension.
static int64_t countWindows(int64_t size, int64_t low, int64_t high,
                            int64_t base, int64_t window, int64_t dilation,
                            int64_t stride) {
  int64_t padded = low + high + (size ? (size - 1) * base + 1 : 0);
  int64_t extent = window ? (window - 1) * dilation + 1 : 0;
  return padded < extent ? 0 : (padded - extent) / stride + 1;
}

LogicalResult ConvolutionOp::verify() {
  ConvDimensionsAttr dims = getDimensionNumbers();
  int64_t count = dims.getInputSpatial().size();
  auto check = [&](Value value, int64_t first, int64_t second,
                   ArrayRef<int64_t> spatial, StringRef what) {
    Sizes all = {first, second};
    llvm::append_range(all, spatial);
    if (int64_t(spatial.size()) != count || rankOf(value) != count + 2)
      return LogicalResult(emitOpError("has ")
                           << what << " of " << value.getType()
                           << ", but dim_numbers name " << spatial.size() + 2
                           << " dimensions of it and " << count
                           << " spatial ones of the image");
    return checkDims(*this, all, count + 2, "dim_numbers");
  };
  if (failed(check(getLhs(), dims.getInputBatch(), dims.getInputFeature(),
                   dims.getInputSpatial(), "an image")) ||
      failed(check(getRhs(), dims.getKernelInput(), dims.getKernelOutput(),
                   dims.getKernelSpatial(), "a weight")) ||
      failed(check(getResult(), dims.getOutputBatch(), dims.getOutputFeature(),
                   dims.getOutputSpatial(), "a result")) ||
      failed(checkNumbers(*this, getWindowStridesAttr(), count, "stride", 1)) ||
      failed(checkNumbers(*this, getPaddingAttr(), 2 * count, "pad")) ||
      failed(
          checkNumbers(*this, getLhsDilationAttr(), count, "lhs_dilate", 1)) ||
      failed(
          checkNumbers(*this, getRhsDilationAttr(), count, "rhs_dilate", 1)) ||
      failed(checkNumbers(*this, getWindowReversalAttr(), count, "reverse")))
    return failure();
  int64_t groups = getFeatureGroupCount(), batches = getBatchGroupCount();
  if (groups < 1 || batches < 1)
    return emitOpError("has ") << groups << " groups of features and "
                               << batches << " of images, expected at least 1";
  if (!isKnown(*this))
    return success();
  ArrayRef<int64_t> image = shapeOf(getLhs()), weight = shapeOf(getRhs());
  int64_t inputs = image[dims.getInputFeature()],
          outputs = weight[dims.getKernelOutput()];
  if (weight[dims.getKernelInput()] * groups != inputs || outputs % groups ||
      image[dims.getInputBatch()] % batches || outputs % batches)
    return emitOpError("has ")
           << inputs << " input and " << outputs << " output features in "
           << groups << " groups, but a weight for "
           << weight[dims.getKernelInput()] << " input features";
  Sizes expected(count + 2),
      strides = numbersOf(getWindowStridesAttr(), count, 1),
      pad = numbersOf(getPaddingAttr(), 2 * count),
      base = numbersOf(getLhsDilationAttr(), count, 1),
      dilation = numbersOf(getRhsDilationAttr(), count, 1);
  expected[dims.getOutputBatch()] = image[dims.getInputBatch()] / batches;
  expected[dims.getOutputFeature()] = outputs;
  for (int64_t i = 0; i < count; ++i)
    expected[dims.getOutputSpatial()[i]] = countWindows(
        image[dims.getInputSpatial()[i]], pad[2 * i], pad[2 * i + 1], base[i],
        weight[dims.getKernelSpatial()[i]], dilation[i], strides[i]);
  return checkResult(*this, expected);
}

LogicalResult BatchNormInferenceOp::verify() {
  int64_t feature = getFeatureIndex();
  if (failed(
          checkDims(*this, {feature}, rankOf(getOperand()), "feature_index")))
    return failure();
  for (Value each : {getScale(), getOffset(), getMean(), getVariance()})
    if (rankOf(each) != 1 ||
        (isKnown(*this) && shapeOf(each)[0] != shapeOf(getOperand())[feature]))
      return emitOpError("has ") << each.getType() << " for the features of "
                                 << getOperand().getType();
  return checkResult(*this, shapeOf(getOperand()));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The part that all reductions have: tensors of one shape, a number for each,
/// and as many results.
static LogicalResult checkReduced(Operation *op, ValueRange inputs,
                                  ValueRange inits) {
  if (inputs.empty() || op->getNumResults() != inputs.size())
    return op->emitOpError("has ")
           << inputs.size() << " tensors and " << op->getNumResults()
           << " results, expected as many, and at least one";
  for (auto [input, init] : llvm::zip_equal(inputs, inits)) {
    if (failed(verifyCompatibleShape(input.getType(), inputs[0].getType())))
      return op->emitOpError("reduces tensors of other sizes");
    if (rankOf(init) != 0)
      return op->emitOpError("starts with ")
             << init.getType() << ", expected one number";
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(checkReduced(*this, getInputs(), getInitValues())))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getInputs()[0]);
  if (countOf(getDimensions()) > int64_t(shape.size()))
    return emitOpError("has more dimensions than its operand");
  if (failed(checkNumbers(*this, getDimensions(), countOf(getDimensions()),
                          "dimensions")))
    return failure();
  Sizes expected, dims = numbersOf(getDimensions());
  if (failed(checkDims(*this, dims, shape.size(), "dimensions")))
    return failure();
  for (auto [i, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(i)))
      expected.push_back(size);
  return checkResult(*this, expected);
}

LogicalResult ReduceWindowOp::verify() {
  if (failed(checkReduced(*this, getInputs(), getInitValues())))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getInputs()[0]);
  int64_t rank = shape.size();
  if (failed(checkNumbers(*this, getWindowDimensions(), rank,
                          "window_dimensions", 1)) ||
      failed(checkNumbers(*this, getWindowStridesAttr(), rank, "window_strides",
                          1)) ||
      failed(checkNumbers(*this, getBaseDilationsAttr(), rank, "base_dilations",
                          1)) ||
      failed(checkNumbers(*this, getWindowDilationsAttr(), rank,
                          "window_dilations", 1)) ||
      failed(checkNumbers(*this, getPaddingAttr(), 2 * rank, "padding")))
    return failure();
  if (!isKnown(*this))
    return success();
  Sizes expected, window = numbersOf(getWindowDimensions()),
                  strides = numbersOf(getWindowStridesAttr(), rank, 1),
                  base = numbersOf(getBaseDilationsAttr(), rank, 1),
                  dilations = numbersOf(getWindowDilationsAttr(), rank, 1),
                  pad = numbersOf(getPaddingAttr(), 2 * rank);
  for (int64_t i = 0; i < rank; ++i)
    expected.push_back(countWindows(shape[i], pad[2 * i], pad[2 * i + 1],
                                    base[i], window[i], dilations[i],
                                    strides[i]));
  return checkResult(*this, expected);
}

LogicalResult SelectAndScatterOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getOperand());
  int64_t rank = shape.size();
  if (rankOf(getInitValue()) != 0)
    return emitOpError("starts with ")
           << getInitValue().getType() << ", expected one number";
  if (failed(checkNumbers(*this, getWindowDimensions(), rank,
                          "window_dimensions", 1)) ||
      failed(checkNumbers(*this, getWindowStridesAttr(), rank, "window_strides",
                          1)) ||
      failed(checkNumbers(*this, getPaddingAttr(), 2 * rank, "padding")))
    return failure();
  for (Region *region : getRegions())
    if (region->getNumArguments() != 2)
      return emitOpError("has a body of ")
             << region->getNumArguments() << " arguments, expected 2";
  if (!isKnown(*this))
    return success();
  Sizes expected, window = numbersOf(getWindowDimensions()),
                  strides = numbersOf(getWindowStridesAttr(), rank, 1),
                  pad = numbersOf(getPaddingAttr(), 2 * rank);
  for (int64_t i = 0; i < rank; ++i)
    expected.push_back(countWindows(shape[i], pad[2 * i], pad[2 * i + 1],
                                    /*base=*/1, window[i], /*dilation=*/1,
                                    strides[i]));
  if (shapeOf(getSource()) != ArrayRef<int64_t>(expected)) {
    InFlightDiagnostic diagnostic = emitOpError("scatters ");
    llvm::interleave(shapeOf(getSource()), diagnostic, "x");
    diagnostic << " numbers, but has windows of ";
    llvm::interleave(expected, diagnostic, "x");
    return diagnostic;
  }
  return checkResult(*this, shape);
}

LogicalResult SortOp::verify() {
  if (getInputs().empty() || getNumResults() != getInputs().size())
    return emitOpError("has ")
           << getInputs().size() << " tensors and " << getNumResults()
           << " results, expected as many, and at least one";
  int64_t rank = rankOf(getInputs()[0]), dim = getDimension().value_or(-1);
  if (dim < -rank || dim >= rank)
    return emitOpError("sorts dimension ") << dim << " of rank " << rank;
  SmallVector<Type> arguments;
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults())) {
    if (failed(
            verifyCompatibleShape(input.getType(), getInputs()[0].getType())) ||
        input.getType() != result.getType())
      return emitOpError("has tensors of other sizes");
    arguments.append(
        2, RankedTensorType::get({}, getElementTypeOrSelf(input.getType())));
  }
  Type flag =
      RankedTensorType::get({}, IntegerType::get(getContext(), /*width=*/1));
  return checkBlock(*this, getComparator(), arguments, flag, "a comparator");
}

LogicalResult mlir::ane::chlo::TopKOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getOperand());
  int64_t k = getKAttr().getInt();
  if (shape.empty() || k < 1 ||
      (!ShapedType::isDynamic(shape.back()) && k > shape.back()))
    return emitOpError("finds ")
           << k << " elements of " << getOperand().getType();
  Sizes expected(shape);
  expected.back() = k;
  for (Value result : {getValues(), getIndices()})
    if (isKnown(*this) && shapeOf(result) != ArrayRef<int64_t>(expected))
      return emitOpError("has a result of ")
             << result.getType() << " for " << k << " elements of "
             << getOperand().getType();
  return success();
}
