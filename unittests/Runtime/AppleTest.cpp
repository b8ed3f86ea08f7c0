//===- AppleTest.cpp - Apple's runtime, played by a library ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What works. After each test the fixture looks whether the stand-in complains,
// whether objects are released and folders gone.
//
//===----------------------------------------------------------------------===//

#include "AppleFixture.h"

#include "ane/HW/Float16.h"

#include "absl/strings/str_cat.h"

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ane;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
using Apple = ane::test::AppleTest;

} // namespace

static std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Apple, SaysWhatTheMachineHas) {
  rt::DeviceInfo info = device()->info();
  EXPECT_EQ(info.generation, "h13g");
  EXPECT_EQ(info.state, "ready");
  EXPECT_TRUE(info.ready);
}

TEST_F(Apple, CompilesLoadsAndRunsText) {
  std::string model, weights;
  standIn.compile = [&](const std::string &folder) {
    model = contentsOf(folder + "/model.mil");
    weights = contentsOf(folder + "/weights/w.bin");
    return network();
  };
  auto executable = device()->loadMIL(this->model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ(model, text());
  EXPECT_EQ(weights, "weights");
  EXPECT_EQ((*executable)->tensors()[1].name, "b");
  for (int i = 0; i < 2; ++i) {
    auto result = run(**executable);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(*result, expected);
  }
  executable->reset();
  EXPECT_THAT(standIn.messages,
              ElementsAre("compileModel", "loadModel", "evaluateWithModel",
                          "evaluateWithModel", "unloadModel",
                          "purgeCompiledModel"));
}

/// Rows of 256 bytes of floats; the caller has halves.
TEST_F(Apple, Float32IsHalfForTheCaller) {
  standIn.textAttributes["Type"] = "Float32";
  standIn.compile = [](const std::string &) {
    hw::Tensor x = tensor("x", hw::TensorKind::Input),
               y = tensor("y", hw::TensorKind::Output);
    for (hw::Tensor *each : {&x, &y}) {
      each->strides = {512, 256, 256, 4, 512};
      each->bytes = 512;
    }
    auto run = [](const std::vector<uint8_t *> &surfaces) {
      for (size_t at : {0, 4, 8, 256, 260, 264}) {
        float value;
        std::memcpy(&value, surfaces[0] + at, 4);
        value = value * 2 + 1e-9f;
        std::memcpy(surfaces[1] + at, &value, 4);
      }
      return true;
    };
    return standin::Compiled{"", {x, y}, run};
  };
  std::string text =
      "program(1.3) { func main<ios18>(tensor<fp32, [2, 3]> x) { "
      "tensor<fp16, [2, 3]> h = cast(x = x); "
      "tensor<fp32, [2, 3]> y = cast(x = h); } -> (y); }";
  auto mil = rt::readMILModel(text, ".");
  ASSERT_TRUE(mil.ok()) << mil.status();
  auto executable = device()->loadMIL(*mil);
  ASSERT_TRUE(executable.ok()) << executable.status();
  const hw::Tensor &x = (*executable)->tensors()[0];
  EXPECT_EQ(x.type, hw::ElementType::Float16);
  EXPECT_EQ(x.bytes, 256u);
  std::vector<uint16_t> dense, result(6);
  for (float value : {1.0f, -2.5f, 0.1f, 100.0f, 0.0f, 3.0f})
    dense.push_back(hw::toHalfBits(value));
  std::vector<uint8_t> in(256), out(256);
  auto bytesOf = [](std::vector<uint16_t> &halves) {
    return absl::MakeSpan(reinterpret_cast<uint8_t *>(halves.data()), 12);
  };
  ASSERT_TRUE(hw::packSurface(x, bytesOf(dense), absl::MakeSpan(in)).ok());
  ASSERT_TRUE(
      (*executable)->run({absl::MakeSpan(in), absl::MakeSpan(out)}, {}).ok());
  ASSERT_TRUE(
      hw::unpackSurface((*executable)->tensors()[1], out, bytesOf(result))
          .ok());
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(hw::fromHalfBits(result[i]), 2 * hw::fromHalfBits(dense[i]));

  // Where the text says fp16, floats are a misunderstanding.
  mil->isFloat32.assign(2, false);
  EXPECT_THAT(device()->loadMIL(*mil).status().message(),
              HasSubstr("input 'x' is 1x1x2x3 of float16, but Apple's runtime "
                        "has made it 1x2x1x3 of float32"));
}

TEST_F(Apple, SymbolsMayHaveAnyOrder) {
  standIn.symbolsInOrder = true;
  EXPECT_EQ(errorOfMIL(), "");
  // Without names the order counts.
  standIn.dropAttribute = "ANEFModelDescription";
  EXPECT_EQ(errorOfMIL(), "");
  standIn.dropAttribute = "ANEFModelProcedures";
  EXPECT_EQ(errorOfMIL(), "");
}

TEST_F(Apple, OptionalAttributesMayBeMissing) {
  for (const char *key :
       {"Batches", "Depth", "BatchStride", "ANEFModelInputSymbolIndexArray"}) {
    standIn.dropAttribute = key;
    EXPECT_EQ(errorOfMIL(), "") << key;
  }
}

TEST_F(Apple, LoadsAgainWhenTheFirstLoadFails) {
  standIn.failingLoads = 1;
  EXPECT_EQ(errorOfMIL(), "");
  EXPECT_THAT(standIn.messages,
              ElementsAre("compileModel", "loadModel", "loadModel",
                          "evaluateWithModel", "unloadModel",
                          "purgeCompiledModel"));
}

TEST_F(Apple, DoesWithoutOptionalMessages) {
  standIn.missing = {"purgeCompiledModel:", "isVirtualMachine"};
  EXPECT_EQ(errorOfMIL(), "");
  EXPECT_EQ(standIn.purged, 0);
}

TEST_F(Apple, RunsProgramsOfTheCache) {
  auto refused = device()->loadFile(program(), file());
  ASSERT_FALSE(refused.ok());
  std::string message(refused.status().message());
  EXPECT_THAT(message, HasSubstr("the program is not in the cache of aned, "
                                 "where it has to be put once (from macOS "
                                 "26.6.2 on that takes System Integrity "
                                 "Protection off): sudo install"));

  // The command of the message, for this folder in place of "/".
  std::ofstream(file().path) << "program";
  std::string command = message.substr(message.find("sudo install"));
  for (const auto &[from, to] :
       {std::pair<std::string, std::string>("sudo ", ""),
        {"$(sw_vers -buildVersion)", standIn.build},
        {" /Library", " " + root + "/Library"}})
    for (size_t at; (at = command.find(from)) != std::string::npos;)
      command.replace(at, from.size(), to);
  // NOLINTNEXTLINE(bugprone-command-processor): a person enters it.
  ASSERT_EQ(std::system(command.c_str()), 0) << command;

  auto executable = device()->loadFile(program(), file());
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto result = run(**executable);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, expected);
  EXPECT_EQ((*executable)->tensors()[0].name, "a");
  executable->reset();
  EXPECT_THAT(standIn.messages,
              ElementsAre("loadModel", "evaluateWithModel", "unloadModel"));

  // Without attributes, the order of the program is that of the symbols.
  standIn.dropAttribute = "NetworkStatusList";
  standIn.symbolsInOrder = true;
  standIn.load = [&](const std::string &path) {
    EXPECT_EQ(contentsOf(path), "program");
    standin::Compiled result = network();
    result.tensors = program().tensors;
    result.run = [](const std::vector<uint8_t *> &surfaces) {
      for (size_t at : {0, 1, 2, 128, 129, 130}) {
        surfaces[2][at] = surfaces[0][at] - surfaces[1][at];
        surfaces[3][at] = surfaces[1][at];
      }
      return true;
    };
    return result;
  };
  executable = device()->loadFile(program(), file());
  ASSERT_TRUE(executable.ok()) << executable.status();
  result = run(**executable);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, expected);
  executable->reset();

  // Another program is not what lies there.
  bytes.push_back(4);
  EXPECT_FALSE(device()->loadFile(program(), file()).ok());
}

TEST_F(Apple, OutlivesItsDevice) {
  auto owner = device();
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  owner.reset();
  auto result = run(**executable);
  ASSERT_TRUE(result.ok()) << result.status();
}

TEST_F(Apple, DoesNotRunInAChild) {
  auto owner = device();
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  pid_t child = fork();
  if (child == 0) {
    bool isRefused = run(**executable).status().code() ==
                         absl::StatusCode::kFailedPrecondition &&
                     owner->loadMIL(model()).status().message().find("fork") !=
                         absl::string_view::npos;
    _exit(isRefused ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(Apple, LimitsCompilesAndLoads) {
  options.limits = {3, 1};
  auto first = device()->loadMIL(model());
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_THAT(errorOfMIL(),
              HasSubstr("1 programs are loaded in this process, the limit of "
                        "Apple's runtime is near; destroy one"));
  first->reset();
  EXPECT_EQ(errorOfMIL(), "");
  EXPECT_THAT(errorOfMIL(),
              HasSubstr("this process has compiled 3 programs, the limit of "
                        "Apple's runtime is near; go on in a new process"));
  EXPECT_EQ(standIn.compiled, 3);
}

/// Each path by its messages, with the same result.
TEST_F(Apple, RunsOnEachPath) {
  struct {
    const char *path, *load, *evaluate, *unload;
    uint32_t quality;
  } paths[] = {
      {"standard", "loadModel", "evaluateWithModel", "unloadModel", 33},
      {"direct", "loadModel", "doEvaluateDirectWithModel", "unloadModel", 33},
      {"realtime", "loadRealTimeModel", "evaluateRealTimeWithModel",
       "unloadRealTimeModel", 0},
      {"program", "loadModel", "processRequest", "unloadModel", 33}};
  for (const auto &path : paths) {
    standIn.messages.clear();
    auto owner = device();
    ASSERT_TRUE(
        owner->configure(absl::StrCat("path=", path.path, ",qos=33")).ok());
    auto executable = owner->loadMIL(model());
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto result = run(**executable);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(*result, expected);
    EXPECT_EQ(standIn.quality, path.quality);
    executable->reset();
    EXPECT_THAT(standIn.messages,
                ElementsAre("compileModel", path.load, path.evaluate,
                            path.unload, "purgeCompiledModel"));
  }
}

TEST_F(Apple, SaysWhichPathTheSystemLacks) {
  for (auto [options, selector] :
       {std::pair<const char *, const char *>(
            "path=direct",
            "doEvaluateDirectWithModel:options:request:qos:error:"),
        {"path=realtime", "evaluateRealTimeWithModel:options:request:error:"},
        {"path=program", "string_id"},
        {"stats", "hwExecutionTime"}}) {
    standIn.missing = {selector};
    auto owner = device();
    ASSERT_TRUE(owner->configure(options).ok());
    EXPECT_THAT(owner->info().state,
                HasSubstr(absl::StrCat("this version of macOS has no -[")));
    EXPECT_THAT(owner->info().state, HasSubstr(selector));
    // Without the option nobody asks for it.
    ASSERT_TRUE(owner->configure("path=standard").ok());
    EXPECT_EQ(owner->info().ready, options != std::string("stats"));
  }
}

TEST_F(Apple, SaysWhatNeedsAnEntitlement) {
  standIn.runError = "Entitlement missing";
  auto owner = device();
  ASSERT_TRUE(owner->configure("path=realtime").ok());
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_THAT(run(**executable).status().message(),
              HasSubstr("that Apple gives to its own programs only"));
}

TEST_F(Apple, TellsTheTimeOfTheEngine) {
  auto owner = device();
  ASSERT_TRUE(owner->configure("stats").ok());
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  std::vector<std::vector<uint8_t>> surfaces;
  std::vector<absl::Span<uint8_t>> spans;
  for (const hw::Tensor &tensor : (*executable)->tensors())
    surfaces.emplace_back(tensor.bytes);
  spans.reserve(surfaces.size());
  for (std::vector<uint8_t> &surface : surfaces)
    spans.push_back(absl::MakeSpan(surface));
  // Nothing is said where the system says nothing.
  auto result = (*executable)->run(spans, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->hardwareSeconds.has_value());
  standIn.hardwareNanoseconds = 125000;
  result = (*executable)->run(spans, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_DOUBLE_EQ(result->hardwareSeconds.value_or(0), 125e-6);
  standIn.answerNil = {"objectWithIOSurface:statType:"};
  EXPECT_THAT(owner->loadMIL(model()).status().message(),
              HasSubstr("makes nothing to write statistics to"));
}

/// A run that takes too long goes on with its surfaces; the caller does not.
TEST_F(Apple, DoesNotWaitForever) {
  auto owner = device();
  ASSERT_TRUE(owner->configure("timeout=30").ok());
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto result = run(**executable);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, expected);
  executable->reset();

  standIn.runMilliseconds = 200;
  ASSERT_TRUE(owner->configure("timeout=0.02").ok());
  executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  absl::Status status = run(**executable).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(status.message(), "the engine did not finish in 20 ms; another "
                              "program may hold it");
  EXPECT_EQ(run(**executable).status().message(),
            "a run of this program did not end in time; load it again");
  executable->reset();
  // The fixture looks whether all is released; the run ends before.
  for (int i = 0; i < 100 && usage.loaded; ++i)
    usleep(20000);
  owner.reset();
  for (int i = 0; i < 100 && (standIn.alive != aliveBefore ||
                              !std::filesystem::is_empty(root + "/tmp"));
       ++i)
    usleep(20000);
}

/// Programs in threads of their own; ANE_STAND_IN_RUNS says how often each runs.
TEST_F(Apple, RunsInManyThreads) {
  const char *runs = std::getenv("ANE_STAND_IN_RUNS");
  const int count = runs ? int(std::strtol(runs, nullptr, 10)) : 100;
  constexpr size_t threads = 8;
  auto owner = device();
  std::vector<std::unique_ptr<rt::Executable>> executables;
  for (size_t i = 0; i < threads; ++i) {
    auto executable = owner->loadMIL(model());
    ASSERT_TRUE(executable.ok()) << executable.status();
    executables.push_back(*std::move(executable));
  }
  std::atomic<int> right{0};
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (size_t i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      for (int k = 0; k < count; ++k) {
        auto result = run(*executables[i]);
        right += result.ok() && *result == expected;
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  EXPECT_EQ(right, count * int(threads));
}

TEST(AppleOptions, SayWhatIsWrong) {
  for (auto [text, message] :
       {std::pair<const char *, const char *>(
            "path=fast", "path 'fast' is unknown; there are standard, "
                         "direct, realtime and program"),
        {"qos=64", "qos is '64', expected a number from 0 to 63"},
        {"qos=", "qos is '', expected a number from 0 to 63"},
        {"timeout=0", "timeout is '0', expected seconds, up to 86400"},
        {"stats,queue=1", "device apple has no option 'queue=1'; there are "
                          "path=, qos=, timeout= and stats"}}) {
    rt::apple::EngineOptions options;
    EXPECT_EQ(rt::apple::parseOptions(text, options).message(), message);
    EXPECT_EQ(rt::openDevice(absl::StrCat("apple:", text)).status().message(),
              message);
  }
  EXPECT_EQ(rt::openDevice("sim:stats").status().message(),
            "device sim takes no options, but 'stats' are given");
  EXPECT_TRUE(rt::openDevice("apple:qos=0,timeout=2").ok());
}

TEST(AppleObjC, KindsOfTypes) {
  using rt::apple::kindsOfTypes;
  EXPECT_EQ(kindsOfTypes("B48@0:8@16@24I32^@36"), "i@:@@i^");
  EXPECT_EQ(kindsOfTypes("c48@0:8@16@24I32^@36"), "i@:@@i^");
  EXPECT_EQ(kindsOfTypes("@24@0:8^{__IOSurface=}16"), "@@:^");
  EXPECT_EQ(kindsOfTypes("v24@0:8@?16"), "v@:@");
  EXPECT_EQ(kindsOfTypes("r*16@0:8"), "^@:");
  EXPECT_EQ(kindsOfTypes("@\"NSString\"16#0:8"), "@@:");
  EXPECT_EQ(kindsOfTypes("d24@0:8{CGRect={CGPoint=dd}}16"), "?@:?");
  EXPECT_EQ(kindsOfTypes("^{"), "^");
  EXPECT_EQ(kindsOfTypes(""), "");
}
