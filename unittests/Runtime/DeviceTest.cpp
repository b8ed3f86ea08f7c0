//===- DeviceTest.cpp - Devices and what they say about themselves --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Device.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ane;
using ::testing::HasSubstr;

namespace {

TEST(Devices, AllKindsAreListed) {
  std::vector<std::string> kinds;
  for (const std::unique_ptr<rt::Device> &device : rt::devices()) {
    rt::DeviceInfo info = device->info();
    kinds.push_back(info.kind);
    EXPECT_EQ(info.ready, info.state == "ready") << info.kind;
    EXPECT_FALSE(info.name.empty());
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"sim", "apple", "asahi"}));
}

TEST(Devices, UnknownKindListsTheOthers) {
  auto device = rt::openDevice("gpu");
  ASSERT_FALSE(device.ok());
  EXPECT_THAT(
      std::string(device.status().message()),
      HasSubstr(
          "no device is of kind 'gpu', expected one of: sim, apple, asahi"));
}

TEST(Devices, WhatIsNotReadyDoesNotRun) {
  for (const std::unique_ptr<rt::Device> &device : rt::devices()) {
    rt::DeviceInfo info = device->info();
    if (info.ready)
      continue;
    auto result = device->run({}, {}, {});
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(std::string(result.status().message()), HasSubstr(info.state));
  }
}

TEST(Devices, SimulatorRunsAnEmptyProgram) {
  auto device = rt::openDevice("sim");
  ASSERT_TRUE(device.ok());
  auto result = (*device)->run({}, {}, {});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->stats.has_value());
  EXPECT_TRUE(result->stats->tasks.empty());
}

} // namespace
