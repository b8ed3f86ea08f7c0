//===- EngineArithmeticTest.cpp - Published probes of engines -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The probes after Mode::Engine, as programs, and what the other modes make
// of them.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cmath>
#include <limits>

using namespace ane;
using namespace ane::test;
using sim::Mode;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The sum of `terms` on the neural engines: a convolution with ones.
static float sum(const std::vector<float> &terms, Mode mode, float weight = 1) {
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

TEST(HalfSums, OnesBehindAPowerOfTwo) {
  // Published: 4096 and 1024 ones give 5116. Ones next to 4096 are lost in half
  // precision, and 4096 + 1021 rounds to 5116.
  std::vector<float> terms(1025, 1.0f);
  terms[0] = 4096;
  EXPECT_EQ(sum(terms, Mode::Engine), 5116);
  EXPECT_EQ(sum(terms, Mode::Exact), 5120);
  EXPECT_EQ(sum(terms, Mode::Fast), 5120);
}

TEST(HalfSums, TriplesThatCancel) {
  // Published: of 16 triples (4096, 1, -4096) 4 survive. One addition after the
  // other does that; pairs of additions would leave none.
  std::vector<float> terms;
  for (int i = 0; i < 16; ++i)
    terms.insert(terms.end(), {4096, 1, -4096});
  EXPECT_EQ(sum(terms, Mode::Engine), 4);
  EXPECT_EQ(sum(terms, Mode::Exact), 16);
}

TEST(HalfSums, TiesGoToEven) {
  for (Mode mode : {Mode::Engine, Mode::Exact, Mode::Fast}) {
    EXPECT_EQ(sum({2048, 1}, mode), 2048);
    EXPECT_EQ(sum({2050, 1}, mode), 2052);
  }
}

TEST(HalfSums, SubnormalsAreZeroInProducts) {
  const float subnormal = std::ldexp(1.0f, -15);
  EXPECT_EQ(sum({subnormal}, Mode::Engine, 1024), 0);
  EXPECT_EQ(sum({subnormal}, Mode::Exact, 1024), subnormal * 1024);
  EXPECT_EQ(sum({1024}, Mode::Engine, subnormal), 0);
  // Two normal factors may have a subnormal product.
  EXPECT_EQ(sum({2 * subnormal}, Mode::Engine, 0.25f), subnormal / 2);
}

TEST(HalfSums, CopiesKeepSubnormals) {
  Shape shape{1, 1, 1, 1};
  Machine machine;
  machine.input("x", shape, {std::ldexp(1.0f, -20)});
  machine.output("y", shape);
  machine.task(shape, shape, 4, 5);
  ASSERT_TRUE(machine.run(Mode::Engine).ok());
  EXPECT_EQ(machine.values[1], machine.values[0]);
}

TEST(HalfSums, ConvolutionsWithWindows) {
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
    for (auto sums :
         {hw::SumArithmetic::HalfSums, hw::SumArithmetic::FixedPoint}) {
      machine.sums = sums;
      ASSERT_TRUE(machine.run(Mode::Engine).ok());
      EXPECT_EQ(machine.values[1], expected);
    }
  }
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

/// An operation of the planar engine on single elements.
static float planar(uint32_t op, float a, float b, Mode mode,
                    bool negated = false,
                    std::optional<hw::SumArithmetic> sums = std::nullopt) {
  Shape shape{1, 1, 1, 1};
  Machine machine;
  machine.sums = sums;
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

static float function(uint32_t nonlinear, float a, Mode mode) {
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

TEST(HalfSums, NoNaN) {
  EXPECT_EQ(planar(0, infinity, infinity, Mode::Engine, true), 0);
  EXPECT_TRUE(std::isnan(planar(0, infinity, infinity, Mode::Exact, true)));
  EXPECT_EQ(planar(1, 0, infinity, Mode::Engine), 0);
  EXPECT_TRUE(std::isnan(planar(1, 0, infinity, Mode::Exact)));
  EXPECT_EQ(planar(0, std::nanf(""), 1, Mode::Engine), infinity);
  EXPECT_TRUE(std::isnan(planar(0, std::nanf(""), 1, Mode::Exact)));
  EXPECT_EQ(function(2, -1, Mode::Engine), 0);
  EXPECT_TRUE(std::isnan(function(2, -1, Mode::Exact)));
}

TEST(HalfSums, ReciprocalOfMinusZero) {
  EXPECT_EQ(function(1, -0.0f, Mode::Engine), infinity);
  EXPECT_EQ(function(1, -0.0f, Mode::Exact), -infinity);
}

TEST(Assumptions, AreOfEngineMode) {
  Shape shape{1, 1, 1, 1};
  Machine machine;
  machine.input("x", shape, {1});
  machine.output("y", shape);
  machine.task(shape, shape, 4, 5);
  std::vector<uint8_t> x(machine.program.tensors[0].bytes),
      y(machine.program.tensors[1].bytes);
  sim::Options options;
  options.assumptions = sim::Assumptions();
  options.mode = Mode::Fast;
  auto stats = sim::run(machine.program, {absl::MakeSpan(x), absl::MakeSpan(y)},
                        options);
  EXPECT_EQ(stats.status().message(),
            "assumptions are of mode engine, but another mode is given");
  options.mode = Mode::Engine;
  EXPECT_TRUE(
      sim::run(machine.program, {absl::MakeSpan(x), absl::MakeSpan(y)}, options)
          .ok());
}

TEST(Assumptions, OfEachArithmetic) {
  const sim::Assumptions half = sim::assumptionsOf(hw::SumArithmetic::HalfSums);
  const sim::Assumptions fixed =
      sim::assumptionsOf(hw::SumArithmetic::FixedPoint);
  EXPECT_EQ(half.limit, sim::assumed::Limit::Saturated);
  EXPECT_EQ(fixed.limit, sim::assumed::Limit::Infinite);
  EXPECT_EQ(half.rows, fixed.rows);
}

TEST(HalfSums, SaturateAt32768) {
  // Published once, of an M1.
  EXPECT_EQ(sum({16384, 16384, 16384, 1}, Mode::Engine), 32768);
  EXPECT_EQ(sum({16384, 16384, 16384, 1}, Mode::Exact), 49152);
}

//===----------------------------------------------------------------------===//
// Fixed point. All numbers are published of M4 and M6, which agree
// (notes/numerics.md of 751K/Apple-Neural-Engine-Microarchitecture-Study-M6).
//===----------------------------------------------------------------------===//

namespace {
struct Term {
  float x, w = 1;
};

} // namespace

static float fixed(const std::vector<Term> &terms,
                   std::optional<float> bias = std::nullopt) {
  Shape in{1, uint32_t(terms.size()), 1, 1}, out{1, 1, 1, 1};
  Machine machine;
  machine.sums = hw::SumArithmetic::FixedPoint;
  std::vector<float> x, w;
  for (const Term &term : terms) {
    x.push_back(term.x);
    w.push_back(term.w);
  }
  machine.input("x", in, x);
  machine.output("y", out);
  machine.task(in, out, 4, 5);
  hw::KernelShape shape;
  shape.cin = in.c;
  shape.hasBias = bias.has_value();
  machine.kernel(shape, w,
                 bias ? std::vector<float>{*bias} : std::vector<float>());
  auto stats = machine.run(Mode::Engine);
  EXPECT_TRUE(stats.ok()) << stats.status();
  return machine.values[1][0];
}

static float power(int exponent) { return std::ldexp(1.0f, exponent); }

TEST(FixedPoint, SumsFrom32768OnAreInfiniteAndStaySo) {
  EXPECT_EQ(fixed({{32752}}), 32752);
  EXPECT_EQ(fixed({{32768}}), infinity);
  EXPECT_EQ(fixed({{16384}, {16376}}), 32768); // 32760, rounded at the end
  EXPECT_EQ(fixed({{16384}, {16384}}), infinity);
  EXPECT_EQ(fixed({{-16384}, {-16384}}), -infinity);
  EXPECT_EQ(fixed({{16384}, {16384}, {-16384}, {-16384}, {1}}), infinity);
  EXPECT_EQ(fixed({{65504, power(-4)}}), 4094); // no product overflows alone
}

TEST(FixedPoint, TheLastPlaceIsAbsolute) {
  EXPECT_EQ(fixed({{16384}, {power(-16)}, {-16384}}), power(-16));
  EXPECT_EQ(fixed({{16384}, {power(-18)}, {-16384}}), 0);
  EXPECT_EQ(fixed({{power(-17)}}), power(-16)); // half away from zero
  EXPECT_EQ(fixed({{power(-18)}}), 0);
}

TEST(FixedPoint, ProductsAreLostByTheirExponents) {
  EXPECT_EQ(fixed({{1.875f * power(-14), 1.875f * power(-3)}}), 0);
  EXPECT_EQ(fixed({{1.9f * power(-13), 1.5f * power(-4)}}), 0);
  EXPECT_EQ(fixed({{1.9375f * power(-12), 1.9375f * power(-5)}}), 0);
  EXPECT_EQ(fixed({{0.99f * power(-14), 0.2f}}), 0); // a subnormal has -14
  EXPECT_EQ(fixed({{1.5f * power(-13), 0.125f}}), 2 * power(-16));
  EXPECT_EQ(fixed({{0.5f * power(-14), 0.25f}}), power(-16));
}

TEST(FixedPoint, TheBiasIsTheFirstSummand) {
  EXPECT_EQ(fixed({{16384}, {16384}}, -16384.0f), 16384);
  EXPECT_EQ(fixed({{16384}, {16384}, {16384}}, -16384.0f), infinity);
  EXPECT_EQ(fixed({{32752}}, 32.0f), infinity);
  EXPECT_EQ(fixed({{32736}}, 32.0f), infinity);
  EXPECT_EQ(fixed({{0}}, power(-20)), 0);
  EXPECT_EQ(fixed({{0}}, power(-17)), power(-16));
  EXPECT_EQ(fixed({{power(-17)}}, power(-17)), power(-15));
  EXPECT_EQ(fixed({{0.25f}}, 1000.5f), 1001);
}

TEST(FixedPoint, ResultsAreRoundedHalfAwayFromZero) {
  EXPECT_EQ(fixed({{2048}, {1}}), 2050);
  EXPECT_EQ(fixed({{-4096}, {-2}}), -4100);
  EXPECT_EQ(fixed({{4096}, {2}}), 4100);
  EXPECT_EQ(fixed({{1}, {power(-11)}}), 1 + power(-10));
  EXPECT_FALSE(std::signbit(fixed({{-0.0f}})));
}

TEST(FixedPoint, InfinityAndNaNAreNumbersOfTheNextExponent) {
  EXPECT_EQ(fixed({{infinity, power(-4)}}), 4096);
  EXPECT_EQ(fixed({{std::nanf(""), power(-4)}}), 6144);
  EXPECT_EQ(fixed({{std::nanf("")}}), infinity);
}

TEST(FixedPoint, NotOfThePlanarEngine) {
  auto pair = [](uint32_t op, float a, float b) {
    return planar(op, a, b, Mode::Engine, false, hw::SumArithmetic::FixedPoint);
  };
  EXPECT_EQ(pair(0, 2048, 1), 2050);
  EXPECT_EQ(pair(0, 65504, 0), 65504);
  EXPECT_EQ(pair(0, 40000, 1), 40000);
  EXPECT_EQ(pair(0, 16384, 16384), 32768);
  EXPECT_EQ(pair(0, power(-24), 0), power(-24));
  EXPECT_EQ(pair(1, power(-12), power(-12)), power(-24));
  EXPECT_EQ(pair(1, 256, 256), infinity);
  EXPECT_EQ(pair(0, std::nanf(""), 1), infinity);
}
