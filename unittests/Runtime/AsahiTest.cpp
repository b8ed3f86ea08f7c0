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
#include "StandIn/Kernel.h"

#include "ane/HW/FromH13Form.h"
#include "ane/Runtime/Session.h"

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
using namespace ane::standin;
using ::testing::HasSubstr;

/// The same for H14.
static void toH14(hw::Program &program) {
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

namespace {
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

  void forH14() { toH14(program); }

  /// Runs on `device`; the surface of the output.
  absl::StatusOr<std::vector<uint8_t>> runOn(rt::Device &device) {
    rt::Surfaces surfaces;
    surfaces.reserve(program.tensors.size());
    for (const hw::Tensor &tensor : program.tensors)
      surfaces.emplace_back(tensor.bytes);
    std::vector<uint16_t> dense = halves(values[0]);
    EXPECT_TRUE(hw::packSurface(program.tensors[0],
                                absl::MakeConstSpan(
                                    reinterpret_cast<uint8_t *>(dense.data()),
                                    2 * dense.size()),
                                absl::MakeSpan(surfaces[0]))
                    .ok());
    auto result = device.run(program, rt::spansOf(surfaces), {});
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
  rt::Surfaces surfaces;
  surfaces.reserve(network.program.tensors.size());
  for (const hw::Tensor &tensor : network.program.tensors)
    surfaces.emplace_back(tensor.bytes);
  std::vector<absl::Span<uint8_t>> spans = rt::spansOf(surfaces);
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
      "not ready: /dev/accel/accel0 belongs to driver 'ivpu', not to 'ane'; "
      "load the driver of the engine (ane-run --doctor)");
  node = {};
  node.major = 3;
  EXPECT_EQ(
      state({node}),
      "not ready: /dev/accel/accel0 has version 3.0 of the driver's "
      "interface, but versions 0 and 1 (M1) and 2 (M2) are built in; use a "
      "driver of one of these, or a newer build");
  node = {};
  {
    FakeKernel kernel(network.program);
    kernel.errors[GetVersion] = {ENOTTY};
    EXPECT_EQ(makeDevice(kernel)->info().state,
              "not ready: /dev/accel/accel0 does not tell its driver: "
              "Inappropriate ioctl for device; load the driver of the engine "
              "(ane-run --doctor)");
    EXPECT_TRUE(kernel.isClean());
  }
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
                          "allocate memory; destroy other programs"))
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
            "the driver does not run the program: Invalid argument; look at "
            "the kernel's log (dmesg), and please report it with the program");
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

/// y = x * w of 5 to 5 channels, twice, and a copy; x becomes y.
struct Recurrence : Machine {
  Recurrence() {
    const Shape shape{1, 6, 2, 40};
    input("x", shape, randomValues(shape.count(), 61));
    input("b", shape, randomValues(shape.count(), 62));
    output("y", shape);
    // Through scratch memory: x is read before y is written.
    task(shape, shape, 4, hw::BaseScratch);
    task(shape, shape, hw::BaseScratch, 6);
    program.scratchBytes = program.tensors[0].bytes;
    hw::KernelShape kernelShape;
    kernelShape.cout = kernelShape.cin = shape.c;
    kernelShape.hasBias = true;
    hw::chooseLanes(hw::info(hw::Generation::H13), kernelShape, shape.h,
                    shape.w);
    kernel(kernelShape, randomValues(size_t(shape.c) * shape.c, 63),
           randomValues(shape.c, 64));
    link();
  }
};

} // namespace

static std::vector<std::vector<uint8_t>> firstSurfaces(const Machine &machine) {
  std::vector<std::vector<uint8_t>> surfaces;
  for (size_t i = 0; i < machine.program.tensors.size(); ++i) {
    surfaces.emplace_back(machine.program.tensors[i].bytes);
    if (machine.program.tensors[i].kind == hw::TensorKind::Output)
      continue;
    std::vector<uint16_t> dense = halves(machine.values[i]);
    EXPECT_TRUE(hw::packSurface(machine.program.tensors[i],
                                absl::MakeConstSpan(
                                    reinterpret_cast<uint8_t *>(dense.data()),
                                    2 * dense.size()),
                                absl::MakeSpan(surfaces.back()))
                    .ok());
  }
  return surfaces;
}

namespace {
/// Three runs, each of which has the output of the one before, by the caller or
/// in the device.
TEST(Asahi, KeepsStatesLikeTheSimulator) {
  for (int interface : {1, 2}) {
    Recurrence network;
    if (interface == 2)
      toH14(network.program);
    auto simulator = rt::openDevice("sim");
    rt::Surfaces expected = firstSurfaces(network);
    const rt::Surfaces first = expected;
    std::vector<absl::Span<uint8_t>> spans = rt::spansOf(expected);
    for (int run = 0; run < 3; ++run) {
      if (run)
        expected[0] = expected[2];
      spans[0] = absl::MakeSpan(expected[0]);
      auto result = (*simulator)->run(network.program, spans, {});
      ASSERT_TRUE(result.ok()) << result.status();
    }
    for (rt::Keeping how : {rt::Keeping::Exchange, rt::Keeping::Alias})
      for (bool onDevice : {false, true}) {
        FakeKernel kernel(network.program);
        kernel.nodes[0].major = interface;
        auto executable = onDevice ? makeDevice(kernel)->load(network.program)
                                   : (*simulator)->load(network.program);
        ASSERT_TRUE(executable.ok()) << executable.status();
        ASSERT_TRUE((*executable)->keep("x", "y", how).ok());
        ASSERT_TRUE((*executable)->writeState(0, first[0]).ok());
        std::vector<uint8_t> b = first[1], state(first[0].size());
        std::vector<absl::Span<uint8_t>> buffers = {{}, absl::MakeSpan(b), {}};
        for (int run = 0; run < 3; ++run) {
          auto result = (*executable)->run(buffers, {});
          ASSERT_TRUE(result.ok()) << result.status() << " " << kernel.refusal;
        }
        ASSERT_TRUE((*executable)->readState(0, absl::MakeSpan(state)).ok());
        EXPECT_EQ(state, expected[2]) << interface << onDevice << int(how);
        executable->reset();
        EXPECT_TRUE(kernel.isClean());
      }
  }
}

/// Where a task reads x after another has begun to write y.
TEST(Asahi, AliasesOnlyWhatIsProved) {
  Recurrence network;
  network.task({1, 6, 2, 40}, {1, 6, 2, 40}, 4, 6);
  network.link();
  auto executable = (*rt::openDevice("sim"))->load(network.program);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ((*executable)->keep("x", "y", rt::Keeping::Alias).message(),
            "'x' and 'y' cannot be in the same memory: task 2 reads 'x', and "
            "task 1 has begun to write 'y'; let them exchange theirs");
  EXPECT_TRUE((*executable)->keep("x", "y", rt::Keeping::Exchange).ok());
  // A task that does both.
  Network both;
  both.program.tensors[1].shape = both.program.tensors[0].shape;
  auto other = (*rt::openDevice("sim"))->load(both.program);
  EXPECT_THAT((*other)->keep("x", "y", rt::Keeping::Exchange).message(),
              HasSubstr("type, shape and strides of their surfaces differ"));
}

/// Interface 2 has a time of its own, which a run may change.
TEST(Asahi, Interface2EndsRunsInTime) {
  Network network;
  network.forH14();
  FakeKernel kernel(network.program);
  kernel.nodes[0].major = 2;
  auto device = makeDevice(kernel);
  ASSERT_TRUE(device->configure("timeout=2.5").ok());
  ASSERT_TRUE(network.runOn(*device).ok());
  EXPECT_EQ(kernel.timeout, 2500u);
  kernel.errors[ExecuteProcedure] = {ETIMEDOUT};
  EXPECT_THAT(network.runOn(*device).status().message(),
              HasSubstr("in the 2500 ms"));
  EXPECT_EQ(
      device->configure("queue=1").message(),
      "device asahi has no option 'queue=1'; there are timeout= and worker");
}

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
