//===- Doctor.cpp - What a machine lacks to run programs ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Doctor.h"

#include "Asahi/LinuxDoctor.h"

#include "ane/Runtime/Device.h"

#include "absl/strings/str_cat.h"

namespace ane::rt {

std::vector<Finding> examine() {
#if defined(__APPLE__)
  absl::StatusOr<std::unique_ptr<Device>> device = openDevice("apple");
  const DeviceInfo info = (*device)->info();
  return {{"device apple", info.ready, info.state,
           info.ready ? ""
                      : "docs/Devices.md, \"On a Mac\", says what it needs; "
                        "please report this line"}};
#else
  return asahi::examine(asahi::linuxSystem());
#endif
}

std::string describe(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings) {
    absl::StrAppend(&text, finding.good ? "ok       " : "missing  ",
                    finding.what, ": ", finding.found, "\n");
    if (!finding.next.empty())
      absl::StrAppend(&text, "         next: ", finding.next, "\n");
  }
  return text;
}

} // namespace ane::rt
