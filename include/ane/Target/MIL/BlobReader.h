//===- BlobReader.h - Values in weight files, mapped ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program refers to a weight file by a path that begins with `@model_path`
// and a value in it by the offset of its record (see BlobFile.h). The reader
// takes a folder for `@model_path`, maps each file when the first value in it
// is asked for, and hands out the bytes where they lie: nothing is copied,
// however large the file is.
//
// The record must say what the type of the constant says: a wrong offset would
// be garbage without a word. Only what writers are known to leave undefined is
// not looked at: reserved fields, the number of blobs in the header, and the
// padding bits of types of whole bytes (*seen* with pointers in it).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MIL_BLOBREADER_H
#define ANE_TARGET_MIL_BLOBREADER_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/MIL/BlobFile.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace mlir::ane::mil {

/// The number that files give to an element type, none for types that files do
/// not have (bool, string, and 64 bits).
std::optional<BlobType> getBlobType(Type element);
/// Bits of an element.
unsigned getBlobBits(BlobType type);

/// A value in a mapped file. Elements of less than a byte are packed, the first
/// in the lowest bits.
struct Blob {
  BlobType type;
  ArrayRef<char> bytes;
  /// Keeps the bytes where they are.
  std::shared_ptr<const llvm::MemoryBuffer> file;
};

/// The file `path` below the folder `root`, for paths that outside data
/// chooses: neither `..` nor a link leads elsewhere.
llvm::Expected<std::string> locateBelow(StringRef path, StringRef root);

/// Reads values from the weight files below a folder.
class BlobReader {
public:
  /// `root` stands for `@model_path`.
  explicit BlobReader(StringRef root) : root(root) {}

  /// The value at `offset` of the file `path` (`@model_path/...`), which must
  /// be of this type and number of elements. Errors name file and offset.
  llvm::Expected<Blob> get(StringRef path, uint64_t offset, BlobType type,
                           uint64_t elements);
  /// The value that the attribute refers to.
  llvm::Expected<Blob> get(BlobFileAttr reference);

private:
  llvm::Expected<std::shared_ptr<const llvm::MemoryBuffer>>
  open(StringRef path);

  std::string root;
  llvm::StringMap<std::shared_ptr<const llvm::MemoryBuffer>> files;
};

/// Looks up what each constant of the program refers to; errors are located at
/// the constants.
LogicalResult checkBlobReferences(ModuleOp module, BlobReader &reader);

/// Turns each `#mil.blobfile` of a constant or an attribute of a statement into
/// a `dense_resource` of the mapped bytes. Elements of less than a byte stay
/// packed.
LogicalResult resolveBlobReferences(ModuleOp module, BlobReader &reader);

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MIL_BLOBREADER_H
