//===- DiffPrograms.h - What differs between two programs -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_HWX_DIFFPROGRAMS_H
#define ANE_TARGET_HWX_DIFFPROGRAMS_H

#include "ane/HW/Container.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::ane::hwx {

/// Something with a name that has two values; `a` is empty where `b` says how
/// they differ.
struct FieldDifference {
  std::string name;    ///< "Common.InDim.Win", "segment 1"
  std::string address; ///< of a register or header word
  std::string a, b;
  std::string meaning; ///< of the field, where it is known
};

struct TaskDifference {
  std::optional<size_t> a, b; ///< numbers of the tasks; one may be missing
  std::string op;             ///< "NE: conv 3x3, relu"
  std::vector<FieldDifference> fields;
};

struct ProgramDifference {
  bool equal = false; ///< all bytes of the files
  std::vector<FieldDifference> container, tensors;
  std::string constants; ///< how many bytes differ; empty: none
  std::vector<TaskDifference> tasks;

  /// The files differ, and nothing that has a name does.
  bool isUnnamed() const {
    return !equal && container.empty() && tensors.empty() &&
           constants.empty() && tasks.empty();
  }
};

/// Compares two files, of which the containers were read.
ProgramDifference diffPrograms(const ::ane::hw::Container &a,
                               llvm::StringRef bytesA,
                               const ::ane::hw::Container &b,
                               llvm::StringRef bytesB);

/// For people; nothing where all is equal.
void printDifference(const ProgramDifference &difference,
                     llvm::raw_ostream &os);
void printDifferenceJSON(const ProgramDifference &difference,
                         llvm::raw_ostream &os);

} // namespace mlir::ane::hwx

#endif // ANE_TARGET_HWX_DIFFPROGRAMS_H
