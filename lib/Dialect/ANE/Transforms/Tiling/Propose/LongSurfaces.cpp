//===- LongSurfaces.cpp - Surfaces of tensors with a long row -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The row of an argument or a result is more than a surface may have in one
// dimension, and its length is no product of two that are. The surface has rows
// of the same bytes, and padding after the last element:
//
//   %x: tensor<1x2x79997xf16>
//     ->  %x: tensor<1x2x79x1024xf16> {ane.shape = [1, 2, 79997]}
//         slice(reshape(%x, 1x2x80896), 0 to 79997)
//
// The caller's arrays have the shape of the network (hw::Tensor::Padding). What
// the padding of an argument holds is unknown, and that of a result may be any
// number: ops are on the slice, and of a result the row is what counts.
//
//===----------------------------------------------------------------------===//

#include "LongSurfaces.h"

#include "CutLongRows.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"

using namespace mlir;
using namespace mlir::ane;

// Lead, rows and columns of the surface of a tensor with a long row; of
// dimensions of 1 after the row, nothing is left.
static std::optional<SmallVector<int64_t>>
shapeOfSurface(RankedTensorType type, const ::ane::hw::GenerationInfo &info) {
  constexpr int64_t columns = 1024;
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  type = withoutLastOnes(type);
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.empty() || shape.back() <= int64_t(info.maxWidth))
    return std::nullopt;
  SmallVector<int64_t> surface = mergedLead(type);
  int64_t width = columns;
  while (shape.back() > width * int64_t(info.maxHeight))
    width *= 2;
  surface.append({int64_t(llvm::divideCeil(shape.back(), width)), width});
  if (width > int64_t(info.maxWidth) || surface[1] > int64_t(info.maxChannels))
    return std::nullopt;
  return surface;
}

// Whether the row is a product of two that a surface can have.
static bool hasOther(RankedTensorType type,
                     const ::ane::hw::GenerationInfo &info) {
  return chooseColumns(withoutLastOnes(type).getShape().back(), 1024, info) !=
         0;
}

// The whole rows of a surface, as one.
static SmallVector<int64_t> joinedRows(ArrayRef<int64_t> surface) {
  return {surface[0], surface[1], 1, surface[2] * surface[3]};
}

namespace {

class SurfacePadder {
public:
  SurfacePadder(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
                DenseSet<Operation *> &pads)
      : func(func), info(info), pads(pads), builder(func.getContext()) {}

  bool run();

private:
  void padArgument(unsigned index, ArrayRef<int64_t> surface);
  void padResult(OpOperand &result, ArrayRef<int64_t> surface);
  void giveBack(OpOperand &result, BlockArgument argument);
  Value rowOf(Value surface, RankedTensorType type);

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  DenseSet<Operation *> &pads;
  OpBuilder builder;
};

} // namespace

// The row that lies in `surface`, without its padding.
Value SurfacePadder::rowOf(Value surface, RankedTensorType type) {
  Location loc = surface.getLoc();
  ArrayRef<int64_t> shape = typeOf(surface).getShape();
  int64_t length = type.getNumElements() / (shape[0] * shape[1]);
  Value whole = reshaped(builder, loc, surface, joinedRows(shape));
  Value row = sliceDim(builder, loc, whole, 3, 0, length);
  return reshaped(builder, loc, row, type.getShape());
}

void SurfacePadder::padArgument(unsigned index, ArrayRef<int64_t> surface) {
  BlockArgument argument = func.getArgument(index);
  RankedTensorType type = typeOf(argument);
  builder.setInsertionPointToStart(&func.front());
  keepNetworkShape(func, argument);
  argument.setType(type.clone(surface));
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : argument.getUses())
    if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>()) // given back
      uses.push_back(&use);
  Value row; // of all users but casts, which the host does for an argument
  for (OpOperand *use : uses) {
    if (auto cast = dyn_cast<CastOp>(use->getOwner())) {
      Value same = CastOp::create(builder, cast.getLoc(),
                                  cast.getType().clone(surface), argument);
      cast.replaceAllUsesWith(rowOf(same, cast.getType()));
      cast.erase();
      continue;
    }
    if (!row)
      row = rowOf(argument, type);
    use->set(row);
  }
}

void SurfacePadder::padResult(OpOperand &result, ArrayRef<int64_t> surface) {
  Value value = result.get();
  auto cast = value.getDefiningOp<CastOp>();
  if (cast)
    value = cast.getInput();
  RankedTensorType type = typeOf(value);
  Location loc = value.getLoc();
  builder.setInsertionPoint(result.getOwner());
  SmallVector<int64_t> shape = joinedRows(surface), high(4, 0);
  int64_t length = type.getNumElements() / (surface[0] * surface[1]);
  high[3] = shape[3] - length;
  shape[3] = length;
  Value row = reshaped(builder, loc, value, shape);
  shape = joinedRows(surface);
  auto pad =
      PadOp::create(builder, loc, type.clone(shape), row,
                    SmallVector<int64_t>(4, 0), high, llvm::APFloat(0.0f));
  pads.insert(pad);
  Value padded = reshaped(builder, loc, pad, surface);
  if (cast)
    padded =
        CastOp::create(builder, loc, cast.getType().clone(surface), padded);
  keepNetworkShape(func, result);
  result.set(padded);
}

// The argument that becomes a result as it is, in another shape.
static BlockArgument givenBack(Value result) {
  while (auto reshape = result.getDefiningOp<ReshapeOp>())
    result = reshape.getInput();
  return dyn_cast<BlockArgument>(result);
}

// Both have one surface, which is copied whole.
void SurfacePadder::giveBack(OpOperand &result, BlockArgument argument) {
  Value old = result.get();
  keepNetworkShape(func, result);
  result.set(argument);
  while (old.use_empty() && old.getDefiningOp()) {
    Operation *op = old.getDefiningOp();
    old = op->getOperand(0);
    op->erase();
  }
}

bool SurfacePadder::run() {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return false;
  using Surface = std::optional<SmallVector<int64_t>>;
  bool isChanged = false;
  auto surfaceOf = [&](Value value) {
    return shapeOfSurface(dyn_cast<RankedTensorType>(value.getType()), info);
  };
  Operation *terminator = func.front().getTerminator();
  // Of arguments that are results, whose elements are one after the other in
  // any shape.
  llvm::SmallDenseMap<BlockArgument, Surface> common;
  for (OpOperand &result : terminator->getOpOperands())
    if (BlockArgument argument = givenBack(result.get())) {
      Surface own = surfaceOf(argument);
      Surface &both = common.try_emplace(argument, own).first->second;
      bool isAlike = surfaceOf(result.get()) == both &&
                     !isTooLong(shapeOf(result.get()), info) &&
                     !isTooLong(shapeOf(argument), info);
      if (!isAlike && !isHostElement(argument.getType()))
        both = shapeOfSurface(
            typeOf(argument).clone({typeOf(argument).getNumElements()}), info);
    }
  for (OpOperand &result : terminator->getOpOperands()) {
    Surface surface = surfaceOf(result.get());
    BlockArgument argument = givenBack(result.get());
    if (argument ? !common[argument]
                 : !surface || hasOther(typeOf(result.get()), info))
      continue;
    if (argument)
      giveBack(result, argument);
    else
      padResult(result, *surface);
    isChanged = true;
  }
  for (BlockArgument argument : func.getArguments()) {
    Surface surface = surfaceOf(argument);
    auto found = common.find(argument);
    if (found != common.end())
      surface = found->second;
    else if (surface && hasOther(typeOf(argument), info))
      surface = std::nullopt;
    if (!surface)
      continue;
    padArgument(argument.getArgNumber(), *surface);
    isChanged = true;
  }
  if (isChanged)
    func.setFunctionType(builder.getFunctionType(
        func.front().getArgumentTypes(), terminator->getOperandTypes()));
  return isChanged;
}

DenseSet<Operation *>
mlir::ane::padLongSurfaces(Operation *scope,
                           const ::ane::hw::GenerationInfo &info) {
  DenseSet<Operation *> pads;
  scope->walk(
      [&](func::FuncOp func) { SurfacePadder(func, info, pads).run(); });
  return pads;
}
