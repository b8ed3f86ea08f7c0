//===- AneRunTensors.h - Arrays of files and surfaces -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_ANERUNTENSORS_H
#define ANE_LIB_TOOLS_ANERUNTENSORS_H

#include "ane/HW/Program.h"
#include "ane/Simulator/Simulator.h"
#include "ane/Support/Npy.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::ane {

/// `[NAME=]PATH` of the command line.
struct Binding {
  std::string name; ///< empty: the next tensor in order
  std::string path;
};
Binding parseBinding(llvm::StringRef text);

/// The index in `tensors` of each binding: by name, else the next
/// tensor of the kind that no binding names and that is not low. The error
/// lists the names that exist.
llvm::Expected<std::vector<size_t>>
assignTensors(llvm::ArrayRef<::ane::hw::Tensor> tensors,
              ::ane::hw::TensorKind kind, llvm::ArrayRef<Binding> bindings);

/// The surfaces of an input with the data of an .npy file.
struct InputSurfaces {
  std::vector<uint8_t> surface;
  std::vector<uint8_t> low; ///< of the input with its low halves, if it has one
  bool wasFloat32 = false;
  /// Single precision is converted, which makes infinities and zeros of some
  /// numbers.
  ::ane::sim::ValueCounts narrowed;
};

/// Those of input `index`. The shape may differ in dimensions of 1.
llvm::Expected<InputSurfaces>
surfacesOfNpy(llvm::ArrayRef<::ane::hw::Tensor> tensors, size_t index,
              llvm::StringRef file);

/// Data that depends on nothing but `seed` and the tensor: halves in [-1, 1),
/// bytes of the whole range.
llvm::Expected<std::vector<uint8_t>>
surfaceOfSeed(const ::ane::hw::Tensor &tensor, uint64_t seed);

/// The bytes of an .npy file with the data of a surface, as single precision
/// when `asFloat32`.
llvm::Expected<std::vector<uint8_t>>
npyOfSurface(const ::ane::hw::Tensor &tensor, llvm::ArrayRef<uint8_t> surface,
             bool asFloat32);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_ANERUNTENSORS_H
