//===- TaskBuilder.cpp - Memrefs, views and tasks -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskBuilder.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/LookupTable.h"

using namespace mlir;
using namespace mlir::ane;

TaskBuilder::TaskBuilder(func::FuncOp func)
    : head(func.getContext()), tail(func.getContext()) {
  head.setInsertionPointToStart(&func.front());
  tail.setInsertionPoint(func.front().getTerminator());
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

MemRefType TaskBuilder::memrefType(ArrayRef<int64_t> shape, MemorySpace space,
                                   Type element) const {
  MLIRContext *context = tail.getContext();
  return MemRefType::get(shape, element ? element : Float16Type::get(context),
                         AffineMap(), MemorySpaceAttr::get(context, space));
}

Value TaskBuilder::makeBuffer(Location loc, ArrayRef<int64_t> shape,
                              Type element) {
  return BufferOp::create(
      head, loc, memrefType(shape, MemorySpace::Dram, element), IntegerAttr());
}

Value TaskBuilder::makeL2Buffer(Location loc, ArrayRef<int64_t> shape) {
  return L2BufferOp::create(head, loc, memrefType(shape, MemorySpace::L2));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static MemRefType withShape(Value memref, ArrayRef<int64_t> shape) {
  return cast<MemRefType>(cast<MemRefType>(memref.getType()).clone(shape));
}

static Value makeSubview(OpBuilder &builder, Location loc, Value source,
                         ArrayRef<int64_t> offsets, ArrayRef<int64_t> shape) {
  if (shapeOf(source) == shape)
    return source;
  return SubviewOp::create(builder, loc, withShape(source, shape), source,
                           offsets);
}

Value TaskBuilder::subview(Location loc, Value source,
                           ArrayRef<int64_t> offsets, ArrayRef<int64_t> shape) {
  return makeSubview(tail, loc, source, offsets, shape);
}

Value TaskBuilder::part(Location loc, Value source, ArrayRef<int64_t> offsets,
                        ArrayRef<int64_t> shape) {
  return makeSubview(head, loc, source, offsets, shape);
}

Value TaskBuilder::stridedView(Location loc, Value source,
                               ArrayRef<int64_t> offsets,
                               ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> strides) {
  if (llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
    return subview(loc, source, offsets, shape);
  return SubviewOp::create(tail, loc, withShape(source, shape), source,
                           tail.getDenseI64ArrayAttr(offsets),
                           tail.getDenseI64ArrayAttr(strides));
}

Value TaskBuilder::permute(Location loc, Value source, ArrayRef<int64_t> perm) {
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return source;
  SmallVector<int64_t> shape;
  for (int64_t dim : perm)
    shape.push_back(shapeOf(source)[dim]);
  return PermuteViewOp::create(tail, loc, withShape(source, shape), source,
                               perm);
}

Value TaskBuilder::reshapeView(Location loc, Value source,
                               ArrayRef<int64_t> shape) {
  return ReshapeViewOp::create(tail, loc, withShape(source, shape), source);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

TaskResults TaskBuilder::task(Location loc, const TaskSpec &spec,
                              Compute compute) {
  auto inL2 = [&](Value memref) {
    return memrefType(shapeOf(memref), MemorySpace::L2,
                      getElementTypeOrSelf(memref));
  };
  MemRefType type = inL2(spec.sources.front().value);
  if (!spec.shape.empty())
    type = memrefType(spec.shape, MemorySpace::L2, spec.element);
  else if (spec.target)
    type = inL2(spec.target);
  SmallVector<Type> types;
  if (!spec.target)
    types.push_back(type);
  for (const TaskSource &source : spec.sources)
    if (source.keeps)
      types.push_back(inL2(source.value));
  auto op = TaskOp::create(tail, loc, types);
  OpBuilder body = OpBuilder::atBlockBegin(&op.getBody().front());
  SmallVector<Value> tiles, left;
  for (const TaskSource &source : spec.sources) {
    tiles.push_back(source.value);
    // x + x reads x twice, as two sources.
    if (!isInSpace(source.value.getType(), MemorySpace::L2))
      tiles.back() = DmaLoadOp::create(
          body, loc, inL2(source.value), source.value,
          source.keeps ? Residency::Kept : Residency::Streamed);
    if (source.keeps)
      left.push_back(tiles.back());
  }
  Value result = compute(body, tiles, type);
  if (!spec.target)
    left.insert(left.begin(), result);
  else if (isInSpace(spec.target.getType(), MemorySpace::L2))
    KeepOp::create(body, loc, result, spec.target);
  else
    DmaStoreOp::create(body, loc, result, spec.target, Residency::Streamed,
                       spec.interleave);
  if (spec.place)
    ScratchPlaceOp::create(body, loc, result, spec.place);
  YieldOp::create(body, loc, left);
  TaskResults results;
  llvm::append_range(results.kept, op.getResults());
  if (!spec.target) {
    results.result = results.kept.front();
    results.kept.erase(results.kept.begin());
  }
  return results;
}

TaskResults TaskBuilder::bypass(Location loc, const TaskSpec &spec,
                                ActivationAttr function, float scale,
                                bool exchange) {
  return task(
      loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
        Value table = tableOf(body, loc, function);
        return NeBypassOp::create(body, loc, type, tiles[0], table,
                                  llvm::APFloat(scale), function, exchange)
            .getResult();
      });
}

TaskResults TaskBuilder::unary(Location loc, const TaskSpec &spec, float scale,
                               float bias, ActivationAttr function,
                               bool exchangeInput, bool exchangeResult) {
  return task(
      loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
        return PeUnaryOp::create(body, loc, type, tiles[0],
                                 llvm::APFloat(scale), llvm::APFloat(bias),
                                 function, exchangeInput, exchangeResult)
            .getResult();
      });
}

TaskResults TaskBuilder::pair(Location loc, const TaskSpec &spec,
                              const Pair &how) {
  return task(
      loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
        return PeElementwiseOp::create(body, loc, type, how.kind, tiles[0],
                                       tiles[1], llvm::APFloat(how.scale),
                                       llvm::APFloat(how.bias), how.function,
                                       how.exchangeLhs, how.exchangeRhs,
                                       how.exchangeResult, how.reluRhs)
            .getResult();
      });
}

TaskResults TaskBuilder::reduce(Location loc, const TaskSpec &spec,
                                const Reduction &how) {
  return task(
      loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
        return PeReduceOp::create(body, loc, type, how.kind, tiles[0],
                                  tiles.size() > 1 ? tiles[1] : Value(),
                                  how.function, how.subtracts,
                                  how.exchangeOffset, how.exchangeResult)
            .getResult();
      });
}

TaskResults TaskBuilder::reduceChannels(Location loc, const TaskSpec &spec,
                                        ReduceKind kind,
                                        ActivationAttr function) {
  return task(loc, spec,
              [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
                Value table = tableOf(body, loc, function);
                return NeReduceOp::create(body, loc, type, kind, tiles[0],
                                          table, function)
                    .getResult();
              });
}

TaskResults TaskBuilder::normalize(Location loc, const TaskSpec &spec,
                                   bool exchangeRows, bool allChannels,
                                   bool add, ActivationAttr function) {
  return task(
      loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
        return PeNormalizeOp::create(body, loc, type, tiles[0], tiles[1],
                                     exchangeRows, allChannels, add, function)
            .getResult();
      });
}

TaskResults TaskBuilder::product(Location loc, const TaskSpec &spec,
                                 int64_t rows, Value planes, float scale,
                                 ActivationAttr function, bool exchange) {
  return task(
      loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
        Value kernel = KernelLoadOp::create(
            body, loc,
            memrefType({rows, shapeOf(tiles[0])[1], 1, 1}, MemorySpace::Kernel),
            Value(), Value(), planes, /*first_channel=*/0, ActivationAttr());
        return NeConvOp::create(body, loc, type, tiles[0], kernel,
                                ArrayRef<int64_t>{1, 1},
                                ArrayRef<int64_t>{0, 0}, /*groups=*/1,
                                llvm::APFloat(scale), function, exchange)
            .getResult();
      });
}

Value TaskBuilder::tableOf(OpBuilder &body, Location loc,
                           ActivationAttr function) const {
  if (!function || function.getKind() == ActivationKind::Relu)
    return {};
  constexpr int64_t halves = ::ane::hw::tableBytes / sizeof(uint16_t);
  return KernelLoadOp::create(body, loc,
                              memrefType({halves}, MemorySpace::Kernel),
                              Value(), Value(), 0, function);
}

Value TaskBuilder::kernel(OpBuilder &body, Location loc, Value weight,
                          Value bias, int64_t first, int64_t count,
                          ActivationAttr table) const {
  SmallVector<int64_t> shape(shapeOf(weight));
  shape[0] = count;
  return KernelLoadOp::create(body, loc, memrefType(shape, MemorySpace::Kernel),
                              weight, bias, first, table);
}

Value TaskBuilder::keep(Location loc, Value source, float scale) {
  return bypass(loc, {{source}}, ActivationAttr(), scale).result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 4> mlir::ane::toRank4(ArrayRef<int64_t> dims) {
  SmallVector<int64_t, 4> shape(dims);
  if (shape.size() > 4)
    llvm::erase_if(shape, [](int64_t size) { return size == 1; });
  while (shape.size() > 4) {
    shape[1] *= shape[0];
    shape.erase(shape.begin());
  }
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return shape;
}

DictionaryAttr mlir::ane::getOutputAttrs(func::FuncOp func, unsigned index) {
  NamedAttrList attrs(func.getResultAttrDict(index));
  attrs.append(ANEDialect::getOutputAttrName(),
               UnitAttr::get(func.getContext()));
  return attrs.getDictionary(func.getContext());
}

void mlir::ane::keepOnlyTasks(func::FuncOp func, ArrayRef<Operation *> ops,
                              unsigned numArguments,
                              ArrayRef<DictionaryAttr> attrs) {
  Block &block = func.front();
  block.getTerminator()->setOperands({});
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
  block.eraseArguments(0, numArguments);
  Builder builder(func.getContext());
  func.setFunctionType(
      builder.getFunctionType(block.getArgumentTypes(), TypeRange()));
  func.setAllArgAttrs(attrs);
  func->removeAttr(func.getResAttrsAttrName());
}
