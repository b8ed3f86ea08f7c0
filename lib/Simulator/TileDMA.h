//===- TileDMA.h - Tensors between DRAM and the engines ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_TILEDMA_H
#define ANE_LIB_SIMULATOR_TILEDMA_H

#include "Tile.h"

#include "ane/Simulator/Simulator.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

namespace ane::sim {

/// The buffers after the base-address table.
class DRAM {
public:
  /// Fails when a surface does not have the size that the program says, or two
  /// tensors have the same base.
  static absl::StatusOr<DRAM>
  create(const hw::Program &program,
         absl::Span<const absl::Span<uint8_t>> surfaces);

  struct Buffer {
    absl::Span<const uint8_t> bytes;
    absl::Span<uint8_t> writable; ///< empty for the constants
    std::string name;             ///< "surface 'x'"
    hw::TensorKind kind = hw::TensorKind::Input;
    hw::ByteSet written; ///< by a task; empty for inputs and constants
  };

  /// The buffer of a base index; `user` is for the message.
  absl::StatusOr<Buffer *> buffer(uint32_t base, absl::string_view user);

  /// The memory in which a tensor may be read by DMA; counts its bytes.
  absl::StatusOr<const uint8_t *> open(uint32_t base, const Pattern &pattern,
                                       absl::string_view user,
                                       Traffic &traffic);
  /// The memory in which a result is about to be written; counts its bytes.
  absl::StatusOr<uint8_t *> openResult(uint32_t base, const Pattern &pattern,
                                       Traffic &traffic);

  /// Of all buffers.
  uint64_t totalBytes() const;

  /// The counter for bytes of `base` that are read, or written.
  static uint64_t &counter(Traffic &traffic, uint32_t base,
                           const Buffer &buffer, bool written);

private:
  absl::flat_hash_map<uint32_t, Buffer> buffers;
  std::vector<uint8_t> scratchBytes;
};

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_TILEDMA_H
