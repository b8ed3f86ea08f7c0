//===- AsahiTest.cpp - The Linux driver, played by the simulator ----------===//
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

#include "../Simulator/Machine.h"
#include "Asahi/AsahiDevice.h"
#include "Asahi/LinuxDoctor.h"
#include "Asahi/Sections.h"
#include "absl/base/casts.h"

#include "ane/HW/FromH13Form.h"

#include "gmock/gmock.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

using namespace ane;
using namespace ane::test;
using namespace ane::rt::asahi;
using ::testing::HasSubstr;

namespace {
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
  std::string refusal; ///< why the last submission was refused

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
    auto stats = sim::run(received, surfaces, {});
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
    auto stats = sim::run(received, surfaces, {});
    return stats.ok() ? 0 : refuse("the simulator");
  }

  hw::Program program;
  std::map<uint32_t, std::vector<uint8_t>> buffers;
  std::map<uint32_t, std::vector<uint8_t>> sections;
  uint32_t lastHandle = 0;
};

/// A convolution and a copy of its result, through scratch memory.
struct Network : Machine {
  Network() {
    const Shape in{1, 5, 6, 7}, out{1, 20, 6, 7};
    input("x", in, randomValues(in.count(), 51));
    output("y", out);
    task(in, out, 4, hw::BaseScratch);
    hw::KernelShape shape;
    shape.cout = out.c;
    shape.cin = in.c;
    shape.hasBias = true;
    hw::chooseLanes(hw::info(hw::Generation::H13), shape, out.h, out.w);
    kernel(shape, randomValues(size_t(out.c) * in.c, 52),
           randomValues(out.c, 53));
    task(out, out, hw::BaseScratch, 5);
    program.scratchBytes = program.tensors[1].bytes;
    link();
  }

  /// The same for H14.
  void forH14() {
    for (hw::Task &task : program.tasks) {
      ASSERT_TRUE(task.set(h13::TileDMASrc::Src1DMAConfig_En, 1).ok());
      auto other = hw::fromH13Form(hw::Generation::H14, task, {});
      ASSERT_TRUE(other.ok()) << other.status();
      task = *std::move(other);
    }
    program.generation = hw::Generation::H14;
    auto bytes = hw::packTasks(program.generation, program.tasks);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    program.textBytes = *bytes;
  }

  /// Runs on `device`; the surface of the output.
  absl::StatusOr<std::vector<uint8_t>> runOn(rt::Device &device) {
    std::vector<std::vector<uint8_t>> surfaces;
    std::vector<absl::Span<uint8_t>> spans;
    surfaces.reserve(program.tensors.size());
    spans.reserve(program.tensors.size());
    for (const hw::Tensor &tensor : program.tensors)
      surfaces.emplace_back(tensor.bytes);
    std::vector<uint16_t> dense = halves(values[0]);
    EXPECT_TRUE(hw::packSurface(program.tensors[0],
                                absl::MakeConstSpan(
                                    reinterpret_cast<uint8_t *>(dense.data()),
                                    2 * dense.size()),
                                absl::MakeSpan(surfaces[0]))
                    .ok());
    for (std::vector<uint8_t> &surface : surfaces)
      spans.push_back(absl::MakeSpan(surface));
    auto result = device.run(program, spans, {});
    if (!result.ok())
      return result.status();
    return surfaces[1];
  }

  std::string errorOn(FakeKernel &kernel) {
    auto result = runOn(*makeDevice(kernel));
    EXPECT_TRUE(kernel.isClean());
    return result.ok() ? "" : std::string(result.status().message());
  }
};

TEST(Asahi, RunsWhatTheSimulatorRuns) {
  Network network;
  FakeKernel kernel(network.program);
  auto device = makeDevice(kernel);
  EXPECT_EQ(device->info().state, "ready");
  auto simulator = rt::openDevice("sim");
  ASSERT_TRUE(simulator.ok());
  auto expected = network.runOn(**simulator);
  ASSERT_TRUE(expected.ok()) << expected.status();
  auto result = network.runOn(*device);
  ASSERT_TRUE(result.ok()) << result.status() << " " << kernel.refusal;
  EXPECT_EQ(*result, *expected);
  EXPECT_THAT(*result, ::testing::Contains(::testing::Ne(0)));
  EXPECT_EQ(kernel.submissions, 1u);
  EXPECT_TRUE(kernel.isClean());
}

TEST(Asahi, LoadsOnceForSeveralRuns) {
  Network network;
  FakeKernel kernel(network.program);
  auto executable = makeDevice(kernel)->load(network.program);
  ASSERT_TRUE(executable.ok()) << executable.status();
  std::vector<std::vector<uint8_t>> surfaces;
  std::vector<absl::Span<uint8_t>> spans;
  surfaces.reserve(network.program.tensors.size());
  spans.reserve(network.program.tensors.size());
  for (const hw::Tensor &tensor : network.program.tensors)
    surfaces.emplace_back(tensor.bytes);
  for (std::vector<uint8_t> &surface : surfaces)
    spans.push_back(absl::MakeSpan(surface));
  size_t buffers = kernel.mappings;
  for (uint8_t value : {0x11, 0x22}) { // small numbers, other ones each time
    std::fill(surfaces[0].begin(), surfaces[0].end(), value);
    ASSERT_TRUE((*executable)->run(spans, {}).ok()) << kernel.refusal;
    std::vector<uint8_t> result = surfaces[1];
    auto simulator = rt::openDevice("sim");
    ASSERT_TRUE((*simulator)->run(network.program, spans, {}).ok());
    EXPECT_EQ(surfaces[1], result);
  }
  EXPECT_EQ(kernel.submissions, 2u);
  EXPECT_EQ(kernel.mappings, buffers);
  EXPECT_FALSE((*executable)->run({}, {}).ok());
  spans[0].remove_suffix(1);
  EXPECT_THAT((*executable)->run(spans, {}).status().ToString(),
              HasSubstr("tensor 'x' has 1920 bytes, its buffer 1919"));
  executable->reset();
  EXPECT_TRUE(kernel.isClean());
}

TEST(Asahi, FindsTheDriverAmongOthers) {
  Network network;
  FakeKernel kernel(network.program);
  FakeKernel::Node other, locked;
  other.driver = "ivpu";
  locked.openError = EACCES;
  kernel.nodes = {other, locked, FakeKernel::Node()};
  EXPECT_EQ(network.errorOn(kernel), "");
}

TEST(Asahi, SaysWhyItIsNotReady) {
  Network network;
  auto state = [&](std::vector<FakeKernel::Node> nodes) {
    FakeKernel kernel(network.program);
    kernel.nodes = std::move(nodes);
    std::string state = makeDevice(kernel)->info().state;
    EXPECT_EQ(network.errorOn(kernel), "device asahi is " + state);
    return state;
  };
  EXPECT_EQ(
      state({}),
      "not ready: /dev/accel/accel0: No such file or directory; no driver "
      "of an accelerator is loaded; ane-run --doctor says what is "
      "missing");
  FakeKernel::Node node;
  node.openError = EACCES;
  EXPECT_EQ(state({node}), "not ready: /dev/accel/accel0: Permission denied; "
                           "the user needs access to it; add a udev rule "
                           "(docs/Devices.md)");
  node = {};
  node.driver = "ivpu";
  EXPECT_EQ(
      state({node}),
      "not ready: /dev/accel/accel0 belongs to driver 'ivpu', not to 'ane'");
  node = {};
  node.major = 3;
  EXPECT_EQ(
      state({node}),
      "not ready: /dev/accel/accel0 has version 3.0 of the driver's "
      "interface, but versions 0 and 1 (M1) and 2 (M2) are built in; use a "
      "driver of one of these, or a newer build");
  node = {};
  node.openError = ENXIO;
  EXPECT_THAT(state({node}), HasSubstr("the device is gone"));
  node.openError = EBUSY;
  EXPECT_THAT(state({node}), HasSubstr("another process has it"));
}

TEST(Asahi, GivesEverythingBackAfterAFailure) {
  Network network;
  // Tasks, the first of them, scratch memory, two tensors.
  for (size_t working = 0; working < 5; ++working) {
    FakeKernel kernel(network.program);
    kernel.errors[InitBuffer].assign(working, 0);
    kernel.errors[InitBuffer].push_back(ENOMEM);
    EXPECT_THAT(network.errorOn(kernel),
                HasSubstr("the driver makes no buffer of 16384 bytes: Cannot "
                          "allocate memory"))
        << working;
    EXPECT_EQ(kernel.submissions, 0u);
  }
  FakeKernel kernel(network.program);
  kernel.mapError = EAGAIN;
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("cannot be mapped"));
}

TEST(Asahi, TellsWhatTheDriverSays) {
  Network network;
  FakeKernel kernel(network.program);
  kernel.errors[SubmitTasks] = {ETIMEDOUT, EBUSY, ENODEV, EINVAL};
  EXPECT_THAT(network.errorOn(kernel),
              HasSubstr("the engine did not finish in the 1000 ms"));
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("try again"));
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("the device is gone"));
  EXPECT_EQ(network.errorOn(kernel),
            "the driver does not run the program: Invalid argument");
  EXPECT_EQ(network.errorOn(kernel), "");
}

TEST(Asahi, RefusesWhatTheVerifierRefuses) {
  Network network;
  network.set(h13::TileDMADst::BaseAddr_Addr, 0x40000000);
  FakeKernel kernel(network.program);
  EXPECT_THAT(network.errorOn(kernel),
              HasSubstr("task 1: TileDMADst.BaseAddr.Addr is 0x40000000: DMA "
                        "of the result"));
  EXPECT_EQ(kernel.submissions, 0u);
}

TEST(Asahi, RefusesAccessesOutsideOfSurfaces) {
  Network network;
  network.program.tensors[1].bytes = 0x40;
  FakeKernel kernel(network.program);
  auto executable = makeDevice(kernel)->load(network.program);
  EXPECT_TRUE(absl::IsOutOfRange(executable.status())) << executable.status();
  EXPECT_EQ(kernel.submissions, 0u);
  EXPECT_TRUE(kernel.isClean());
}

TEST(Asahi, RefusesWhatCannotBeBound) {
  Network network;
  FakeKernel kernel(network.program);
  network.program.tensors[1].base = 4;
  EXPECT_THAT(
      network.errorOn(kernel),
      HasSubstr("tensor 'y' has base 4, which surface 'x' has already"));
  network.program.tensors[1].base = 32;
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("from 4 to 31"));
  network.program.tensors[1].base = 5;
  network.program.tasks.clear();
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("the program has no tasks"));
  network.program.generation = hw::Generation::H14;
  EXPECT_THAT(network.errorOn(kernel),
              HasSubstr("the program is for h14, but this driver's interface, "
                        "version 1, runs programs of h13; compile the network "
                        "for that (--target=h13)"));
  EXPECT_EQ(kernel.submissions, 0u);
}

TEST(Asahi, Interface2RunsWhatTheSimulatorRuns) {
  Network network;
  network.forH14();
  FakeKernel kernel(network.program);
  kernel.nodes[0].major = 2;
  auto device = makeDevice(kernel);
  EXPECT_EQ(device->info().generation, "h14");
  auto expected = network.runOn(**rt::openDevice("sim"));
  ASSERT_TRUE(expected.ok()) << expected.status();
  auto result = network.runOn(*device);
  ASSERT_TRUE(result.ok()) << result.status() << " " << kernel.refusal;
  EXPECT_EQ(*result, *expected);
  EXPECT_THAT(*result, ::testing::Contains(::testing::Ne(0)));
  EXPECT_EQ(kernel.submissions, 1u);
  EXPECT_TRUE(kernel.isClean());
  // A program of the other generation.
  Network other;
  EXPECT_THAT(other.errorOn(kernel),
              HasSubstr("version 2, runs programs of h14"));
}

TEST(Asahi, Interface2GivesEverythingBackAfterAFailure) {
  Network network;
  network.forH14();
  // Six sections, two tensors, scratch memory.
  for (size_t working = 0; working < 9; ++working) {
    FakeKernel kernel(network.program);
    kernel.nodes[0].major = 2;
    kernel.errors[InitBuffer].assign(working, 0);
    kernel.errors[InitBuffer].push_back(ENOMEM);
    EXPECT_THAT(network.errorOn(kernel), HasSubstr("makes no buffer"))
        << working;
  }
  FakeKernel kernel(network.program);
  kernel.nodes[0].major = 2;
  kernel.errors[LoadProgram] = {EINVAL, EBUSY};
  EXPECT_THAT(network.errorOn(kernel),
              HasSubstr("the firmware does not load the program"));
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("busy"));
  kernel.errors[CreateProcedure] = {ENODEV};
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("the device is gone"));
  kernel.errors[ExecuteProcedure] = {ETIMEDOUT};
  EXPECT_THAT(network.errorOn(kernel), HasSubstr("in the 30000 ms"));
  EXPECT_EQ(network.errorOn(kernel), "");
}

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

/// Programs in threads of their own, on one device; ANE_STAND_IN_RUNS says how
/// often each runs.
TEST(Asahi, RunsInManyThreads) {
  const char *runs = std::getenv("ANE_STAND_IN_RUNS");
  const int count = runs ? int(std::strtol(runs, nullptr, 10)) : 20;
  constexpr size_t threads = 8;
  for (int interface : {1, 2}) {
    Network network;
    if (interface == 2)
      network.forH14();
    LockedKernel kernel(network.program);
    kernel.nodes[0].major = interface;
    auto device = makeDevice(kernel);
    auto expected = network.runOn(**rt::openDevice("sim"));
    ASSERT_TRUE(expected.ok()) << expected.status();
    std::atomic<int> right{0};
    std::vector<std::thread> workers;
    workers.reserve(threads);
    for (size_t i = 0; i < threads; ++i)
      workers.emplace_back([&] {
        Network own;
        if (interface == 2)
          own.forH14();
        for (int k = 0; k < count; ++k) {
          auto result = own.runOn(*device);
          right += result.ok() && *result == *expected;
        }
      });
    for (std::thread &worker : workers)
      worker.join();
    EXPECT_EQ(right, count * int(threads));
    EXPECT_TRUE(kernel.isClean());
  }
}

/// Words of the neural engines in a task of the planar engine are reported to
/// make it compute zeros.
TEST(Asahi, SubmitsNoIdleWords) {
  Network network;
  network.planarEngine(2);
  network.set(h13::NE::KernelCfg_PalettizedBits, 8);
  network.set(h13::NE::KernelCfg_KernelFmt, 0);
  network.set(h13::NE::MACCfg_OpMode, 0);
  network.set(h13::NE::MACCfg_KernelMode, 0);
  network.set(h13::KernelDMASrc::CoeffDMAConfig_CacheHint(3), 2);
  FakeKernel kernel(network.program);
  kernel.wantsNoIdleWords = true;
  EXPECT_EQ(network.errorOn(kernel), "") << kernel.refusal;
}

/// From nothing to a machine that is ready, one step after the other.
TEST(Asahi, DoctorSaysTheNextStep) {
  Network network;
  FakeKernel kernel(network.program);
  kernel.nodes.clear();
  auto last = [&] {
    std::vector<rt::Finding> findings = examine(kernel);
    for (size_t i = 0; i + 1 < findings.size(); ++i)
      EXPECT_TRUE(findings[i].good && findings[i].next.empty());
    const rt::Finding &end = findings.back();
    EXPECT_EQ(end.good, end.next.empty());
    return end.what + ": " + end.found + " / " + end.next;
  };
  EXPECT_THAT(last(), HasSubstr("chip: this machine has no device tree / Linux "
                                "drives the engines of Macs with M1 or M2"));
  std::string &machine =
      kernel.files["/sys/firmware/devicetree/base/compatible"];
  machine = std::string("apple,j613\0apple,t8122\0", 23);
  EXPECT_THAT(last(), HasSubstr("is none of M1 and M2 / no driver"));
  machine = std::string("apple,j414c\0apple,t6021\0apple,arm-platform\0", 43);
  EXPECT_THAT(last(), HasSubstr("device tree: no node 'ane@...' / apply the "
                                "overlay"));
  const std::string tree = "/sys/firmware/devicetree/base/soc/";
  kernel.folders[tree] = {"aic@1", "ane@284000000"};
  kernel.files[tree + "ane@284000000/status"] = std::string("disabled\0", 9);
  EXPECT_THAT(last(), HasSubstr("ane@284000000 is disabled"));
  kernel.files[tree + "ane@284000000/status"] = std::string("okay\0", 5);
  EXPECT_THAT(last(), HasSubstr("kernel module: 'ane_t6021' is not loaded / "
                                "sudo modprobe ane_t6021"));
  kernel.folders["/sys/module/ane_t6021"] = {"refcnt"};
  EXPECT_THAT(last(), HasSubstr("firmware: nothing in /usr/lib/firmware/apple/"
                                "ane / sudo omarchy-ane-firmware-fetch"));
  kernel.folders["/usr/lib/firmware/apple/ane"] = {"selene.bin"};
  EXPECT_THAT(last(), HasSubstr("device: /dev/accel/accel0: No such file or "
                                "directory / no driver of an accelerator"));
  kernel.nodes = {FakeKernel::Node()};
  kernel.nodes[0].openError = EACCES;
  EXPECT_THAT(last(), HasSubstr("Permission denied / the user needs access to "
                                "it; add a udev rule"));
  kernel.nodes[0].openError = 0;
  EXPECT_THAT(last(), HasSubstr("version 1, is not that of this chip"));
  kernel.nodes[0].major = 2;
  EXPECT_THAT(last(), HasSubstr("ready, version 2 of the driver's interface"));
  EXPECT_TRUE(kernel.isClean());
  // An M1 needs no firmware from Linux.
  machine = std::string("apple,t8103\0", 12);
  kernel.folders["/sys/module/ane"] = {"refcnt"};
  kernel.folders["/usr/lib/firmware/apple/ane"].clear();
  kernel.nodes[0].major = 1;
  EXPECT_THAT(last(), HasSubstr("ready, version 1"));
  EXPECT_THAT(rt::describe(examine(kernel)),
              HasSubstr("ok       chip: apple,t8103 (M1, programs of h13)\n"));
}

} // namespace
