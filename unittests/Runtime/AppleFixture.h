//===- AppleFixture.h - A small network on the stand-in ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_RUNTIME_APPLEFIXTURE_H
#define ANE_UNITTESTS_RUNTIME_APPLEFIXTURE_H

#include "../Simulator/Machine.h"
#include "Apple/AppleDevice.h"
#include "StandIn/StandIn.h"

#include "ane/HW/Layout.h"
#include "ane/Runtime/Session.h"

#include "gmock/gmock.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace ane::test {

/// Two networks of two inputs and two outputs: y = a - b, z = b. One is MIL
/// text with a weight file, one a "program" in the cache of the daemon. Both
/// are of bytes, so that arithmetic is short; rows have 128 bytes.
class AppleTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "ane-apple-XXXXXX";
    root = mkdtemp(name.data());
    std::filesystem::create_directories(root + "/tmp");
    std::filesystem::create_directories(root + "/model/weights");
    std::ofstream(root + "/model/weights/w.bin") << "weights";
    size_t alive = standIn.alive;
    standIn = standin::Control();
    standIn.alive = aliveBefore = alive;
    standIn.temporaryFolder = root + "/tmp";
    standIn.root = root;
    standIn.compile = [](const std::string &) { return network(); };
    standIn.load = standIn.compile;
    Dl_info info = {};
    dladdr(reinterpret_cast<void *>(standin::aneStandIn), &info);
    options.libraries = rt::apple::Libraries::allIn(info.dli_fname);
    options.retryAfter = {};
    options.usage = &usage;
  }

  void TearDown() override {
    // What the daemon runs in the background lets go a little later.
    for (int i = 0; i < 500 && standIn.alive != aliveBefore; ++i)
      usleep(2000);
    EXPECT_THAT(standIn.complaints, ::testing::IsEmpty());
    EXPECT_EQ(standIn.alive, aliveBefore) << "objects are not released";
    EXPECT_EQ(standIn.loaded, 0);
    EXPECT_EQ(usage.loaded, 0);
    EXPECT_TRUE(std::filesystem::is_empty(root + "/tmp"));
    std::filesystem::remove_all(root);
  }

  static hw::Tensor tensor(const std::string &name, hw::TensorKind kind) {
    hw::Tensor tensor;
    tensor.name = name;
    tensor.kind = kind;
    tensor.type = hw::ElementType::UInt8;
    tensor.shape = {1, 2, 1, 3, 1};
    tensor.strides = {256, 128, 128, 1, 256};
    tensor.bytes = 256;
    return tensor;
  }

  /// The order is not that of the text.
  static standin::Compiled network() {
    using hw::TensorKind;
    return {"",
            {tensor("b", TensorKind::Input), tensor("a", TensorKind::Input),
             tensor("z", TensorKind::Output), tensor("y", TensorKind::Output)},
            [](const std::vector<uint8_t *> &surfaces) {
              for (size_t at : {0, 1, 2, 128, 129, 130}) {
                surfaces[2][at] = surfaces[0][at];
                surfaces[3][at] = surfaces[1][at] - surfaces[0][at];
              }
              return true;
            }};
  }

  static std::string text() {
    return R"(program(1.3)
{
    func main<ios18>(tensor<uint8, [1, 2, 1, 3]> a, tensor<uint8, [2, 3]> b) {
        tensor<uint8, [1, 2, 1, 3]> w = const()[val = tensor<uint8, [1, 2, 1, 3]>(BLOBFILE(path = string("@model_path/weights/w.bin"), offset = uint64(64)))];
        tensor<uint8, [1, 2, 1, 3]> y = sub(x = a, y = b);
        tensor<uint8, [1, 2, 1, 3]> z = identity(x = b);
    } -> (y, z);
})";
  }

  rt::MILModel model() const {
    auto model = rt::readMILModel(text(), root + "/model");
    EXPECT_TRUE(model.ok()) << model.status();
    return *model;
  }

  /// The same as a register program, in the order of the text.
  /// Its tasks are copies, since no engine sees them here.
  static hw::Program program() {
    Machine machine;
    hw::Program &program = machine.program;
    std::vector<hw::Tensor> tensors = network().tensors;
    program.tensors = {tensors[1], tensors[0], tensors[3], tensors[2]};
    for (uint32_t i = 0; i < 4; ++i)
      program.tensors[i].base = hw::BaseFirstTensor + i;
    for (uint32_t i = 0; i < 2; ++i) {
      machine.task({1, 2, 1, 3}, {1, 2, 1, 3}, 4 + i, 6 + i);
      machine.bytesFromDRAM();
      machine.bytesToDRAM();
      machine.set(h13::Common::ChCfg_InFmt, 0);
      machine.set(h13::Common::ChCfg_OutFmt, 0);
    }
    machine.link();
    return program;
  }
  rt::ProgramFile file() const { return {root + "/it's.hwx", bytes}; }

  std::unique_ptr<rt::Device> device() {
    return rt::apple::makeDevice(options);
  }

  /// Those of the run below.
  static rt::Surfaces surfacesOf(const rt::Executable &executable) {
    rt::Surfaces surfaces;
    const std::vector<uint8_t> dense[] = {{9, 8, 7, 6, 5, 4},
                                          {1, 2, 3, 4, 5, 6}};
    for (const hw::Tensor &tensor : executable.tensors()) {
      surfaces.emplace_back(tensor.bytes, 0x77);
      if (surfaces.size() <= 2) {
        EXPECT_TRUE(hw::packSurface(tensor, dense[surfaces.size() - 1],
                                    absl::MakeSpan(surfaces.back()))
                        .ok());
      }
    }
    return surfaces;
  }

  /// Dense outputs of a run with a = 9, 8, ..., 4 and b = 1, 2, ..., 6.
  static absl::StatusOr<std::vector<uint8_t>> run(rt::Executable &executable) {
    rt::Surfaces surfaces = surfacesOf(executable);
    auto result = executable.run(rt::spansOf(surfaces), {});
    if (!result.ok())
      return result.status();
    std::vector<uint8_t> all(12);
    // What the engine does not write is as it was.
    EXPECT_EQ(surfaces.back()[3], 0x77);
    for (size_t i : {0, 1})
      EXPECT_TRUE(hw::unpackSurface(executable.tensors()[2 + i],
                                    surfaces[2 + i],
                                    absl::MakeSpan(all).subspan(6 * i, 6))
                      .ok());
    return all;
  }

  /// What goes wrong with the text; empty when it runs.
  std::string errorOfMIL() {
    auto executable = device()->loadMIL(model());
    if (!executable.ok())
      return std::string(executable.status().message());
    auto result = run(**executable);
    return result.ok() ? "" : std::string(result.status().message());
  }

  const std::vector<uint8_t> expected = {8, 6, 4, 2, 0, 254, 1, 2, 3, 4, 5, 6};
  standin::Control &standIn = standin::aneStandIn();
  size_t aliveBefore = 0;
  std::string root;
  std::vector<uint8_t> bytes = {1, 2, 3};
  rt::apple::Usage usage;
  rt::apple::EngineOptions options;
};

} // namespace ane::test

#endif // ANE_UNITTESTS_RUNTIME_APPLEFIXTURE_H
