//===- LayoutTest.cpp - Planar surfaces -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Layout.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace ane::hw;

static Tensor makeTensor(uint32_t n, uint32_t c, uint32_t h, uint32_t w,
                         ElementType type = ElementType::Float16) {
  Tensor tensor;
  tensor.name = "x";
  tensor.type = type;
  tensor.shape = {n, c, h, w, 1};
  setPlanar(info(Generation::H13), tensor);
  return tensor;
}

namespace {

TEST(Layout, RowsAreMultiplesOf64Bytes) {
  // Strides of real files: a row of 77 halves takes 0xc0 bytes in relu.hwx.
  Tensor tensor = makeTensor(1, 1, 1, 77);
  EXPECT_EQ(tensor.strides[2], 0xc0u);
  EXPECT_EQ(tensor.bytes, 0xc0u);
  tensor = makeTensor(2, 3, 4, 33);
  EXPECT_EQ(tensor.strides[2], 0x80u);
  EXPECT_EQ(tensor.strides[1], 0x200u);
  EXPECT_EQ(tensor.strides[0], 0x600u);
  EXPECT_EQ(tensor.bytes, 0xc00u);
  tensor = makeTensor(1, 1, 2, 65, ElementType::UInt8);
  EXPECT_EQ(tensor.strides[2], 0x80u);
}

TEST(Layout, PackPutsElementsAtTheirAddress) {
  Tensor tensor = makeTensor(2, 3, 4, 5);
  std::vector<uint16_t> dense(tensor.elementCount());
  std::iota(dense.begin(), dense.end(), uint16_t(1));
  absl::Span<const uint8_t> bytes(
      reinterpret_cast<const uint8_t *>(dense.data()), dense.size() * 2);
  std::vector<uint8_t> surface(tensor.bytes, 0xee);
  ASSERT_TRUE(packSurface(tensor, bytes, absl::MakeSpan(surface)).ok());
  // (n, c, h, w) = (1, 2, 3, 4) is the last element.
  size_t at = 1 * tensor.strides[0] + 2 * tensor.strides[1] +
              3 * uint64_t(0x40) + 4 * uint64_t(2);
  EXPECT_EQ(surface[at] | surface[at + 1] << 8, 120);
  EXPECT_EQ(surface[at + 2], 0xee) << "padding is left alone";

  std::vector<uint16_t> back(dense.size());
  absl::Span<uint8_t> backBytes(reinterpret_cast<uint8_t *>(back.data()),
                                back.size() * 2);
  ASSERT_TRUE(unpackSurface(tensor, surface, backBytes).ok());
  EXPECT_EQ(back, dense);
}

TEST(Layout, RowsOfANetworkMayHavePadding) {
  // Seven elements of each channel, in two rows of four.
  Tensor tensor = makeTensor(1, 3, 2, 4);
  ASSERT_TRUE(tensor.setDenseShape({3, 7}));
  EXPECT_EQ(tensor.elementCount(), 21u);
  std::vector<uint8_t> dense(42), surface(tensor.bytes, 0xee), back(42);
  std::iota(dense.begin(), dense.end(), uint8_t(1));
  ASSERT_TRUE(packSurface(tensor, dense, absl::MakeSpan(surface)).ok());
  size_t last = 2 * tensor.strides[1] + tensor.strides[2] + 4;
  EXPECT_EQ(surface[last], 41);
  EXPECT_EQ(surface[last + 2], 0xee) << "padding is left alone";
  ASSERT_TRUE(unpackSurface(tensor, surface, absl::MakeSpan(back)).ok());
  EXPECT_EQ(back, dense);
  // Ones may follow; more than the last row is no padding.
  EXPECT_TRUE(tensor.setDenseShape({3, 7, 1}));
  EXPECT_FALSE(tensor.setDenseShape({3, 4}));
  EXPECT_FALSE(tensor.setDenseShape({3, 9}));
  EXPECT_EQ(tensor.denseShape(), (std::vector<uint64_t>{3, 7, 1}));
  // Rows of padding, of the last two channels.
  Tensor channels = makeTensor(2, 2, 2, 4);
  ASSERT_TRUE(channels.setDenseShape({3, 2, 4}));
  std::vector<uint8_t> images(channels.bytes, 0xee), three(48, 1);
  ASSERT_TRUE(packSurface(channels, three, absl::MakeSpan(images)).ok());
  EXPECT_EQ(images[channels.strides[0]], 1);
  EXPECT_EQ(images[channels.strides[0] + channels.strides[1]], 0xee);
  // Of all channels, where it is not of each.
  EXPECT_TRUE(tensor.setDenseShape({23}));
  EXPECT_EQ(tensor.padding().parts, 1u);
  EXPECT_EQ(tensor.padding().room, 24u);
}

TEST(Layout, WrongSizesAreErrors) {
  Tensor tensor = makeTensor(1, 2, 2, 3);
  std::vector<uint8_t> dense(24), surface(tensor.bytes);
  absl::Status status = packSurface(tensor, absl::MakeSpan(dense).first(23),
                                    absl::MakeSpan(surface));
  EXPECT_EQ(status.message(), "tensor 'x' has 12 elements of 2 bytes, but 23 "
                              "bytes of data are given");
  status = packSurface(tensor, dense, absl::MakeSpan(surface).first(0xc5));
  EXPECT_EQ(status.message(),
            "tensor 'x' reaches byte 198 of a surface of 197 bytes");
  // A sum beyond 64 bits does not come round again.
  Tensor wrapped = tensor;
  wrapped.strides[1] = ~uint64_t(0) - 0x3f;
  status = packSurface(wrapped, dense, absl::MakeSpan(surface));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  tensor.interleave = 2;
  status = packSurface(tensor, dense, absl::MakeSpan(surface));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
}

} // namespace
