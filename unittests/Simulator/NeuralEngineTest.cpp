//===- NeuralEngineTest.cpp - Tasks of the neural engines -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "ane/HW/LookupTable.h"

#include <cmath>

using namespace ane;
using namespace ane::test;

namespace {

struct Conv {
  Shape in, out;
  uint32_t groups = 1, kh = 1, kw = 1, stride = 1, py = 0, px = 0;
  bool depthwise = false, bias = false;
};

/// One output channel after the other, one pixel after the other.
std::vector<float> reference(const Conv &conv, const std::vector<float> &x,
                             const std::vector<float> &w,
                             const std::vector<float> &bias) {
  uint32_t cin = conv.in.c / conv.groups, cout = conv.out.c / conv.groups;
  std::vector<float> y(conv.out.count());
  for (uint32_t o = 0; o < conv.out.c; ++o)
    for (uint32_t oy = 0; oy < conv.out.h; ++oy)
      for (uint32_t ox = 0; ox < conv.out.w; ++ox) {
        double sum = conv.bias ? bias[o] : 0;
        for (uint32_t c = 0; c < cin; ++c)
          for (uint32_t ky = 0; ky < conv.kh; ++ky)
            for (uint32_t kx = 0; kx < conv.kw; ++kx) {
              int64_t iy = int64_t(oy) * conv.stride + ky - conv.py;
              int64_t ix = int64_t(ox) * conv.stride + kx - conv.px;
              if (iy < 0 || ix < 0 || iy >= conv.in.h || ix >= conv.in.w)
                continue;
              sum += double(x[conv.in.at(0, o / cout * cin + c, iy, ix)]) *
                     w[((size_t(o) * cin + c) * conv.kh + ky) * conv.kw + kx];
            }
        y[conv.out.at(0, o, oy, ox)] = rounded(sum);
      }
  return y;
}

/// Builds the task, leaves room for `change`, runs it in both modes.
template <typename Change> void check(const Conv &conv, Change change) {
  uint32_t cin = conv.in.c / conv.groups;
  std::vector<float> x = randomValues(conv.in.count(), 1);
  std::vector<float> w =
      randomValues(size_t(conv.out.c) * cin * conv.kh * conv.kw, 2);
  for (size_t i = 0; i < w.size(); i += 3)
    w[i] = 0; // something for zero-skipping to skip
  std::vector<float> bias = randomValues(conv.bias ? conv.out.c : 0, 3);

  Machine machine;
  uint32_t from = machine.input("x", conv.in, x);
  uint32_t to = machine.output("y", conv.out);
  machine.task(conv.in, conv.out, from, to);
  hw::KernelShape shape;
  shape.cout = conv.out.c;
  shape.cin = cin;
  shape.kh = conv.kh;
  shape.kw = conv.kw;
  shape.groups = conv.depthwise ? 1 : conv.groups;
  shape.depthwise = conv.depthwise;
  shape.unicastCin = conv.depthwise ? cin : 1;
  shape.zeroSkipping = conv.stride == 2;
  shape.hasBias = conv.bias;
  hw::chooseLanes(hw::info(hw::Generation::H13), shape, conv.out.h, conv.out.w);
  machine.kernel(shape, w, bias);
  machine.set(h13::Common::GroupConvCfg_UnicastCin, shape.unicastCin);
  machine.set(h13::Common::ConvCfg_Sx, conv.stride);
  machine.set(h13::Common::ConvCfg_Sy, conv.stride);
  machine.set(h13::Common::ConvCfg_Px, conv.px);
  machine.set(h13::Common::ConvCfg_Py, conv.py);
  if (!conv.depthwise && conv.groups > 1) {
    machine.set(h13::Common::Cin_Cin, cin);
    machine.set(h13::Common::Cout_Cout, conv.out.c / conv.groups);
    machine.set(h13::Common::GroupConvCfg_NumGroups, conv.groups);
    uint32_t plane = machine.program.tasks.back().get(
        h13::TileDMASrc::Src1PlaneStride_Stride);
    machine.set(h13::TileDMASrc::Src1GroupStride_Stride, cin * plane);
    plane =
        machine.program.tasks.back().get(h13::TileDMADst::PlaneStride_Stride);
    machine.set(h13::TileDMADst::GroupStride_Stride,
                conv.out.c / conv.groups * plane);
  }
  change(machine);

  std::vector<float> expected = reference(conv, x, w, bias);
  for (sim::Mode mode : {sim::Mode::Exact, sim::Mode::Fast}) {
    auto stats = machine.run(mode);
    ASSERT_TRUE(stats.ok()) << stats.status();
    // All sums are multiples of 2^-8 below 2^15: exact in single precision too.
    EXPECT_EQ(machine.values[1], expected);
    EXPECT_EQ(stats->macs, conv.out.count() * cin * conv.kh * conv.kw);
  }
}
void check(const Conv &conv) {
  check(conv, [](Machine &) {});
}

TEST(NeuralEngine, Conv1x1) { check({{1, 40, 5, 7}, {1, 70, 5, 7}}); }

TEST(NeuralEngine, Conv3x3WithBias) {
  Conv conv{{1, 6, 9, 11}, {1, 35, 9, 11}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.bias = true;
  check(conv);
}

TEST(NeuralEngine, WideKernelAndAsymmetricPads) {
  Conv conv{{1, 3, 12, 10}, {1, 5, 10, 9}};
  conv.kh = 5;
  conv.kw = 2;
  conv.py = 1; // 1 in front, 1 after
  conv.px = 0;
  check(conv);
}

TEST(NeuralEngine, Stride2SkipsZeros) {
  Conv conv{{1, 8, 15, 15}, {1, 24, 8, 8}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.stride = 2;
  conv.bias = true;
  check(conv);
  Conv wide{{1, 3, 32, 32}, {1, 64, 16, 16}};
  wide.kh = wide.kw = 7;
  wide.py = wide.px = 3;
  wide.stride = 2;
  check(wide);
}

TEST(NeuralEngine, Groups) {
  Conv conv{{1, 12, 6, 6}, {1, 20, 6, 6}};
  conv.groups = 4;
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.bias = true;
  check(conv);
}

TEST(NeuralEngine, Depthwise) {
  Conv conv{{1, 37, 9, 70}, {1, 37, 9, 70}};
  conv.groups = 37;
  conv.depthwise = true;
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.bias = true;
  check(conv);
}

TEST(NeuralEngine, UnicastOfSeveralChannels) {
  // As in a real program for the arc tangent: three channels with 1, 1 and -1.
  Conv conv{{1, 60, 5, 7}, {1, 20, 5, 7}};
  conv.groups = 20;
  conv.depthwise = true;
  check(conv);
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.bias = true;
  check(conv);
}

TEST(NeuralEngine, Stride3) {
  Conv conv{{1, 4, 13, 13}, {1, 6, 5, 5}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.stride = 3;
  check(conv);
}

TEST(NeuralEngine, StridesMayDiffer) {
  Conv conv{{1, 4, 8, 8}, {1, 6, 8, 8}};
  Machine machine;
  std::vector<float> x = randomValues(conv.in.count(), 15);
  std::vector<float> w = randomValues(6 * 4, 16);
  machine.input("x", conv.in, x);
  machine.output("y", {1, 6, 8, 3});
  machine.task(conv.in, {1, 6, 8, 3}, 4, 5);
  hw::KernelShape shape;
  shape.cout = 6;
  shape.cin = 4;
  hw::chooseLanes(hw::info(hw::Generation::H13), shape, 8, 3);
  machine.kernel(shape, w, {});
  machine.set(h13::Common::ConvCfg_Sx, 3);
  ASSERT_TRUE(machine.run().ok());
  std::vector<float> full = reference(conv, x, w, {});
  for (uint32_t row = 0; row < 6 * 8; ++row)
    for (uint32_t i = 0; i < 3; ++i)
      EXPECT_EQ(machine.values[1][row * 3 + i], full[row * 8 + 3 * i]);
}

TEST(NeuralEngine, SumOverChannels) {
  Shape in{1, 6, 2, 3};
  std::vector<float> x = randomValues(in.count(), 17);
  for (uint32_t per : {6u, 2u}) {
    Shape out{1, 6 / per, 2, 3};
    Machine machine;
    machine.input("x", in, x);
    machine.output("y", out);
    machine.task(in, out, 4, 5);
    machine.set(h13::NE::MACCfg_OpMode, 0);
    machine.set(h13::NE::AccBias_AccBias, hw::toHalfBits(0.5f));
    // Without UnicastEn all channels go to one.
    machine.set(h13::Common::GroupConvCfg_UnicastEn, per == 2);
    machine.set(h13::Common::GroupConvCfg_UnicastCin, per == 2 ? 2 : 1);
    for (sim::Mode mode : {sim::Mode::Exact, sim::Mode::Fast}) {
      auto stats = machine.run(mode);
      ASSERT_TRUE(stats.ok()) << stats.status();
      for (uint32_t c = 0; c < out.c; ++c)
        for (uint32_t p = 0; p < 6; ++p) {
          double sum = 0.5;
          for (uint32_t k = 0; k < per; ++k)
            sum += x[(c * per + k) * 6 + p];
          EXPECT_EQ(machine.values[1][c * 6 + p], rounded(sum));
        }
    }
  }
  Machine machine;
  machine.input("x", in, x);
  machine.output("y", {1, 2, 2, 3});
  machine.task(in, {1, 2, 2, 3}, 4, 5);
  machine.set(h13::NE::MACCfg_OpMode, 0);
  machine.set(h13::Common::GroupConvCfg_UnicastEn, 0);
  EXPECT_NE(machine.error().find("a task without a kernel needs UnicastEn, "
                                 "unless it adds all channels up to one"),
            std::string::npos);
}

TEST(NeuralEngine, Bytes) {
  Shape shape{1, 2, 3, 20};
  std::vector<float> x(shape.count());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i % 256) - 128;
  for (bool toBytes : {true, false}) {
    Machine machine;
    auto bytes = hw::ElementType::Int8, half = hw::ElementType::Float16;
    machine.input("x", shape, x, toBytes ? half : bytes);
    machine.output("y", shape, toBytes ? bytes : half);
    machine.task(shape, shape, 4, 5);
    machine.set(toBytes ? h13::Common::ChCfg_OutFmt : h13::Common::ChCfg_InFmt,
                1);
    if (toBytes)
      machine.bytesToDRAM();
    else
      machine.bytesFromDRAM();
    machine.set(h13::NE::PostScale_PostScale, hw::toHalfBits(1.5f));
    auto stats = machine.run();
    ASSERT_TRUE(stats.ok()) << stats.status();
    for (size_t i = 0; i < x.size(); ++i) {
      float y = 1.5f * x[i];
      if (toBytes)
        y = std::min(127.0f, std::max(-128.0f, std::nearbyint(y)));
      ASSERT_EQ(machine.values[1][i], y);
    }
  }
}

TEST(NeuralEngine, LargeDepthwiseInSlices) {
  Conv conv{{1, 150, 41, 43}, {1, 150, 41, 43}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  conv.groups = 150;
  conv.depthwise = conv.bias = true;
  check(conv);
}

TEST(NeuralEngine, LongReduction) {
  // More steps than are gathered at once, and more pixels than a panel.
  Conv conv{{1, 150, 9, 9}, {1, 130, 9, 9}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  check(conv);
}

TEST(NeuralEngine, TileHeightChangesNothing) {
  Conv conv{{1, 6, 16, 8}, {1, 8, 16, 8}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  for (uint32_t rows : {1, 4, 16})
    check(conv, [rows](Machine &machine) {
      machine.set(h13::Common::TileCfg_TileHeight, rows);
    });
}

TEST(NeuralEngine, EpilogueHasItsOrder) {
  Shape shape{1, 3, 2, 5};
  std::vector<float> x = randomValues(shape.count(), 4);
  Machine machine;
  uint32_t from = machine.input("x", shape, x);
  uint32_t to = machine.output("y", shape);
  machine.task(shape, shape, from, to);
  machine.set(h13::NE::MACCfg_OpMode, 0); // with KernelMode: adds AccBias
  machine.set(h13::NE::AccBias_AccBias, hw::toHalfBits(0.5f));
  machine.set(h13::NE::PostScale_PostScale, hw::toHalfBits(-3));
  machine.set(h13::NE::MACCfg_NonlinearMode, 1);
  ASSERT_TRUE(machine.run().ok());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(machine.values[1][i], rounded(std::max(0.0, (x[i] + 0.5) * -3)));
}

TEST(NeuralEngine, InputReLUComesFirst) {
  Shape shape{1, 2, 1, 9};
  std::vector<float> x = randomValues(shape.count(), 5);
  Machine machine;
  uint32_t from = machine.input("x", shape, x);
  machine.task(shape, shape, from, machine.output("y", shape));
  machine.set(h13::L2::L2Cfg_InputReLU, 1);
  machine.set(h13::NE::PostScale_PostScale, hw::toHalfBits(-1));
  ASSERT_TRUE(machine.run().ok());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(machine.values[1][i], -std::max(0.0f, x[i]));
}

TEST(NeuralEngine, TableAlone) {
  Shape shape{1, 20, 4, 4};
  std::vector<float> x = randomValues(shape.count(), 6);
  Machine machine;
  uint32_t from = machine.input("x", shape, x);
  machine.task(shape, shape, from, machine.output("y", shape));
  auto table = hw::buildTable(hw::TableFunction::Sigmoid);
  ASSERT_TRUE(table.ok());
  machine.streams(hw::packTable(hw::info(hw::Generation::H13),
                                hw::encodeTable(*table), shape.c));
  machine.set(h13::NE::MACCfg_NonlinearMode, 2);
  machine.set(h13::Common::Cfg_ActiveNE, 4);
  ASSERT_TRUE(machine.run().ok());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(machine.values[1][i], 1 / (1 + std::exp(-x[i])), 4e-3) << x[i];
}

TEST(NeuralEngine, TableBehindConvolution) {
  Shape in{1, 4, 3, 3}, out{1, 18, 3, 3};
  std::vector<float> x = randomValues(in.count(), 7);
  std::vector<float> w = randomValues(out.c * in.c, 8);
  auto table = hw::buildTable(hw::TableFunction::Tanh);
  ASSERT_TRUE(table.ok());
  std::array<uint8_t, hw::tableBytes> bytes = hw::encodeTable(*table);
  Machine machine;
  uint32_t from = machine.input("x", in, x);
  machine.task(in, out, from, machine.output("y", out));
  hw::KernelShape shape;
  shape.cout = out.c;
  shape.cin = in.c;
  shape.hasTable = true;
  hw::chooseLanes(hw::info(hw::Generation::H13), shape, 3, 3);
  machine.kernel(shape, w, {}, bytes);
  machine.set(h13::NE::MACCfg_NonlinearMode, 2);
  machine.set(h13::NE::PostScale_PostScale, hw::toHalfBits(0.125f));
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  for (uint32_t o = 0; o < out.c; ++o)
    for (uint32_t p = 0; p < 9; ++p) {
      double sum = 0;
      for (uint32_t c = 0; c < in.c; ++c)
        sum += double(x[c * 9 + p]) * w[o * in.c + c];
      EXPECT_NEAR(machine.values[1][o * 9 + p], std::tanh(sum / 8), 4e-3);
    }
}

TEST(NeuralEngine, ProductAndMaximumOfNeighbouringChannels) {
  Shape in{1, 6, 2, 3}, out{1, 3, 2, 3};
  std::vector<float> x = randomValues(in.count(), 9);
  for (bool product : {true, false}) {
    Machine machine;
    uint32_t from = machine.input("x", in, x);
    machine.task(in, out, from, machine.output("y", out));
    machine.set(h13::NE::MACCfg_OpMode, product ? 2 : 3);
    machine.set(h13::Common::GroupConvCfg_ElemMultMode, product);
    machine.set(h13::Common::GroupConvCfg_UnicastCin, 2);
    ASSERT_TRUE(machine.run().ok());
    for (uint32_t c = 0; c < 3; ++c)
      for (uint32_t p = 0; p < 6; ++p) {
        float a = x[2 * c * 6 + p], b = x[(2 * c + 1) * 6 + p];
        EXPECT_EQ(machine.values[1][c * 6 + p],
                  product ? rounded(double(a) * b) : std::max(a, b));
      }
  }
}

TEST(NeuralEngine, ResultExchangesChannelsAndColumns) {
  Shape in{1, 5, 2, 7}, out{1, 7, 2, 5};
  std::vector<float> x = randomValues(in.count(), 10);
  Machine machine;
  uint32_t from = machine.input("x", in, x);
  uint32_t to = machine.output("y", out);
  machine.task(in, in, from, to);
  machine.result(out, to);
  machine.set(h13::Common::Cfg_ResultExchange, 1);
  ASSERT_TRUE(machine.run().ok());
  for (uint32_t c = 0; c < 5; ++c)
    for (uint32_t h = 0; h < 2; ++h)
      for (uint32_t w = 0; w < 7; ++w)
        EXPECT_EQ(machine.values[1][out.at(0, w, h, c)], x[in.at(0, c, h, w)]);
}

TEST(NeuralEngine, RuntimeKernelThroughInterleavedScratch) {
  // y = a * b: b is stored so that its bytes are coefficient streams.
  Shape a{1, 64, 1, 16}, b{1, 32, 1, 64}, y{1, 32, 1, 16};
  std::vector<float> left = randomValues(a.count(), 11);
  std::vector<float> right = randomValues(b.count(), 12);
  Machine machine;
  uint32_t baseA = machine.input("a", a, left);
  uint32_t baseB = machine.input("b", b, right);
  uint32_t to = machine.output("y", y);
  machine.program.scratchBytes = 0x4000;
  // Two lanes an engine: channels in pairs, each pair one stream of 0x100
  // bytes.
  machine.task(b, b, baseB, hw::BaseScratch);
  machine.set(h13::TileDMADst::Fmt_Interleave, 2);
  machine.set(h13::TileDMADst::PlaneStride_Stride, 0x100);
  machine.task(a, y, baseA, to);
  hw::KernelShape shape;
  shape.cout = 32;
  shape.cin = 64;
  shape.lanesLog2 = 1;
  shape.activeNeLog2 = 4;
  machine.kernel(shape, randomValues(32 * 64, 0), {});
  machine.set(h13::Header::KBase0, hw::BaseScratch);
  machine.set(h13::NE::KernelCfg_RuntimeKernel, 1);
  for (uint32_t ne = 0; ne < 16; ++ne)
    machine.set(h13::KernelDMASrc::CoeffBaseAddr_Addr(ne), ne * 0x100);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  for (uint32_t o = 0; o < 32; ++o)
    for (uint32_t p = 0; p < 16; ++p) {
      double sum = 0;
      for (uint32_t k = 0; k < 64; ++k)
        sum += double(left[k * 16 + p]) * right[o * 64 + k];
      EXPECT_EQ(machine.values[2][o * 16 + p], rounded(sum));
    }
  EXPECT_EQ(stats->read.weights, 0u);
  EXPECT_EQ(stats->read.intermediate, 16u * 0x100);
}

TEST(NeuralEngine, RuntimeKernelThatNobodyWrote) {
  Shape a{1, 64, 1, 16}, half{1, 16, 1, 64}, y{1, 32, 1, 16};
  Machine machine;
  machine.input("a", a, randomValues(a.count(), 18));
  machine.input("b", half, randomValues(half.count(), 19));
  machine.output("y", y);
  machine.program.scratchBytes = 0x4000;
  machine.task(half, half, 5, hw::BaseScratch); // 8 of 16 streams
  machine.set(h13::TileDMADst::Fmt_Interleave, 2);
  machine.set(h13::TileDMADst::PlaneStride_Stride, 0x100);
  machine.task(a, y, 4, 6);
  hw::KernelShape shape;
  shape.cout = 32;
  shape.cin = 64;
  shape.lanesLog2 = 1;
  shape.activeNeLog2 = 4;
  machine.kernel(shape, randomValues(32 * 64, 0), {});
  machine.set(h13::Header::KBase0, hw::BaseScratch);
  machine.set(h13::NE::KernelCfg_RuntimeKernel, 1);
  for (uint32_t ne = 0; ne < 16; ++ne)
    machine.set(h13::KernelDMASrc::CoeffBaseAddr_Addr(ne), ne * 0x100);
  EXPECT_EQ(machine.error(), "task 1: coefficient stream 8 reads byte 0x800 of "
                             "the scratch memory, which no task wrote");
}

TEST(NeuralEngine, FastModeIsCloseWhereSumsAreNotExact) {
  Conv conv{{1, 256, 6, 6}, {1, 33, 6, 6}};
  conv.kh = conv.kw = 3;
  conv.py = conv.px = 1;
  std::mt19937 random(13);
  std::normal_distribution<float> normal;
  std::vector<float> x(conv.in.count()), w(33 * 256 * 9);
  for (float &value : x)
    value = rounded(normal(random));
  for (float &value : w)
    value = rounded(normal(random) / 48);
  Machine machine;
  uint32_t from = machine.input("x", conv.in, x);
  machine.task(conv.in, conv.out, from, machine.output("y", conv.out));
  hw::KernelShape shape;
  shape.cout = 33;
  shape.cin = 256;
  shape.kh = shape.kw = 3;
  hw::chooseLanes(hw::info(hw::Generation::H13), shape, 6, 6);
  machine.kernel(shape, w, {});
  machine.set(h13::Common::ConvCfg_Px, 1);
  machine.set(h13::Common::ConvCfg_Py, 1);
  std::vector<float> expected = reference(conv, x, w, {});
  ASSERT_TRUE(machine.run(sim::Mode::Exact).ok());
  EXPECT_EQ(machine.values[1], expected);
  ASSERT_TRUE(machine.run(sim::Mode::Fast).ok());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(machine.values[1][i], expected[i],
                1e-5 + 1e-3 * std::fabs(expected[i]));
}

} // namespace
