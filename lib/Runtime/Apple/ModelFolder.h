//===- ModelFolder.h - A folder for Apple's compiler ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_MODELFOLDER_H
#define ANE_LIB_RUNTIME_APPLE_MODELFOLDER_H

#include "ane/Runtime/MILModel.h"

#include <string>

namespace ane::rt::apple {

/// A new folder with `model.mil` and the files that it refers to, under their
/// names; *seen*: what the daemon compiles. It goes away with this object.
class ModelFolder {
public:
  ModelFolder() = default;
  ModelFolder(const ModelFolder &) = delete;
  ModelFolder &operator=(const ModelFolder &) = delete;
  ~ModelFolder();

  absl::Status create(const std::string &parent, const MILModel &model);
  std::string modelPath() const { return path + "/model.mil"; }

private:
  std::string path; ///< empty: none yet
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_MODELFOLDER_H
