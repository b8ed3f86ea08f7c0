//===- BlobFile.h - Weight files of MIL programs ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A weight file holds the constants of a MIL program, each after a record that
// says what it is (storage version 2, little endian, everything at multiples of
// 64 bytes; *seen* in files of coremltools):
//
//    +-- file header, 64 --+-- record, 64 --+-- data --+- 0..63 -+-- record ...
//    | count, version, 0.. | magic, type,   |          | zeros   |
//    |                     | size, offset,  |          |         |
//    |                     | padding bits   |          |         |
//
// A program names a constant by the offset of its *record*. The file ends with
// the last byte of data.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MIL_BLOBFILE_H
#define ANE_TARGET_MIL_BLOBFILE_H

#include "ane/Files/OutputFiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace mlir::ane::mil {

/// Element types as the file numbers them (not the numbers of MIL's protobuf).
enum class BlobType : uint32_t {
  Float16 = 1,
  Float32 = 2,
  UInt8 = 3,
  Int8 = 4,
  BFloat16 = 5,
  Int16 = 6,
  UInt16 = 7,
  Int4 = 8,
  UInt1 = 9,
  UInt2 = 10,
  UInt4 = 11,
  UInt3 = 12,
  UInt6 = 13,
  Int32 = 14,
  UInt32 = 15,
  Float8E4M3FN = 16,
  Float8E5M2 = 17,
};

struct BlobFileHeader {
  llvm::support::ulittle32_t count;
  llvm::support::ulittle32_t version;
  llvm::support::ulittle64_t reserved[7];
};
static_assert(sizeof(BlobFileHeader) == 64, "the first record is at 64");

struct BlobRecord {
  llvm::support::ulittle32_t magic;
  llvm::support::ulittle32_t type;
  llvm::support::ulittle64_t size;   // bytes
  llvm::support::ulittle64_t offset; // of the data, from the start of the file
  llvm::support::ulittle64_t paddingBits; // unused bits of the last byte
  llvm::support::ulittle64_t reserved[4];
};
static_assert(sizeof(BlobRecord) == 64, "data starts at a multiple of 64");

constexpr uint32_t kBlobMagic = 0xDEADBEEF;
constexpr uint32_t kBlobVersion = 2;
constexpr uint64_t kBlobAlignment = 64;

/// Writes a weight file front to back, as one of the outputs of a command.
class BlobFileWriter {
public:
  /// Starts a file, and its folder if need be.
  static llvm::Expected<std::unique_ptr<BlobFileWriter>>
  create(OutputFiles &outputs, llvm::StringRef path);

  /// Starts a blob of `bytes` bytes and returns the offset of its record.
  llvm::Expected<uint64_t> begin(BlobType type, uint64_t bytes,
                                 unsigned paddingBits = 0);
  /// Appends to the blob that was started last.
  llvm::Error append(llvm::ArrayRef<char> data);
  /// Checks that the last blob is complete and writes the header.
  llvm::Error finish();

private:
  BlobFileWriter(llvm::StringRef path, llvm::raw_fd_ostream &os)
      : path(path), os(os) {}
  llvm::Error finishBlob();
  llvm::Error takeError();

  std::string path;
  llvm::raw_fd_ostream &os;
  uint64_t position = 0;
  uint64_t missing = 0;
  uint32_t count = 0;
};

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MIL_BLOBFILE_H
