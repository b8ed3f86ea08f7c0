//===- Lowering.cpp - Tasks of flavour clean ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clean.h"

#include "ane/Dialect/ANE/Transforms/Tasks/SequenceEmitter.h"
#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

using namespace mlir;
using namespace mlir::ane;

// One task for a copy of the smaller operand to L2 and one for all images, if
// the other operand is whole. What is larger comes to L2 rows at a time: the
// copy of a part would be needed for each image again.
static bool repeatsBatch(ElementwiseOp op,
                         const ::ane::hw::GenerationInfo &info) {
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  ArrayRef<int64_t> result = shapeOf(op.getResult());
  Value small = shapeOf(op.getLhs()) == result ? op.getRhs() : op.getLhs();
  Value other = small == op.getLhs() ? op.getRhs() : op.getLhs();
  if (result.size() != 4 || shapeOf(other) != result)
    return false;
  return TaskEmitter::getRowsInL2(info, shapeOf(small)) >= shapeOf(small)[2];
}

// Our own compiler: the general way of every op, but where it costs more tasks.
const LoweringPolicy &clean::getLowering() {
  static const LoweringPolicy policy = [] {
    ConvChoices conv;
    conv.movesShuffles = true;
    conv.addsInProducts = true;
    conv.doubleBuffers = true;
    conv.biasesProducts = true;
    conv.foldsInputFactors = true;
    conv.fusesLayers = true;
    conv.cutsToKernelBuffer = true;
    conv.splitsOutputChannels = true;
    conv.movesTapsToChannels = true;
    conv.splitsPhases = true;
    conv.minBlockStrides = 4;
    conv.skipsZeroTaps = true;
    PlanarChoices planar;
    planar.dividesBySmall = true;
    planar.powersHaveSigns = true;
    planar.repeatsBatch = repeatsBatch;
    planar.reducesAngles = true;
    planar.separatesGates = true;
    planar.stretchesTables = true;
    planar.scalesSlopes = true;
    planar.resizesColumnsFirst = true;
    planar.copiesSlicesEarly = true;
    SequenceChoices sequences = getSequenceChoices();
    sequences.reducesChannels = true;
    sequences.keysAreChannels = true;
    sequences.tokensAreColumns = true;
    sequences.normsChannelsInPlace = true;
    sequences.centresOnTheWay = true;
    sequences.onlyWhereLess = true;
    sequences.formTasks = [](func::FuncOp func,
                             const ::ane::hw::GenerationInfo &info) {
      SequenceEmitter(func, info, {/*sumsOnNes=*/true}).run();
    };
    TilingChoices tiling;
    tiling.searches = true;
    tiling.cutsImages = true;
    tiling.rematerializes = true;
    tiling.cutsHiddenChannels = true;
    tiling.cutsTokens = true;
    tiling.cutsRowsTogether = true;
    return LoweringPolicy{"clean", conv, planar, sequences, tiling};
  }();
  return policy;
}
