//===- WorkerDevice.cpp - A device in a process of its own ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include "ane/Runtime/Worker.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__APPLE__)              // where libraries see no 'environ'
extern "C" char ***_NSGetEnviron(); // NOLINT
#else
extern char **environ; // NOLINT(readability-redundant-declaration)
#endif

namespace ane::rt {

using worker::Ask;
using worker::Message;

namespace {
/// The other end of a socket. Ends with its last program.
class Process {
public:
  static absl::StatusOr<std::shared_ptr<Process>> start();
  ~Process();

  /// Asks, and gets the answer after its status. A process that does not answer
  /// in time is ended.
  absl::StatusOr<Message>
  ask(const Message &question,
      std::optional<std::chrono::milliseconds> time = std::nullopt);
  bool isGone() const { return pid <= 0; }
  int loads = 0;

private:
  Process(pid_t pid, int socket) : pid(pid), socket(socket) {}
  /// Waits for its end, unless that was seen, and says how it ended.
  std::string end(std::optional<int> seen = std::nullopt);

  std::mutex asking;
  pid_t pid;
  int socket;
  std::string why; ///< it is gone
};

/// A program there.
class Remote : public Executable {
public:
  Remote(std::shared_ptr<Process> process, uint64_t number,
         std::vector<hw::Tensor> tensors)
      : process(std::move(process)), number(number),
        ownTensors(std::move(tensors)) {}
  ~Remote() override { (void)process->ask(Message(Ask::Unload, number)); }

  static absl::StatusOr<std::unique_ptr<Executable>>
  make(std::shared_ptr<Process> process, const Message &question) {
    absl::StatusOr<Message> answer = process->ask(question);
    if (!answer.ok())
      return answer.status();
    const uint64_t number = answer->number();
    return std::make_unique<Remote>(std::move(process), number,
                                    answer->tensors());
  }

  absl::Span<const hw::Tensor> tensors() const override { return ownTensors; }
  /// With the process.
  bool endsRuns() const override { return true; }
  absl::StatusOr<std::unique_ptr<Executable>>
  procedure(const MILModel &model) override {
    Message question(Ask::Procedure, number);
    question.put(model);
    return make(process, question);
  }

private:
  absl::StatusOr<RunResult> runOn(absl::Span<const absl::Span<uint8_t>> buffers,
                                  const RunOptions &options) override;
  absl::Status keepThere(size_t input, size_t output, Keeping how) override;
  absl::Status write(size_t tensor, absl::Span<const uint8_t> bytes) override;
  absl::Status read(size_t tensor, absl::Span<uint8_t> bytes) override;
  bool keepsThere() const override { return true; }
  // The other process does these.
  absl::StatusOr<RunResult> execute(const RunOptions &) override {
    return absl::InternalError("a worker runs on the buffers of a run");
  }
  absl::Status alias(size_t, size_t) override { return absl::OkStatus(); }
  absl::Status exchange(size_t, size_t) override { return absl::OkStatus(); }

  std::shared_ptr<Process> process;
  uint64_t number;
  std::vector<hw::Tensor> ownTensors;
};

class WorkerDevice : public Device {
public:
  WorkerDevice(std::unique_ptr<Device> device, std::string name, int most)
      : device(std::move(device)), name(std::move(name)), most(most) {}

  DeviceInfo info() const override { return device->info(); }
  std::vector<Permission> permissions() const override {
    return device->permissions();
  }
  bool needsFiles() const override { return true; }
  bool compilesMIL() const override { return device->compilesMIL(); }
  absl::StatusOr<std::unique_ptr<Executable>>
  load(const hw::Program &) override {
    return absl::InvalidArgumentError("a worker takes whole .hwx files; write "
                                      "the program to one, or leave out "
                                      "'worker'");
  }
  absl::StatusOr<std::unique_ptr<Executable>>
  loadFile(const hw::Program &, const ProgramFile &file) override {
    Message question(Ask::LoadFile, name);
    question.put(file.path);
    question.put(file.bytes);
    return load(question);
  }
  absl::StatusOr<std::unique_ptr<Executable>>
  loadMIL(const MILModel &model) override {
    Message question(Ask::LoadText, name);
    question.put(model);
    return load(question);
  }

private:
  absl::StatusOr<std::unique_ptr<Executable>> load(const Message &question);

  std::unique_ptr<Device> device;
  std::string name;
  int most; ///< programs that a process loads
  std::mutex starting;
  std::shared_ptr<Process> current;
};

} // namespace

/// Beside the library, in ../bin, or where $ANE_WORKER or $PATH says.
static std::string findWorker() {
  if (const char *path = std::getenv("ANE_WORKER"))
    return path;
  namespace fs = std::filesystem;
  Dl_info info = {};
  dladdr(reinterpret_cast<void *>(findWorker), &info);
  std::error_code code;
  const fs::path own =
      fs::canonical(info.dli_fname ? info.dli_fname : "", code);
  for (const char *place : {"ane-worker", "../bin/ane-worker"})
    if (fs::path path = own.parent_path() / place; fs::exists(path, code))
      return path.string();
  return "ane-worker";
}

static char **environment() {
#if defined(__APPLE__)
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

absl::StatusOr<std::shared_ptr<Process>> Process::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return absl::ResourceExhaustedError(
        absl::StrCat("no socket for a worker: ", std::strerror(errno)));
  for (int end : ends)
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
#if defined(SO_NOSIGPIPE) // elsewhere each call says so (Message.cpp)
  const int yes = 1;
  ::setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#endif
  std::string path = findWorker();
  // The number of its socket is known on both sides.
  constexpr int theirs = 3;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (ends[1] == theirs) // a copy of itself would stay closed on exec
    ::fcntl(ends[1], F_SETFD, 0);
  else
    posix_spawn_file_actions_adddup2(&actions, ends[1], theirs);
  char *arguments[] = {path.data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, path.c_str(), &actions, nullptr,
                                 arguments, environment());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (!error)
    return std::shared_ptr<Process>(new Process(pid, ends[0]));
  ::close(ends[0]);
  return absl::NotFoundError(absl::StrFormat(
      "cannot start the worker '%s': %s; it is installed with ane-run, and "
      "$ANE_WORKER names another",
      path, std::strerror(error)));
}

std::string Process::end(std::optional<int> seen) {
  ::close(socket);
  int status = seen.value_or(0);
  while (!seen && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  pid = 0;
  return WIFSIGNALED(status)
             ? absl::StrCat("by signal ", WTERMSIG(status))
             : absl::StrCat("with exit code ", WEXITSTATUS(status));
}

Process::~Process() {
  if (pid > 0)
    end(); // it ends with its socket
}

absl::StatusOr<Message>
Process::ask(const Message &question,
             std::optional<std::chrono::milliseconds> time) {
  std::lock_guard<std::mutex> hold(asking);
  if (isGone())
    return absl::UnavailableError(
        absl::StrCat(why, "; load the program again"));
  Message answer;
  if (question.send(socket) && answer.receive(socket, time)) {
    if (absl::Status status = answer.status(); !status.ok())
      return status;
    return answer;
  }
  // Not in time: whether it is there still decides.
  std::optional<int> seen;
  int status = 0;
  const pid_t ended = time ? ::waitpid(pid, &status, WNOHANG) : 0;
  if (ended == pid)
    seen = status;
  if (time && ended == 0) {
    ::kill(pid, SIGKILL);
    (void)end();
    why = absl::StrFormat("the worker was ended, since a run did not finish in "
                          "%d ms",
                          time->count());
    return absl::DeadlineExceededError(absl::StrFormat(
        "the engine did not finish in %d ms; the worker was ended, and its "
        "programs have to be loaded again",
        time->count()));
  }
  why = absl::StrCat("the worker ended ", end(seen));
  return absl::UnavailableError(
      absl::StrCat(why, ", and its programs with it; load them again"));
}

absl::StatusOr<RunResult>
Remote::runOn(absl::Span<const absl::Span<uint8_t>> buffers,
              const RunOptions &options) {
  Message question(Ask::Run, number);
  for (absl::Span<uint8_t> buffer : buffers)
    question.put(buffer);
  absl::StatusOr<Message> answer = process->ask(question, options.timeout);
  if (!answer.ok())
    return answer.status();
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (ownTensors[i].kind != hw::TensorKind::Output)
      continue;
    const std::vector<uint8_t> bytes = answer->bytes();
    if (bytes.size() == buffers[i].size())
      std::copy(bytes.begin(), bytes.end(), buffers[i].begin());
  }
  RunResult result;
  if (const uint64_t nanoseconds = answer->number())
    result.hardwareSeconds = double(nanoseconds) * 1e-9;
  if (!answer->isGood())
    return absl::InternalError("the worker's answer is cut");
  return result;
}

absl::Status Remote::keepThere(size_t input, size_t output, Keeping how) {
  Message question(Ask::Keep, number);
  question.put(uint64_t(input));
  question.put(uint64_t(output));
  question.put(static_cast<uint64_t>(how));
  return process->ask(question).status();
}

absl::Status Remote::write(size_t tensor, absl::Span<const uint8_t> bytes) {
  Message question(Ask::WriteState, number);
  question.put(uint64_t(tensor));
  question.put(bytes);
  return process->ask(question).status();
}

absl::Status Remote::read(size_t tensor, absl::Span<uint8_t> bytes) {
  Message question(Ask::ReadState, number);
  question.put(uint64_t(tensor));
  absl::StatusOr<Message> answer = process->ask(question);
  if (!answer.ok())
    return answer.status();
  const std::vector<uint8_t> state = answer->bytes();
  if (state.size() != bytes.size())
    return absl::InternalError("the worker's answer is cut");
  std::copy(state.begin(), state.end(), bytes.begin());
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Executable>>
WorkerDevice::load(const Message &question) {
  std::shared_ptr<Process> process;
  {
    std::lock_guard<std::mutex> hold(starting);
    if (!current || current->isGone() || current->loads >= most) {
      absl::StatusOr<std::shared_ptr<Process>> started = Process::start();
      if (!started.ok())
        return started.status();
      current = *std::move(started);
    }
    ++current->loads;
    process = current;
  }
  return Remote::make(std::move(process), question);
}

std::unique_ptr<Device> makeWorkerDevice(std::unique_ptr<Device> device,
                                         std::string name, int loads) {
  return std::make_unique<WorkerDevice>(std::move(device), std::move(name),
                                        loads);
}

} // namespace ane::rt
