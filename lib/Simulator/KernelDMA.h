//===- KernelDMA.h - Coefficients and tables of a task ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_KERNELDMA_H
#define ANE_LIB_SIMULATOR_KERNELDMA_H

#include "TileDMA.h"
#include "ane/Simulator/TaskConfig.h"

#include "ane/HW/LookupTable.h"

#include <optional>

namespace ane::sim {

struct Kernel {
  Buffer<float> weights;   ///< [all output channels][inputs of one][kh][kw]
  std::vector<float> bias; ///< empty without
  std::optional<hw::LookupTable> table;
};

/// A range of the constant section.
struct ByteRange {
  uint64_t begin, end;
};

/// Reads what the task needs, or only counts it. `ranges` gets the parts of the
/// constants that were read; `traffic` counts each stream once.
absl::StatusOr<Kernel> loadKernel(const hw::GenerationInfo &generation,
                                  const TaskConfig &task, DRAM &dram,
                                  Traffic &traffic,
                                  std::vector<ByteRange> &ranges, bool counts,
                                  const Assumptions &rules);

/// Bytes that lie in at least one range.
uint64_t unionBytes(std::vector<ByteRange> ranges);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_KERNELDMA_H
