//===- FuzzEspresso.cpp - Any bytes as a compiled neural network ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is the list of layers, the shapes and the weights, with zeros
// between. It becomes a program that verifies, or an error.
//
//===----------------------------------------------------------------------===//

#include "FuzzImport.h"

#include "ane/Target/Models/Models.h"

using namespace mlir;
using namespace mlir::ane;

static StringRef shapes, weights;

static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openPart(StringRef path) {
  return llvm::MemoryBuffer::getMemBufferCopy(
      path.ends_with(".shape") ? shapes : weights);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef layers, rest;
  std::tie(layers, rest) =
      StringRef(reinterpret_cast<const char *>(data), size).split('\0');
  std::tie(shapes, weights) = rest.split('\0');
  models::ImportOptions options;
  options.file = "model.espresso.net";
  options.folder = "/nonexistent";
  checkImport([&](MLIRContext *context) {
    return models::importEspresso(layers, context, options, openPart);
  });
  return 0;
}
