//===- Device.cpp - Where a program can run -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"

#include "ane/HW/Verifier.h"
#include "ane/Runtime/Session.h"
#include "ane/Runtime/Worker.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

#include <algorithm>

namespace ane::rt {

absl::StatusOr<RunResult>
Device::run(const hw::Program &program,
            absl::Span<const absl::Span<uint8_t>> buffers,
            const RunOptions &options) {
  absl::StatusOr<std::unique_ptr<Executable>> executable = load(program);
  if (!executable.ok())
    return executable.status();
  Surfaces surfaces;
  for (absl::Span<uint8_t> buffer : buffers)
    surfaces.emplace_back(buffer.begin(), buffer.end());
  absl::StatusOr<RunResult> result =
      Session(*std::move(executable), timeout()).run(surfaces, options);
  for (size_t i = 0; result.ok() && i < buffers.size(); ++i)
    std::copy(surfaces[i].begin(), surfaces[i].end(), buffers[i].begin());
  return result;
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

std::string describe(const std::vector<Permission> &permissions) {
  std::string text;
  for (const Permission &permission : permissions)
    absl::StrAppend(&text, "        ", permission.what, ": ", permission.held,
                    "; ", permission.needed, "\n");
  return text;
}

std::vector<std::unique_ptr<Device>> devices() {
  std::vector<std::unique_ptr<Device>> all;
  all.push_back(makeSimulatedDevice());
  all.push_back(makeAppleDevice());
  all.push_back(makeAsahiDevice());
  return all;
}

absl::StatusOr<std::shared_ptr<Event>> Device::makeEvent() {
  return std::make_shared<Event>();
}

static absl::StatusOr<std::chrono::milliseconds>
parseTimeout(absl::string_view text) {
  constexpr double most = 86400;
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !(seconds > 0) || seconds > most)
    return absl::InvalidArgumentError(absl::StrFormat(
        "timeout is '%s', expected seconds, up to %g", text, most));
  return std::chrono::milliseconds(
      std::max<int64_t>(1, static_cast<int64_t>(seconds * 1e3)));
}

absl::Status Device::configure(absl::string_view options) {
  for (absl::string_view option :
       absl::StrSplit(options, ',', absl::SkipEmpty())) {
    absl::string_view value = option;
    if (!absl::ConsumePrefix(&value, "timeout=")) {
      if (absl::Status status = setOption(option); !status.ok())
        return status;
      continue;
    }
    absl::StatusOr<std::chrono::milliseconds> time = parseTimeout(value);
    if (!time.ok())
      return time.status();
    runTimeout = *time;
  }
  return absl::OkStatus();
}

absl::Status Device::setOption(absl::string_view option) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "device %s has no option '%s'; there are timeout= and worker",
      info().kind, option));
}

/// In a process of its own where "worker" is among the options.
static absl::StatusOr<std::unique_ptr<Device>>
openDevice(std::unique_ptr<Device> device, absl::string_view options) {
  // *claim*: some 119 compiles make the next one fail (Apple/Engine.h).
  constexpr int most = 100;
  std::vector<std::string> own;
  int loads = 0;
  for (absl::string_view option :
       absl::StrSplit(options, ',', absl::SkipEmpty())) {
    absl::string_view value = option;
    if (option == "worker")
      loads = most;
    else if (!absl::ConsumePrefix(&value, "worker="))
      own.emplace_back(option);
    else if (!absl::SimpleAtoi(value, &loads) || loads < 1)
      return absl::InvalidArgumentError(absl::StrFormat(
          "worker is '%s', expected how many programs a process loads, from 1 "
          "on",
          value));
  }
  const std::string rest = absl::StrJoin(own, ",");
  if (absl::Status status = device->configure(rest); !status.ok())
    return status;
  if (!loads)
    return device;
  const std::string name = absl::StrCat(device->info().kind, ":", rest);
  const std::chrono::milliseconds timeout = device->timeout();
  std::unique_ptr<Device> worker =
      makeWorkerDevice(std::move(device), name, loads);
  if (timeout.count())
    (void)worker->configure(
        absl::StrFormat("timeout=%g", double(timeout.count()) * 1e-3));
  return worker;
}

absl::StatusOr<std::unique_ptr<Device>> openDevice(absl::string_view name) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(name, absl::MaxSplits(':', 1));
  const absl::string_view kind = parts.first;
  std::vector<std::string> kinds;
  for (std::unique_ptr<Device> &device : devices()) {
    if (device->info().kind == kind)
      return openDevice(std::move(device), parts.second);
    kinds.push_back(device->info().kind);
  }
  return absl::NotFoundError(
      absl::StrCat("no device is of kind '", kind,
                   "', expected one of: ", absl::StrJoin(kinds, ", ")));
}

} // namespace ane::rt
