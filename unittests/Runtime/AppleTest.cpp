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
#include "ane/Runtime/Session.h"

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
        {"path=chained", "enqueueSetsWithModel:outputSet:options:qos:error:"},
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
  rt::Surfaces surfaces = surfacesOf(**executable);
  const std::vector<absl::Span<uint8_t>> spans = rt::spansOf(surfaces);
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
  standIn.runMilliseconds = 200;
  auto owner = device();
  ASSERT_TRUE(owner->configure("timeout=0.02").ok());
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  {
    rt::Session session(*std::move(executable), owner->timeout());
    rt::Surfaces surfaces = surfacesOf(session.executable());
    const rt::Surfaces others = surfaces;
    absl::Status status = session.run(surfaces).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_EQ(status.message(), "the engine did not finish in 20 ms; another "
                                "program may hold it");
    EXPECT_TRUE(surfaces.empty());
    surfaces = others;
    EXPECT_EQ(session.run(surfaces).status().message(),
              "a run of this program did not end in time; load it again");
  }
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

/// Two surfaces that take turns, in requests of their own.
TEST_F(Apple, KeepsStates) {
  auto executable = device()->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  rt::Executable &loaded = **executable;
  ASSERT_TRUE(loaded.keep("a", "y", rt::Keeping::Exchange).ok());
  rt::Surfaces surfaces = surfacesOf(loaded);
  ASSERT_TRUE(loaded.writeState(0, surfaces[0]).ok());
  surfaces[0].clear();
  surfaces[2].clear();
  const std::vector<absl::Span<uint8_t>> spans = rt::spansOf(surfaces);
  for (int run = 1; run <= 3; ++run) {
    ASSERT_TRUE(loaded.run(spans, {}).ok());
    std::vector<uint8_t> state(loaded.tensors()[0].bytes), dense(6);
    ASSERT_TRUE(loaded.readState(0, absl::MakeSpan(state)).ok());
    ASSERT_TRUE(
        hw::unpackSurface(loaded.tensors()[0], state, absl::MakeSpan(dense))
            .ok());
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(dense[i], uint8_t(9 - i - run * (1 + i)));
  }
  // A run that fails leaves the state as it was.
  std::vector<uint8_t> before(loaded.tensors()[0].bytes), after = before;
  ASSERT_TRUE(loaded.readState(0, absl::MakeSpan(before)).ok());
  standIn.runError = "0x1d: bad";
  EXPECT_FALSE(loaded.run(spans, {}).ok());
  ASSERT_TRUE(loaded.readState(0, absl::MakeSpan(after)).ok());
  EXPECT_EQ(before, after);
  EXPECT_THAT(loaded.keep("b", "z", rt::Keeping::Alias).message(),
              HasSubstr("is known of register programs only"));
}

/// Two functions of one text, one of which is compiled and loaded.
TEST_F(Apple, RunsProceduresOfOneProgram) {
  standIn.compile = [](const std::string &) {
    standin::Compiled first = network(), second = network();
    second.function = "other";
    second.run = [](const std::vector<uint8_t *> &surfaces) {
      for (size_t at : {0, 1, 2, 128, 129, 130}) {
        surfaces[2][at] = surfaces[0][at];
        surfaces[3][at] = surfaces[1][at] + surfaces[0][at];
      }
      return true;
    };
    first.others = {second};
    return first;
  };
  std::string both = text();
  const size_t begin = both.find("    func main"), end = both.rfind('}');
  std::string other = both.substr(begin, end - begin);
  other.replace(other.find("main"), 4, "other");
  other.replace(other.find("sub("), 4, "add(");
  both.insert(end, other);
  EXPECT_EQ(rt::readMILModel(both, root + "/model").status().message(),
            "the MIL text has 2 functions: main, other; say which with "
            "--function=NAME");
  EXPECT_EQ(rt::readMILModel(both, root + "/model", "third").status().message(),
            "the MIL text has no function 'third'; it has: main, other");
  auto first = rt::readMILModel(both, root + "/model", "main"),
       second = rt::readMILModel(both, root + "/model", "other");
  ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
  auto executable = device()->loadMIL(*first);
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto procedure = (*executable)->procedure(*second);
  ASSERT_TRUE(procedure.ok()) << procedure.status();
  auto result = run(**executable);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, expected);
  EXPECT_EQ(standIn.procedure, 0);
  executable->reset(); // the other one keeps what is loaded
  result = run(**procedure);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result,
            (std::vector<uint8_t>{10, 10, 10, 10, 10, 10, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(standIn.procedure, 1);
  EXPECT_EQ(usage.loaded, 1);
  EXPECT_THAT((*procedure)->procedure(model()).status().message(),
              HasSubstr("another function of the text that was loaded"));
  procedure->reset();
  EXPECT_THAT(standIn.messages,
              ElementsAre("compileModel", "loadModel", "evaluateWithModel",
                          "evaluateWithModel", "unloadModel",
                          "purgeCompiledModel"));
  // Numbers of functions that the runtime does not tell.
  for (auto [key, message] :
       {std::pair<const char *, const char *>(
            "other", "kANEFModelProcedureNameToIDMapKey has no other"),
        {"kANEFModelProcedureNameToIDMapKey",
         "the program has 2 procedures, but Apple's runtime does not name "
         "them"}}) {
    standIn.dropAttribute = key;
    EXPECT_THAT(device()->loadMIL(*second).status().message(),
                HasSubstr(message));
  }
  standIn.dropAttribute.clear();
  standIn.numberAttributes["other"] = 2;
  EXPECT_THAT(device()->loadMIL(*second).status().message(),
              HasSubstr("function 'other' is procedure 2, but Apple's runtime "
                        "tells nothing of it"));
}

/// The daemon waits and raises; the message of a run has returned before.
TEST_F(Apple, WaitsForSharedEventsAndRaisesThem) {
  auto owner = device();
  auto event = owner->makeEvent();
  ASSERT_TRUE(event.ok()) << event.status();
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_TRUE((*executable)->takesEvent(**event));
  EXPECT_FALSE((*executable)->takesEvent(rt::Event()));
  rt::Session session(*std::move(executable));
  rt::RunOptions options;
  options.waits = {{*event, 1}};
  options.signals = {{*event, 2}};
  auto request = session.submit(surfacesOf(session.executable()), options);
  EXPECT_FALSE(request->waitFor(std::chrono::milliseconds(50)));
  EXPECT_EQ((*event)->wait(2, std::chrono::milliseconds(1)).message(),
            "the event did not reach 2 in 1 ms, it is at 0");
  (*event)->signal(1);
  ASSERT_TRUE((*event)->wait(2).ok());
  auto result = request->wait();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*event)->value(), 2u);
  EXPECT_EQ(request->surfaces()[2][0], 8);
  // A run that fails: whoever waits is told, here by the handler.
  standIn.runError = "0x1d: bad";
  options.waits.clear();
  options.signals = {{*event, 3}};
  request = session.submit(surfacesOf(session.executable()), options);
  EXPECT_THAT(request->wait().status().message(),
              HasSubstr("does not run the program: 0x1d: bad"));
  EXPECT_THAT((*event)->wait(3).message(),
              HasSubstr("the run that was to raise the event to 3 failed"));
  EXPECT_TRUE((*event)->wait(2).ok());
  standIn.runError.clear();
  options.waits = {{*event, 3}};
  options.signals.clear();
  request = session.submit(surfacesOf(session.executable()), options);
  EXPECT_THAT(request->wait().status().message(), HasSubstr("0x1d: bad"));
}

/// Requests of other paths have none: this process waits and raises.
TEST_F(Apple, OtherPathsLeaveEventsToTheSession) {
  auto owner = device();
  ASSERT_TRUE(owner->configure("path=direct").ok());
  auto event = owner->makeEvent();
  ASSERT_TRUE(event.ok()) << event.status();
  auto executable = owner->loadMIL(model());
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_FALSE((*executable)->takesEvent(**event));
  rt::Session session(*std::move(executable));
  rt::RunOptions options;
  options.waits = {{*event, 1}};
  options.signals = {{*event, 2}};
  auto request = session.submit(surfacesOf(session.executable()), options);
  EXPECT_FALSE(request->waitFor(std::chrono::milliseconds(30)));
  (*event)->signal(1);
  EXPECT_TRUE(request->wait().ok());
  EXPECT_EQ((*event)->value(), 2u);
}

TEST_F(Apple, SaysWhatSharedEventsLack) {
  standIn.missing = {"setCompletionHandler:"};
  EXPECT_EQ(
      device()->makeEvent().status().message(),
      "this version of macOS has no -[_ANERequest setCompletionHandler:]");
  standIn.missing = {};
  standIn.answerNil = {"initSharedEvent"};
  EXPECT_EQ(device()->makeEvent().status().message(),
            "macOS gives no shared event");
}

/// As far as they are known: real ones refuse the inputs.
TEST_F(Apple, PreparesChains) {
  auto load = [&] {
    auto owner = device();
    EXPECT_TRUE(owner->configure("path=chained").ok());
    return owner->loadMIL(model());
  };
  for (auto [step, message] :
       {std::pair<const char *, const char *>(
            "prepareChainingWithModel",
            "Apple's runtime does not prepare the chain (leave out "
            "path=chained): it gives no reason"),
        {"validate", "the chain is not valid: it may have up to 255 inputs and "
                     "256 outputs, with symbols up to 254"}}) {
    standIn.failingChains = {step};
    EXPECT_EQ(load().status().message(), message);
  }
  for (auto [step, message] :
       {std::pair<const char *, const char *>(
            "buffersReadyWithModel",
            "Apple's runtime prepares the chain but does not take its inputs, "
            "as all who tried say (leave out path=chained): it gives no "
            "reason"),
        {"enqueueSetsWithModel",
         "Apple's runtime takes the inputs of the chain but does not run it "
         "(leave out path=chained): it gives no reason"}}) {
    standIn.failingChains = {step};
    auto executable = load();
    ASSERT_TRUE(executable.ok()) << executable.status();
    EXPECT_EQ(run(**executable).status().message(), message);
  }
  // Where the system does what its names say.
  standIn.failingChains = {};
  standIn.messages.clear();
  auto executable = load();
  ASSERT_TRUE(executable.ok()) << executable.status();
  for (int i = 0; i < 2; ++i) {
    auto result = run(**executable);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(*result, expected);
  }
  executable->reset();
  EXPECT_THAT(standIn.messages,
              ElementsAre("compileModel", "loadModel", "validate",
                          "prepareChainingWithModel", "buffersReadyWithModel",
                          "enqueueSetsWithModel", "buffersReadyWithModel",
                          "enqueueSetsWithModel", "unloadModel",
                          "purgeCompiledModel"));
}

TEST_F(Apple, SaysWhatItIsAllowed) {
  auto held = [&](size_t index) { return device()->permissions()[index].held; };
  ASSERT_EQ(device()->permissions().size(), 3u);
  EXPECT_EQ(held(0), geteuid() == 0 ? "yes" : "no");
  EXPECT_EQ(held(1), "on");
  EXPECT_EQ(held(2), "no");
  standIn.protection = 0x67; // csrutil disable
  standIn.entitlements = {"com.apple.aned.private.allow"};
  EXPECT_EQ(held(1), "off");
  EXPECT_EQ(held(2), "yes");
  options.libraries.system = options.libraries.security = "/nowhere.dylib";
  EXPECT_EQ(held(1), "unknown");
  EXPECT_EQ(held(2), "unknown");
  EXPECT_THAT(
      rt::describe(device()->permissions()),
      HasSubstr("        System Integrity Protection: unknown; register "
                "programs need it off from macOS 26.6.2 on"));
  // Nothing was asked of the daemon.
  EXPECT_THAT(standIn.messages, ::testing::IsEmpty());
}

/// A register program whose tasks read before others write may have both in one
/// surface, which real systems are said to refuse.
TEST_F(Apple, AliasesProgramsOfTheCache) {
  test::Machine machine;
  hw::Program &own = machine.program;
  own.tensors = {tensor("a", hw::TensorKind::Input),
                 tensor("y", hw::TensorKind::Output)};
  own.tensors[0].base = 4;
  own.tensors[1].base = 5;
  machine.task({1, 2, 1, 3}, {1, 2, 1, 3}, 4, hw::BaseScratch);
  machine.bytesFromDRAM();
  machine.bytesToDRAM();
  machine.task({1, 2, 1, 3}, {1, 2, 1, 3}, hw::BaseScratch, 5);
  machine.bytesFromDRAM();
  machine.bytesToDRAM();
  for (hw::Task &task : own.tasks) {
    ASSERT_TRUE(task.set(test::h13::Common::ChCfg_InFmt, 0).ok());
    ASSERT_TRUE(task.set(test::h13::Common::ChCfg_OutFmt, 0).ok());
  }
  own.scratchBytes = 256;
  machine.link();
  standIn.load = [&](const std::string &) {
    standin::Compiled result;
    result.tensors = own.tensors;
    result.run = [](const std::vector<uint8_t *> &surfaces) {
      surfaces[1][0] = surfaces[0][0] + 1;
      return true;
    };
    return result;
  };
  standIn.symbolsInOrder = true;
  std::ofstream(file().path) << "program";
  std::string command(device()->loadFile(own, file()).status().message());
  const size_t at = command.rfind("/InMemoryModelCache");
  ASSERT_NE(at, std::string::npos) << command;
  std::string place = command.substr(at);
  place.erase(std::remove(place.begin(), place.end(), '\''), place.end());
  std::filesystem::path path =
      root + "/Library/Caches/com.apple.aned/" + standIn.build + place;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "program";
  for (bool refuses : {false, true}) {
    standIn.refusesShared = refuses;
    auto executable = device()->loadFile(own, file());
    ASSERT_TRUE(executable.ok()) << executable.status();
    ASSERT_TRUE((*executable)->keep("a", "y", rt::Keeping::Alias).ok());
    std::vector<absl::Span<uint8_t>> none(2);
    if (refuses) {
      EXPECT_THAT((*executable)->run(none, {}).status().message(),
                  HasSubstr("a surface that is input and output is said to be "
                            "refused: let them exchange theirs"));
      continue;
    }
    for (int i = 0; i < 3; ++i)
      ASSERT_TRUE((*executable)->run(none, {}).ok());
    std::vector<uint8_t> state(256);
    ASSERT_TRUE((*executable)->readState(0, absl::MakeSpan(state)).ok());
    EXPECT_EQ(state[0], 3);
  }
}

TEST(AppleOptions, SayWhatIsWrong) {
  for (auto [text, message] :
       {std::pair<const char *, const char *>(
            "path=fast", "path 'fast' is unknown; there are standard, "
                         "direct, realtime, program and chained"),
        {"qos=64", "qos is '64', expected a number from 0 to 63"},
        {"qos=", "qos is '', expected a number from 0 to 63"},
        {"timeout=0", "timeout is '0', expected seconds, up to 86400"},
        {"stats,queue=1", "device apple has no option 'queue=1'; there are "
                          "path=, qos=, stats, timeout= and worker"}}) {
    EXPECT_EQ(rt::openDevice(absl::StrCat("apple:", text)).status().message(),
              message);
  }
  EXPECT_EQ(rt::openDevice("sim:stats").status().message(),
            "device sim has no option 'stats'; there are timeout= and worker");
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
