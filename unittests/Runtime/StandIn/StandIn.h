//===- StandIn.h - A library that plays those of macOS ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small Objective-C runtime in C++, with as much of Foundation, IOSurface and
// AppleNeuralEngine as the device uses, under the names that macOS exports. It
// writes down what is wrong with how it is used, counts what is alive, and
// fails where it is told to. How the real ones behave is known from the
// publications that lib/Runtime/Apple names.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_RUNTIME_STANDIN_STANDIN_H
#define ANE_UNITTESTS_RUNTIME_STANDIN_STANDIN_H

#include "ane/HW/Program.h"

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ane::standin {

/// A number that threads count in.
template <typename T> class Count {
public:
  Count(T value = 0) : value(value) {}
  Count(const Count &other) : value(other.value.load()) {}
  Count &operator=(const Count &other) {
    value = other.value.load();
    return *this;
  }
  operator T() const { return value; }
  void operator++() { ++value; }
  void operator--() { --value; }

private:
  std::atomic<T> value;
};

/// What compiling a folder gives.
struct Compiled {
  std::string error; ///< NSError's description; empty: it worked
  /// With strides; a real daemon chooses them.
  std::vector<hw::Tensor> tensors;
  /// One surface for each tensor; false: the run fails.
  std::function<bool(const std::vector<uint8_t *> &)> run;
  std::string function = "main";
  std::vector<Compiled> others = {}; ///< more functions of the text
};

struct Control {
  // What the machine is.
  bool hasEngine = true, isVirtual = false;
  std::string architecture = "H13G"; ///< spelled in any case
  std::string temporaryFolder;       ///< empty: $TMPDIR or /tmp
  /// In place of "/" where the daemon looks for its cache.
  std::string root;
  std::string build = "25D125"; ///< of macOS

  // What goes wrong.
  std::set<std::string> missing;            ///< classes and selectors
  std::map<std::string, std::string> types; ///< other ones, of selectors
  std::string throwAt;                      ///< a selector
  std::set<std::string> answerNil;          ///< selectors
  bool failsWithoutError = false;           ///< NO, but no NSError
  int failingLoads = 0;                     ///< before one works
  std::string runError;
  int runMilliseconds = 0;          ///< that each run takes
  uint64_t hardwareNanoseconds = 0; ///< that it says it took
  bool noHandle = false;
  uint64_t missingSurfaceBytes = 0; ///< less than asked for
  bool noSurfaces = false;
  int lockError = 0;
  std::string dropAttribute; ///< a key that is not there
  /// Another value for a key of the attributes.
  std::map<std::string, std::string> textAttributes;
  std::map<std::string, uint64_t> numberAttributes;
  bool withStates = false;
  bool symbolsInOrder = false; ///< else from the last tensor to the first
  /// Messages of a chain that fail, without an error: as *claimed* of real
  /// ones, prepared chains are refused.
  std::set<std::string> failingChains = {"buffersReadyWithModel"};
  bool refusesShared = false; ///< a surface that is input and output
  uint32_t protection = 0;    ///< csr_get_active_config; 0: all is on
  std::set<std::string> entitlements;

  /// By default ane-compile ($ANE_STAND_IN_COMPILER) and the simulator.
  std::function<Compiled(const std::string &folder)> compile;
  /// The program of a .hwx file; by default the simulator runs it.
  std::function<Compiled(const std::string &file)> load;

  // What has been seen.
  std::vector<std::string> complaints; ///< about how it was used
  std::vector<std::string> messages;   ///< to the client, in order
  std::string folder;                  ///< of the last compile
  Count<size_t> alive;                 ///< objects and surfaces
  Count<int> loaded, compiled, purged;
  Count<uint32_t> quality; ///< of the last run
  Count<int> procedure;    ///< of the last run
};

/// Of this process.
__attribute__((visibility("default"))) Control &aneStandIn();

} // namespace ane::standin

#endif // ANE_UNITTESTS_RUNTIME_STANDIN_STANDIN_H
