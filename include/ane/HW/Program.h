//===- Program.h - A register program and what it is bound to ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a container holds once its bytes are understood: tasks, constants, the
// base-address table and the tensors that a caller binds. The compiler makes
// one, the container readers make one, the simulator and the devices run one.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_PROGRAM_H
#define ANE_HW_PROGRAM_H

#include "ane/HW/Task.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ane::hw {

/// Codes of the tensor descriptors (and of the ChCfg register, 0 u8, 1 s8, 2
/// f16).
enum class ElementType : uint8_t { UInt8, Int8, Float16 };

/// Bytes of one element.
uint32_t elementBytes(ElementType type);
/// "float16", "int8", "uint8": the names of .npy and of the dumps.
const char *elementName(ElementType type);

enum class TensorKind : uint8_t { Input, Output };

/// A surface: a tensor in DRAM that the caller provides.
struct Tensor {
  std::string name;
  TensorKind kind = TensorKind::Input;
  ElementType type = ElementType::Float16;
  /// N, C, H, W, D in elements.
  std::array<uint32_t, 5> shape = {1, 1, 1, 1, 1};
  /// The distance of neighbours along N, C, H, W, D, in bytes.
  std::array<uint64_t, 5> strides = {};
  uint32_t interleave = 1; ///< channels stored side by side
  uint64_t bytes = 0;      ///< of the buffer, rows padded, all N
  uint32_t base = 0;       ///< index in the base-address table
  /// What the network has where it is not N, C, H, W, D: empty for a scalar.
  /// As many elements, in the same order, or fewer (see Padding).
  std::optional<std::vector<uint64_t>> networkShape = std::nullopt;
  /// An input that holds what halves lack of the input before it, which has the
  /// same elements: numbers of f32 enter as a pair (Arrays.h).
  bool isLow = false;

  /// A length that no dimension of a surface can have, and that is no product
  /// of two, fills rows of the surface one after the other. What is after it in
  /// the last row is padding: no array has it, and no result depends on it.
  struct Padding {
    uint64_t parts;  ///< of the tensor, each padded
    uint64_t length; ///< elements of one
    uint64_t room;   ///< the same with padding
    bool isNone() const { return length == room; }
  };
  Padding padding() const;

  /// Elements of the network: of dense arrays.
  uint64_t elementCount() const;
  /// The shape of dense arrays: that of the network, else N, C, H, W, and D
  /// where it is not 1.
  std::vector<uint64_t> denseShape() const;
  /// Sets what the network has; false where it has other elements.
  bool setDenseShape(absl::Span<const uint64_t> shape);
};

/// Fixed places of the base-address table. Tensors have those from
/// GenerationInfo::firstTensorBase on.
enum BaseIndex : uint32_t {
  BaseText = 0,
  BaseConst = 1,
  BaseScratch = 3,
  BaseFirstTensor = 4, ///< of H13 and H14
  BaseDataSets = 4     ///< since H16: sets of data for the system cache
};

/// Bytes that several owners share, in memory of any kind: a vector, a mapped
/// file, a blob of the IR. Copies are views of the same bytes.
class SharedBytes {
public:
  SharedBytes() = default;
  SharedBytes(std::shared_ptr<const std::vector<uint8_t>> vector) {
    if (vector)
      bytes = *vector;
    owner = std::move(vector);
  }
  SharedBytes(std::shared_ptr<std::vector<uint8_t>> vector)
      : SharedBytes(
            std::shared_ptr<const std::vector<uint8_t>>(std::move(vector))) {}
  /// Keeps `owner` as long as any copy lives. Without an owner the caller must
  /// keep the bytes.
  SharedBytes(std::shared_ptr<const void> owner,
              absl::Span<const uint8_t> bytes)
      : owner(std::move(owner)), bytes(bytes) {}

  absl::Span<const uint8_t> operator*() const { return bytes; }
  const absl::Span<const uint8_t> *operator->() const { return &bytes; }
  explicit operator bool() const { return !bytes.empty(); }

private:
  std::shared_ptr<const void> owner;
  absl::Span<const uint8_t> bytes;
};

struct Program {
  Generation generation = Generation::H13;
  std::string name = "net";
  std::vector<Task> tasks;
  /// Size of the text section in bytes; at least the end of the last task.
  uint64_t textBytes = 0;
  /// Coefficients, tables and constant tensors; shared, since they may be large
  /// and mapped from a file.
  SharedBytes constants;
  /// How many of these bytes are those of the kernel segment; 0 without. What
  /// the tile DMA reads follows at the next multiple of the alignment of
  /// streams (tensorConstants).
  uint64_t kernelBytes = 0;
  uint64_t scratchBytes = 0;   ///< of the DRAM region after BaseScratch
  std::vector<Tensor> tensors; ///< inputs, then outputs, each in their order

  absl::Span<const uint8_t> constantBytes() const;
  /// The part of them in the kernel segment, and that of the section of
  /// constants.
  absl::Span<const uint8_t> kernels() const;
  absl::Span<const uint8_t> tensorConstants() const;
  /// Entry of the kernel segment in the base-address table.
  uint32_t kernelBase() const;
  /// Null when no tensor has that name.
  const Tensor *tensor(absl::string_view name) const;
};

} // namespace ane::hw

#endif // ANE_HW_PROGRAM_H
