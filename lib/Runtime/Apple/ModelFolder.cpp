//===- ModelFolder.cpp - A folder for Apple's compiler --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFolder.h"

#include "absl/strings/str_format.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h> // macOS declares mkdtemp here

namespace ane::rt::apple {

namespace fs = std::filesystem;

ModelFolder::~ModelFolder() {
  std::error_code code; // nobody can do anything about it
  if (!path.empty())
    fs::remove_all(path, code);
}

absl::Status ModelFolder::create(const std::string &parent,
                                 const MILModel &model) {
  std::string name = (fs::path(parent) / "mlir-ane-XXXXXX").string();
  if (!mkdtemp(name.data()))
    return absl::PermissionDeniedError(
        absl::StrFormat("cannot make a folder in '%s' for Apple's compiler: %s",
                        parent, std::strerror(errno)));
  path = name;
  std::ofstream text(modelPath(), std::ios::binary);
  text << model.text;
  text.close();
  if (!text)
    return absl::ResourceExhaustedError(
        absl::StrFormat("cannot write %s", modelPath()));
  for (const MILFile &file : model.files) {
    fs::path to = fs::path(path) / file.name;
    std::error_code code;
    fs::create_directories(to.parent_path(), code);
    if (!code)
      fs::copy_file(file.path, to, code);
    if (code)
      return absl::ResourceExhaustedError(absl::StrFormat(
          "cannot copy %s to %s: %s", file.path, to.string(), code.message()));
  }
  return absl::OkStatus();
}

} // namespace ane::rt::apple
