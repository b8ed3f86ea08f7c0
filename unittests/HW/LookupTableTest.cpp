//===- LookupTableTest.cpp - Activation tables ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/LookupTable.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace ane::hw;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// A built table, after its trip through fp16 bytes.
LookupTable build(TableFunction function, float a = 0, float b = 0) {
  auto table = buildTable(function, a, b);
  EXPECT_TRUE(table.ok()) << table.status();
  auto decoded = decodeTable(encodeTable(*table));
  EXPECT_TRUE(decoded.ok()) << decoded.status();
  return *decoded;
}

struct Accuracy {
  const char *name;
  TableFunction function;
  float a, b;
  double (*reference)(double);
  double low, high;
  double absolute; ///< the stated error
  double relative; ///< and this much of the value
};

class Tables : public testing::TestWithParam<Accuracy> {};

TEST_P(Tables, StayWithinTheStatedError) {
  const Accuracy &c = GetParam();
  LookupTable table = build(c.function, c.a, c.b);
  double worst = 0, at = 0;
  for (int i = 0; i <= 10000; ++i) {
    float x = static_cast<float>(c.low + (c.high - c.low) * i / 10000);
    double want = c.reference(x), got = evaluateTable(table, x);
    double over =
        std::fabs(got - want) - c.absolute - c.relative * std::fabs(want);
    if (i == 0 || over > worst) {
      worst = over;
      at = x;
    }
  }
  EXPECT_LE(worst, 0) << c.name << "(" << at << ")";
}

INSTANTIATE_TEST_SUITE_P(
    All, Tables,
    testing::Values(
        Accuracy{"sigmoid", TableFunction::Sigmoid, 0, 0,
                 [](double x) { return 1 / (1 + std::exp(-x)); }, -20, 20,
                 3.5e-3, 0},
        Accuracy{"tanh", TableFunction::Tanh, 0, 0,
                 [](double x) { return std::tanh(x); }, -20, 20, 2e-3, 0},
        Accuracy{"gelu", TableFunction::GeluErf, 0, 0,
                 [](double x) {
                   return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
                 },
                 -20, 20, 5e-3, 1e-3},
        Accuracy{"silu", TableFunction::Silu, 0, 0,
                 [](double x) { return x / (1 + std::exp(-x)); }, -20, 20,
                 1.2e-2, 1e-3},
        Accuracy{
            "mish", TableFunction::Mish, 0, 0,
            [](double x) { return x * std::tanh(std::log1p(std::exp(x))); },
            -20, 20, 1.2e-2, 1e-3},
        Accuracy{"mish_stretched", TableFunction::Mish, 4.0f / 3, 0,
                 [](double x) {
                   x *= 0.75;
                   return x * std::tanh(std::log1p(std::exp(x)));
                 },
                 -20, 20, 9e-3, 1e-3},
        Accuracy{"gelu_stretched", TableFunction::GeluErf, 4.0f / 3, 0,
                 [](double x) {
                   x *= 0.75;
                   return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
                 },
                 -20, 20, 2.8e-3, 1e-3},
        Accuracy{"silu_stretched", TableFunction::Silu, 4.0f / 3, 0,
                 [](double x) { return 0.75 * x / (1 + std::exp(-0.75 * x)); },
                 -20, 20, 7.8e-3, 1e-3},
        Accuracy{"sigmoid_stretched", TableFunction::Sigmoid, 4.0f / 3, 0,
                 [](double x) { return 1 / (1 + std::exp(-0.75 * x)); }, -20,
                 20, 1.5e-3, 0},
        Accuracy{"elu_factor", TableFunction::EluFactor, 2, 0,
                 [](double x) { return x < 0 ? 2 * std::expm1(x) / x : 1; }, -8,
                 -1e-3, 4e-3, 0},
        Accuracy{"log1p_factor", TableFunction::Log1pFactor, 0, 0,
                 [](double x) { return x == 0 ? 1 : std::log1p(x) / x; }, -0.5,
                 0.5, 0, 6e-4},
        Accuracy{"hard_swish", TableFunction::HardSwish, 0, 0,
                 [](double x) {
                   return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
                 },
                 -20, 20, 5e-3, 1e-3},
        Accuracy{"softplus", TableFunction::Softplus, 0, 0,
                 [](double x) { return std::log1p(std::exp(x)); }, -20, 20,
                 1e-2, 1e-3},
        Accuracy{"elu", TableFunction::Elu, 1, 0,
                 [](double x) { return x > 0 ? x : std::expm1(x); }, -20, 20,
                 6e-3, 1e-3},
        Accuracy{"erf", TableFunction::Erf, 0, 0,
                 [](double x) { return std::erf(x); }, -20, 20, 3e-3, 0},
        Accuracy{
            "hard_sigmoid", TableFunction::HardSigmoid, 0.25f, 0.5f,
            [](double x) { return std::min(std::max(x / 4 + 0.5, 0.0), 1.0); },
            -20, 20, 0, 1e-6},
        Accuracy{"leaky_relu", TableFunction::LeakyRelu, 0.125f, 0,
                 [](double x) { return x < 0 ? x / 8 : x; }, -100, 100, 0, 0},
        Accuracy{"clamp", TableFunction::Clamp, -0.5f, 6.0f,
                 [](double x) { return std::min(std::max(x, -0.5), 6.0); },
                 -100, 100, 0, 0},
        Accuracy{"exp2", TableFunction::Exp2, 0, 0,
                 [](double x) { return std::exp2(x); }, -14, 15, 0, 6e-4},
        Accuracy{"log2", TableFunction::Log2, 0, 0,
                 [](double x) { return std::log2(x); }, 1e-4, 60000, 6e-4,
                 6e-4},
        Accuracy{"reciprocal", TableFunction::Reciprocal, 0, 0,
                 [](double x) { return 1 / x; }, 1e-4, 60000, 0, 7e-4},
        Accuracy{"sqrt", TableFunction::Sqrt, 0, 0,
                 [](double x) { return std::sqrt(x); }, 1e-4, 60000, 0, 7e-4},
        Accuracy{"rsqrt", TableFunction::Rsqrt, 0, 0,
                 [](double x) { return 1 / std::sqrt(x); }, 1e-4, 60000, 0,
                 1.5e-3}),
    [](const testing::TestParamInfo<Accuracy> &info) {
      return info.param.name;
    });

// Small arguments go through zero: off by a part of themselves, not by a
// number.
TEST(LookupTable, ZeroIsExact) {
  for (TableFunction function :
       {TableFunction::GeluErf, TableFunction::GeluTanh,
        TableFunction::GeluSigmoid, TableFunction::Silu,
        TableFunction::HardSwish, TableFunction::Tanh, TableFunction::Erf,
        TableFunction::Sine, TableFunction::ArcTangent})
    for (float x : {0.0f, 1e-3f, -1e-3f})
      EXPECT_LE(std::fabs(evaluateTable(build(function), x)),
                1.2f * std::fabs(x));
  EXPECT_EQ(evaluateTable(build(TableFunction::Elu, 1), 0), 0);
  EXPECT_EQ(evaluateTable(build(TableFunction::ScaledTanh, 2, 0.5f), 0), 0);
  for (float stretch : {0.0f, 4.0f / 3})
    EXPECT_EQ(evaluateTable(build(TableFunction::Sigmoid, stretch), 0), 0.5f);
  EXPECT_EQ(evaluateTable(build(TableFunction::Log1pFactor), 0), 1);
}

TEST(LookupTable, PowersOfTwoAreExact) {
  for (float x : {0.25f, 1.0f, 4.0f, 1024.0f}) {
    EXPECT_EQ(evaluateTable(build(TableFunction::Sqrt), x), std::sqrt(x));
    EXPECT_EQ(evaluateTable(build(TableFunction::Rsqrt), x), 1 / std::sqrt(x));
    EXPECT_EQ(evaluateTable(build(TableFunction::Reciprocal), x), 1 / x);
  }
}

// Sums over many channels are right where errors add up to nothing.
TEST(LookupTable, ErrorsHaveNoSign) {
  LookupTable table = build(TableFunction::Sigmoid, 4.0f / 3);
  double sum = 0, size = 0;
  for (int i = 1; i <= 3000; ++i) {
    double x = i / 1000.0;
    double error =
        evaluateTable(table, float(4 * x / 3)) - 1 / (1 + std::exp(-x));
    sum += error;
    size += std::fabs(error);
  }
  EXPECT_LE(std::fabs(sum), 0.1 * size);
}

TEST(LookupTable, EdgesSaturate) {
  EXPECT_EQ(evaluateTable(build(TableFunction::Clamp, 0.5f, 2.0f), 0), 0.5f);
  EXPECT_EQ(evaluateTable(build(TableFunction::Clamp, 0.5f, 2.0f), inf), 2.0f);
  EXPECT_EQ(evaluateTable(build(TableFunction::Sigmoid), -inf), 0.0f);
  EXPECT_EQ(evaluateTable(build(TableFunction::Exp2), 17), inf);
  EXPECT_EQ(evaluateTable(build(TableFunction::Reciprocal), 0), inf);
  EXPECT_EQ(evaluateTable(build(TableFunction::Reciprocal), -4), -0.25f);
  EXPECT_EQ(evaluateTable(build(TableFunction::Rsqrt), 0), inf);
  EXPECT_TRUE(std::isnan(evaluateTable(build(TableFunction::Tanh), NAN)));
  EXPECT_EQ(evaluateTable(build(TableFunction::GeluErf), -inf), 0.0f);
  EXPECT_EQ(evaluateTable(build(TableFunction::GeluErf), inf), inf);
}

TEST(LookupTable, SamplesOfExp2AreTheFunction) {
  // Seen in the table of Apple's softmax programs: 2^(i/32), rounded.
  LookupTable table = build(TableFunction::Exp2);
  EXPECT_EQ(table.shift, 5);
  EXPECT_EQ(table.samples[0], 1.0f);
  EXPECT_FLOAT_EQ(table.samples[16], 1.4140625f);
  EXPECT_EQ(table.samples[32], 2.0f);
}

/// The largest error between -20 and 20 beyond a thousandth of the value.
double recordedError(TableFunction function, double (*reference)(double)) {
  LookupTable table = *buildTable(function, 0, 0, TableSet::Recorded);
  double worst = 0;
  for (int i = -5120; i <= 5120; ++i) {
    double want = reference(i / 256.0), got = evaluateTable(table, i / 256.0f);
    worst = std::max(worst, std::fabs(got - want) - 1e-3 * std::fabs(want));
  }
  return worst;
}

TEST(LookupTable, RecordedTablesAreTheFunctions) {
  auto gelu = [](double x) {
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  };
  EXPECT_LE(recordedError(TableFunction::GeluErf, gelu), 6e-3);
  EXPECT_LE(recordedError(TableFunction::GeluTanh, gelu), 6e-3);
  EXPECT_LE(recordedError(TableFunction::Silu,
                          [](double x) { return x / (1 + std::exp(-x)); }),
            1.5e-2);
}

TEST(LookupTable, RecordedTablesDifferWhereNothingReads) {
  LookupTable log2 = *buildTable(TableFunction::Log2, 0, 0, TableSet::Recorded);
  EXPECT_EQ(log2.valueHigh, 0);
  EXPECT_EQ(log2.samples, build(TableFunction::Log2).samples);
  LookupTable fraction =
      *buildTable(TableFunction::Fraction, 0, 0, TableSet::Recorded);
  EXPECT_EQ(fraction.shift, 0);
  EXPECT_EQ(evaluateTable(fraction, -2.25f), -0.25f);
  LookupTable isZero =
      *buildTable(TableFunction::WhereNonzero, 0, 1, TableSet::Recorded);
  EXPECT_EQ(isZero.samples[31], 1);
  EXPECT_EQ(isZero.samples[32], 0);
  EXPECT_EQ(evaluateTable(isZero, 0), 1);
  EXPECT_EQ(evaluateTable(isZero, 3), 0);
}

TEST(LookupTable, BadInputIsAnError) {
  std::vector<uint8_t> bytes(127);
  EXPECT_EQ(decodeTable(bytes).status().message(),
            "an activation table has 128 bytes, but only 127 are there");
  bytes.resize(128);
  bytes[84] = 0x77;
  EXPECT_EQ(decodeTable(bytes).status().message(),
            "activation table mode 0x77 is not understood");
  EXPECT_FALSE(buildTable(TableFunction::Clamp, 2, 1).ok());
  EXPECT_FALSE(buildTable(TableFunction::HardSigmoid, 0, 1).ok());
  EXPECT_EQ(buildTable(TableFunction::Elu, 1e5, 0).status().message(),
            "a parameter of the function is 100000, but f16 ends at 65504");
  EXPECT_TRUE(buildTable(TableFunction::Clamp, -1e6, 1e6).ok());
}

} // namespace
