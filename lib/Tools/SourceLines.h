//===- SourceLines.h - Where ops come from ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_SOURCELINES_H
#define ANE_LIB_TOOLS_SOURCELINES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

#include <vector>

namespace mlir::ane {

/// Numbers the places in the input that ops come from, and quotes them.
class SourceLines {
public:
  explicit SourceLines(llvm::SourceMgr &sourceMgr) : sourceMgr(sourceMgr) {}

  /// The numbers of all places in `loc`; none when it is unknown.
  std::vector<unsigned> add(Location loc);

  /// `[{"file", "line", "column", "name", "text"}]`, what is known of each.
  /// `text` is the line of the file, shortened; files that were read only.
  llvm::json::Array toJson() const { return llvm::json::Array(places); }

private:
  std::optional<unsigned> addPlace(Location loc, StringAttr name);
  std::string textOf(StringRef file, unsigned line) const;

  llvm::SourceMgr &sourceMgr;
  llvm::DenseMap<Location, unsigned> numbers;
  llvm::json::Array places;
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_SOURCELINES_H
