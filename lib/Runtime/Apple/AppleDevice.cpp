//===- AppleDevice.cpp - Apple's private in-memory runtime ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apple's runtime takes MIL text and compiles it itself; it does not take
// register programs. This device says so instead of running something else.
//
//===----------------------------------------------------------------------===//

#include "../Backends.h"

#if defined(__APPLE__)
#include <sys/stat.h>
#endif

namespace ane::rt {
namespace {

class AppleDevice : public Device {
public:
  DeviceInfo info() const override {
    return {"apple", "Apple's runtime", "any", false, state()};
  }

  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &) override {
    return absl::FailedPreconditionError("device apple is " + state());
  }

private:
  static std::string state() {
#if defined(__APPLE__)
    const char *framework =
        "/System/Library/PrivateFrameworks/AppleNeuralEngine.framework";
    struct stat entry;
    if (stat(framework, &entry) != 0)
      return std::string("not ready: ") + framework + " does not exist";
    return "not ready: this build cannot hand register programs to Apple's "
           "runtime, which takes MIL (compile with -o model.mlpackage)";
#else
    return "not ready: needs macOS, this is another system";
#endif
  }
};

} // namespace

std::unique_ptr<Device> makeAppleDevice() {
  return std::make_unique<AppleDevice>();
}

} // namespace ane::rt
