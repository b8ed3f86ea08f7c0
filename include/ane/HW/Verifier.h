//===- Verifier.h - Proves that a program stays in its memory ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrong register write can reset a machine. Before a device gets a program,
// this proves from its words alone that
//
//   every DMA access, of every task, stays inside the surface, the constants or
//   the scratch memory that its base names, and no input is written
//   every access of L2 stays inside L2, tiles that stream included
//   what is read was written before, by a task or by the caller
//   bases are bound, tasks follow each other as their links say, and only the
//   last ends the network
//   no field has a value that no recorded program has (FieldRules.h)
//
//   hw::VerifyReport report = hw::verify(program);
//   if (!report.ok())
//     return report.status();   // task, field, value, bound
//
// It reads the tables of registers that the simulator reads, and shares none of
// its checks: each is tested against the other with changed words. A program
// takes time in proportion to its tasks and to the bytes that they touch.
// docs/Verifier.md lists what is proved and what is not.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_VERIFIER_H
#define ANE_HW_VERIFIER_H

#include "ane/HW/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace ane::hw {

struct VerifyOptions {
  /// Paths of fields ("Header[6].KPC") whose value may be one that no program has.
  /// Only of hints: what decides an access is never let through.
  std::vector<std::string> allowed;
  /// Faults after this many are not looked for.
  size_t maxFaults = 16;
};

struct VerifyFault {
  enum Kind : uint8_t {
    Access, ///< leaves its memory
    Order,  ///< reads what is not there, or is out of sequence
    Value,  ///< a field has a value that is not known
    Shape,  ///< sizes that do not fit each other
  };
  Kind kind;
  std::optional<uint32_t> task; ///< none: of the program
  /// Of the program's generation: "TileDMASrc.Src1BaseAddr.Addr". Empty where
  /// no single field is wrong.
  std::string field;
  uint64_t value = 0;  ///< of the field
  std::string message; ///< all of it, the bound too
};

struct VerifyReport {
  std::vector<VerifyFault> faults;
  uint64_t tasks = 0;    ///< looked at
  uint64_t accesses = 0; ///< proved to stay inside, of DRAM and L2

  bool ok() const { return faults.empty(); }
  /// "task 3: ..." of the first fault, and how many more there are.
  absl::Status status() const;
};

/// Never fails otherwise and never aborts, whatever the words are.
VerifyReport verify(const Program &program, const VerifyOptions &options = {});

} // namespace ane::hw

#endif // ANE_HW_VERIFIER_H
