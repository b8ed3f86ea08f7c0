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

#include <map>

namespace mlir::ane::mil {

/// Collects the `dense_resource` constants of a program in
/// DIR/weights/weight.bin. The same bytes as the same type are written once.
class WeightFile {
public:
  explicit WeightFile(StringRef dir) : dir(dir) {}
  ~WeightFile();

  /// Whether a constant of `type` belongs into the file rather than the text.
  bool wants(DenseResourceElementsAttr value, Type type, StringRef opset) const;
  /// Writes the constant; returns the offset that the text refers to.
  FailureOr<uint64_t> add(ConstOp op, DenseResourceElementsAttr value);
  /// Notes where the program refers to the file that `add` would write.
  void findReferences(ProgramOp program);
  LogicalResult commit(Location loc);

private:
  LogicalResult open(Location loc);

  std::string dir;
  std::string madeDir;
  std::unique_ptr<BlobFileWriter> writer;
  Operation *reference = nullptr;
  std::map<std::tuple<const char *, size_t, uint32_t>, uint64_t> offsets;
};

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_WEIGHTFILE_H
