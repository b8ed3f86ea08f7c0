//===- Driver.cpp - The interface of the ANE driver of Asahi Linux --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ane::rt::asahi {

namespace {
/// Pages of the engine's address space; the driver maps whole ones.
constexpr uint64_t kPageBytes = 0x4000;
/// Nodes of accelerators are numbered from 0.
constexpr int kNodes = 64;

class LinuxSystem : public System {
public:
#if defined(__linux__)
  int open(const std::string &path) override {
    return orError(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  }
  int call(int file, Call number, void *argument) override {
    // As every user of DRM does: a signal is no reason to give up.
    int result;
    do
      result = ::ioctl(file, static_cast<unsigned long>(number), argument);
    while (result == -1 && (errno == EINTR || errno == EAGAIN));
    return orError(result);
  }
  int map(int file, uint64_t offset, size_t size, void *&mapped) override {
    mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                    static_cast<off_t>(offset));
    return mapped == MAP_FAILED ? -errno : 0;
  }
  void unmap(void *mapped, size_t size) override { ::munmap(mapped, size); }
  void close(int file) override { ::close(file); }
  int read(const std::string &path, std::string &bytes) override {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    return file ? 0 : -ENOENT;
  }
  std::vector<std::string> list(const std::string &path) override {
    std::vector<std::string> names;
    std::error_code code;
    for (std::filesystem::directory_iterator at(path, code), end;
         !code && at != end; at.increment(code))
      names.push_back(at->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  static int orError(int result) { return result < 0 ? -errno : result; }
#else
  int open(const std::string &) override { return -ENOSYS; }
  int call(int, Call, void *) override { return -ENOSYS; }
  int map(int, uint64_t, size_t, void *&) override { return -ENOSYS; }
  void unmap(void *, size_t) override {}
  void close(int) override {}
  int read(const std::string &, std::string &) override { return -ENOSYS; }
  std::vector<std::string> list(const std::string &) override { return {}; }
#endif
};

} // namespace

/// What stands in the way of opening a node, and what helps.
static const char *nextStep(int error) {
  switch (-error) {
  case ENOENT:
    return "no driver of an accelerator is loaded; ane-run --doctor says what "
           "is missing";
  case EACCES:
  case EPERM:
    return "the user needs access to it; add a udev rule (docs/Devices.md)";
  case EBUSY:
    return "another process has it; try again when that is done";
  case ENODEV:
  case ENXIO:
    return "the device is gone; look at the kernel's log, and load the driver "
           "again";
  case ENOSYS:
    return "this system is not Linux";
  default:
    return "look at the kernel's log (dmesg)";
  }
}

static std::string nodePath(int index) {
  return absl::StrFormat("/dev/accel/accel%d", index);
}

System &linuxSystem() {
  static LinuxSystem system;
  return system;
}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(system, other.system);
  std::swap(file, other.file);
  std::swap(handleOf, other.handleOf);
  std::swap(bytes, other.bytes);
  std::swap(size, other.size);
  return *this;
}

Buffer::~Buffer() {
  if (bytes)
    system->unmap(bytes, size);
  if (!handleOf)
    return;
  BufferFree request = {handleOf, 0};
  // Nothing can be done about a failure; closing the file frees it as well.
  (void)system->call(file, FreeBuffer, &request);
}

absl::StatusOr<Driver> Driver::open(System &system) {
  absl::Status why = absl::NotFoundError("");
  for (int index = 0; index < kNodes; ++index) {
    std::string path = nodePath(index);
    int file = system.open(path);
    if (file < 0) {
      // What stands in the way of one that exists says more than the next that
      // does not.
      if (file != -ENOENT || why.message().empty())
        why = absl::NotFoundError(absl::StrFormat(
            "%s: %s; %s", path, std::strerror(-file), nextStep(file)));
      if (file == -ENOENT || file == -ENOSYS)
        break;
      continue;
    }
    Driver driver(system, file);
    if (absl::Status status = driver.check(path); !status.ok()) {
      why = status;
      continue;
    }
    return driver;
  }
  return why;
}

Driver::~Driver() {
  if (file >= 0)
    system->close(file);
}

absl::Status Driver::check(const std::string &path) {
  char name[32] = {};
  Version told = {};
  told.name = name;
  told.nameLength = sizeof(name) - 1;
  if (int result = system->call(file, GetVersion, &told); result < 0)
    return absl::NotFoundError(absl::StrFormat(
        "%s does not tell its driver: %s; load the driver of the engine "
        "(ane-run --doctor)",
        path, std::strerror(-result)));
  if (std::strcmp(name, "ane") != 0 && std::strcmp(name, "ane_t6021") != 0)
    return absl::NotFoundError(
        absl::StrFormat("%s belongs to driver '%s', not to 'ane'; load the "
                        "driver of the engine (ane-run --doctor)",
                        path, name));
  if (told.major < 0 || told.major > 2)
    return absl::UnimplementedError(absl::StrFormat(
        "%s has version %d.%d of the driver's interface, but versions 0 and 1 "
        "(M1) and 2 (M2) are built in; use a driver of one of these, or a "
        "newer "
        "build",
        path, told.major, told.minor));
  version = told.major;
  return absl::OkStatus();
}

absl::StatusOr<Buffer> Driver::allocate(uint64_t size) const {
  Buffer buffer;
  buffer.system = system;
  buffer.file = file;
  buffer.size = (size + kPageBytes - 1) / kPageBytes * kPageBytes;
  BufferInit request = {};
  request.size = buffer.size;
  if (int result = system->call(file, InitBuffer, &request); result < 0)
    return absl::ResourceExhaustedError(
        absl::StrFormat("the driver makes no buffer of %d bytes: %s; destroy "
                        "other programs, or compile a smaller network",
                        buffer.size, std::strerror(-result)));
  buffer.handleOf = request.handle;
  void *mapped = nullptr;
  if (int result = system->map(file, request.offset, buffer.size, mapped);
      result < 0)
    return absl::ResourceExhaustedError(
        absl::StrFormat("a buffer of %d bytes cannot be mapped: %s; destroy "
                        "other programs, or compile a smaller network",
                        buffer.size, std::strerror(-result)));
  buffer.bytes = static_cast<uint8_t *>(mapped);
  std::memset(buffer.bytes, 0, buffer.size);
  return buffer;
}

absl::Status Driver::runError(int result, uint32_t milliseconds) {
  switch (-result) {
  case ETIMEDOUT:
    return absl::DeadlineExceededError(absl::StrFormat(
        "the engine did not finish in the %d ms that the driver waits; the "
        "program may be too long for one submission (give ane-compile a "
        "smaller "
        "network), or wrong (ane-run --verify)",
        milliseconds));
  case EBUSY:
    return absl::UnavailableError(
        "the engine is busy with another program; try again when that is done");
  case ENODEV:
  case ENXIO:
    return absl::UnavailableError(
        "the device is gone; look at the kernel's log (dmesg), and load the "
        "driver again");
  default:
    return absl::InternalError(absl::StrFormat(
        "the driver does not run the program: %s; look at the kernel's log "
        "(dmesg), and please report it with the program",
        std::strerror(-result)));
  }
}

absl::Status Driver::submit(Submit &request) const {
  constexpr uint32_t waits = 1000;
  int result = system->call(file, SubmitTasks, &request);
  return result >= 0 ? absl::OkStatus() : runError(result, waits);
}

absl::Status Driver::load(ProgramLoad &request) const {
  int result = system->call(file, LoadProgram, &request);
  if (result >= 0)
    return absl::OkStatus();
  if (result == -EINVAL)
    return absl::InternalError(
        "the firmware does not load the program: Invalid argument; its "
        "sections "
        "are not what this firmware takes (that of macOS 13.5 is known)");
  return runError(result, 0);
}

absl::Status Driver::create(ProcedureCreate &request) const {
  int result = system->call(file, CreateProcedure, &request);
  return result >= 0 ? absl::OkStatus() : runError(result, 0);
}

absl::Status Driver::execute(Execute &request) const {
  int result = system->call(file, ExecuteProcedure, &request);
  return result >= 0 ? absl::OkStatus() : runError(result, request.timeout);
}

} // namespace ane::rt::asahi
