//===- InputFiles.cpp - Files that a user names ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Files/InputFiles.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace {
struct DeviceCategory : std::error_category {
  const char *name() const noexcept override { return "ane.input"; }
  std::string message(int) const override {
    return "it is a device, which may have no end; give a file";
  }
};
} // namespace

std::error_code mlir::ane::checkInput(StringRef path) {
  static const DeviceCategory category;
  sys::fs::file_status status;
  if (path == "-" || sys::fs::status(path, status))
    return {};
  bool isDevice = status.type() == sys::fs::file_type::character_file ||
                  status.type() == sys::fs::file_type::block_file;
  return isDevice ? std::error_code(1, category) : std::error_code();
}

ErrorOr<std::unique_ptr<MemoryBuffer>> mlir::ane::readInput(StringRef path) {
  if (std::error_code error = checkInput(path))
    return error;
  return MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
}
