//===- Attributes.h - How a loaded program is bound -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apple's runtime says with -modelAttributes where the elements of each tensor
// lie and by which number ("symbol index") a request names it. Neither follows
// from the text: rows are padded, and symbols need not have the order of the
// parameters. So tensors are bound by name, and what does not fit the text is
// an error.
//
//   NetworkStatusList[p]
//     LiveInputList[i], LiveOutputList[i]
//       Name, Type, Batches, Channels, Depth, Height, Width,
//       BatchStride, PlaneStride, RowStride         (strides in bytes)
//   ANEFModelDescription
//     kANEFModelInputSymbolsArrayKey[s], ...Output...        names of symbols
//     kANEFModelProcedureNameToIDMapKey[function] = p
//     ANEFModelProcedures[k]
//       ANEFModelProcedureID                                p
//       ANEFModelInputSymbolIndexArray[k], ...Output...      symbols s in use
//
// The keys are *seen* in published programs that read them (those of procedures
// in one that runs several, and in a dump of a compiled model); that outputs
// carry the suffix "@output" is a *claim* of two, that networks are in the order
// of procedures of one.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_ATTRIBUTES_H
#define ANE_LIB_RUNTIME_APPLE_ATTRIBUTES_H

#include "Foundation.h"

#include "ane/Runtime/MILModel.h"

namespace ane::rt::apple {

/// A tensor and the number by which a request names its surface.
struct Binding {
  hw::Tensor tensor;
  uint64_t symbol = 0;
  uint64_t surfaceBytes = 0; ///< at least those of the tensor
  /// Its surface has a float in the place of each half of the tensor.
  bool isFloat32 = false;
};

/// What the attributes say of inputs and outputs, in their order.
struct Attributes {
  std::vector<Binding> bindings;
  uint64_t procedure = 0; ///< by which a request names the function
};

/// Of a function of the text; empty when there is no NetworkStatusList.
absl::StatusOr<Attributes> readAttributes(const Foundation &foundation,
                                          Id attributes,
                                          const std::string &function);

/// The bindings of the tensors of a text, in their order, by name; names and
/// types are those of the text, shapes and strides those of the attributes. A
/// single input or output may have another name.
absl::StatusOr<std::vector<Binding>> bindTensors(const MILModel &model,
                                                 const Attributes &attributes);

/// The same where `tensors` have strides that the program relies on: those of
/// the attributes must be equal. Without attributes symbols are 0, 1, ... of
/// inputs and of outputs.
absl::StatusOr<std::vector<Binding>>
bindSurfaces(absl::Span<const hw::Tensor> tensors,
             const Attributes &attributes);

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_ATTRIBUTES_H
