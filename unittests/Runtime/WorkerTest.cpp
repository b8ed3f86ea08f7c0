//===- WorkerTest.cpp - A device in a process of its own ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Simulator/Machine.h"

#include "ane/HW/Container.h"
#include "ane/Runtime/Session.h"

#include "gmock/gmock.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ane;
using namespace ane::test;
using ::testing::HasSubstr;

namespace {

/// y = x, through scratch memory, or y = w * x, which takes a while.
struct Copy : Machine {
  explicit Copy(bool isLong = false) {
    const Shape shape = isLong ? Shape{1, 128, 96, 96} : Shape{1, 2, 2, 40};
    input("x", shape, randomValues(shape.count(), 1));
    output("y", shape);
    task(shape, shape, 4, isLong ? 5 : uint32_t(hw::BaseScratch));
    if (isLong) {
      hw::KernelShape kernelShape;
      kernelShape.cout = kernelShape.cin = shape.c;
      hw::chooseLanes(hw::info(hw::Generation::H13), kernelShape, shape.h,
                      shape.w);
      kernel(kernelShape, randomValues(size_t(shape.c) * shape.c, 2), {});
    } else {
      task(shape, shape, hw::BaseScratch, 5);
      program.scratchBytes = program.tensors[0].bytes;
    }
    link();
    auto container = hw::makeContainer(program);
    EXPECT_TRUE(container.ok()) << container.status();
    if (auto written = hw::writeContainer(*container); written.ok())
      bytes = *std::move(written);
  }
  rt::ProgramFile file() const { return {"copy.hwx", bytes}; }

  std::vector<uint8_t> bytes;
};

class Worker : public ::testing::Test {
protected:
  void SetUp() override {
    const auto own = std::filesystem::canonical("/proc/self/exe");
    tool = own.parent_path().parent_path() / "bin/ane-worker";
    setenv("ANE_WORKER", tool.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("ANE_WORKER");
    for (const char *name : {"worker.sh", "workers.log"})
      std::filesystem::remove(scratch(name));
  }

  /// Of this process: others may run the same tests.
  static std::string scratch(const std::string &name) {
    return ::testing::TempDir() + "ane-" + std::to_string(getpid()) + "-" +
           name;
  }
  /// A tool of a shell instead.
  void replace(const std::string &script) {
    const std::string path = scratch("worker.sh");
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv("ANE_WORKER", path.c_str(), 1);
  }
  static std::unique_ptr<rt::Device> device(const char *options) {
    auto device = rt::openDevice(std::string("sim:") + options);
    EXPECT_TRUE(device.ok()) << device.status();
    return *std::move(device);
  }
  static rt::Surfaces surfaces(const rt::Executable &executable) {
    rt::Surfaces all;
    for (const hw::Tensor &tensor : executable.tensors())
      all.emplace_back(tensor.bytes, tensor.kind == hw::TensorKind::Input);
    return all;
  }

  Copy copy;
  std::filesystem::path tool;
};

TEST_F(Worker, RunsAsTheDeviceDoes) {
  auto executable = device("worker")->loadFile(copy.program, copy.file());
  ASSERT_TRUE(executable.ok()) << executable.status();
  ASSERT_EQ((*executable)->tensors().size(), 2u);
  EXPECT_EQ((*executable)->tensors()[0].name, "x");
  EXPECT_EQ((*executable)->tensors()[0].strides,
            copy.program.tensors[0].strides);
  rt::Session session(*std::move(executable));
  rt::Surfaces own = surfaces(session.executable());
  auto result = session.run(own);
  ASSERT_TRUE(result.ok()) << result.status();
  rt::Surfaces direct = surfaces(session.executable());
  rt::Session here(*device("")->load(copy.program));
  ASSERT_TRUE(here.run(direct).ok());
  EXPECT_EQ(own, direct);
  // States are there.
  ASSERT_TRUE(session.executable().keep("x", "y", rt::Keeping::Alias).ok());
  std::vector<uint8_t> state(own[0].size(), 3), after(own[0].size());
  ASSERT_TRUE(session.executable().writeState(0, state).ok());
  rt::Surfaces none(2);
  ASSERT_TRUE(session.run(none).ok());
  ASSERT_TRUE(session.executable().readState(0, absl::MakeSpan(after)).ok());
  EXPECT_EQ(after[0], 3);
}

/// A process loads two programs, and lives as long as they do.
TEST_F(Worker, IsReplacedWhenItHasLoadedEnough) {
  const std::string log = scratch("workers.log");
  replace("echo $$ >> '" + log + "'; exec '" + tool.string() + "'");
  auto owner = device("worker=2");
  std::vector<std::unique_ptr<rt::Executable>> executables;
  for (int i = 0; i < 5; ++i) {
    auto executable = owner->loadFile(copy.program, copy.file());
    ASSERT_TRUE(executable.ok()) << executable.status();
    executables.push_back(*std::move(executable));
  }
  for (auto &executable : executables) {
    rt::Surfaces own = surfaces(*executable);
    rt::Session session(std::move(executable));
    ASSERT_TRUE(session.run(own).ok());
  }
  std::ifstream file(log);
  std::vector<std::string> processes{std::istream_iterator<std::string>(file),
                                     {}};
  EXPECT_EQ(processes.size(), 3u);
}

TEST_F(Worker, IsEndedWhenARunIsNot) {
  Copy slow(/*isLong=*/true);
  auto owner = device("worker,timeout=0.001");
  EXPECT_EQ(owner->timeout().count(), 1);
  auto executable = owner->loadFile(slow.program, slow.file());
  ASSERT_TRUE(executable.ok()) << executable.status();
  rt::Session session(*std::move(executable), owner->timeout());
  rt::Surfaces own = surfaces(session.executable()), again = own;
  EXPECT_EQ(session.run(own).status().message(),
            "the engine did not finish in 1 ms; the worker was ended, and its "
            "programs have to be loaded again");
  EXPECT_EQ(
      session.run(again).status().message(),
      "the worker was ended, since a run did not finish in 1 ms; load the "
      "program again");
  // Another one takes its place.
  EXPECT_TRUE(owner->loadFile(copy.program, copy.file()).ok());
}

TEST_F(Worker, SaysHowItEnded) {
  replace("kill -SEGV $$");
  EXPECT_THAT(
      device("worker")->loadFile(copy.program, copy.file()).status().message(),
      HasSubstr("the worker ended by signal 11, and its programs with it"));
  replace("exit 3");
  EXPECT_THAT(
      device("worker")->loadFile(copy.program, copy.file()).status().message(),
      HasSubstr("the worker ended with exit code 3"));
  setenv("ANE_WORKER", "/nowhere/ane-worker", 1);
  EXPECT_THAT(
      device("worker")->loadFile(copy.program, copy.file()).status().message(),
      HasSubstr("cannot start the worker '/nowhere/ane-worker': No such file"));
}

TEST_F(Worker, TellsWhatTheOtherSideSays) {
  auto owner = device("worker");
  EXPECT_THAT(owner->load(copy.program).status().message(),
              HasSubstr("a worker takes whole .hwx files"));
  EXPECT_THAT(owner->loadMIL({}).status().message(),
              HasSubstr("device sim runs register programs, not MIL text"));
  std::vector<uint8_t> cut(copy.bytes.begin(), copy.bytes.begin() + 100);
  EXPECT_FALSE(owner->loadFile(copy.program, {"cut.hwx", cut}).ok());
  EXPECT_EQ(rt::openDevice("sim:worker=0").status().message(),
            "worker is '0', expected how many programs a process loads, from 1 "
            "on");
}

} // namespace
