//===- Procedure.h - A function of a loaded model, with surfaces *- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_PROCEDURE_H
#define ANE_LIB_RUNTIME_APPLE_PROCEDURE_H

#include "Chain.h"
#include "Completion.h"
#include "SharedEvent.h"

namespace ane::rt::apple {

/// What a request takes. All but the destructor run inside ObjC::guarded.
class Procedure {
public:
  Procedure(std::shared_ptr<LoadedModel> model, uint64_t index);
  ~Procedure();
  /// Makes surfaces for `bindings`, whose inputs come first, and what a run
  /// needs of them.
  absl::Status bind(absl::Span<const Binding> bindings);
  const Surface &surface(size_t index) const { return surfaces[places[index]]; }
  /// Puts both tensors into the surface of the input.
  absl::Status alias(size_t input, size_t output);
  /// Each tensor gets the surface of the other.
  absl::Status exchange(size_t input, size_t output);
  /// Runs once, and waits for it.
  absl::Status evaluate(const RunOptions &options);
  /// Of the last run, where the options ask for it and the system tells it.
  std::optional<double> hardwareSeconds() const;
  const std::shared_ptr<LoadedModel> &loaded() const { return model; }

private:
  Id describe(const NativeEvents *events) const;
  /// Makes the request anew, of the surfaces as they are.
  absl::Status makeRequest();
  Id makeOptions() const;
  /// Adds one, and the object that requests take.
  absl::Status addSurface(uint64_t bytes, const std::string &name);
  absl::Status addStatistics();
  Bool evaluateBy(Path path, Id what, Id runOptions, Id *error);
  absl::Status evaluateWith(const NativeEvents &events);

  std::shared_ptr<LoadedModel> model; // before what it owns
  const Engine &engine;
  uint64_t index;
  Ref request; ///< of the last run, if it had one of its own
  std::unique_ptr<Chain> chain;
  std::unique_ptr<Completion> completion;
  Id lateError = nullptr;
  std::vector<Binding> bindings;
  std::vector<Surface> surfaces; ///< of the bindings, and of statistics
  std::vector<Ref> objects;      ///< of the same
  std::vector<size_t> places;    ///< of the bindings, among the surfaces
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_PROCEDURE_H
