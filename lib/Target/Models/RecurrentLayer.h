//===- RecurrentLayer.h - Layers with a memory ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One direction of a layer as a statement of MIL, with its gates in MIL's order.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MODELS_RECURRENTLAYER_H
#define ANE_LIB_TARGET_MODELS_RECURRENTLAYER_H

#include "ProgramBuilder.h"

namespace mlir::ane::models {

struct RecurrentDirection {
  std::vector<float> weight, recursion, bias, peephole;
  SmallVector<std::string> functions;
  bool isReverse = false;
  std::optional<double> clip; ///< of the cell's state
  Value h, c; ///< at first, batch x units; zeros where they are null
};

/// The states of all steps in the order of their computation, S x batch x units,
/// and the last ones.
struct RecurrentResult {
  Value sequence, h, c;
};

/// `type` is lstm, gru or rnn; `x` is S x batch x elements.
RecurrentResult emitRecurrent(ProgramBuilder &builder, StringRef type, Value x,
                              int64_t hidden,
                              const RecurrentDirection &direction);

/// The last step first.
Value reverseSteps(ProgramBuilder &builder, Value x);

} // namespace mlir::ane::models

#endif // ANE_LIB_TARGET_MODELS_RECURRENTLAYER_H
