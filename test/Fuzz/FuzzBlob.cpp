//===- FuzzBlob.cpp - Any bytes as a weight file --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first bytes of an input are a question to the reader (offset, type,
// number of elements), the others are the file. Bytes that the reader hands out
// lie in the file.
//
//===----------------------------------------------------------------------===//

#include "ane/Target/MIL/BlobPacking.h"
#include "ane/Target/MIL/BlobReader.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ane::mil;

namespace {
struct Question {
  llvm::support::ulittle64_t offset;
  llvm::support::ulittle64_t elements;
  uint8_t type;
};
} // namespace

// A folder of this process alone.
static llvm::StringRef getFolder() {
  static llvm::SmallString<128> folder;
  if (folder.empty()) {
    if (llvm::sys::fs::createUniqueDirectory("fuzz-blob", folder))
      std::abort();
    std::atexit([] { llvm::sys::fs::remove_directories(folder); });
  }
  return folder;
}

static void touch(const Blob &blob, uint64_t elements) {
  if (blob.bytes.begin() <
          reinterpret_cast<const char *>(blob.file->getBufferStart()) ||
      blob.bytes.end() >
          reinterpret_cast<const char *>(blob.file->getBufferEnd()))
    std::abort();
  unsigned sum = 0;
  for (char c : blob.bytes)
    sum += static_cast<uint8_t>(c);
  unsigned bits = getBlobBits(blob.type);
  if (bits < 8) {
    std::vector<uint8_t> wide(elements);
    unpackElements(reinterpret_cast<const uint8_t *>(blob.bytes.data()),
                   elements, bits, wide.data());
    sum += wide.empty() ? 0 : wide.back();
  }
  static volatile unsigned sink;
  sink = sum;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Question question;
  if (size < sizeof(question))
    return 0;
  std::memcpy(&question, data, sizeof(question));
  llvm::SmallString<128> path(getFolder());
  llvm::sys::path::append(path, "weight.bin");
  {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (error)
      std::abort();
    file.write(reinterpret_cast<const char *>(data) + sizeof(question),
               size - sizeof(question));
  }
  BlobReader reader(getFolder());
  auto blob =
      reader.get("@model_path/weight.bin", question.offset,
                 static_cast<BlobType>(question.type), question.elements);
  if (!blob)
    llvm::consumeError(blob.takeError());
  else
    touch(*blob, question.elements);
  return 0;
}
