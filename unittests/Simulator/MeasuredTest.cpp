//===- MeasuredTest.cpp - Published probes of an M1 -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The probes behind Mode::Measured, as programs, and what the other modes make
// of them.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cmath>
#include <limits>

using namespace ane;
using namespace ane::test;
using sim::Mode;

namespace {

/// The sum of `terms` on the neural engines: a convolution with ones.
float sum(const std::vector<float> &terms, Mode mode, float weight = 1) {
  Shape in{1, uint32_t(terms.size()), 1, 1}, out{1, 1, 1, 1};
  Machine machine;
  machine.input("x", in, terms);
  machine.output("y", out);
  machine.task(in, out, 4, 5);
  hw::KernelShape shape;
  shape.cin = in.c;
  machine.kernel(shape, std::vector<float>(terms.size(), weight), {});
  auto stats = machine.run(mode);
  EXPECT_TRUE(stats.ok()) << stats.status();
  return machine.values[1][0];
}

TEST(Measured, OnesBehindAPowerOfTwo) {
  // Published: 4096 and 1024 ones give 5116. Ones next to 4096 are lost in half
  // precision, and 4096 + 1021 rounds to 5116.
  std::vector<float> terms(1025, 1.0f);
  terms[0] = 4096;
  EXPECT_EQ(sum(terms, Mode::Measured), 5116);
  EXPECT_EQ(sum(terms, Mode::Exact), 5120);
  EXPECT_EQ(sum(terms, Mode::Fast), 5120);
}

TEST(Measured, TriplesThatCancel) {
  // Published: of 16 triples (4096, 1, -4096) 4 survive. One addition after the
  // other does that; pairs of additions would leave none.
  std::vector<float> terms;
  for (int i = 0; i < 16; ++i)
    terms.insert(terms.end(), {4096, 1, -4096});
  EXPECT_EQ(sum(terms, Mode::Measured), 4);
  EXPECT_EQ(sum(terms, Mode::Exact), 16);
}

TEST(Measured, TiesGoToEven) {
  for (Mode mode : {Mode::Measured, Mode::Exact, Mode::Fast}) {
    EXPECT_EQ(sum({2048, 1}, mode), 2048);
    EXPECT_EQ(sum({2050, 1}, mode), 2052);
  }
}

TEST(Measured, SubnormalsAreZeroInProducts) {
  const float subnormal = std::ldexp(1.0f, -15);
  EXPECT_EQ(sum({subnormal}, Mode::Measured, 1024), 0);
  EXPECT_EQ(sum({subnormal}, Mode::Exact, 1024), subnormal * 1024);
  EXPECT_EQ(sum({1024}, Mode::Measured, subnormal), 0);
  // Two normal factors may have a subnormal product.
  EXPECT_EQ(sum({2 * subnormal}, Mode::Measured, 0.25f), subnormal / 2);
}

TEST(Measured, CopiesKeepSubnormals) {
  Shape shape{1, 1, 1, 1};
  Machine machine;
  machine.input("x", shape, {std::ldexp(1.0f, -20)});
  machine.output("y", shape);
  machine.task(shape, shape, 4, 5);
  ASSERT_TRUE(machine.run(Mode::Measured).ok());
  EXPECT_EQ(machine.values[1], machine.values[0]);
}

TEST(Measured, ConvolutionsWithWindows) {
  // Small integers: every order and precision gives the same.
  for (bool unicast : {false, true}) {
    Shape in{1, 6, 7, 9}, out{1, unicast ? 6u : 5u, 4, 5};
    std::vector<float> x(in.count()), w(size_t(out.c) * (unicast ? 1 : 6) * 9);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i * 7 % 5) - 2;
    for (size_t i = 0; i < w.size(); ++i)
      w[i] = float(i * 3 % 7) - 3;
    Machine machine;
    machine.input("x", in, x);
    machine.output("y", out);
    machine.task(in, out, 4, 5);
    hw::KernelShape shape;
    shape.cin = 6;
    shape.cout = out.c;
    shape.kh = shape.kw = 3;
    shape.depthwise = unicast;
    shape.hasBias = true;
    hw::chooseLanes(hw::info(hw::Generation::H13), shape, out.h, out.w);
    machine.kernel(shape, w, std::vector<float>(out.c, 2));
    for (auto field : {h13::Common::ConvCfg_Sx, h13::Common::ConvCfg_Sy})
      machine.set(field, 2);
    for (auto field : {h13::Common::ConvCfg_Px, h13::Common::ConvCfg_Py})
      machine.set(field, 1);
    ASSERT_TRUE(machine.run(Mode::Exact).ok());
    std::vector<float> expected = machine.values[1];
    ASSERT_TRUE(machine.run(Mode::Measured).ok());
    EXPECT_EQ(machine.values[1], expected);
  }
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

constexpr float infinity = std::numeric_limits<float>::infinity();

/// An operation of the planar engine on single elements.
float planar(uint32_t op, float a, float b, Mode mode, bool negated = false) {
  Shape shape{1, 1, 1, 1};
  Machine machine;
  machine.input("a", shape, {a});
  machine.input("b", shape, {b});
  machine.output("y", shape);
  machine.task(shape, shape, 4, 6);
  machine.planarEngine(3);
  machine.source2(shape, 5);
  machine.set(h13::PE::Cfg_OpMode, op);
  machine.set(h13::PE::Cfg_SecSrc, negated ? 3 : 2);
  EXPECT_TRUE(machine.run(mode).ok());
  return machine.values[2][0];
}

float function(uint32_t nonlinear, float a, Mode mode) {
  Shape shape{1, 1, 1, 1};
  Machine machine;
  machine.input("a", shape, {a});
  machine.output("y", shape);
  machine.task(shape, shape, 4, 5);
  machine.planarEngine(2);
  machine.set(h13::PE::Cfg_NLMode, nonlinear);
  EXPECT_TRUE(machine.run(mode).ok());
  return machine.values[1][0];
}

TEST(Measured, NoNaN) {
  EXPECT_EQ(planar(0, infinity, infinity, Mode::Measured, true), 0);
  EXPECT_TRUE(std::isnan(planar(0, infinity, infinity, Mode::Exact, true)));
  EXPECT_EQ(planar(1, 0, infinity, Mode::Measured), 0);
  EXPECT_TRUE(std::isnan(planar(1, 0, infinity, Mode::Exact)));
  EXPECT_EQ(planar(0, std::nanf(""), 1, Mode::Measured), infinity);
  EXPECT_TRUE(std::isnan(planar(0, std::nanf(""), 1, Mode::Exact)));
  EXPECT_EQ(function(2, -1, Mode::Measured), 0);
  EXPECT_TRUE(std::isnan(function(2, -1, Mode::Exact)));
}

TEST(Measured, ReciprocalOfMinusZero) {
  EXPECT_EQ(function(1, -0.0f, Mode::Measured), infinity);
  EXPECT_EQ(function(1, -0.0f, Mode::Exact), -infinity);
}

} // namespace
