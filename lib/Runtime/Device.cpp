//===- Device.cpp - Where a program can run -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"

#include "ane/HW/Verifier.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace ane::rt {

absl::StatusOr<RunResult>
Device::run(const hw::Program &program,
            absl::Span<const absl::Span<uint8_t>> buffers,
            const RunOptions &options) {
  absl::StatusOr<std::unique_ptr<Executable>> executable = load(program);
  if (!executable.ok())
    return executable.status();
  return (*executable)->run(buffers, options);
}

absl::Status checkProgram(const hw::Program &program) {
  absl::Status status = hw::verify(program).status();
  if (status.ok())
    return status;
  return absl::Status(
      status.code(),
      absl::StrCat(status.message(),
                   "; it is not submitted, since such a program may reset the "
                   "machine (ane-run --verify lists all faults)"));
}

absl::StatusOr<std::unique_ptr<Executable>> Device::loadMIL(const MILModel &) {
  return absl::UnimplementedError(
      absl::StrCat("device ", info().kind,
                   " runs register programs, not MIL text; compile the network "
                   "with ane-compile"));
}

std::vector<std::unique_ptr<Device>> devices() {
  std::vector<std::unique_ptr<Device>> all;
  all.push_back(makeSimulatedDevice());
  all.push_back(makeAppleDevice());
  all.push_back(makeAsahiDevice());
  return all;
}

absl::Status Device::configure(absl::string_view options) {
  if (options.empty())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("device ", info().kind,
                                                 " takes no options, but '",
                                                 options, "' are given"));
}

absl::StatusOr<std::unique_ptr<Device>> openDevice(absl::string_view name) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(name, absl::MaxSplits(':', 1));
  const absl::string_view kind = parts.first;
  std::vector<std::string> kinds;
  for (std::unique_ptr<Device> &device : devices()) {
    if (device->info().kind == kind) {
      if (absl::Status status = device->configure(parts.second); !status.ok())
        return status;
      return std::move(device);
    }
    kinds.push_back(device->info().kind);
  }
  return absl::NotFoundError(
      absl::StrCat("no device is of kind '", kind,
                   "', expected one of: ", absl::StrJoin(kinds, ", ")));
}

} // namespace ane::rt
