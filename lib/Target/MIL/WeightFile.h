//===- WeightFile.h - Constants of a program go to its file -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_WEIGHTFILE_H
#define ANE_LIB_TARGET_MIL_WEIGHTFILE_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/MIL/BlobFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

namespace mlir::ane::mil {

class BlobReader;

/// Collects constants of a program in DIR/weights/weight.bin, in the order in
/// which they are added. The same bytes as the same type are written once. The
/// file is one of `outputs`, which appear with their commit().
class WeightFile {
public:
  /// For text: takes `dense_resource` constants; a `dense` one is a literal,
  /// and references stay what they are.
  WeightFile(StringRef dir, OutputFiles &outputs)
      : dir(dir), outputs(outputs) {}
  /// For packages: takes all that belong into a file, also what references
  /// refer to.
  WeightFile(StringRef dir, OutputFiles &outputs, BlobReader &references)
      : dir(dir), outputs(outputs), references(&references) {}

  /// Whether a value of `type` belongs into the file.
  bool wants(Attribute value, Type type, StringRef opset) const;
  /// Writes the value; returns the offset to refer to. Errors are those of
  /// `op`.
  FailureOr<uint64_t> add(Operation *op, Attribute value, Type type);
  /// Notes where the program refers to the file that `add` would write.
  void findReferences(ProgramOp program);
  LogicalResult finish(Location loc);

private:
  struct Source;

  FailureOr<Source> getSource(Operation *op, Attribute value, Type element);
  LogicalResult open(Location loc);

  std::string dir;
  OutputFiles &outputs;
  BlobReader *references = nullptr;
  std::unique_ptr<BlobFileWriter> writer;
  Operation *reference = nullptr;
  std::map<std::tuple<const char *, size_t, uint32_t>, uint64_t> offsets;
  // What `offsets` points into.
  std::vector<std::shared_ptr<const llvm::MemoryBuffer>> files;
};

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_WEIGHTFILE_H
