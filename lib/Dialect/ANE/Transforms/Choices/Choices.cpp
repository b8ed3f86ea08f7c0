//===- Choices.cpp - Targets and flavours of passes -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/FlavourInterface.h"
#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;

static const FlavourInterface *getFlavours(Operation *op) {
  auto *dialect = op->getContext()->getLoadedDialect<ANEDialect>();
  return dialect ? dialect->getRegisteredInterface<FlavourInterface>()
                 : nullptr;
}

static LogicalResult reportUnknown(Operation *op, StringRef flavour) {
  const FlavourInterface *flavours = getFlavours(op);
  if (!flavours)
    return op->emitError("no flavour is known in this context, but '")
           << flavour << "' is asked for; call ane::registerFlavours";
  return op->emitError("flavour '") << flavour << "' is not available; "
                                    << "available: " << flavours->getNames();
}

FailureOr<LoweringTarget> mlir::ane::getLoweringTarget(Operation *op,
                                                       StringRef flavour) {
  const FlavourInterface *flavours = getFlavours(op);
  const LoweringPolicy *policy =
      flavours ? flavours->getLowering(flavour) : nullptr;
  if (!policy)
    return reportUnknown(op, flavour);
  return LoweringTarget{&getTarget(op), policy};
}

FailureOr<MemoryTarget> mlir::ane::getMemoryTarget(Operation *op,
                                                   StringRef flavour) {
  const ::ane::hw::GenerationInfo &generation = getTarget(op);
  const FlavourInterface *flavours = getFlavours(op);
  const MemoryPolicy *policy =
      flavours ? flavours->getMemory(flavour, generation.id) : nullptr;
  if (!policy)
    return reportUnknown(op, flavour);
  return MemoryTarget{&generation, policy};
}

L2Tile mlir::ane::getL2Tile(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, MemRefType type,
                            L2User user, bool strips, Operation *compute) {
  if (user == L2User::ConvSource && compute && policy.convResident && !strips)
    return policy.convResident(compute);
  // What has a depth lies in L2 as that many more channels.
  int64_t rank = type.getRank(), width = type.getDimSize(rank - 1);
  int64_t channels = type.getDimSize(1) * (rank == 5 ? type.getDimSize(2) : 1);
  if (strips)
    width = policy.stripColumns(user, type, compute);
  L2Tile tile;
  tile.channelStride =
      ::ane::hw::alignTo(width * elementBytes(type), info.l2Align);
  tile.dense = tile.channelStride * channels;
  tile.row =
      tile.dense + policy.rowPadding({user, channels, tile.dense, compute,
                                      type.getDimSize(rank - 2), width});
  return tile;
}

L2User mlir::ane::getResultUser(Operation *compute) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvResult;
  return isOnNeuralEngines(compute) ? L2User::BypassResult
                                    : L2User::PlanarResult;
}

L2User mlir::ane::getSourceUser(Operation *compute, Value source) {
  if (isa<NeConvOp>(compute))
    return L2User::ConvSource;
  if (isOnNeuralEngines(compute))
    return L2User::Bypass;
  bool isExchanged =
      llvm::any_of(getEngineSources(compute), [&](const EngineSource &other) {
        return other.value == source && other.exchanged;
      });
  return isExchanged ? L2User::PlanarExchanged : L2User::Planar;
}
