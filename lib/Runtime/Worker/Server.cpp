//===- Server.cpp - What runs in a worker ---------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include "ane/HW/Container.h"
#include "ane/Runtime/Session.h"
#include "ane/Runtime/Worker.h"

#include <map>

namespace ane::rt {

using worker::Ask;
using worker::Message;

namespace {
class Server {
public:
  /// The answer to a question.
  Message answer(Message &question);

private:
  struct Loaded {
    std::unique_ptr<hw::Program> program; // before what refers to it
    std::unique_ptr<Executable> executable;
  };

  absl::StatusOr<Loaded> loadText(Message &question);
  absl::StatusOr<Loaded> loadFile(Message &question);
  absl::StatusOr<Loaded> procedure(Message &question);
  Message keep(absl::StatusOr<Loaded> loaded);
  Message run(Executable &executable, Message &question);
  Message state(Executable &executable, Ask ask, Message &question);

  std::map<uint64_t, Loaded> all;
  uint64_t last = 0;
};

} // namespace

static Message say(const absl::Status &status) {
  Message message;
  message.put(status);
  return message;
}

absl::StatusOr<Server::Loaded> Server::loadText(Message &question) {
  auto device = openDevice(question.text());
  if (!device.ok())
    return device.status();
  auto executable = (*device)->loadMIL(question.model());
  if (!executable.ok())
    return executable.status();
  return Loaded{nullptr, *std::move(executable)};
}

absl::StatusOr<Server::Loaded> Server::loadFile(Message &question) {
  auto device = openDevice(question.text());
  if (!device.ok())
    return device.status();
  const std::string path = question.text();
  const std::vector<uint8_t> bytes = question.bytes();
  absl::StatusOr<hw::Program> read = hw::readProgram(bytes);
  if (!read.ok())
    return read.status();
  Loaded loaded{std::make_unique<hw::Program>(*std::move(read)), nullptr};
  auto executable = (*device)->loadFile(*loaded.program, {path, bytes});
  if (!executable.ok())
    return executable.status();
  loaded.executable = *std::move(executable);
  return loaded;
}

absl::StatusOr<Server::Loaded> Server::procedure(Message &question) {
  auto found = all.find(question.number());
  if (found == all.end())
    return absl::InternalError("the worker has no such program");
  auto executable = found->second.executable->procedure(question.model());
  if (!executable.ok())
    return executable.status();
  return Loaded{nullptr, *std::move(executable)};
}

Message Server::keep(absl::StatusOr<Loaded> loaded) {
  Message message = say(loaded.status());
  if (!loaded.ok())
    return message;
  message.put(++last);
  message.put(loaded->executable->tensors());
  all[last] = *std::move(loaded);
  return message;
}

Message Server::run(Executable &executable, Message &question) {
  const absl::Span<const hw::Tensor> tensors = executable.tensors();
  Surfaces surfaces;
  surfaces.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i)
    surfaces.push_back(question.bytes());
  absl::StatusOr<RunResult> result = executable.run(spansOf(surfaces), {});
  Message message = say(result.status());
  if (!result.ok())
    return message;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].kind == hw::TensorKind::Output)
      message.put(surfaces[i]);
  message.put(uint64_t(result->hardwareSeconds.value_or(0) * 1e9));
  return message;
}

Message Server::state(Executable &executable, Ask ask, Message &question) {
  const uint64_t input = question.number();
  if (ask == Ask::Keep) {
    const uint64_t output = question.number();
    return say(executable.keep(input, output,
                               static_cast<Keeping>(question.number())));
  }
  if (ask == Ask::WriteState)
    return say(executable.writeState(input, question.bytes()));
  std::vector<uint8_t> bytes(input < executable.tensors().size()
                                 ? executable.tensors()[input].bytes
                                 : 0);
  Message message = say(executable.readState(input, absl::MakeSpan(bytes)));
  message.put(bytes);
  return message;
}

Message Server::answer(Message &question) {
  const auto ask = static_cast<Ask>(question.number());
  switch (ask) {
  case Ask::LoadText:
    return keep(loadText(question));
  case Ask::LoadFile:
    return keep(loadFile(question));
  case Ask::Procedure:
    return keep(procedure(question));
  default:
    break;
  }
  auto found = all.find(question.number());
  if (found == all.end())
    return say(absl::InternalError("the worker has no such program"));
  Executable &executable = *found->second.executable;
  if (ask == Ask::Run)
    return run(executable, question);
  if (ask != Ask::Unload)
    return state(executable, ask, question);
  all.erase(found);
  return say(absl::OkStatus());
}

int serveWorker(int socket) {
  Server server;
  Message question;
  while (question.receive(socket))
    if (!server.answer(question).send(socket))
      break;
  return 0;
}

} // namespace ane::rt
