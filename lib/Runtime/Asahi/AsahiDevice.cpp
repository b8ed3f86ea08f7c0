//===- AsahiDevice.cpp - The ANE driver of Asahi Linux --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is a DRM accelerator (/dev/accel/accelN) whose name is "ane". This
// looks for the node and says what it found; submitting programs is not built
// in.
//
//===----------------------------------------------------------------------===//

#include "../Backends.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace ane::rt {
namespace {

constexpr const char *node = "/dev/accel/accel0";

class AsahiDevice : public Device {
public:
  DeviceInfo info() const override {
    return {"asahi", "ANE driver of Asahi Linux", "h13", false, state()};
  }

  absl::StatusOr<RunResult> run(const hw::Program &,
                                absl::Span<const absl::Span<uint8_t>>,
                                const RunOptions &) override {
    return absl::FailedPreconditionError("device asahi is " + state());
  }

private:
  static std::string state() {
#if defined(__linux__)
    struct stat entry;
    if (stat(node, &entry) != 0)
      return std::string("not ready: ") + node + ": " + std::strerror(errno);
    if (access(node, R_OK | W_OK) != 0)
      return std::string("not ready: ") + node + ": " + std::strerror(errno) +
             "; the user needs access to it";
    return std::string("not ready: ") + node +
           " exists, but this build cannot submit programs to a driver";
#else
    return "not ready: needs Linux on an Apple machine";
#endif
  }
};

} // namespace

std::unique_ptr<Device> makeAsahiDevice() {
  return std::make_unique<AsahiDevice>();
}

} // namespace ane::rt
