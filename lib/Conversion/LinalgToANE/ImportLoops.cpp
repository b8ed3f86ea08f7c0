//===- ImportLoops.cpp - linalg ops by their maps and bodies --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg op is a nest of loops: maps say which element of each operand an
// iteration sees, a body of scalar ops says what it computes. Here every
// operand becomes a tensor with one dimension for each loop (1 where its map
// does not name the loop), and the scalar ops of the body become ops on such
// tensors.
//
//   parallel loops only     an elementwise op, a broadcast, a transpose, a fill
//   acc op f(inputs)        f as above, then a reduction over the other loops
//   acc + a * b             a matrix multiplication, if the loops allow it
//   the larger of acc and x, and its place (ImportSearch.cpp)
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"
#include "KnownScalars.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

/// The loop that each dimension of an operand follows; none for a constant 0.
/// Nothing at all if the map is more complicated than that.
static std::optional<DimLoops> loopsOf(AffineMap map) {
  DimLoops loops;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops.push_back(dim.getPosition());
    else if (auto zero = dyn_cast<AffineConstantExpr>(expr);
             zero && zero.getValue() == 0)
      loops.push_back(std::nullopt);
    else
      return std::nullopt;
  }
  return loops;
}

static LogicalResult emitMapError(Operation *op, AffineMap map) {
  return op->emitOpError("has the indexing map ")
         << AffineMapAttr::get(map)
         << ", but only maps that name every loop at most once can be imported";
}

namespace {
/// The elements of an operand that a map reads, where it reads every n-th one
/// from some place on, and the map by which these follow the loops.
struct Steps {
  AffineMap map;
  SmallVector<int64_t> offsets, sizes, strides;
};
} // namespace

static Steps stepsOf(AffineMap map, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> ranges) {
  unsigned loops = map.getNumDims(), rank = map.getNumResults();
  Steps steps{map, SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(shape),
              SmallVector<int64_t>(rank, 1)};
  SmallVector<AffineExpr> exprs(map.getResults());
  for (auto [dim, expr] : llvm::enumerate(exprs)) {
    SmallVector<int64_t> factors; // of each loop, and a number
    if (isa<AffineDimExpr>(expr) ||
        failed(
            getFlattenedAffineExpr(expr, loops, /*numSymbols=*/0, &factors)) ||
        factors.size() != loops + 1 || factors[loops] < 0)
      continue;
    int64_t offset = factors.pop_back_val();
    auto isUsed = [](int64_t factor) { return factor != 0; };
    auto *used = llvm::find_if(factors, isUsed);
    bool isNumber = used == factors.end();
    if (!isNumber && (*used < 0 || llvm::count_if(factors, isUsed) > 1))
      continue;
    steps.offsets[dim] = offset;
    steps.sizes[dim] = isNumber ? 1 : ranges[used - factors.begin()];
    steps.strides[dim] = isNumber ? 1 : *used;
    expr = isNumber
               ? getAffineConstantExpr(0, map.getContext())
               : getAffineDimExpr(used - factors.begin(), map.getContext());
  }
  steps.map = AffineMap::get(loops, /*symbolCount=*/0, exprs, map.getContext());
  return steps;
}

Value mlir::ane::spreadToLoops(FunctionImporter &importer, Location loc,
                               Value value,
                               ArrayRef<std::optional<unsigned>> loops,
                               unsigned numLoops) {
  SmallVector<int64_t> perm, shape(numLoops, 1);
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    perm.push_back(dim);
    if (loop)
      shape[*loop] = shapeOf(value)[dim];
  }
  llvm::sort(perm, [&](int64_t a, int64_t b) {
    return std::pair(loops[a].value_or(0), a) <
           std::pair(loops[b].value_or(0), b);
  });
  return importer.reshape(loc, importer.transpose(loc, value, perm), shape);
}

FailureOr<Value> mlir::ane::toLoops(FunctionImporter &importer,
                                    linalg::LinalgOp op, Value value,
                                    AffineMap map) {
  Steps steps = stepsOf(map, shapeOf(value), op.getStaticLoopRanges());
  value = sliced(importer.builder, op.getLoc(), value, steps.offsets,
                 steps.sizes, steps.strides);
  auto loops = loopsOf(steps.map);
  if (!loops)
    return emitMapError(op, map);
  SmallVector<bool> isNamed(map.getNumDims(), false);
  for (auto [dim, loop] : llvm::enumerate(*loops)) {
    if (shapeOf(value)[dim] == 1)
      loop = std::nullopt;
    if (loop && std::exchange(isNamed[*loop], true))
      return emitMapError(op, map);
  }
  return spreadToLoops(importer, op->getLoc(), value, *loops, map.getNumDims());
}

FailureOr<Value> mlir::ane::fromLoops(FunctionImporter &importer, Operation *op,
                                      Value value, AffineMap map, Type type) {
  auto loops = loopsOf(map);
  if (!loops)
    return emitMapError(op, map);
  // A dimension that follows no loop has size 1: a reduction keeps its rank.
  SmallVector<int64_t> perm;
  for (auto loop : *loops)
    if (loop && llvm::is_contained(perm, *loop))
      return emitMapError(op, map);
    else if (loop)
      perm.push_back(*loop);
  // Loops that were reduced have size 1; they matter only to a permutation.
  if (!llvm::is_sorted(perm)) {
    for (int64_t loop = 0, e = map.getNumDims(); loop != e; ++loop)
      if (!llvm::is_contained(perm, loop))
        perm.push_back(loop);
    value = importer.transpose(op->getLoc(), value, perm);
  }
  return importer.reshape(op->getLoc(), value,
                          cast<RankedTensorType>(type).getShape());
}

LogicalResult mlir::ane::mapInputs(FunctionImporter &importer,
                                   linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(input);
    if (arg.use_empty())
      continue;
    if (!isa<TensorType>(input->get().getType())) {
      std::optional<double> number = FunctionImporter::splat(input->get());
      if (!number)
        return op->emitOpError("reads a scalar that is not a constant, but the "
                               "engine knows tensors only");
      auto type =
          RankedTensorType::get(SmallVector<int64_t>(op.getNumLoops(), 1),
                                importer.builder.getF32Type());
      Value constant = ConstantOp::create(
          importer.builder, op.getLoc(),
          DenseElementsAttr::get(type, static_cast<float>(*number)));
      importer.map(arg, constant);
      continue;
    }
    FailureOr<Value> value = importer.operand(op, input->getOperandNumber());
    if (failed(value))
      return failure();
    FailureOr<Value> moved =
        toLoops(importer, op, *value, op.getMatchingIndexingMap(input));
    if (failed(moved))
      return failure();
    importer.map(arg, *moved);
  }
  return success();
}

Value mlir::ane::expand(FunctionImporter &importer, Location loc, Value value,
                        ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  auto type = withShape(value.getType(), shape);
  auto zero = importer.builder.getFloatAttr(type.getElementType(), 0.0);
  Value zeros = ConstantOp::create(
      importer.builder, loc, DenseElementsAttr::get(type, Attribute(zero)));
  return createBinary(importer, loc, ElementwiseKind::Add, value, zeros);
}

/// The ops of a body that are not known, but for `except`.
static LogicalResult importBody(FunctionImporter &importer, linalg::LinalgOp op,
                                const KnownScalars &known, Operation *except) {
  for (Operation &inner : op.getBlock()->without_terminator())
    if (&inner != except && !known.contains(inner) &&
        failed(importer.importScalar(&inner, op.getNumLoops())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

static LogicalResult importParallel(FunctionImporter &importer,
                                    linalg::LinalgOp op) {
  if (failed(mapInputs(importer, op)))
    return failure();
  // An op that reads its destination computes in place.
  for (OpOperand &init : op.getDpsInitsMutable()) {
    BlockArgument arg = op.getMatchingBlockArgument(&init);
    if (arg.use_empty())
      continue;
    Value before = importer.lookup(init.get());
    if (!before)
      return op->emitOpError("reads its destination, which holds nothing; fill "
                             "it first");
    FailureOr<Value> moved =
        toLoops(importer, op, before, op.getMatchingIndexingMap(&init));
    if (failed(moved))
      return failure();
    importer.map(arg, *moved);
  }
  Block &body = *op.getBlock();
  KnownScalars known(importer, op);
  if (Value sampled = importSampling(importer, op, known))
    importer.map(body.getTerminator()->getOperand(0), sampled);
  else if (failed(importBody(importer, op, known, /*except=*/nullptr)))
    return failure();
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  for (auto [i, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    Value value = importer.lookup(yielded);
    if (!value)
      return op->emitOpError("yields a ")
             << yielded.getType() << ", but only f32 and f16 can be imported";
    // A scalar constant that is yielded as it is has no rank yet.
    if (shapeOf(value).empty())
      value = importer.reshape(op.getLoc(), value,
                               SmallVector<int64_t>(shape.size(), 1));
    value = expand(importer, op.getLoc(), value, shape);
    OpOperand *init = op.getDpsInitOperand(i);
    FailureOr<Value> result =
        fromLoops(importer, op, value, op.getMatchingIndexingMap(init),
                  op->getResult(i).getType());
    if (failed(result))
      return failure();
    importer.map(op->getResult(i), *result);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::optional<Combiner> mlir::ane::combinerOf(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Operation *combine = body.getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument acc = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  if (!combine || combine->getNumOperands() != 2 || !acc.hasOneUse())
    return std::nullopt;
  Value lhs = combine->getOperand(0), rhs = combine->getOperand(1);
  if (lhs != acc && rhs != acc)
    return std::nullopt;
  Value value = lhs == acc ? rhs : lhs;
  if (isa<arith::AddFOp>(combine))
    return Combiner{ReduceKind::Sum, ElementwiseKind::Add, combine, value};
  if (isa<arith::MulFOp>(combine))
    return Combiner{std::nullopt, ElementwiseKind::Mul, combine, value};
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combine))
    return Combiner{ReduceKind::Max, ElementwiseKind::Max, combine, value};
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(combine))
    return Combiner{ReduceKind::Min, ElementwiseKind::Min, combine, value};
  // Booleans: all and any.
  if (isa<arith::AndIOp>(combine) && value.getType().isInteger(1))
    return Combiner{ReduceKind::Min, ElementwiseKind::Min, combine, value};
  if (isa<arith::OrIOp>(combine) && value.getType().isInteger(1))
    return Combiner{ReduceKind::Max, ElementwiseKind::Max, combine, value};
  return std::nullopt;
}

static LogicalResult finishReduction(FunctionImporter &importer,
                                     linalg::LinalgOp op, Value result,
                                     ElementwiseKind kind) {
  OpOperand *init = op.getDpsInitOperand(0);
  FailureOr<Value> moved =
      fromLoops(importer, op, result, op.getMatchingIndexingMap(init),
                op->getResult(0).getType());
  if (failed(moved))
    return failure();
  return mapWithInit(importer, op, *moved, kind);
}

static LogicalResult importReduction(FunctionImporter &importer,
                                     linalg::LinalgOp op) {
  std::optional<Combiner> combiner = combinerOf(op);
  if (!combiner)
    return op->emitOpError("reduces by a body that is not a sum, a product, a "
                           "maximum or a minimum, which is all that can be "
                           "imported");
  if (failed(mapInputs(importer, op)))
    return failure();
  // What is reduced; the combining op itself has no meaning for one element.
  if (failed(
          importBody(importer, op, KnownScalars(importer, op), combiner->op)))
    return failure();
  Value value = importer.lookup(combiner->value);
  if (!value)
    return op->emitOpError("reduces a ")
           << combiner->value.getType()
           << ", but only f32 and f16 can be imported";
  value = expand(importer, op.getLoc(), value, op.getStaticLoopRanges());
  SmallVector<int64_t> axes, shape(shapeOf(value));
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction) {
      axes.push_back(loop);
      shape[loop] = 1;
    }
  FailureOr<Value> result = value;
  if (combiner->kind)
    result = Value(ReduceOp::create(importer.builder, op.getLoc(),
                                    withShape(value.getType(), shape),
                                    *combiner->kind, value, axes));
  else
    for (int64_t axis : axes)
      if (succeeded(result))
        result = multiplyAlong(importer, op, *result, axis);
  if (failed(result))
    return failure();
  return finishReduction(importer, op, *result, combiner->elementwise);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

bool mlir::ane::isMultiplyAdd(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  std::optional<Combiner> combiner = combinerOf(op);
  if (!combiner || combiner->kind != ReduceKind::Sum)
    return false;
  auto product = combiner->value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  // Sums may be of a wider type.
  auto source = [](Value value) {
    while (auto wider = value.getDefiningOp<arith::ExtFOp>())
      value = wider.getIn();
    return value;
  };
  Value lhs = source(product.getLhs()), rhs = source(product.getRhs());
  Value x = op.getBlock()->getArgument(0), y = op.getBlock()->getArgument(1);
  return (lhs == x && rhs == y) || (lhs == y && rhs == x);
}

/// The loops of a matrix multiplication, of which rows or columns may be
/// missing; nothing for another sum of products. (inferContractionDims wants
/// both, and a map for each operand that has no strides.)
static std::optional<linalg::ContractionDimensions>
contractionOf(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    maps.push_back(stepsOf(op.getMatchingIndexingMap(&operand),
                           op.getShape(&operand), op.getStaticLoopRanges())
                       .map);
    if (!maps.back().isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
  }
  linalg::ContractionDimensions dims;
  for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop) {
    bool inLhs = maps[0].isFunctionOfDim(loop);
    bool inRhs = maps[1].isFunctionOfDim(loop);
    bool inResult = maps[2].isFunctionOfDim(loop);
    if (inLhs + inRhs + inResult < 2)
      return std::nullopt;
    (!inResult ? dims.k
     : !inRhs  ? dims.m
     : !inLhs  ? dims.n
               : dims.batch)
        .push_back(loop);
  }
  // Products of rows, one by one, are no matrix.
  if (dims.m.empty() && dims.n.empty() && !dims.batch.empty())
    return std::nullopt;
  return dims;
}

/// `value`, with one dimension for each loop, as batch x rows x columns.
static Value toMatrix(FunctionImporter &importer, Location loc, Value value,
                      ArrayRef<unsigned> batch, ArrayRef<unsigned> rows,
                      ArrayRef<unsigned> columns) {
  SmallVector<int64_t> perm, shape;
  for (ArrayRef<unsigned> group : {batch, rows, columns}) {
    int64_t size = 1;
    for (unsigned loop : group) {
      perm.push_back(loop);
      size *= shapeOf(value)[loop];
    }
    shape.push_back(size);
  }
  for (int64_t loop = 0, e = shapeOf(value).size(); loop != e; ++loop)
    if (!llvm::is_contained(perm, loop))
      perm.push_back(loop); // of size 1
  if (!llvm::is_sorted(perm))
    value = importer.transpose(loc, value, perm);
  return importer.reshape(loc, value, shape);
}

static LogicalResult
importContraction(FunctionImporter &importer, linalg::LinalgOp op,
                  const linalg::ContractionDimensions &dims) {
  if (failed(mapInputs(importer, op)))
    return failure();
  Location loc = op.getLoc();
  Value lhs = importer.lookup(op.getBlock()->getArgument(0));
  Value rhs = importer.lookup(op.getBlock()->getArgument(1));
  lhs = toMatrix(importer, loc, lhs, dims.batch, dims.m, dims.k);
  rhs = toMatrix(importer, loc, rhs, dims.batch, dims.k, dims.n);
  auto type =
      RankedTensorType::get({shapeOf(lhs)[0], shapeOf(lhs)[1], shapeOf(rhs)[2]},
                            FunctionImporter::elementType({lhs, rhs}));
  Value product = MatmulOp::create(importer.builder, loc, type, lhs, rhs,
                                   /*transpose_lhs=*/false,
                                   /*transpose_rhs=*/false, ActivationAttr());
  // Back to one dimension for each loop, in the order batch, m, n, k first.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), order, shape;
  for (ArrayRef<unsigned> group :
       {ArrayRef(dims.batch), ArrayRef(dims.m), ArrayRef(dims.n)})
    for (unsigned loop : group) {
      order.push_back(loop);
      shape.push_back(ranges[loop]);
    }
  for (unsigned loop : dims.k) {
    order.push_back(loop);
    shape.push_back(1);
  }
  product = importer.reshape(loc, product, shape);
  SmallVector<int64_t> perm(order.size());
  for (auto [from, loop] : llvm::enumerate(order))
    perm[loop] = from;
  if (!llvm::is_sorted(perm))
    product = importer.transpose(loc, product, perm);
  return finishReduction(importer, op, product, ElementwiseKind::Add);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static LogicalResult importLoops(FunctionImporter &importer,
                                 linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op->emitOpError("works on memory; import the network before "
                           "bufferization");
  if (op.getNumParallelLoops() == op.getNumLoops())
    return importParallel(importer, op);
  FailureOr<bool> isSearch = importSearch(importer, op);
  if (failed(isSearch) || *isSearch)
    return success(succeeded(isSearch));
  FailureOr<bool> isWindow = importWindow(importer, op);
  if (failed(isWindow) || *isWindow)
    return success(succeeded(isWindow));
  if (op.getNumParallelLoops() + op.getNumReductionLoops() !=
          op.getNumLoops() ||
      op.getNumDpsInits() != 1)
    return op->emitOpError("has loops or results that cannot be imported: it "
                           "must be elementwise or one reduction");
  if (auto why = whyNotFloats(op))
    return op->emitOpError(*why);
  if (isMultiplyAdd(op)) {
    if (std::optional<linalg::ContractionDimensions> dims = contractionOf(op))
      return importContraction(importer, op, *dims);
  }
  return importReduction(importer, op);
}

static LogicalResult importSoftmax(FunctionImporter &importer,
                                   linalg::SoftmaxOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op->getResult(0),
               SoftmaxOp::create(importer.builder, op.getLoc(),
                                 input->getType(), *input, op.getDimension()));
  return success();
}

/// The number of an iteration along one loop: a constant row.
static LogicalResult importIndex(FunctionImporter &importer,
                                 linalg::IndexOp op) {
  auto loops = op->getParentOfType<linalg::LinalgOp>();
  int64_t count = loops.getStaticLoopRanges()[op.getDim()];
  constexpr int64_t maxExact = 1 << 24; // whole numbers in f32
  if (count > maxExact)
    return op.emitOpError("numbers ")
           << count << " iterations, but only " << maxExact
           << " numbers are exact in f32; split the loop";
  SmallVector<int64_t> shape(loops.getNumLoops(), 1);
  shape[op.getDim()] = count;
  SmallVector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  importer.map(
      op, ConstantOp::create(importer.builder, op.getLoc(),
                             DenseElementsAttr::get(type, ArrayRef(numbers))));
  return success();
}

void mlir::ane::addLinalgLoopImport(FunctionImporter &importer) {
  addExtractImport(importer);
  importer.add<linalg::IndexOp>(importIndex);
  importer.add<linalg::SoftmaxOp>(importSoftmax);
  importer.addInterface<linalg::LinalgOp>(importLoops);
}
