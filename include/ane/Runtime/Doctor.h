//===- Doctor.h - What a machine lacks to run programs ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at a machine from the chip up to the first submission, and stops at what
// is missing: what it is, and the command that helps. Reads only.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_RUNTIME_DOCTOR_H
#define ANE_RUNTIME_DOCTOR_H

#include <string>
#include <vector>

namespace ane::rt {

struct Finding {
  std::string what; ///< "chip", "kernel module"
  bool good = false;
  std::string found; ///< "apple,t8103 (M1, h13)"
  std::string next;  ///< what to do; empty where it is good
};

/// In the order in which they depend on each other; nothing after the first
/// that is not good.
std::vector<Finding> examine();

/// One line each, with the next step in a line of its own.
std::string describe(const std::vector<Finding> &findings);

} // namespace ane::rt

#endif // ANE_RUNTIME_DOCTOR_H
