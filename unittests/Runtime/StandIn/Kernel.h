//===- Kernel.h - The Linux driver, played by the simulator -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in this process refuses what the published driver refuses, and runs
// what it gets in the simulator, from the bytes of the buffers only. It counts
// what is open, and fails where a test tells it to.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_RUNTIME_STANDIN_KERNEL_H
#define ANE_UNITTESTS_RUNTIME_STANDIN_KERNEL_H

#include "Asahi/Driver.h"

#include "ane/HW/H13.h"
#include "ane/HW/Layout.h"
#include "ane/HW/Program.h"
#include "ane/Simulator/Simulator.h"

#include "absl/base/casts.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

namespace ane::standin {

namespace h13 = hw::h13;
using namespace rt::asahi;

class FakeKernel : public System {
public:
  explicit FakeKernel(const hw::Program &program) : program(program) {}

  struct Node {
    std::string driver = "ane";
    int major = 1;
    int openError = 0;
  };
  std::vector<Node> nodes = {Node()};
  /// What the next calls of a kind return, in order; 0: they work.
  std::map<Call, std::vector<int>> errors;
  int mapError = 0;
  bool wantsNoIdleWords = false;
  size_t openFiles = 0, mappings = 0, submissions = 0;
  uint32_t timeout = 0; ///< of the last run, with interface 2
  std::string refusal;  ///< why the last submission was refused
  sim::Options simulation;

  bool isClean() const { return !openFiles && !mappings && buffers.empty(); }

  int open(const std::string &path) override {
    for (size_t i = 0; i < nodes.size(); ++i)
      if (path == "/dev/accel/accel" + std::to_string(i)) {
        if (nodes[i].openError)
          return -nodes[i].openError;
        ++openFiles;
        return 3 + i;
      }
    return -ENOENT;
  }
  void close(int) override { --openFiles; }

  int call(int file, Call number, void *argument) override {
    std::vector<int> &planned = errors[number];
    int error = planned.empty() ? 0 : planned.front();
    if (!planned.empty())
      planned.erase(planned.begin());
    if (number == ExecuteProcedure)
      timeout = static_cast<Execute *>(argument)->timeout;
    if (error)
      return -error;
    switch (number) {
    case GetVersion:
      return tellVersion(nodes[file - 3], *static_cast<Version *>(argument));
    case InitBuffer:
      return makeBuffer(*static_cast<BufferInit *>(argument));
    case FreeBuffer:
      return buffers.erase(static_cast<BufferFree *>(argument)->handle)
                 ? 0
                 : -EINVAL;
    case SubmitTasks:
      ++submissions;
      return nodes[file - 3].major == 2
                 ? refuse("the interface")
                 : submit(*static_cast<Submit *>(argument));
    case LoadProgram:
      return nodes[file - 3].major != 2
                 ? refuse("the interface")
                 : loadProgram(*static_cast<ProgramLoad *>(argument));
    case CreateProcedure: {
      auto &request = *static_cast<ProcedureCreate *>(argument);
      if (request.program != kProgram)
        return refuse("the program");
      request.procedure = kProcedure;
      return 0;
    }
    case ExecuteProcedure:
      ++submissions;
      return executeProcedure(*static_cast<Execute *>(argument));
    }
    return -ENOTTY;
  }

  int map(int, uint64_t offset, size_t size, void *&mapped) override {
    auto buffer = buffers.find(offset >> 32);
    if (mapError)
      return -mapError;
    if (buffer == buffers.end() || size > buffer->second.size())
      return -EINVAL;
    ++mappings;
    mapped = buffer->second.data();
    return 0;
  }
  void unmap(void *, size_t) override { --mappings; }

  /// Of /sys and what else is read.
  std::map<std::string, std::string> files;
  std::map<std::string, std::vector<std::string>> folders;
  int read(const std::string &path, std::string &bytes) override {
    auto file = files.find(path);
    if (file == files.end())
      return -ENOENT;
    bytes = file->second;
    return 0;
  }
  std::vector<std::string> list(const std::string &path) override {
    return folders[path];
  }

private:
  static int tellVersion(const Node &node, Version &version) {
    version.major = node.major;
    version.minor = 0;
    std::strncpy(version.name, node.driver.c_str(), version.nameLength);
    version.nameLength = node.driver.size();
    return 0;
  }

  int makeBuffer(BufferInit &request) {
    if (request.pad || !request.size || request.size % 0x4000)
      return -EINVAL;
    request.handle = ++lastHandle;
    request.offset = uint64_t(request.handle) << 32;
    // What was there before is not zero.
    buffers[request.handle].assign(request.size, 0xa5);
    return 0;
  }

  int refuse(const char *why) {
    refusal = why;
    return -EINVAL;
  }

  int submit(const Submit &request) {
    if (request.pad || !request.taskBytes || !request.taskCount ||
        !request.firstBytes || request.handles[1])
      return refuse("a field");
    for (uint32_t handle : request.handles)
      if (handle && !buffers.count(handle))
        return refuse("a handle");
    if (!buffers.count(request.handles[0]) ||
        !buffers.count(request.bootHandle) ||
        request.taskBytes >= buffers[request.handles[0]].size())
      return refuse("tasks");
    return execute(request);
  }

  int execute(const Submit &request) {
    const std::vector<uint8_t> &image = buffers[request.handles[0]];
    auto text = absl::MakeConstSpan(image).first(request.taskBytes);
    auto tasks = hw::readTasks(hw::Generation::H13, text, 0, request.taskCount,
                               request.firstBytes / 4);
    if (!tasks.ok() || tasks->size() != request.taskCount)
      return refuse("the chain of tasks");
    for (const hw::Task &task : *tasks)
      if (wantsNoIdleWords &&
          task.get(h13::Common::Cfg_TaskType) != h13::Common::TaskType::NE &&
          (task.word(h13::NE::KernelCfg_KernelFmt) ||
           task.word(h13::NE::MACCfg_OpMode) ||
           task.word(h13::KernelDMASrc::CoeffDMAConfig_En(3))))
        return refuse("words of the neural engines");
    const std::vector<uint8_t> &boot = buffers[request.bootHandle];
    if (boot[2] != 0x40 ||
        !std::equal(&boot[3], &boot[request.firstBytes], &text[3]))
      return refuse("the first task");

    hw::Program received = program; // its tensors only
    received.tasks = *std::move(tasks);
    received.constants = std::make_shared<const std::vector<uint8_t>>(
        image.begin() + hw::alignTo(request.taskBytes, 16), image.end());
    received.scratchBytes =
        request.handles[3] ? buffers[request.handles[3]].size() : 0;
    std::vector<absl::Span<uint8_t>> surfaces;
    for (const hw::Tensor &tensor : program.tensors) {
      std::vector<uint8_t> &bytes = buffers[request.handles[tensor.base]];
      if (bytes.size() < tensor.bytes)
        return refuse("a tensor");
      surfaces.push_back(absl::MakeSpan(bytes).first(tensor.bytes));
    }
    auto stats = sim::run(received, surfaces, simulation);
    return stats.ok() ? 0 : refuse("the simulator");
  }

  // Interface 2: what the firmware checks of the sections, and what it makes of
  // them.

  static constexpr uint32_t kProgram = 11, kProcedure = 5;

  uint32_t word(uint32_t section, uint64_t at) const {
    uint32_t value = 0;
    std::memcpy(&value, &sections.at(section).at(at), 4);
    return value;
  }

  int loadProgram(ProgramLoad &request) {
    if (request.pad || request.sectionCount > kMaxSections ||
        request.bindCount > kMaxBuffers)
      return refuse("a field");
    sections.clear();
    auto *list = absl::bit_cast<const Section *>(request.sections);
    for (uint32_t i = 0; i < request.sectionCount; ++i) {
      auto buffer = buffers.find(list[i].handle);
      if (buffer == buffers.end() || !list[i].size ||
          list[i].offset + list[i].size > buffer->second.size())
        return refuse("a section");
      auto from = buffer->second.begin() + list[i].offset;
      sections[list[i].id].assign(from, from + list[i].size);
    }
    for (uint32_t id : {1, 2, 3, 4, 5, 7})
      if (!sections.count(id))
        return refuse("a section is missing");
    if (word(1, 0) != 1 || word(1, 4) > 0x10 ||
        sections[1].size() != 0x208 + 0x30 * word(1, 0x204))
      return refuse("the table of buffers");
    if (word(4, 0) != 1 || sections[4].size() != 4 + 0x40c || word(5, 0) != 1 ||
        word(5, 0x1c) != 3 || sections[5].size() != 0x38)
      return refuse("operation or procedure");
    if (!countBlocks())
      return refuse("the blocks of the task stream");
    request.program = kProgram;
    return 0;
  }

  /// The stream as blocks of a size in their first word, after a frame.
  bool countBlocks() const {
    const std::vector<uint8_t> &stream = sections.at(3);
    uint32_t blocks = 0;
    for (uint64_t at = 0x10; at < stream.size(); ++blocks) {
      const uint32_t words = (stream[at + 2] | stream[at + 3] << 8) & 0x7ff;
      if (!words)
        return false;
      at += (words * 4 + 0xf) & 0x3ff0;
    }
    return blocks && word(7, 0x0c) == blocks && word(7, 0x20) == stream.size();
  }

  int executeProcedure(const Execute &request) {
    if (request.pad || request.program != kProgram ||
        request.procedure != kProcedure || request.priority < 2 ||
        request.priority > 7 || !request.count || request.count > kMaxBuffers)
      return refuse("a field");
    auto *list = absl::bit_cast<const ExecuteBuffer *>(request.buffers);
    std::map<uint32_t, const ExecuteBuffer *> bound;
    for (uint32_t i = 0; i < request.count; ++i) {
      if (list[i].buffer == 2 || list[i].buffer == 3 || list[i].address ||
          !buffers.count(list[i].handle) ||
          buffers[list[i].handle].size() < list[i].size ||
          !bound.emplace(list[i].buffer, &list[i]).second)
        return refuse("a buffer");
    }
    // The bases of the tasks, by the operation.
    std::map<uint32_t, uint32_t> bufferOfBase;
    for (uint32_t i = 0; i < word(4, 4 + 8); ++i)
      bufferOfBase[word(4, 4 + 0xc + 8 * i)] = word(4, 4 + 0x10 + 8 * i);
    if (bufferOfBase[1] != 2)
      return refuse("the base of the constants");
    hw::Program received = program; // its tensors only
    auto tasks = hw::readTasks(hw::Generation::H14, sections[3], 0x10);
    if (!tasks.ok())
      return refuse("the tasks");
    received.tasks = *std::move(tasks);
    received.constants =
        std::make_shared<const std::vector<uint8_t>>(sections[2]);
    received.scratchBytes = bound.count(0x40) ? bound[0x40]->size : 0;
    if (bound.count(0x40) && bufferOfBase[3] != 0x40)
      return refuse("the base of scratch memory");
    std::vector<absl::Span<uint8_t>> surfaces;
    for (const hw::Tensor &tensor : program.tensors) {
      const uint32_t buffer = bufferOfBase[tensor.base];
      if (!bound.count(buffer) ||
          bound[buffer]->type != (tensor.kind == hw::TensorKind::Output))
        return refuse("a tensor");
      surfaces.push_back(
          absl::MakeSpan(buffers[bound[buffer]->handle]).first(tensor.bytes));
    }
    auto stats = sim::run(received, surfaces, simulation);
    return stats.ok() ? 0 : refuse("the simulator");
  }

  hw::Program program;
  std::map<uint32_t, std::vector<uint8_t>> buffers;
  std::map<uint32_t, std::vector<uint8_t>> sections;
  uint32_t lastHandle = 0;
};

class LockedKernel : public FakeKernel {
public:
  using FakeKernel::FakeKernel;
  int open(const std::string &path) override {
    std::lock_guard<std::mutex> hold(lock);
    return FakeKernel::open(path);
  }
  void close(int file) override {
    std::lock_guard<std::mutex> hold(lock);
    FakeKernel::close(file);
  }
  int call(int file, Call number, void *argument) override {
    std::lock_guard<std::mutex> hold(lock);
    return FakeKernel::call(file, number, argument);
  }
  int map(int file, uint64_t offset, size_t size, void *&mapped) override {
    std::lock_guard<std::mutex> hold(lock);
    return FakeKernel::map(file, offset, size, mapped);
  }
  void unmap(void *mapped, size_t size) override {
    std::lock_guard<std::mutex> hold(lock);
    FakeKernel::unmap(mapped, size);
  }

private:
  std::mutex lock;
};

} // namespace ane::standin

#endif // ANE_UNITTESTS_RUNTIME_STANDIN_KERNEL_H
