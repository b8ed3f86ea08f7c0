//===- CoefficientStreamsTest.cpp - Weights out of their streams ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the packer writes, the simulator reads. That both are right is shown by
// recorded digests (utils/check-recorded-constants.py).
//
//===----------------------------------------------------------------------===//

#include "CoefficientStreams.h"

#include "ane/HW/KernelPacking.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace ane;
using testing::HasSubstr;

namespace {

/// A packed kernel and the task that reads it.
struct Packed {
  Packed(hw::Generation target, hw::KernelShape shape, uint32_t size,
         uint32_t zeroOneOf = 3)
      : generation(hw::info(target)) {
    hw::chooseLanes(generation, shape, size, size);
    std::mt19937 random(4711);
    auto values = [&](size_t count) {
      std::vector<uint16_t> halves(count);
      for (uint16_t &half : halves)
        half = random() % zeroOneOf ? 1 + random() % 0x7bff : 0;
      return halves;
    };
    const uint32_t inputs = shape.depthwise ? shape.unicastCin : shape.cin;
    weights = values(size_t(shape.cout) * inputs * shape.kh * shape.kw);
    bias = values(shape.hasBias ? shape.cout : 0);
    auto streams = hw::packKernel(generation, shape, weights, bias, {});
    EXPECT_TRUE(streams.ok()) << streams.status();
    section = streams->bytes;

    task.kernel.offsets = streams->offsets;
    task.kernel.sizes = streams->sizes;
    task.source1.dram.dims.g = shape.depthwise ? 1 : shape.groups;
    task.source1.dram.dims.c = shape.cin;
    task.result.dram.dims.c = shape.cout / task.source1.dram.dims.g;
    sim::NeuralConfig &ne = task.neural;
    ne.unicast = shape.depthwise;
    ne.unicastCin = shape.unicastCin;
    ne.kh = shape.kh;
    ne.kw = shape.kw;
    ne.activeNeLog2 = shape.activeNeLog2;
    ne.lanesLog2 = shape.lanesLog2;
    ne.hasBias = shape.hasBias;
    ne.zeroSkipping = shape.zeroSkipping;
    ne.smallSource = shape.smallSource;
  }

  absl::Status read() {
    back.assign(weights.size(), 0xffff);
    backBias.assign(bias.size(), 0xffff);
    return sim::readCoefficients(generation, task, section,
                                 absl::MakeSpan(back),
                                 absl::MakeSpan(backBias));
  }
  std::string error() { return std::string(read().message()); }

  const hw::GenerationInfo &generation;
  sim::TaskConfig task;
  std::vector<uint8_t> section;
  std::vector<uint16_t> weights, bias, back, backBias;
};

hw::KernelShape kernel(uint32_t cout, uint32_t cin, uint32_t k,
                       uint32_t groups = 1) {
  hw::KernelShape shape;
  shape.cout = cout;
  shape.cin = cin;
  shape.kh = shape.kw = k;
  shape.groups = groups;
  return shape;
}

TEST(CoefficientStreams, AreReadAsTheyArePacked) {
  hw::KernelShape shapes[] = {kernel(64, 64, 3),  kernel(24, 7, 3),
                              kernel(1000, 3, 1), kernel(6, 1, 5),
                              kernel(33, 5, 3),   kernel(64, 16, 3, 4),
                              kernel(12, 2, 1, 4)};
  for (hw::Generation target : {hw::Generation::H13, hw::Generation::H14})
    for (const hw::KernelShape &dense : shapes)
      for (int form = 0; form < 16; ++form) {
        hw::KernelShape shape = dense;
        shape.depthwise = form & 1 && shape.groups == 1;
        shape.zeroSkipping = form & 2;
        shape.hasBias = form & 4;
        Packed packed(target, shape, form & 8 ? 8 : 32);
        ASSERT_EQ(packed.read(), absl::OkStatus())
            << shape.cout << " x " << shape.cin << ", form " << form;
        EXPECT_EQ(packed.back, packed.weights);
        EXPECT_EQ(packed.backBias, packed.bias);
        // Every shorter section is an error, never a read past the end.
        const std::vector<uint8_t> whole = packed.section;
        for (size_t cut :
             {size_t(0), size_t(1), whole.size() / 2, whole.size() - 64}) {
          packed.section.assign(whole.begin(), whole.begin() + cut);
          EXPECT_FALSE(packed.read().ok());
        }
      }
}

TEST(CoefficientStreams, SlotsThatThePackerMeantOtherwiseAreFound) {
  hw::KernelShape shape = kernel(64, 1, 3);
  shape.depthwise = shape.zeroSkipping = true;
  Packed small(hw::Generation::H13, shape, 8);
  small.task.neural.smallSource = false;
  EXPECT_THAT(small.error(),
              HasSubstr("coefficient stream 0 has a zero-skipping unit of"));
  EXPECT_THAT(small.error(), HasSubstr("with 2 entries for each tap"));
  Packed large(hw::Generation::H13, shape, 32);
  large.task.neural.smallSource = true;
  EXPECT_THAT(large.error(), HasSubstr("with 4 entries for each tap"));
}

TEST(CoefficientStreams, EndWhereTheirCoefficientsDo) {
  Packed packed(hw::Generation::H13, kernel(64, 64, 3), 32);
  packed.section.resize(packed.section.size() + 0x40);
  packed.task.kernel.sizes[15] += 0x40;
  EXPECT_EQ(packed.error(), "coefficient stream 15 has 0x1240 bytes, but its "
                            "coefficients take 0x1200");
  // As the words of more lanes or rows would make it.
  packed.task.kernel.sizes[15] -= 0x40;
  packed.task.neural.kh = 2;
  EXPECT_THAT(packed.error(),
              HasSubstr("coefficient stream 0 has 0x1200 bytes, but its "
                        "coefficients take 0xc00"));
  packed.task.neural.kh = 3;
  packed.task.kernel.offsets.push_back(0);
  packed.task.kernel.sizes.push_back(0x1200);
  EXPECT_EQ(packed.error(),
            "the kernel needs 16 coefficient streams, but 17 are enabled");
}

TEST(CoefficientStreams, AreCheckedWithoutBeingKept) {
  hw::KernelShape shape = kernel(64, 64, 3);
  for (bool zeroSkipping : {false, true}) {
    shape.zeroSkipping = zeroSkipping;
    shape.hasBias = true;
    Packed packed(hw::Generation::H13, shape, 32);
    auto check = [&] {
      return sim::readCoefficients(packed.generation, packed.task,
                                   packed.section, {}, {});
    };
    EXPECT_EQ(check(), absl::OkStatus());
    packed.section.resize(packed.section.size() - 64);
    EXPECT_FALSE(check().ok());
  }
}

// 64 channels in 4 passes of 16: each pass has streams of its own.
TEST(CoefficientStreams, PassesMayLieAStrideApart) {
  constexpr uint32_t inputs = 5, engines = 16, passes = 4, stride = 0x400;
  sim::TaskConfig task;
  task.source1.dram.dims = {};
  task.source1.dram.dims.g = 1;
  task.source1.dram.dims.c = inputs;
  task.result.dram.dims.c = engines * passes;
  task.neural.activeNeLog2 = 4;
  task.kernel.passStride = stride;
  std::vector<uint8_t> section(passes * stride, 0xee);
  std::vector<uint16_t> expected(engines * passes * inputs);
  for (uint32_t channel = 0; channel < engines * passes; ++channel)
    for (uint32_t input = 0; input < inputs; ++input) {
      const uint16_t value = channel << 8 | input;
      expected[channel * inputs + input] = value;
      const size_t at = channel / engines * stride +
                        channel % engines * (stride / engines) + 2 * input;
      section[at] = value & 0xff;
      section[at + 1] = value >> 8;
    }
  for (uint32_t engine = 0; engine < engines; ++engine) {
    task.kernel.offsets.push_back(engine * stride / engines);
    task.kernel.sizes.push_back(stride / engines);
  }
  EXPECT_EQ(sim::streamPlaces(task).size(), engines * passes);
  std::vector<uint16_t> back(expected.size());
  auto read = [&] {
    return sim::readCoefficients(hw::info(hw::Generation::H14), task, section,
                                 absl::MakeSpan(back), {});
  };
  ASSERT_EQ(read(), absl::OkStatus());
  EXPECT_EQ(back, expected);
  section.pop_back();
  EXPECT_EQ(read().message(), "coefficient stream 15 covers bytes 0xfc0 to "
                              "0x1000 of a section of 0xfff bytes");
  task.neural.unicast = true;
  EXPECT_THAT(std::string(read().message()),
              HasSubstr("lie a stride apart in a task that is no plain"));
}

TEST(CoefficientStreams, ErrorsNameTheStreamAndTheByte) {
  Packed packed(hw::Generation::H13, kernel(32, 8, 1), 32);
  packed.task.kernel.sizes[3] = 0x10;
  EXPECT_EQ(packed.error(), "coefficient stream 3 of 0x10 bytes ends inside "
                            "the coefficients, at byte 0x0");
  packed.task.kernel.offsets[3] = packed.section.size() - 8;
  EXPECT_EQ(packed.error(), "coefficient stream 3 covers bytes 0x3f8 to 0x408 "
                            "of a section of 0x400 bytes");
  packed.task.kernel.offsets.resize(2);
  EXPECT_EQ(packed.error(), "the kernel needs 16 coefficient streams, but 2 "
                            "are enabled");
}

} // namespace
