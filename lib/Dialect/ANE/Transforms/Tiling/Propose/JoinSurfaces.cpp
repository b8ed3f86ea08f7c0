//===- JoinSurfaces.cpp - Arguments and results of one image --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images and channels of an argument that are more than an image has channels
// are none of a surface. Where all users see it with one image (ManyImages.cpp),
// the surface has one, too, and keeps the shape of the network as a note.
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::ane;

/// Whether images and channels of a tensor are more than an image has channels:
/// as channels or rows they can be cut (CutLongDims.cpp).
static bool isJoinedSurface(RankedTensorType type,
                            const ::ane::hw::GenerationInfo &info) {
  return type && type.getRank() == 4 && type.getDimSize(0) > 1 &&
         type.getDimSize(0) * type.getDimSize(1) > int64_t(info.maxChannels);
}

static bool hasOneImage(RankedTensorType type) {
  return type.getRank() == 4 && type.getDimSize(0) == 1;
}

/// An argument that all users see with one image has that.
static void joinArgument(func::FuncOp func, BlockArgument argument,
                         const ::ane::hw::GenerationInfo &info) {
  auto cast = argument.hasOneUse() ? dyn_cast<CastOp>(*argument.user_begin())
                                   : CastOp();
  Value used = cast ? cast.getResult() : Value(argument);
  auto reshape =
      used.use_empty() ? ReshapeOp() : dyn_cast<ReshapeOp>(*used.user_begin());
  if (!isJoinedSurface(dyn_cast<RankedTensorType>(argument.getType()), info) ||
      !reshape || !hasOneImage(reshape.getType()) ||
      !llvm::all_of(used.getUsers(), [&](Operation *user) {
        return isa<ReshapeOp>(user) &&
               user->getResult(0).getType() == reshape.getType();
      }))
    return;
  ArrayRef<int64_t> shape = reshape.getType().getShape();
  keepNetworkShape(func, argument);
  argument.setType(typeOf(argument).clone(shape));
  if (cast)
    used.setType(cast.getType().clone(shape));
}

static void joinResult(func::FuncOp func, OpOperand &result,
                       const ::ane::hw::GenerationInfo &info) {
  auto type = dyn_cast<RankedTensorType>(result.get().getType());
  auto cast = result.get().getDefiningOp<CastOp>();
  auto reshape =
      (cast ? cast.getInput() : result.get()).getDefiningOp<ReshapeOp>();
  if (!isJoinedSurface(type, info) || !reshape || !reshape->hasOneUse() ||
      !hasOneImage(typeOf(reshape.getInput())))
    return;
  ArrayRef<int64_t> shape = typeOf(reshape.getInput()).getShape();
  keepNetworkShape(func, result);
  reshape.getResult().setType(reshape.getType().clone(shape));
  if (cast)
    cast.getResult().setType(type.clone(shape));
}

void mlir::ane::joinSurfaces(func::FuncOp func,
                             const ::ane::hw::GenerationInfo &info) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return;
  for (BlockArgument argument : func.getArguments())
    joinArgument(func, argument, info);
  Operation *terminator = func.front().getTerminator();
  for (OpOperand &result : terminator->getOpOperands())
    joinResult(func, result, info);
  func.setType(FunctionType::get(func.getContext(),
                                 func.front().getArgumentTypes(),
                                 terminator->getOperandTypes()));
}
