//===- Message.h - What goes between a process and its worker ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers and texts, one after the other; a frame has its length in front. Both
// ends are of one build.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_WORKER_MESSAGE_H
#define ANE_LIB_RUNTIME_WORKER_MESSAGE_H

#include "ane/Runtime/MILModel.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ane::rt::worker {

/// What the worker is asked for; the answer is a status, then what is said here.
enum class Ask : uint64_t {
  LoadText,   ///< device, network -> number, tensors
  LoadFile,   ///< device, path, bytes -> number, tensors
  Procedure,  ///< number, network -> number, tensors
  Unload,     ///< number
  Run,        ///< number, buffers -> buffers of outputs, nanoseconds
  Keep,       ///< number, input, output, how
  WriteState, ///< number, input, bytes
  ReadState,  ///< number, input, size -> bytes
};

/// Reads past the end give zeros and nothing, and `isGood` tells.
class Message {
public:
  Message() = default;
  /// A question begins with what it is about: a program there, or a device.
  template <typename T> Message(Ask ask, const T &about) {
    put(static_cast<uint64_t>(ask));
    put(about);
  }

  void put(uint64_t value);
  void put(absl::string_view text);
  void put(absl::Span<const uint8_t> bytes);
  void put(const absl::Status &status);
  void put(absl::Span<const hw::Tensor> tensors);
  void put(const MILModel &model);

  uint64_t number();
  std::string text();
  std::vector<uint8_t> bytes();
  absl::Status status();
  std::vector<hw::Tensor> tensors();
  MILModel model();
  bool isGood() const { return !isShort; }

  /// False where the other end is gone.
  bool send(int socket) const;
  /// False too after the time.
  bool receive(int socket,
               std::optional<std::chrono::milliseconds> time = std::nullopt);

private:
  std::string data;
  size_t next = 0;
  bool isShort = false;
};

} // namespace ane::rt::worker

#endif // ANE_LIB_RUNTIME_WORKER_MESSAGE_H
