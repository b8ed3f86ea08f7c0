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

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ane::rt {

class Event;

/// Something that a system allows or not.
struct Permission {
  std::string what;   ///< "System Integrity Protection"
  std::string held;   ///< "on", "off", "yes", "no", "unknown"
  std::string needed; ///< for what, and what can be done without
};

/// A line each, for a list of devices.
std::string describe(const std::vector<Permission> &permissions);

struct DeviceInfo {
  std::string kind;       ///< "sim", "apple", "asahi"
  std::string name;       ///< for people
  std::string generation; ///< "h13, h14"; "any" when it runs them all
  bool ready = false;
  std::string state; ///< "ready", or why it is not
};

/// A value that an event has to reach, or reaches.
struct EventValue {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};

struct RunOptions {
  sim::Options simulator;
  /// How long the run may take (Session.h); none: as long as it takes.
  std::optional<std::chrono::milliseconds> timeout;
  /// What the run waits for, and what it raises when it has ended (Session.h).
  std::vector<EventValue> waits, signals;
};

struct RunResult {
  std::optional<sim::Stats> stats; ///< only the simulator has them
  /// What the engine took, where the device tells it.
  std::optional<double> hardwareSeconds;
};

/// How an output becomes an input of the next run.
enum class Keeping : uint8_t {
  /// After a run that succeeds, the two tensors exchange their memory.
  Exchange,
  /// Both are in the same memory: no task may read the one after another has
  /// begun to write the other, which is proved from the words of the program.
  Alias,
};

/// A program on a device: what does not change from run to run is there
/// already, such as coefficients. One run at a time; Session.h runs in the
/// background.
class Executable {
public:
  virtual ~Executable() = default;
  /// Inputs, then outputs: those of the program, or, of MIL text, what the
  /// device has made of them.
  virtual absl::Span<const hw::Tensor> tensors() const = 0;
  /// `buffers[i]` belongs to `tensors()[i]` and has its `bytes`, or none where
  /// the tensor is kept.
  absl::StatusOr<RunResult> run(absl::Span<const absl::Span<uint8_t>> buffers,
                                const RunOptions &options);

  /// A state, a buffer that stays in the device: what a run leaves in `output`
  /// the next one finds in `input`, which is zero before the first.
  absl::Status keep(size_t input, size_t output, Keeping how);
  /// The same by the names of the tensors.
  absl::Status keep(absl::string_view input, absl::string_view output,
                    Keeping how);
  /// The state that the next run finds in a kept input.
  absl::Status writeState(size_t input, absl::Span<const uint8_t> bytes);
  absl::Status readState(size_t input, absl::Span<uint8_t> bytes);
  bool isKept(size_t tensor) const;

  /// Another function of the text that this was made of, which is loaded
  /// already.
  virtual absl::StatusOr<std::unique_ptr<Executable>>
  procedure(const MILModel &model);

  /// Whether the device itself ends a run after RunOptions::timeout, and is
  /// ready for the next.
  virtual bool endsRuns() const { return false; }
  /// Whether nothing of the caller is in use by a run that nobody waits for.
  virtual bool outlivesCaller() const { return true; }
  /// Whether the device itself waits for an event, and raises it.
  virtual bool takesEvent(const Event &) const { return false; }

protected:
  /// The words of the program, where there are any.
  virtual const hw::Program *words() const { return nullptr; }
  virtual absl::Status write(size_t tensor,
                             absl::Span<const uint8_t> bytes) = 0;
  virtual absl::Status read(size_t tensor, absl::Span<uint8_t> bytes) = 0;
  /// Runs on the memory of the tensors.
  virtual absl::StatusOr<RunResult> execute(const RunOptions &options) = 0;
  /// Puts the tensors into the same memory.
  virtual absl::Status alias(size_t input, size_t output) = 0;
  /// Each tensor gets the memory of the other.
  virtual absl::Status exchange(size_t input, size_t output) = 0;
  /// Keeps the tensors where the program is, in another process, which proves
  /// what has to be.
  virtual bool keepsThere() const { return false; }
  virtual absl::Status keepThere(size_t input, size_t output, Keeping how) {
    return absl::OkStatus();
  }
  /// Writes what is given, executes, reads the outputs.
  virtual absl::StatusOr<RunResult>
  runOn(absl::Span<const absl::Span<uint8_t>> buffers,
        const RunOptions &options);

private:
  absl::Status
  checkBuffers(absl::Span<const absl::Span<uint8_t>> buffers) const;
  absl::Status checkState(size_t input, size_t bytes) const;

  struct State {
    size_t input, output;
    Keeping how;
  };
  std::vector<State> states;
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
  /// What this process and this machine are allowed, and what needs it; looked
  /// up without trying anything.
  virtual std::vector<Permission> permissions() const { return {}; }
  /// What a user wants of it, before programs are loaded: "path=direct,qos=33".
  /// All devices know "timeout=SECONDS".
  absl::Status configure(absl::string_view options);
  /// How long each run may take; 0: as long as it takes.
  std::chrono::milliseconds timeout() const { return runTimeout; }
  /// `program` must outlive the result; the device need not.
  virtual absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &program) = 0;
  /// An event that runs of this device wait for and raise without this process
  /// in between; by default one that all devices take.
  virtual absl::StatusOr<std::shared_ptr<Event>> makeEvent();
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

protected:
  /// Takes one that only this device has.
  virtual absl::Status setOption(absl::string_view option);

private:
  std::chrono::milliseconds runTimeout{0};
};

/// All devices that this build knows, also those that are not ready.
std::vector<std::unique_ptr<Device>> devices();

/// The device of a kind, such as "sim", or with options, such as
/// "apple:path=direct". The error lists the kinds that exist.
absl::StatusOr<std::unique_ptr<Device>> openDevice(absl::string_view name);

} // namespace ane::rt

#endif // ANE_RUNTIME_DEVICE_H
