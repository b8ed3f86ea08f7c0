//===- BlobFile.cpp - Weight files of MIL programs ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/MIL/BlobFile.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir::ane;
using namespace mlir::ane::mil;

Expected<std::unique_ptr<BlobFileWriter>>
BlobFileWriter::create(OutputFiles &outputs, StringRef path) {
  Expected<raw_fd_ostream &> os = outputs.open(path, /*makesFolder=*/true);
  if (!os)
    return os.takeError();
  os->write_zeros(sizeof(BlobFileHeader)); // the count is not known yet
  std::unique_ptr<BlobFileWriter> writer(new BlobFileWriter(path, *os));
  writer->position = sizeof(BlobFileHeader);
  return writer;
}

Error BlobFileWriter::takeError() {
  if (!os.has_error())
    return Error::success();
  std::error_code code = os.error();
  os.clear_error();
  return createFileError(path, code);
}

Error BlobFileWriter::finishBlob() {
  if (missing)
    return createFileError(path, createStringError("blob " + Twine(count) +
                                                   " lacks " + Twine(missing) +
                                                   " bytes"));
  return Error::success();
}

Expected<uint64_t> BlobFileWriter::begin(BlobType type, uint64_t bytes,
                                         unsigned paddingBits) {
  if (Error error = finishBlob())
    return std::move(error);
  uint64_t offset = alignTo(position, kBlobAlignment);
  os.write_zeros(offset - position);
  BlobRecord record = {};
  record.magic = kBlobMagic;
  record.type = static_cast<uint32_t>(type);
  record.size = bytes;
  record.offset = offset + sizeof(record);
  record.paddingBits = paddingBits;
  os.write(reinterpret_cast<const char *>(&record), sizeof(record));
  position = offset + sizeof(record);
  missing = bytes;
  ++count;
  if (Error error = takeError())
    return std::move(error);
  return offset;
}

Error BlobFileWriter::append(ArrayRef<char> data) {
  if (data.size() > missing)
    return createFileError(
        path, createStringError("blob " + Twine(count) + " gets " +
                                Twine(data.size()) + " bytes where " +
                                Twine(missing) + " are missing"));
  os.write(data.data(), data.size());
  position += data.size();
  missing -= data.size();
  return takeError();
}

Error BlobFileWriter::finish() {
  if (Error error = finishBlob())
    return error;
  BlobFileHeader header = {};
  header.count = count;
  header.version = kBlobVersion;
  os.pwrite(reinterpret_cast<const char *>(&header), sizeof(header), 0);
  os.flush();
  return takeError();
}
