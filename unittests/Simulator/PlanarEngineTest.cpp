//===- PlanarEngineTest.cpp - Tasks of the planar engine ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cmath>
#include <functional>

using namespace ane;
using namespace ane::test;

namespace {

/// Runs y = op(a, b) where b has size 1 along the axes of `mask`.
void checkBinary(uint32_t op, uint32_t mask, uint32_t second,
                 const std::function<double(double, double)> &function) {
  Shape shape{2, 5, 3, 9}, small = shape;
  if (mask & 1)
    small.w = 1;
  if (mask & 2)
    small.h = 1;
  if (mask & 8)
    small.c = 1;
  std::vector<float> a = randomValues(shape.count(), 21);
  std::vector<float> b = randomValues(small.count(), 22);
  Machine machine;
  uint32_t baseA = machine.input("a", shape, a);
  uint32_t baseB = machine.input("b", small, b);
  machine.task(shape, shape, baseA, machine.output("y", shape));
  machine.planarEngine(3);
  machine.source2(small, baseB);
  machine.set(h13::PE::Cfg_OpMode, op);
  machine.set(h13::PE::Cfg_SecSrc, second);
  machine.set(h13::Common::PECfg_Src2Broadcast, mask);
  for (sim::Mode mode : {sim::Mode::Exact, sim::Mode::Fast}) {
    auto stats = machine.run(mode);
    ASSERT_TRUE(stats.ok()) << stats.status();
    for (uint32_t n = 0; n < shape.n; ++n)
      for (uint32_t c = 0; c < shape.c; ++c)
        for (uint32_t h = 0; h < shape.h; ++h)
          for (uint32_t w = 0; w < shape.w; ++w) {
            float other = b[small.at(n, c % small.c, h % small.h, w % small.w)];
            size_t i = shape.at(n, c, h, w);
            ASSERT_EQ(machine.values[2][i], rounded(function(a[i], other)));
          }
  }
}

TEST(PlanarEngine, BinaryOps) {
  checkBinary(0, 0, 2, [](double a, double b) { return a + b; });
  checkBinary(0, 0, 3, [](double a, double b) { return a - b; });
  checkBinary(1, 0, 2, [](double a, double b) { return a * b; });
  checkBinary(2, 0, 2, [](double a, double b) { return std::max(a, b); });
  checkBinary(3, 0, 2, [](double a, double b) { return std::min(a, b); });
  checkBinary(4, 0, 2, [](double a, double b) { return (a + b) * (a + b); });
}

TEST(PlanarEngine, BroadcastAxes) {
  for (uint32_t mask : {1, 2, 3, 8, 9, 11})
    checkBinary(1, mask, 2, [](double a, double b) { return a * b; });
}

/// Runs y = f(x) for one source after `change` has set the fields.
std::vector<float> unary(const std::vector<float> &x, Shape shape, Shape out,
                         uint32_t type,
                         const std::function<void(Machine &)> &change) {
  Machine machine;
  uint32_t from = machine.input("x", shape, x);
  machine.task(shape, shape, from, machine.output("y", out));
  machine.result(out, hw::BaseFirstTensor + 1);
  machine.planarEngine(type);
  change(machine);
  auto stats = machine.run();
  EXPECT_TRUE(stats.ok()) << stats.status();
  return machine.values[1];
}

TEST(PlanarEngine, UnaryEpilogue) {
  Shape shape{1, 4, 2, 6};
  std::vector<float> x = randomValues(shape.count(), 23);
  auto affine = unary(x, shape, shape, 2, [](Machine &machine) {
    machine.set(h13::PE::BiasScale_Scale, hw::toHalfBits(3));
    machine.set(h13::PE::BiasScale_Bias, hw::toHalfBits(-1));
    machine.set(h13::PE::Cfg_ReluEn, 1);
  });
  auto absolute = unary(x, shape, shape, 2, [](Machine &machine) {
    machine.set(h13::PE::Cfg_Cond, 1);
  });
  auto negated = unary(x, shape, shape, 2, [](Machine &machine) {
    machine.set(h13::PE::Cfg_FirstSrc, 1);
    machine.set(h13::PE::PreScale_PreScale, hw::toHalfBits(0.5f));
  });
  auto reciprocal = unary(x, shape, shape, 2, [](Machine &machine) {
    machine.set(h13::PE::PreScale_Epsilon, hw::toHalfBits(8));
    machine.set(h13::PE::Cfg_NLMode, 1);
  });
  auto root = unary(x, shape, shape, 2, [](Machine &machine) {
    machine.set(h13::PE::PreScale_Epsilon, hw::toHalfBits(8));
    machine.set(h13::PE::Cfg_NLMode, 2);
  });
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(affine[i], rounded(std::max(0.0, x[i] * 3.0 - 1)));
    EXPECT_EQ(absolute[i], std::fabs(x[i]));
    EXPECT_EQ(negated[i], -0.5f * x[i]);
    EXPECT_EQ(reciprocal[i], rounded(1 / (x[i] + 8.0)));
    EXPECT_EQ(root[i], rounded(1 / std::sqrt(x[i] + 8.0)));
  }
}

TEST(PlanarEngine, ReducesOverRowsAndColumns) {
  Shape shape{2, 3, 4, 5}, out{2, 3, 1, 1};
  std::vector<float> x = randomValues(shape.count(), 24);
  auto mean = unary(x, shape, out, 5, [](Machine &machine) {
    machine.set(h13::PE::FinalScale_FinalScale, 0x3d4ccccd); // 1/20
  });
  auto maximum = unary(x, shape, out, 5, [](Machine &machine) {
    machine.set(h13::PE::Cfg_PoolMode, 2);
  });
  for (uint32_t nc = 0; nc < 6; ++nc) {
    double sum = 0;
    float most = -1e9;
    for (uint32_t p = 0; p < 20; ++p) {
      sum += x[nc * 20 + p];
      most = std::max(most, x[nc * 20 + p]);
    }
    EXPECT_EQ(mean[nc], rounded(sum * 0.05f));
    EXPECT_EQ(maximum[nc], most);
  }
}

TEST(PlanarEngine, ScaleBiasRows) {
  Shape shape{1, 6, 3, 4}, rows{1, 6, 2, 1};
  std::vector<float> x = randomValues(shape.count(), 25);
  std::vector<float> r = randomValues(rows.count(), 26);
  for (bool negated : {false, true}) {
    Machine machine;
    uint32_t baseX = machine.input("x", shape, x);
    uint32_t baseR = machine.input("r", rows, r);
    machine.task(shape, shape, baseX, machine.output("y", shape));
    machine.planarEngine(4);
    machine.source2(rows, baseR);
    machine.set(h13::PE::Cfg_SecSrc, negated ? 3 : 2);
    auto stats = machine.run();
    ASSERT_TRUE(stats.ok()) << stats.status();
    for (uint32_t c = 0; c < 6; ++c)
      for (uint32_t p = 0; p < 12; ++p)
        EXPECT_EQ(machine.values[2][c * 12 + p],
                  rounded((x[c * 12 + p] + (negated ? -1.0 : 1.0) * r[2 * c]) *
                          r[2 * c + 1]));
  }
}

TEST(PlanarEngine, VarianceInOneTask) {
  // 1 / sqrt(mean((x - m)^2) + eps), the third step of a normalization.
  Shape shape{1, 4, 3, 5}, means{1, 4, 1, 1};
  std::vector<float> x = randomValues(shape.count(), 27);
  std::vector<float> m = randomValues(means.count(), 28);
  Machine machine;
  uint32_t baseM = machine.input("m", means, m);
  uint32_t baseX = machine.input("x", shape, x);
  uint32_t to = machine.output("y", means);
  machine.task(shape, shape, baseM, to);
  machine.planarEngine(6);
  machine.source1(means, baseM);
  machine.source2(shape, baseX);
  machine.result(means, to);
  machine.set(h13::Common::PECfg_Src1Broadcast, 7);
  machine.set(h13::PE::Cfg_FirstSrc, 1);
  machine.set(h13::PE::Cfg_OpMode, 4);
  machine.set(h13::PE::FinalScale_FinalScale, 0x3d888889); // 1/15
  machine.set(h13::PE::PreScale_Epsilon, hw::toHalfBits(0.25f));
  machine.set(h13::PE::Cfg_NLMode, 2);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  for (uint32_t c = 0; c < 4; ++c) {
    double sum = 0;
    for (uint32_t p = 0; p < 15; ++p)
      sum += (x[c * 15 + p] - m[c]) * (x[c * 15 + p] - m[c]);
    EXPECT_NEAR(machine.values[2][c], 1 / std::sqrt(sum / 15 + 0.25), 3e-4);
  }
}

TEST(PlanarEngine, Exchange) {
  Shape shape{1, 5, 2, 7}, turned{1, 7, 2, 5};
  std::vector<float> a = randomValues(shape.count(), 29);
  std::vector<float> b = randomValues(turned.count(), 30);
  Machine machine;
  uint32_t baseA = machine.input("a", shape, a);
  uint32_t baseB = machine.input("b", turned, b);
  uint32_t to = machine.output("y", turned);
  machine.task(shape, shape, baseA, to);
  machine.planarEngine(3);
  machine.source2(turned, baseB);
  machine.result(turned, to);
  machine.set(h13::Common::PECfg_Src2Exchange, 1);
  machine.set(h13::Common::PECfg_ResultExchange, 1);
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  for (uint32_t c = 0; c < 5; ++c)
    for (uint32_t h = 0; h < 2; ++h)
      for (uint32_t w = 0; w < 7; ++w)
        EXPECT_EQ(machine.values[2][turned.at(0, w, h, c)],
                  a[shape.at(0, c, h, w)] + b[turned.at(0, w, h, c)]);
}

TEST(PlanarEngine, ReluOfSecondSource) {
  Shape shape{1, 3, 2, 4};
  std::vector<float> a = randomValues(shape.count(), 31);
  std::vector<float> b = randomValues(shape.count(), 32);
  Machine machine;
  uint32_t baseA = machine.input("a", shape, a);
  uint32_t baseB = machine.input("b", shape, b);
  machine.task(shape, shape, baseA, machine.output("y", shape));
  machine.planarEngine(3);
  machine.source2(shape, baseB);
  machine.set(h13::L2::L2Cfg_Src2InputReLU, 1);
  ASSERT_TRUE(machine.run().ok());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(machine.values[2][i], a[i] + std::max(0.0f, b[i]));
}

TEST(PlanarEngine, Bytes) {
  Shape shape{1, 2, 3, 70};
  std::vector<float> x(shape.count());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i % 256;
  Machine machine;
  uint32_t from = machine.input("x", shape, x, hw::ElementType::UInt8);
  uint32_t to = machine.output("y", shape, hw::ElementType::Int8);
  machine.task(shape, shape, from, to);
  machine.planarEngine(2);
  machine.set(h13::Common::ChCfg_InFmt, 0);
  machine.set(h13::Common::ChCfg_OutFmt, 1);
  machine.bytesFromDRAM();
  machine.bytesToDRAM();
  // Rows of 70 bytes are 0x80 apart, as rows of 70 halves are not.
  for (auto field : {h13::TileDMASrc::Src1RowStride_Stride,
                     h13::TileDMADst::RowStride_Stride})
    machine.set(field, 0x80);
  for (auto field : {h13::TileDMASrc::Src1PlaneStride_Stride,
                     h13::TileDMADst::PlaneStride_Stride})
    machine.set(field, 0x180);
  machine.set(h13::PE::BiasScale_Bias, hw::toHalfBits(-100.5f));
  auto stats = machine.run();
  ASSERT_TRUE(stats.ok()) << stats.status();
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(machine.values[1][i],
              std::min(127.0f, std::nearbyint(x[i] - 100.5f)))
        << x[i];
}

} // namespace
