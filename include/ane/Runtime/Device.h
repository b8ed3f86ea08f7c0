//===- Device.h - Where a program can run -----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One interface for the simulator, Apple's private runtime and the Asahi
// driver. A device says whether it is ready, and why not.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_RUNTIME_DEVICE_H
#define ANE_RUNTIME_DEVICE_H

#include "ane/HW/Program.h"
#include "ane/Runtime/MILModel.h"
#include "ane/Simulator/Simulator.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ane::rt {

struct DeviceInfo {
  std::string kind;       ///< "sim", "apple", "asahi"
  std::string name;       ///< for people
  std::string generation; ///< "h13, h14"; "any" when it runs them all
  bool ready = false;
  std::string state; ///< "ready", or why it is not
};

struct RunOptions {
  sim::Options simulator;
};

struct RunResult {
  std::optional<sim::Stats> stats; ///< only the simulator has them
  /// What the engine took, where the device tells it.
  std::optional<double> hardwareSeconds;
};

/// A program on a device: what does not change from run to run is there
/// already, such as coefficients. One run at a time.
class Executable {
public:
  virtual ~Executable() = default;
  /// Inputs, then outputs: those of the program, or, of MIL text, what the
  /// device has made of them.
  virtual absl::Span<const hw::Tensor> tensors() const = 0;
  /// `buffers[i]` belongs to `tensors()[i]` and has its `bytes`.
  virtual absl::StatusOr<RunResult>
  run(absl::Span<const absl::Span<uint8_t>> buffers,
      const RunOptions &options) = 0;
};

/// The .hwx file that a program was read from.
struct ProgramFile {
  std::string path;
  absl::Span<const uint8_t> bytes; ///< all of it; only needed while loading
};

class Device {
public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;
  /// What a user wants of it, before programs are loaded: "path=direct,qos=33".
  virtual absl::Status configure(absl::string_view options);
  /// `program` must outlive the result; the device need not.
  virtual absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) = 0;
  /// Whether the device takes files only: then `load` fails.
  virtual bool needsFiles() const { return false; }
  /// The same where the program came from a file.
  virtual absl::StatusOr<std::unique_ptr<Executable>>
  loadFile(const hw::Program &program, const ProgramFile &file) {
    return load(program);
  }
  /// Whether the device has a compiler of its own, for `loadMIL`.
  virtual bool compilesMIL() const { return false; }
  /// Compiles a network and loads it. `model` need not outlive the result.
  virtual absl::StatusOr<std::unique_ptr<Executable>>
  loadMIL(const MILModel &model);
  /// Loads, and runs once.
  absl::StatusOr<RunResult> run(const hw::Program &program,
                                absl::Span<const absl::Span<uint8_t>> buffers,
                                const RunOptions &options);
};

/// All devices that this build knows, also those that are not ready.
std::vector<std::unique_ptr<Device>> devices();

/// The device of a kind, such as "sim", or with options, such as
/// "apple:path=direct". The error lists the kinds that exist.
absl::StatusOr<std::unique_ptr<Device>> openDevice(absl::string_view name);

} // namespace ane::rt

#endif // ANE_RUNTIME_DEVICE_H
