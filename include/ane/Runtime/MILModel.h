//===- MILModel.h - A network in MIL text, as a device takes it -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apple's runtime compiles MIL text itself. All that a caller has to know of
// the text is what it binds and which files the text refers to; the rest is
// not looked at here (lib/Target/MIL reads it into IR). docs/Formats/MIL.md
// has the grammar.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_RUNTIME_MILMODEL_H
#define ANE_RUNTIME_MILMODEL_H

#include "ane/HW/Program.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace ane::rt {

/// A file that a text calls "@model_path/NAME".
struct MILFile {
  std::string name; ///< "weights/weight.bin"; stays below its folder
  std::string path; ///< where it is on this machine
};

struct MILModel {
  std::string text;
  std::string function;               ///< the one that is described here
  std::vector<std::string> functions; ///< all of the text
  std::vector<MILFile> files;         ///< each once, in the order of the text
  /// What its function takes and returns, in the order of the text. Names,
  /// types and shapes (of less than four dimensions: the last ones); where
  /// elements lie is for a device to say.
  std::vector<hw::Tensor> tensors;
  /// Of each tensor: whether the text says fp32, between which and the engine's
  /// fp16 it casts. For a caller it is fp16 then.
  std::vector<bool> isFloat32;
};

/// Reads a text. `function` names one of its functions, and may be empty where
/// there is only one. Files of "@model_path" are looked up below
/// `root`; one that is not there is an error, as is what no device takes:
/// states, shapes or types that are not those of surfaces, fp32 without a cast.
absl::StatusOr<MILModel> readMILModel(absl::string_view text,
                                      const std::string &root,
                                      const std::string &function = "");

} // namespace ane::rt

#endif // ANE_RUNTIME_MILMODEL_H
