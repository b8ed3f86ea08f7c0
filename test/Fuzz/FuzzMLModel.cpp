//===- FuzzMLModel.cpp - Any bytes as a .mlmodel --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model becomes a program that the verifier takes, or there is an error.
//
//===----------------------------------------------------------------------===//

#include "FuzzImport.h"

#include "ane/Target/Models/Models.h"

using namespace mlir;
using namespace mlir::ane;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  models::ImportOptions options;
  options.file = "net.mlmodel";
  options.folder = "/nonexistent";
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  checkImport([&](MLIRContext *context) {
    return models::importCoreMLModel(bytes, context, options);
  });
  return 0;
}
