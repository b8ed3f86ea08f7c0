//===- Engine.h - Apple's private runtime -----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// _ANEClient is the connection of a process to aned, the daemon that compiles,
// loads and runs. There is a class above it, _ANEInMemoryModel, that takes MIL
// text from memory; we talk to the client itself because
//
// - it writes the same folder that a caller can write, under a name that other
//   processes share, and its own way to write it is *claimed* to be broken;
// - it is *claimed* to leak, so that a process can compile only some 119 times;
// - files of our own in the daemon's cache are reached through the client only,
//   so that there is one way for both.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_ENGINE_H
#define ANE_LIB_RUNTIME_APPLE_ENGINE_H

#include "Attributes.h"
#include "ModelFolder.h"
#include "Surface.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace ane::rt::apple {

/// What a process may do: *claim*: after some 119 compiles and with 128 loaded
/// programs the next one fails, and leaves no usable message.
struct Limits {
  int compiles = 100; ///< in the life of the process
  int loaded = 120;   ///< at once
};

/// How much of it is used.
struct Usage {
  std::atomic<int> compiles{0}, loaded{0};
};

/// The messages that run a program.
enum class Path : uint8_t {
  Standard, ///< by the daemon
  Direct,   ///< by the client itself
  RealTime, ///< by the daemon, loaded as real-time
  Program,  ///< by the object below the client
  Chained,  ///< by the daemon, prepared as a chain of one (Chain.h)
};

struct EngineOptions {
  Libraries libraries;
  Path path = Path::Standard;
  /// *seen*: the value of three published programs, and the quality of service
  /// that is the default elsewhere. Others, up to 63, run at the same speed.
  uint32_t quality = 21;
  bool statistics = false; ///< ask for the time of the engine
  Limits limits;
  Usage *usage = nullptr; ///< null: that of the process
  /// *claim*: the first load after compiling sometimes fails, and works then.
  std::chrono::milliseconds retryAfter{100};
};

/// "path=direct", "qos=33" or "stats": what a user wants of the device.
absl::Status parseOption(absl::string_view text, EngineOptions &options);

class LoadedModel;

class Engine : public std::enable_shared_from_this<Engine> {
public:
  /// Fails with what this system lacks.
  static absl::StatusOr<std::shared_ptr<Engine>>
  open(const EngineOptions &options);

  /// The name that the system has for it, in small letters.
  const std::string &architecture() const { return architectureName; }
  const ObjC &objc() const { return objcRuntime; }
  const Foundation &foundation() const { return frameworks; }
  const Surfaces &surfaces() const { return surfaceApi; }
  const EngineOptions &wanted() const { return options; }
  Id connection() const { return client.get(); }

  /// A network in a folder, which the result keeps. All below run inside
  /// ObjC::guarded.
  absl::StatusOr<std::shared_ptr<LoadedModel>>
  compileAndLoad(std::unique_ptr<ModelFolder> folder);
  /// A program that lies in the daemon's cache under `key`; NotFound when it
  /// does not.
  absl::StatusOr<std::shared_ptr<LoadedModel>>
  loadCached(const std::string &key);

  /// Whether this system has all of some optional messages.
  template <typename... Messages>
  absl::Status checkAll(const Messages &...messages) const {
    absl::Status status;
    ((status.ok() ? void(status = objcRuntime.check(messages)) : void()), ...);
    return status;
  }
  /// Fails after a fork: *claim*: the child crashes when it uses the engine.
  absl::Status checkProcess() const;
  /// "Apple's runtime ...", with what it says, and what helps where that is known.
  absl::Status failure(const char *what, Id error) const;

private:
  friend class LoadedModel;
  explicit Engine(const EngineOptions &options);
  absl::Status resolve();
  /// Whether this system has the messages that the options need.
  absl::Status checkOptions() const;
  absl::Status checkMachine();
  absl::Status connect();
  absl::Status load(LoadedModel &model);

  EngineOptions options;
  Usage &usage;
  ObjC objcRuntime;
  Foundation frameworks{objcRuntime};
  Surfaces surfaceApi;
  std::mutex connecting;
  Ref client;
  std::string architectureName;
  int process;
};

/// A model that is loaded; unloads it.
class LoadedModel {
public:
  ~LoadedModel();
  Id get() const { return model.get(); }
  /// Where surfaces and symbols of a function are.
  absl::StatusOr<Attributes> attributes(const std::string &function) const;
  const std::shared_ptr<Engine> &owner() const { return engine; }

private:
  friend class Engine;
  LoadedModel(std::shared_ptr<Engine> engine, Id model, Id options);

  std::shared_ptr<Engine> engine; // before what it owns
  std::unique_ptr<ModelFolder> folder;
  Ref model, options;
  bool isCompiled = false; ///< by us: leaves something in the cache
  bool isLoaded = false;
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_ENGINE_H
