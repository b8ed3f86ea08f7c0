//===- KernelPackingTest.cpp - Coefficient streams ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/KernelPacking.h"
#include "ane/Support/MappedPages.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <sys/mman.h>

using namespace ane::hw;

namespace {
const GenerationInfo &h13 = info(Generation::H13);

} // namespace

static uint16_t halfAt(const KernelStreams &streams, size_t stream,
                       size_t index) {
  size_t at = streams.offsets[stream] + 2 * index;
  return streams.bytes[at] | streams.bytes[at + 1] << 8;
}

static KernelShape makeShape(uint32_t cout, uint32_t cin, uint32_t k,
                             uint32_t size) {
  KernelShape shape;
  shape.cout = cout;
  shape.cin = cin;
  shape.kh = shape.kw = k;
  chooseLanes(h13, shape, size, size);
  return shape;
}

static uint64_t weightCount(const KernelShape &shape) {
  return uint64_t(shape.cout) * (shape.depthwise ? 1 : shape.cin) * shape.kh *
         shape.kw;
}

namespace {
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
  // One lane of a small source: slots of four entries in the order of taps
  // 0 2 6 8 | 1 - 7 - | 3 5 - - | 4 - - -, a mask byte for every two slots.
  KernelShape shape = makeShape(1, 1, 3, 8);
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

  // Two entries in larger images, so that a mask byte has four slots.
  shape = makeShape(1, 1, 3, 32);
  shape.zeroSkipping = true;
  streams = packKernel(h13, shape, weights, {}, {});
  ASSERT_TRUE(streams.ok());
  expected = {22,   0,  0,                      //
              0x55, 10, 0, 12, 0, 16, 0, 18, 0, //
              0x11, 11, 0, 17, 0,               //
              0x05, 13, 0, 15, 0,               //
              0x01, 14, 0};
  expected.resize(0x40);
  EXPECT_EQ(streams->bytes, expected);
}

} // namespace

//===----------------------------------------------------------------------===//
// A plain reference: one halfword after the other, in the words of
// docs/Formats/HWX.md.
//===----------------------------------------------------------------------===//

namespace {
class PlainPacker {
public:
  PlainPacker(const KernelShape &shape, const std::vector<uint16_t> &weights,
              const std::vector<uint16_t> &bias, uint32_t maskBits = 8)
      : shape(shape), weights(weights), bias(bias), maskBits(maskBits) {}

  std::vector<uint8_t> bytes;
  std::vector<uint32_t> offsets, sizes;

  void pack(absl::Span<const uint8_t> table) {
    uint32_t engines = 1u << shape.activeNeLog2;
    uint32_t perGroup =
        shape.depthwise ? shape.cout : shape.cout / shape.groups;
    uint32_t perEngine = (perGroup + engines - 1) / engines;
    for (uint32_t ne = 0; ne < std::min(engines, perGroup); ++ne) {
      offsets.push_back(bytes.size());
      bytes.insert(bytes.end(), table.begin(), table.end());
      if (shape.depthwise) {
        for (uint32_t c = ne; c < shape.cout; c += engines)
          unit(c, 1, shape.cout);
      } else {
        for (uint32_t group = 0; group < shape.groups; ++group)
          for (uint32_t done = 0; done < perEngine;) {
            uint32_t lanes = std::min(1u << shape.lanesLog2, perEngine - done);
            unit(group * perGroup + engines * done + ne * lanes, lanes,
                 (group + 1) * perGroup);
            done += lanes;
            if (shape.groups > 1)
              pad();
          }
      }
      pad();
      sizes.push_back(bytes.size() - offsets.back());
    }
  }

private:
  void half(uint16_t value) {
    bytes.push_back(value & 0xff);
    bytes.push_back(value >> 8);
  }
  void pad() { bytes.resize((bytes.size() + 63) / 64 * 64); }
  uint32_t area() const { return shape.kh * shape.kw; }
  uint32_t inputs() const {
    return shape.depthwise ? shape.unicastCin : shape.cin;
  }
  uint16_t weight(uint32_t channel, uint32_t end, uint32_t step) const {
    return channel < end ? weights[channel * inputs() * area() + step] : 0;
  }

  void unit(uint32_t first, uint32_t lanes, uint32_t end) {
    for (uint32_t lane = 0; shape.hasBias && lane < lanes; ++lane)
      half(first + lane < end ? bias[first + lane] : 0);
    if (shape.zeroSkipping)
      return zeroSkipping(first, lanes, end);
    for (uint32_t step = 0; step < inputs() * area(); ++step)
      for (uint32_t lane = 0; lane < lanes; ++lane)
        half(weight(first + lane, end, step));
  }

  void zeroSkipping(uint32_t first, uint32_t lanes, uint32_t end) {
    std::vector<uint16_t> entries;
    for (uint32_t c = 0; c < inputs(); ++c)
      for (uint32_t phase = 0; phase < 4; ++phase)
        for (uint32_t i = 0; i < (shape.kh + 1) / 2; ++i)
          for (uint32_t j = 0; j < (shape.kw + 1) / 2; ++j)
            for (uint32_t lane = 0;
                 lane < std::max(lanes, shape.smallSource ? 4u : 2u); ++lane) {
              uint32_t y = 2 * i + phase / 2, x = 2 * j + phase % 2;
              bool isTap = y < shape.kh && x < shape.kw && lane < lanes;
              entries.push_back(isTap ? weight(first + lane, end,
                                               c * area() + y * shape.kw + x)
                                      : 0);
            }
    size_t at = bytes.size();
    bytes.resize(at + 3);
    for (size_t i = 0; i < entries.size(); i += maskBits) {
      size_t mask = bytes.size();
      bytes.resize(mask + maskBits / 8);
      for (size_t bit = 0; bit < maskBits && i + bit < entries.size(); ++bit)
        if (entries[i + bit] & 0x7fff) {
          bytes[mask + bit / 8] |= 1 << bit % 8;
          half(entries[i + bit]);
        }
    }
    size_t length = bytes.size() - at - 3;
    for (int i = 0; i < 3; ++i)
      bytes[at + i] = length >> (8 * i);
  }

  const KernelShape &shape;
  const std::vector<uint16_t> &weights, &bias;
  const uint32_t maskBits;
};

struct PackCase {
  uint32_t cout, cin, k, size, groups;
  bool depthwise, zeroSkipping, bias;
};

} // namespace

static KernelShape shapeOf(const PackCase &c) {
  KernelShape shape;
  shape.cout = c.cout;
  shape.cin = c.cin;
  shape.kh = shape.kw = c.k;
  shape.groups = c.groups;
  shape.depthwise = c.depthwise;
  shape.zeroSkipping = c.zeroSkipping;
  shape.hasBias = c.bias;
  chooseLanes(h13, shape, c.size, c.size);
  return shape;
}

// One of `zeroOneOf` is zero, of either sign; 0 for none.
static std::vector<uint16_t> randomHalves(size_t count, uint32_t zeroOneOf,
                                          std::mt19937 &random) {
  std::vector<uint16_t> halves(count);
  for (uint16_t &half : halves)
    if (zeroOneOf && random() % zeroOneOf == 0)
      half = random() % 2 << 15;
    else
      half = random() % 0x7fff + 1 + (random() % 2 << 15);
  return halves;
}

static void expectPlain(const KernelShape &shape, uint32_t zeroOneOf,
                        std::mt19937 &random,
                        const GenerationInfo &target = h13) {
  std::vector<uint16_t> weights =
      randomHalves(weightCount(shape), zeroOneOf, random);
  std::vector<uint16_t> bias =
      randomHalves(shape.hasBias ? shape.cout : 0, 3, random);
  std::vector<uint8_t> table(shape.hasTable ? 128 : 0, 0x5a);
  PlainPacker plain(shape, weights, bias, target.zeroSkipMaskBits);
  plain.pack(table);
  auto streams = packKernel(target, shape, weights, bias, table);
  ASSERT_TRUE(streams.ok()) << streams.status();
  EXPECT_EQ(streams->offsets, plain.offsets);
  EXPECT_EQ(streams->sizes, plain.sizes);
  ASSERT_TRUE(streams->bytes == plain.bytes)
      << shape.cout << " x " << shape.cin << " x " << shape.kh << " x "
      << shape.kw << ", " << shape.groups << " groups, lanes 2^"
      << shape.lanesLog2 << ", depthwise " << shape.depthwise
      << ", zero skipping " << shape.zeroSkipping << ", a zero in " << zeroOneOf
      << ", for " << target.name;

  // The same at any address, and nothing is written after packedBytes.
  const size_t room = packedBytes(target, shape);
  std::vector<uint8_t> place(room + 2 + 64, 0xee);
  auto streamsAt = packKernelInto(absl::MakeSpan(place).subspan(2, room),
                                  target, shape, weights, bias, table);
  ASSERT_TRUE(streamsAt.ok()) << streamsAt.status();
  EXPECT_TRUE(
      std::equal(plain.bytes.begin(), plain.bytes.end(), place.begin() + 2));
  EXPECT_EQ(std::count(place.begin() + 2 + room, place.end(), 0xee), 64);
}

namespace {
class Packing : public testing::TestWithParam<PackCase> {};

TEST_P(Packing, PackingGivesTheBytesOfThePlainReference) {
  unsigned seed = 2718;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (uint32_t zeroOneOf : {0, 3, 5000})
    expectPlain(shapeOf(GetParam()), zeroOneOf, random);
}

// Every number of lanes, and reductions around the sizes of blocks.
TEST(KernelPacking, RandomShapesGiveTheBytesOfThePlainReference) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 400 && !testing::Test::HasFatalFailure(); ++i) {
    KernelShape shape;
    shape.kh = 1 + random() % 5;
    shape.kw = 1 + random() % 5;
    shape.hasBias = random() % 2;
    shape.zeroSkipping = random() % 3 == 0;
    shape.hasTable = random() % 4 == 0;
    if (random() % 4 == 0) {
      shape.depthwise = true;
      shape.cout = 1 + random() % 2500;
    } else {
      shape.groups = random() % 3 ? 1 : 1 + random() % 5;
      shape.cout = shape.groups * (1 + random() % (random() % 8 ? 80 : 600));
      shape.cin = 1 + random() % (random() % 4 ? 20 : 150);
    }
    uint32_t size = random() % 2 ? 8 : 32;
    chooseLanes(h13, shape, size, size);
    for (Generation target : {Generation::H13, Generation::H14})
      expectPlain(shape, i % 3 ? 3 : i % 2 * 5000, random, info(target));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Packing,
    testing::Values(PackCase{64, 64, 3, 32, 1, false, false, true},
                    PackCase{24, 7, 3, 32, 1, false, false, true},
                    PackCase{1000, 16, 1, 1, 1, false, false, true},
                    PackCase{6, 1, 5, 28, 1, false, false, false},
                    PackCase{64, 16, 3, 16, 4, false, false, true},
                    PackCase{40, 1, 3, 16, 1, true, false, true},
                    PackCase{64, 3, 7, 112, 1, false, true, true},
                    PackCase{512, 24, 3, 28, 1, false, true, true},
                    PackCase{33, 5, 3, 16, 1, false, true, false},
                    PackCase{40, 1, 3, 16, 1, true, true, true},
                    PackCase{64, 16, 1, 16, 4, false, true, true}));

// Masks of 16 bits: the same entries, two groups of 8 to a mask.
TEST(KernelPacking, WideMasksOfTheZeroSkippingForm) {
  const GenerationInfo &wide = info(Generation::H14);
  unsigned seed = 1618;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (PackCase c : {PackCase{64, 64, 3, 16, 1, false, true, false},
                     PackCase{24, 5, 1, 16, 1, false, true, true},
                     PackCase{40, 1, 3, 16, 1, true, true, true},
                     PackCase{64, 16, 5, 16, 4, false, true, true},
                     // 20 entries a unit, 24 and 84: of the last mask 4, 8 and
                     // 4 bits belong to entries.
                     PackCase{80, 1, 1, 16, 1, false, true, false},
                     PackCase{96, 1, 1, 16, 1, false, true, true},
                     PackCase{112, 3, 1, 16, 1, false, true, true}})
    for (uint32_t zeroOneOf : {0, 3}) {
      KernelShape shape = shapeOf(c);
      std::vector<uint16_t> weights =
          randomHalves(weightCount(shape), zeroOneOf, random);
      std::vector<uint16_t> bias = randomHalves(c.bias ? c.cout : 0, 0, random);
      PlainPacker plain(shape, weights, bias, /*maskBits=*/16);
      plain.pack({});
      auto streams = packKernel(wide, shape, weights, bias, {});
      ASSERT_TRUE(streams.ok()) << streams.status();
      EXPECT_EQ(streams->offsets, plain.offsets);
      EXPECT_TRUE(streams->bytes == plain.bytes);
    }
}

TEST(KernelPacking, ErrorsNameTheNumbers) {
  KernelShape shape = makeShape(4, 4, 1, 1);
  std::vector<uint16_t> weights(15);
  EXPECT_EQ(packKernel(h13, shape, weights, {}, {}).status().message(),
            "a kernel of 4 x 4 x 1 x 1 has 16 weights, got 15");
  weights.resize(16);
  std::vector<uint16_t> bias(4);
  EXPECT_EQ(packKernel(h13, shape, weights, bias, {}).status().message(),
            "4 bias values for 0 output channels");
  std::vector<uint8_t> room(100);
  EXPECT_EQ(packKernelInto(absl::MakeSpan(room), h13, shape, weights, {}, {})
                .status()
                .message(),
            "the streams need 256 bytes, but there is room for 100");
  shape.groups = 3;
  EXPECT_EQ(packKernel(h13, shape, weights, {}, {}).status().message(),
            "4 output channels do not divide into 3 groups");
}

} // namespace

/// Pages of files that this process has in memory, in kilobytes; 0: not known.
static long residentFilePages() {
  std::ifstream status("/proc/self/status");
  const std::string key = "RssFile:";
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, key.size(), key) == 0)
      return std::strtol(line.c_str() + key.size(), nullptr, 10);
  return 0;
}

namespace {
// Weights of a mapped file leave memory as the streams grow: 32 MB here, of
// which two channels of each engine are read at a time.
TEST(KernelPacking, ReadWeightsLeaveMemory) {
  const KernelShape shape = makeShape(4096, 4096, 1, 64);
  const size_t bytes = 2 * weightCount(shape);
  std::FILE *file = std::tmpfile();
  std::vector<uint16_t> contents(bytes / 2);
  for (size_t i = 0; i < contents.size(); ++i)
    contents[i] = uint16_t(i * 7919);
  ASSERT_EQ(std::fwrite(contents.data(), 2, contents.size(), file),
            contents.size());
  std::fflush(file);
  void *at = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0);
  ASSERT_NE(at, MAP_FAILED);
  std::vector<uint8_t> room(packedBytes(h13, shape)), again(room.size());
  absl::Span<const uint16_t> weights(static_cast<const uint16_t *>(at),
                                     contents.size());
  {
    ane::MappedPages known({static_cast<const uint8_t *>(at), bytes});
    const long before = residentFilePages();
    ASSERT_TRUE(
        packKernelInto(absl::MakeSpan(room), h13, shape, weights, {}, {}).ok());
    // All that was read would be 32 MB more.
    if (before)
      EXPECT_LT(residentFilePages(), before + long(bytes / 1024 / 4));
  }
  ASSERT_TRUE(
      packKernelInto(absl::MakeSpan(again), h13, shape, contents, {}, {}).ok());
  EXPECT_TRUE(room == again);
  munmap(at, bytes);
  std::fclose(file);
}

} // namespace
