//===- Chain.h - Runs that are prepared as a chain --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime can be told surfaces and events once, and then that inputs are
// there and outputs are wanted, over and over. Nobody is known to have had a
// chain run from a program of their own (docs/Devices.md, "Chains"): what is
// prepared here, is what is published, and the error is that of the system.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_CHAIN_H
#define ANE_LIB_RUNTIME_APPLE_CHAIN_H

#include "Engine.h"

#include "ane/Runtime/Event.h"

namespace ane::rt::apple {

/// A chain of one program. All run inside ObjC::guarded.
class Chain {
public:
  Chain(const LoadedModel &model, uint64_t procedure)
      : model(model), engine(*model.owner()), procedure(procedure) {}

  /// Whether this system has what a chain takes.
  static absl::Status check(const Engine &engine);
  /// Surfaces of the program and their objects, in the order of `bindings`.
  absl::Status prepare(absl::Span<const Binding> bindings,
                       absl::Span<const Id> objects);
  /// Runs once, and waits for it.
  absl::Status run();

private:
  const LoadedModel &model;
  const Engine &engine;
  uint64_t procedure;
  size_t inputs = 0;
  uint64_t runs = 0;
  Surface statistics;
  std::shared_ptr<Event> done;
  Ref request;
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_CHAIN_H
