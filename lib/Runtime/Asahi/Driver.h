//===- Driver.h - The interface of the ANE driver of Asahi Linux *- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is a DRM accelerator with calls of its own: make a buffer, free it,
// and, on M1 machines (interfaces 0 and 1), submit tasks. On M2 machines
// (interface 2) a firmware runs programs: it loads sections, makes a procedure,
// and executes it with the buffers of a run. Structures and numbers are those of
// the published header of the driver (omarchy-ane, ane/src/uapi/drm/ane_accel.h,
// MIT), told in words of our own. No header of a distribution has them yet.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_ASAHI_DRIVER_H
#define ANE_LIB_RUNTIME_ASAHI_DRIVER_H

#include "ane/HW/Generation.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ane::rt::asahi {

/// The general DRM call that tells the driver's name and version.
struct Version {
  int32_t major, minor, patch;
  size_t nameLength; ///< in: bytes at `name`; out: of the whole name
  char *name;
  size_t dateLength;
  char *date;
  size_t descriptionLength;
  char *description;
};

struct BufferInit {
  uint32_t handle; ///< out
  uint32_t pad;    ///< 0
  uint64_t size;   ///< in; the driver rounds it up to pages
  uint64_t offset; ///< out: for mmap
};

struct BufferFree {
  uint32_t handle;
  uint32_t pad; ///< 0
};

constexpr uint32_t kChannels = 32;

/// Synchronous: returns when the engine is done.
struct Submit {
  uint64_t taskBytes; ///< of all tasks
  uint32_t taskCount;
  uint32_t firstBytes; ///< of the first task
  /// The buffer of each base register; 0: none. Channel 0 has the tasks and,
  /// from the next 16 bytes on, the coefficients; the driver sets channel 1 to
  /// these and wants 0 there.
  uint32_t handles[kChannels];
  uint32_t bootHandle; ///< a buffer with the first task, with its network id
  uint32_t pad;        ///< 0
};

/// A section of a program for the firmware, in a buffer.
struct Section {
  uint32_t id;
  uint32_t handle;
  uint64_t size;
  uint64_t offset; ///< in the buffer
};

/// A buffer of the program, for the table that its sections have of them.
struct Bind {
  uint32_t buffer; ///< the channel
  uint32_t handle;
  uint32_t type; ///< 0 in, 1 out
  uint32_t pad;  ///< 0
  uint64_t size;
};

struct ProgramLoad {
  uint64_t sections; ///< address of an array
  uint64_t binds;
  uint32_t sectionCount;
  uint32_t bindCount;
  uint32_t program; ///< out
  uint32_t pad;     ///< 0
};

struct ProcedureCreate {
  uint32_t program;
  uint32_t procedure; ///< out
};

/// A buffer of a run.
struct ExecuteBuffer {
  uint32_t buffer;
  uint32_t handle;
  uint32_t type;
  uint32_t flags;   ///< 0
  uint64_t address; ///< 0: the driver knows it
  uint64_t size;
};

/// Synchronous, too.
struct Execute {
  uint32_t program, procedure;
  uint32_t priority; ///< 2 to 7
  uint32_t timeout;  ///< milliseconds
  uint32_t count;    ///< 1 to kMaxBuffers
  uint32_t pad;      ///< 0
  uint64_t buffers;  ///< address of an array
};
constexpr uint32_t kMaxSections = 16, kMaxBuffers = 64;

enum Call : uint32_t {
  GetVersion = 0xc0406400,
  InitBuffer = 0xc0186441,
  FreeBuffer = 0xc0086442,
  SubmitTasks = 0xc0986443,
  LoadProgram = 0xc0206444,
  CreateProcedure = 0xc0086445,
  ExecuteProcedure = 0xc0206446,
};
// The number of a call holds the size of its structure.
static_assert(sizeof(Version) == 0x40 && sizeof(BufferInit) == 0x18 &&
                  sizeof(BufferFree) == 0x08 && sizeof(Submit) == 0x98 &&
                  sizeof(Section) == 0x18 && sizeof(Bind) == 0x18 &&
                  sizeof(ProgramLoad) == 0x20 &&
                  sizeof(ProcedureCreate) == 0x08 &&
                  sizeof(ExecuteBuffer) == 0x20 && sizeof(Execute) == 0x20,
              "the structures are those of the kernel");

/// All that touches the kernel, so that a test can be the kernel. Functions
/// return a negative errno on failure.
class System {
public:
  virtual ~System() = default;
  virtual int open(const std::string &path) = 0;
  virtual int call(int file, Call number, void *argument) = 0;
  /// `mapped` gets `size` bytes of the buffer at `offset`.
  virtual int map(int file, uint64_t offset, size_t size, void *&mapped) = 0;
  virtual void unmap(void *mapped, size_t size) = 0;
  virtual void close(int file) = 0;
  /// The bytes of a small file, as those of /sys.
  virtual int read(const std::string &path, std::string &bytes) = 0;
  /// The names in a folder; none where it is not there.
  virtual std::vector<std::string> list(const std::string &path) = 0;
};

/// The kernel that this process runs on; where that is not Linux, every
/// function fails with ENOSYS.
System &linuxSystem();

/// A buffer that the engine reads or writes, mapped into this process.
class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept { *this = std::move(other); }
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer();

  uint32_t handle() const { return handleOf; }
  uint8_t *data() const { return bytes; }

private:
  friend class Driver;
  System *system = nullptr;
  int file = -1;
  uint32_t handleOf = 0;
  uint8_t *bytes = nullptr;
  size_t size = 0;
};

/// An open driver.
class Driver {
public:
  /// The first accelerator of the machine whose driver is this one. The error
  /// says what was found instead.
  static absl::StatusOr<Driver> open(System &system);
  Driver(Driver &&other) noexcept
      : system(other.system), file(other.file), version(other.version) {
    other.file = -1;
  }
  Driver &operator=(Driver &&) = delete;
  ~Driver();

  /// The major version of the interface: 0 and 1 take tasks of H13, 2 programs
  /// of H14.
  int32_t interface() const { return version; }
  hw::Generation generation() const {
    return version == 2 ? hw::Generation::H14 : hw::Generation::H13;
  }

  /// A buffer of zeros of at least `size` bytes.
  absl::StatusOr<Buffer> allocate(uint64_t size) const;
  absl::Status submit(Submit &request) const;
  absl::Status load(ProgramLoad &request) const;
  absl::Status create(ProcedureCreate &request) const;
  absl::Status execute(Execute &request) const;

private:
  Driver(System &system, int file) : system(&system), file(file) {}
  absl::Status check(const std::string &path);
  /// What an error of a call that runs a program means, and what to do.
  static absl::Status runError(int result, uint32_t milliseconds);

  System *system;
  int file;
  int32_t version = 0;
};

} // namespace ane::rt::asahi

#endif // ANE_LIB_RUNTIME_ASAHI_DRIVER_H
