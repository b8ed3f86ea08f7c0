//===- KernelPackingTest.cpp - Coefficient streams ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/KernelPacking.h"

#include "gtest/gtest.h"

#include <random>

using namespace ane::hw;

namespace {

const GenerationInfo &h13 = info(Generation::H13);

uint16_t halfAt(const KernelStreams &streams, size_t stream, size_t index) {
  size_t at = streams.offsets[stream] + 2 * index;
  return streams.bytes[at] | streams.bytes[at + 1] << 8;
}

KernelShape makeShape(uint32_t cout, uint32_t cin, uint32_t k, uint32_t size) {
  KernelShape shape;
  shape.cout = cout;
  shape.cin = cin;
  shape.kh = shape.kw = k;
  chooseLanes(h13, shape, size, size);
  return shape;
}

uint64_t weightCount(const KernelShape &shape) {
  return uint64_t(shape.cout) * (shape.depthwise ? 1 : shape.cin) * shape.kh *
         shape.kw;
}

TEST(KernelPacking, LanesFollowTheChannelsOfAnEngine) {
  // Register values of real programs: 3 and 512 channels at 1x1, 224 and 256 in
  // larger images.
  EXPECT_EQ(makeShape(3, 3, 1, 1).lanesLog2, 0u);
  EXPECT_EQ(makeShape(3, 3, 1, 1).activeNeLog2, 2u);
  EXPECT_EQ(makeShape(512, 512, 1, 1).lanesLog2, 5u);
  EXPECT_EQ(makeShape(224, 256, 3, 64).lanesLog2, 4u);
  EXPECT_EQ(makeShape(1024, 64, 1, 32).lanesLog2, 4u);
  EXPECT_EQ(makeShape(8, 8, 3, 32).activeNeLog2, 3u);
}

TEST(KernelPacking, DenseOrderIsReductionOfLanes) {
  // 1x1, 512 -> 512 in one pass: weight (o, i) lies in stream o / 32 at
  // halfword i * 32 + o % 32 (one-hot probes on hardware, published).
  KernelShape shape = makeShape(512, 512, 1, 1);
  std::vector<uint16_t> weights(weightCount(shape), 0);
  weights[77 * 512 + 300] = 0x3c00;
  auto streams = packKernel(h13, shape, weights, {}, {});
  ASSERT_TRUE(streams.ok()) << streams.status();
  ASSERT_EQ(streams->offsets.size(), 16u);
  EXPECT_EQ(streams->offsets[1], 0x8000u);
  EXPECT_EQ(streams->sizes[1], 0x8000u);
  EXPECT_EQ(halfAt(*streams, 2, 300 * 32 + 13), 0x3c00);
}

TEST(KernelPacking, BiasRowStandsBeforeTheReduction) {
  KernelShape shape = makeShape(3, 3, 1, 1);
  shape.hasBias = true;
  std::vector<uint16_t> weights = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<uint16_t> bias = {0x3c00, 0x4000, 0x4200};
  auto streams = packKernel(h13, shape, weights, bias, {});
  ASSERT_TRUE(streams.ok());
  ASSERT_EQ(streams->offsets.size(), 3u);
  EXPECT_EQ(streams->sizes[0], 0x40u);
  for (int ne = 0; ne < 3; ++ne) {
    EXPECT_EQ(halfAt(*streams, ne, 0), bias[ne]);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(halfAt(*streams, ne, 1 + i), weights[3 * ne + i]);
  }
}

TEST(KernelPacking, ZeroSkippingPhasesOfA3x3Kernel) {
  // One lane: slots of four entries in the order of taps 0 2 6 8 | 1 - 7 - |
  // 3 5 - - | 4 - - -, a mask byte for every two slots.
  KernelShape shape = makeShape(1, 1, 3, 32);
  shape.zeroSkipping = true;
  std::vector<uint16_t> weights = {10, 11, 12, 13, 14, 15, 16, 17, 18};
  auto streams = packKernel(h13, shape, weights, {}, {});
  ASSERT_TRUE(streams.ok());
  std::vector<uint8_t> expected = {26, 0, 0};
  auto slots = [&](int first, int second) {
    expected.push_back((first >= 0 ? 1 : 0) | (second >= 0 ? 16 : 0));
    for (int tap : {first, second})
      if (tap >= 0) {
        expected.push_back(10 + tap);
        expected.push_back(0);
      }
  };
  slots(0, 2), slots(6, 8), slots(1, -1), slots(7, -1);
  slots(3, 5), slots(-1, -1), slots(4, -1), slots(-1, -1);
  expected.resize(0x40);
  EXPECT_EQ(streams->bytes, expected);
}

struct PackCase {
  uint32_t cout, cin, k, size, groups;
  bool depthwise, zeroSkipping, bias;
};

class RoundTrip : public testing::TestWithParam<PackCase> {};

TEST_P(RoundTrip, UnpackGivesTheWeightsBack) {
  const PackCase &c = GetParam();
  KernelShape shape;
  shape.cout = c.cout;
  shape.cin = c.cin;
  shape.kh = shape.kw = c.k;
  shape.groups = c.groups;
  shape.depthwise = c.depthwise;
  shape.zeroSkipping = c.zeroSkipping;
  shape.hasBias = c.bias;
  chooseLanes(h13, shape, c.size, c.size);
  unsigned seed = 4711;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::vector<uint16_t> weights(weightCount(shape));
  for (uint16_t &weight : weights)
    weight = random() % 3 ? random() & 0x7fff : 0;
  std::vector<uint16_t> bias(c.bias ? c.cout : 0);
  for (uint16_t &value : bias)
    value = random();
  auto streams = packKernel(h13, shape, weights, bias, {});
  ASSERT_TRUE(streams.ok()) << streams.status();
  EXPECT_EQ(streams->offsets.size(), streamCount(shape));
  for (uint32_t size : streams->sizes) {
    EXPECT_EQ(size % 64, 0u);
    EXPECT_LE(size, streamBytes(h13, shape));
  }
  std::vector<uint16_t> back(weights.size(), 0xffff), backBias(bias.size());
  absl::Status status =
      unpackKernel(h13, shape, streams->bytes, streams->offsets, streams->sizes,
                   absl::MakeSpan(back), absl::MakeSpan(backBias));
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(back, weights);
  EXPECT_EQ(backBias, bias);

  // Every shorter section is an error, never a read past the end.
  for (size_t cut : {size_t(0), size_t(1), streams->bytes.size() / 2,
                     streams->bytes.size() - 64}) {
    absl::Span<const uint8_t> part = absl::MakeSpan(streams->bytes).first(cut);
    EXPECT_FALSE(unpackKernel(h13, shape, part, streams->offsets,
                              streams->sizes, absl::MakeSpan(back),
                              absl::MakeSpan(backBias))
                     .ok());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RoundTrip,
    testing::Values(PackCase{64, 64, 3, 32, 1, false, false, true},
                    PackCase{24, 7, 3, 32, 1, false, false, true},
                    PackCase{1000, 16, 1, 1, 1, false, false, true},
                    PackCase{6, 1, 5, 28, 1, false, false, false},
                    PackCase{64, 16, 3, 16, 4, false, false, true},
                    PackCase{40, 1, 3, 16, 1, true, false, true},
                    PackCase{64, 3, 7, 112, 1, false, true, true},
                    PackCase{33, 5, 3, 16, 1, false, true, false},
                    PackCase{40, 1, 3, 16, 1, true, true, true},
                    PackCase{64, 16, 1, 16, 4, false, true, true}));

TEST(KernelPacking, ErrorsNameTheNumbers) {
  KernelShape shape = makeShape(4, 4, 1, 1);
  std::vector<uint16_t> weights(15);
  EXPECT_EQ(packKernel(h13, shape, weights, {}, {}).status().message(),
            "a kernel of 4 x 4 x 1 x 1 has 16 weights, got 15");
  weights.resize(16);
  std::vector<uint16_t> bias(4);
  EXPECT_EQ(packKernel(h13, shape, weights, bias, {}).status().message(),
            "4 bias values for 0 output channels");
  shape.groups = 3;
  EXPECT_EQ(packKernel(h13, shape, weights, {}, {}).status().message(),
            "4 output channels do not divide into 3 groups");
}

} // namespace
