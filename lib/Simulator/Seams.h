//===- Seams.h - Windows that reach into another tile -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_SEAMS_H
#define ANE_LIB_SIMULATOR_SEAMS_H

#include "NeuralEngine.h"

namespace ane::sim {

/// runNeural under the assumptions that windows see zeros of the tile of
/// `tileRows` result rows, or of the columns, beside theirs (Assumptions.def),
/// and that columns of a wide kernel are lost.
absl::StatusOr<Tile> runNeuralApart(const TaskConfig &task, Tile &source,
                                    const Kernel &kernel,
                                    const Options &options, uint32_t tileRows,
                                    ValueTally &tally);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_SEAMS_H
