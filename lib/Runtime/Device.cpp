//===- Device.cpp - Where a program can run -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"

#include "ane/Simulator/Simulator.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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

absl::Status checkAccesses(const hw::Program &program) {
  std::vector<absl::Span<uint8_t>> surfaces;
  for (const hw::Tensor &tensor : program.tensors)
    surfaces.emplace_back(nullptr, tensor.bytes);
  sim::Options options;
  options.mode = sim::Mode::Count;
  absl::Status status = sim::run(program, surfaces, options).status();
  // A device may understand more than the simulator does.
  return status.code() == absl::StatusCode::kOutOfRange ? status
                                                        : absl::OkStatus();
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

absl::StatusOr<std::unique_ptr<Device>> openDevice(absl::string_view kind) {
  std::vector<std::string> kinds;
  for (std::unique_ptr<Device> &device : devices()) {
    if (device->info().kind == kind)
      return std::move(device);
    kinds.push_back(device->info().kind);
  }
  return absl::NotFoundError(
      absl::StrCat("no device is of kind '", kind,
                   "', expected one of: ", absl::StrJoin(kinds, ", ")));
}

} // namespace ane::rt
