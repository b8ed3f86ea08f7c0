//===- Message.cpp - What goes between a process and its worker -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ane::rt::worker {

void Message::put(uint64_t value) {
  data.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

void Message::put(absl::string_view text) {
  put(uint64_t(text.size()));
  data.append(text.data(), text.size());
}

void Message::put(absl::Span<const uint8_t> bytes) {
  put(absl::string_view(reinterpret_cast<const char *>(bytes.data()),
                        bytes.size()));
}

void Message::put(const absl::Status &status) {
  put(static_cast<uint64_t>(status.code()));
  put(status.message());
}

void Message::put(absl::Span<const hw::Tensor> tensors) {
  put(uint64_t(tensors.size()));
  for (const hw::Tensor &tensor : tensors) {
    put(tensor.name);
    put(static_cast<uint64_t>(tensor.kind));
    put(static_cast<uint64_t>(tensor.type));
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      put(uint64_t(tensor.shape[i]));
      put(tensor.strides[i]);
    }
    put(uint64_t(tensor.interleave));
    put(tensor.bytes);
    put(uint64_t(tensor.base));
    put(uint64_t(tensor.isLow));
    put(uint64_t(tensor.networkShape.has_value()));
    if (!tensor.networkShape)
      continue;
    put(uint64_t(tensor.networkShape->size()));
    for (uint64_t size : *tensor.networkShape)
      put(size);
  }
}

void Message::put(const MILModel &model) {
  put(model.text);
  put(model.function);
  put(uint64_t(model.functions.size()));
  for (const std::string &function : model.functions)
    put(function);
  put(uint64_t(model.files.size()));
  for (const MILFile &file : model.files) {
    put(file.name);
    put(file.path);
  }
  put(model.tensors);
  for (bool isFloat32 : model.isFloat32)
    put(uint64_t(isFloat32));
}

uint64_t Message::number() {
  uint64_t value = 0;
  if (data.size() - next < sizeof(value)) {
    isShort = true;
    return 0;
  }
  std::memcpy(&value, data.data() + next, sizeof(value));
  next += sizeof(value);
  return value;
}

std::string Message::text() {
  const uint64_t size = number();
  if (size > data.size() - next) {
    isShort = true;
    return "";
  }
  next += size;
  return data.substr(next - size, size);
}

std::vector<uint8_t> Message::bytes() {
  const std::string all = text();
  return {all.begin(), all.end()};
}

absl::Status Message::status() {
  const auto code = static_cast<absl::StatusCode>(number());
  const std::string message = text();
  return isShort ? absl::InternalError("the worker's answer is cut")
                 : absl::Status(code, message);
}

std::vector<hw::Tensor> Message::tensors() {
  std::vector<hw::Tensor> all;
  for (uint64_t count = number(); count && !isShort; --count) {
    hw::Tensor tensor;
    tensor.name = text();
    tensor.kind = static_cast<hw::TensorKind>(number());
    tensor.type = static_cast<hw::ElementType>(number());
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      tensor.shape[i] = number();
      tensor.strides[i] = number();
    }
    tensor.interleave = number();
    tensor.bytes = number();
    tensor.base = number();
    tensor.isLow = number();
    if (number()) {
      tensor.networkShape.emplace();
      for (uint64_t rank = number(); rank && !isShort; --rank)
        tensor.networkShape->push_back(number());
    }
    all.push_back(std::move(tensor));
  }
  return all;
}

MILModel Message::model() {
  MILModel model;
  model.text = text();
  model.function = text();
  for (uint64_t count = number(); count && !isShort; --count)
    model.functions.push_back(text());
  for (uint64_t count = number(); count && !isShort; --count) {
    std::string name = text();
    model.files.push_back({std::move(name), text()});
  }
  model.tensors = tensors();
  for (size_t i = 0; i < model.tensors.size(); ++i)
    model.isFloat32.push_back(number());
  return model;
}

static bool sendAll(int socket, const char *bytes, size_t size) {
  while (size) {
    // No signal where the other end is gone.
#if defined(MSG_NOSIGNAL)
    const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
#else
    const ssize_t sent = ::send(socket, bytes, size, 0);
#endif
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    bytes += sent;
    size -= sent;
  }
  return true;
}

static bool receiveAll(int socket, char *bytes, size_t size) {
  while (size) {
    const ssize_t received = ::recv(socket, bytes, size, 0);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0)
      return false;
    bytes += received;
    size -= received;
  }
  return true;
}

bool Message::send(int socket) const {
  const uint64_t size = data.size();
  return sendAll(socket, reinterpret_cast<const char *>(&size), sizeof(size)) &&
         sendAll(socket, data.data(), data.size());
}

bool Message::receive(int socket,
                      std::optional<std::chrono::milliseconds> time) {
  pollfd wanted = {socket, POLLIN, 0};
  int ready;
  do
    ready = ::poll(&wanted, 1, time ? int(time->count()) : -1);
  while (ready < 0 && errno == EINTR);
  uint64_t size = 0;
  if (ready <= 0 ||
      !receiveAll(socket, reinterpret_cast<char *>(&size), sizeof(size)))
    return false;
  next = 0;
  isShort = false;
  data.resize(size);
  return receiveAll(socket, data.data(), size);
}

} // namespace ane::rt::worker
