//===- AppleErrorsTest.cpp - What Apple's runtime may refuse --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AppleFixture.h"

using namespace ane;
using ::testing::HasSubstr;

namespace {

using standin::Control;

struct Case {
  const char *name;
  std::function<void(Control &)> prepare;
  const char *message;
};
// GoogleTest calls it by this name.
// NOLINTNEXTLINE
[[maybe_unused]] void PrintTo(const Case &testCase, std::ostream *os) {
  *os << testCase.name;
}

} // namespace

static std::string nameOf(const ::testing::TestParamInfo<Case> &info) {
  return info.param.name;
}

namespace {
// NOLINTNEXTLINE(misc-multiple-inheritance): as GoogleTest wants it.
class AppleNotReady : public ane::test::AppleTest,
                      public ::testing::WithParamInterface<Case> {};

TEST_P(AppleNotReady, SaysWhy) {
  GetParam().prepare(standIn);
  rt::DeviceInfo info = device()->info();
  EXPECT_FALSE(info.ready);
  EXPECT_EQ(info.state, std::string("not ready: ") + GetParam().message);
  for (const absl::Status &status :
       {device()->loadMIL(model()).status(), device()->load({}).status(),
        device()->loadFile({}, file()).status()})
    EXPECT_EQ(std::string(status.message()), "device apple is " + info.state);
}

INSTANTIATE_TEST_SUITE_P(
    All, AppleNotReady,
    ::testing::Values(
        Case{"Machine", [](Control &c) { c.hasEngine = false; },
             "this machine has no Neural Engine; use the simulator "
             "(--device=sim)"},
        Case{"Guest", [](Control &c) { c.hasEngine = !(c.isVirtual = true); },
             "this is a virtual machine, which has no Neural Engine; use the "
             "host, or the simulator (--device=sim)"},
        Case{"Class", [](Control &c) { c.missing = {"_ANEClient"}; },
             "this version of macOS has no class _ANEClient"},
        Case{"Selector", [](Control &c) { c.missing = {"modelAtURL:key:"}; },
             "this version of macOS has no +[_ANEModel modelAtURL:key:]"},
        Case{"Method", [](Control &c) { c.missing = {"modelAttributes"}; },
             "this version of macOS has no -[_ANEModel modelAttributes]"},
        Case{"Types",
             [](Control &c) { c.types["modelAtURL:key:"] = "@24@0:8@16d24"; },
             "+[_ANEModel modelAtURL:key:] has types '@24@0:8@16d24' in this "
             "version of macOS, expected such as '@@:@@'"},
        Case{"Exception", [](Control &c) { c.throwAt = "aneArchitectureType"; },
             "Apple's runtime threw an exception when it was sent "
             "'aneArchitectureType'"}),
    nameOf);

class AppleFails : public AppleNotReady {};

TEST_P(AppleFails, SaysWhatAndCleansUp) {
  GetParam().prepare(standIn);
  EXPECT_THAT(errorOfMIL(), HasSubstr(GetParam().message));
  EXPECT_EQ(standIn.compiled, standIn.purged);
}

} // namespace

static Case withError(const char *name, const char *error,
                      const char *message) {
  return {name,
          [error](Control &c) {
            c.compile = [error](const std::string &) {
              return standin::Compiled{error, {}, nullptr};
            };
          },
          message};
}

static Case without(const char *key, const char *message) {
  return {key, [key](Control &c) { c.dropAttribute = key; }, message};
}

namespace {
INSTANTIATE_TEST_SUITE_P(
    Runtime, AppleFails,
    ::testing::Values(
        Case{"Connection",
             [](Control &c) { c.answerNil = {"sharedConnection"}; },
             "Apple's runtime gives no connection to aned"},
        Case{"Model", [](Control &c) { c.answerNil = {"modelAtURL:key:"}; },
             "Apple's runtime makes no model of "},
        Case{"SurfaceObject",
             [](Control &c) { c.answerNil = {"objectWithIOSurface:"}; },
             "Apple's runtime does not take the IOSurface of 'a'"},
        Case{"Request", [](Control &c) { c.answerNil = {"requestWithInputs"}; },
             "Apple's runtime makes no request of the program's tensors"},
        Case{"Folder",
             [](Control &c) { c.temporaryFolder = "/nowhere/at/all"; },
             "cannot make a folder in '/nowhere/at/all' for Apple's compiler: "
             "No such file"},
        Case{"Load", [](Control &c) { c.failingLoads = 2; },
             "Apple's runtime does not load the program: Program load failure "
             "(com.apple.appleneuralengine, code 5)"},
        Case{"NoReason",
             [](Control &c) {
               c.failingLoads = 2;
               c.failsWithoutError = true;
             },
             "Apple's runtime does not load the program: it gives no reason"},
        Case{"Handle", [](Control &c) { c.noHandle = true; },
             "says that it has loaded the program, but gives it no handle"},
        Case{"Run", [](Control &c) { c.runError = "0x1d: bad"; },
             "Apple's runtime does not run the program: 0x1d: bad "
             "(com.apple.appleneuralengine, code 5); the request does not fit "
             "the program"},
        Case{"Surface", [](Control &c) { c.noSurfaces = true; },
             "macOS gives no IOSurface of 16384 bytes"},
        Case{"SmallSurface", [](Control &c) { c.missingSurfaceBytes = 1; },
             "macOS gives an IOSurface of 16383 bytes, asked for 16384"},
        Case{"Lock", [](Control &c) { c.lockError = 0x2bc; },
             "cannot lock an IOSurface (0x000002bc)"},
        Case{"ThrowLoad",
             [](Control &c) { c.throwAt = "loadModel:options:qos:error:"; },
             "threw an exception when it was sent "
             "'loadModel:options:qos:error:'"},
        Case{"ThrowAttributes",
             [](Control &c) { c.throwAt = "modelAttributes"; },
             "threw an exception when it was sent 'modelAttributes'"},
        Case{"ThrowRun",
             [](Control &c) {
               c.throwAt = "evaluateWithModel:options:request:qos:error:";
             },
             "threw an exception when it was sent 'evaluateWithModel:"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Attributes, AppleFails,
    ::testing::Values(
        without("NetworkStatusList",
                "Apple's runtime knows 0 tensors of the program, which has 4"),
        without("LiveInputList",
                "Apple's runtime knows 2 tensors of the program, which has 4"),
        without("Name", "LiveInputList[0] has no Name, it has {BatchStride, "),
        without("Width", "LiveInputList[0] has no Width, it has {BatchStride"),
        without("Type", "gives input 'b' the type nothing; expected Float16"),
        Case{"WrongType",
             [](Control &c) { c.textAttributes["Type"] = "Int32"; },
             "Apple's runtime gives input 'b' the type Int32; expected "
             "Float16, Float32, Int8 or UInt8"},
        Case{"Float32",
             [](Control &c) { c.textAttributes["Type"] = "Float32"; },
             "input 'a' is 1x2x1x3 of uint8, but Apple's runtime has made it "
             "1x2x1x3 of float32"},
        Case{"Float32Stride",
             [](Control &c) {
               c.textAttributes["Type"] = "Float32";
               c.numberAttributes["RowStride"] = 126;
             },
             "'b' of Float32 the strides 256, 128 and 126; expected multiples "
             "of 4"},
        Case{"OtherType", [](Control &c) { c.textAttributes["Type"] = "Int8"; },
             "input 'a' is 1x2x1x3 of uint8, but Apple's runtime has made it "
             "1x2x1x3 of int8"},
        Case{"OtherShape", [](Control &c) { c.numberAttributes["Width"] = 4; },
             "input 'a' is 1x2x1x3 of uint8, but Apple's runtime has made it "
             "1x2x1x4 of uint8"},
        Case{"Depth", [](Control &c) { c.numberAttributes["Depth"] = 2; },
             "gives input 'b' the shape 1x2x1x3x2 (N, C, H, W, D)"},
        Case{"Stride",
             [](Control &c) { c.numberAttributes["BatchStride"] = 2; }, "'b'"},
        Case{"Number",
             [](Control &c) { c.textAttributes["RowStride"] = "wide"; },
             "RowStride of LiveInputList[0] is wide, expected a number"},
        Case{"List",
             [](Control &c) { c.numberAttributes["LiveInputList"] = 7; },
             "LiveInputList is 7, expected an array"},
        Case{"Dictionary",
             [](Control &c) { c.numberAttributes["ANEFModelDescription"] = 7; },
             "ANEFModelDescription is 7, expected a dictionary"},
        Case{"OtherNames", [](Control &c) { c.textAttributes["Name"] = "x"; },
             "Apple's runtime has no symbol for input 'x' of the function; it "
             "has: a, b"},
        Case{"States", [](Control &c) { c.withStates = true; },
             "the program has 1 states, which this device cannot bind; make "
             "each an input and an output of the text"}),
    nameOf);

class AppleCompileFails : public AppleNotReady {};

TEST_P(AppleCompileFails, SaysWhatHelps) {
  GetParam().prepare(standIn);
  EXPECT_THAT(errorOfMIL(), HasSubstr(GetParam().message));
  EXPECT_EQ(standIn.purged, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, AppleCompileFails,
    ::testing::Values(
        withError("Text", "err=(InvalidMILProgram)",
                  "Apple's runtime does not compile the network: "
                  "err=(InvalidMILProgram) (com.apple.appleneuralengine, code "
                  "5); the text is not what this compiler reads"),
        withError("Op", "ANECCompile() FAILED err=(CompilationFailure)",
                  "the compiler names no op: ane-compile names those"),
        withError("Access", "fileAccessError",
                  "the daemon may not read the folder"),
        withError("Unknown", "moon is full",
                  "moon is full (com.apple.appleneuralengine, code 5)"),
        Case{"Throw",
             [](Control &c) { c.throwAt = "compileModel:options:qos:error:"; },
             "threw an exception when it was sent 'compileModel:"}),
    nameOf);

using AppleErrors = ane::test::AppleTest;

TEST_F(AppleErrors, SymbolsThatTheFunctionDoesNotUse) {
  standIn.compile = [](const std::string &) {
    standin::Compiled result = network();
    result.tensors[1].name = "c"; // in the place of a
    return result;
  };
  EXPECT_THAT(errorOfMIL(),
              HasSubstr("Apple's runtime has no input 'a'; it has: b, c"));
}

TEST_F(AppleErrors, OneInputMayHaveAnotherName) {
  auto single = [&](const std::string &) {
    standin::Compiled result = network();
    result.tensors.erase(result.tensors.begin() + 1);
    result.tensors.erase(result.tensors.begin() + 2);
    result.tensors[0].name = "mangled";
    result.run = [](const std::vector<uint8_t *> &) { return true; };
    return result;
  };
  standIn.compile = single;
  auto network = rt::readMILModel(
      "program(1.3) { func main<ios18>(tensor<uint8, [2, 3]> x) { "
      "tensor<uint8, [2, 3]> z = identity(x = x); } -> (z); }",
      ".");
  ASSERT_TRUE(network.ok()) << network.status();
  auto executable = device()->loadMIL(*network);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ((*executable)->tensors()[0].name, "x");
  EXPECT_EQ((*executable)->run({}, {}).status().message(),
            "0 buffers for 2 tensors");
  std::vector<uint8_t> little(255);
  EXPECT_EQ((*executable)
                ->run({absl::MakeSpan(little), absl::MakeSpan(little)}, {})
                .status()
                .message(),
            "tensor 'x' has 256 bytes, its buffer 255");
}

TEST_F(AppleErrors, WeightsThatAreGone) {
  rt::MILModel mil = model();
  mil.files[0].path = root + "/gone.bin";
  EXPECT_THAT(device()->loadMIL(mil).status().message(),
              HasSubstr("cannot copy " + mil.files[0].path + " to "));
}

TEST_F(AppleErrors, ProgramsOfOtherMachinesAndNoFile) {
  standIn.architecture = "h16g";
  EXPECT_THAT(device()->loadFile(program(), file()).status().message(),
              HasSubstr("the program is for h13, but the engine of this "
                        "machine is h16g; compile the network for that"));
  EXPECT_THAT(device()->load(program()).status().message(),
              HasSubstr("write the program to one (ane-compile -o net.hwx"));
}

TEST_F(AppleErrors, CachedProgramsThatDoNotFit) {
  standIn.missing = {"compiledModelExistsMatchingHash:"};
  EXPECT_THAT(device()->loadFile(program(), file()).status().message(),
              HasSubstr("has no -[_ANEClient compiledModelExistsMatchingHash"));
  standIn.missing.clear();
  // Everything is in the cache.
  std::string message(device()->loadFile(program(), file()).status().message());
  size_t begin = message.rfind("/InMemoryModelCache");
  std::string place = message.substr(begin, message.size() - begin);
  place.erase(std::remove(place.begin(), place.end(), '\''), place.end());
  std::filesystem::path path =
      root + "/Library/Caches/com.apple.aned/" + standIn.build + place;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "program";
  standIn.numberAttributes["RowStride"] = 64;
  standIn.numberAttributes["PlaneStride"] = 64;
  EXPECT_THAT(device()->loadFile(program(), file()).status().message(),
              HasSubstr("the program has strides 256, 128, 128, 1 (N, C, H, W) "
                        "for input 'a', but Apple's runtime expects 256, 64, "
                        "64, 1"));
  standIn.numberAttributes.clear();
  standIn.failingLoads = 2;
  EXPECT_THAT(device()->loadFile(program(), file()).status().message(),
              HasSubstr("does not load the program: Program load failure"));
}

TEST_F(AppleErrors, LibrariesThatAreNotThere) {
  using rt::apple::Libraries;
  for (std::string Libraries::*member :
       {&Libraries::objc, &Libraries::foundation, &Libraries::coreFoundation,
        &Libraries::ioSurface, &Libraries::engine}) {
    std::string good = options.libraries.*member;
    options.libraries.*member = "/nowhere.dylib";
    EXPECT_THAT(device()->info().state,
                HasSubstr("not ready: cannot open /nowhere.dylib: "));
    options.libraries.*member = good;
  }
  options.libraries.system = "/nowhere.dylib";
  EXPECT_THAT(device()->loadFile(program(), file()).status().message(),
              HasSubstr("cannot open /nowhere.dylib"));
  options.libraries.objc = "libc.so.6";
  EXPECT_THAT(device()->info().state,
              HasSubstr("libc.so.6 has no 'objc_getClass'"));
}

} // namespace
