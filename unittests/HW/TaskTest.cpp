//===- TaskTest.cpp - Task streams ----------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Task.h"
#include "ane/HW/H13.h"

#include "gtest/gtest.h"

#include <random>

using namespace ane::hw;

namespace {

constexpr Generation H13 = Generation::H13;

void check(const absl::Status &status) {
  ASSERT_TRUE(status.ok()) << status.message();
}

/// `count` full tasks in a chain, each at a multiple of 0x300.
std::vector<Task> makeChain(uint32_t count) {
  std::vector<Task> tasks;
  for (uint32_t i = 0; i < count; ++i) {
    Task task = makeFullTask(H13);
    task.offset = 0x300 * i;
    check(task.set(h13::Header::TID, i));
    check(task.set(h13::TileDMADst::DMAConfig_En, 1));
    if (i + 1 < count) {
      check(task.set(h13::Header::NextPointer, 0x300 * (i + 1)));
      check(task.set(h13::Header::NextSize, task.byteSize() / 4 - 1));
    }
    tasks.push_back(task);
  }
  return tasks;
}

std::vector<uint8_t> bytesOf(const std::vector<Task> &tasks, uint64_t size) {
  absl::StatusOr<std::vector<uint8_t>> bytes = writeTasks(H13, tasks, size);
  check(bytes.status());
  return *std::move(bytes);
}

void poke(std::vector<uint8_t> &bytes, uint64_t offset, uint32_t word) {
  for (int i = 0; i < 4; ++i)
    bytes[offset + i] = word >> 8 * i;
}

std::string errorOf(absl::Span<const uint8_t> bytes, uint64_t entry = 0,
                    uint32_t maxTasks = 0, uint32_t firstTaskWords = 0) {
  absl::StatusOr<std::vector<Task>> tasks =
      readTasks(H13, bytes, entry, maxTasks, firstTaskWords);
  return tasks.ok() ? "no error" : std::string(tasks.status().message());
}

} // namespace

TEST(Task, FullTaskHasTheSizeOfRealOnes) {
  Task task = makeFullTask(H13);
  EXPECT_EQ(task.byteSize(), 0x274u);
  std::vector<uint8_t> bytes = bytesOf({task}, 0x274);
  // First words of the records as in the files of compiler 4.2.1.
  EXPECT_EQ(bytes[0x28 + 3], 0xf4);
  EXPECT_EQ(bytes[0x124 + 3], 0x3c);
  EXPECT_EQ(bytes[0x254 + 3], 0x18);
}

TEST(Task, AbsentIsNotZero) {
  Task task = makeFullTask(H13);
  task.records.erase(task.records.begin()); // KernelDMASrc
  EXPECT_FALSE(task.writes(h13::KernelDMASrc::CoeffBaseAddr(0)));
  EXPECT_TRUE(task.writes(h13::Common::InDim));
  EXPECT_FALSE(task.writes(h13::Common::InDim + 2));
  EXPECT_EQ(task.get(h13::KernelDMASrc::CoeffBaseAddr_Addr(0)), 0u);
  absl::Status status = task.set(h13::KernelDMASrc::CoeffBaseAddr_Addr(2), 64);
  EXPECT_EQ(status.message(),
            "KernelDMASrc.CoeffBaseAddr[2].Addr cannot be set: no record of "
            "the task writes register 0x1f850");
}

TEST(Task, TheLaterOfTwoWritesCounts) {
  Task task = makeFullTask(H13);
  task.records.push_back({h13::Common::Cin, {7, 8}});
  check(task.set(h13::Common::Cout_Cout, 9));
  EXPECT_EQ(task.get(h13::Common::Cin_Cin), 7u);
  EXPECT_EQ(task.records.back().words[1], 9u);
  EXPECT_EQ(task.records[1].words[4], 0u);
}

TEST(ReadTasks, ChainsRoundTrip) {
  std::vector<Task> tasks = makeChain(3);
  std::vector<uint8_t> bytes = bytesOf(tasks, 0x300 * 2 + 0x274);
  for (uint32_t firstTaskWords : {0u, 0x9du}) {
    absl::StatusOr<std::vector<Task>> read =
        readTasks(H13, bytes, 0, 3, firstTaskWords);
    ASSERT_TRUE(read.ok()) << read.status().message();
    ASSERT_EQ(read->size(), 3u);
    EXPECT_EQ((*read)[2].offset, 0x600u);
    EXPECT_EQ((*read)[2].records.size(), 7u);
    EXPECT_EQ(bytesOf(*read, bytes.size()), bytes);
  }
}

TEST(ReadTasks, PaddingIsNotPartOfATask) {
  std::vector<uint8_t> bytes = bytesOf(makeChain(2), 0x1000);
  absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ((*read)[0].byteSize(), 0x274u);
  EXPECT_EQ((*read)[1].records.back().address, h13::TileDMADst::Base);
  EXPECT_EQ(bytesOf(*read, 0x1000), bytes);
}

TEST(ReadTasks, KnownSizeKeepsTrailingZeroRecord) {
  // A record that writes zero to register 0 looks like padding.
  Task task = makeFullTask(H13);
  task.records.push_back({h13::Common::InDim, {0}});
  std::vector<uint8_t> bytes = bytesOf({task}, 0x300);
  absl::StatusOr<std::vector<Task>> read =
      readTasks(H13, bytes, 0, 1, task.byteSize() / 4);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ((*read)[0].records.size(), 8u);
}

TEST(ReadTasks, ZeroRecordInTheMiddleIsKept) {
  Task task = makeFullTask(H13);
  task.records.insert(task.records.begin() + 1, {h13::Common::InDim, {0}});
  check(task.set(h13::TileDMADst::DMAConfig_En, 1));
  std::vector<uint8_t> bytes = bytesOf({task}, 0x400);
  absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ((*read)[0].records.size(), 8u);
  EXPECT_EQ(bytesOf(*read, 0x400), bytes);
}

TEST(ReadTasks, UnknownRegistersAndSplitRecordsAreData) {
  Task task;
  task.header.resize(10);
  task.records = {{0x3fffffc, {1}},
                  {0x00000, std::vector<uint32_t>(64, 5)},
                  {0x12345, {2, 3}},
                  {0x00000, {4}}};
  std::vector<uint8_t> bytes = bytesOf({task}, task.byteSize());
  absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(bytesOf(*read, bytes.size()), bytes);
  EXPECT_EQ((*read)[0].records[2].address, 0x12345u);
}

TEST(ReadTasks, KernelsFromScratchExtendTheHeader) {
  Task task = makeFullTask(H13);
  task.header.push_back(0);
  check(task.set(h13::Header::KBase0, 3));
  check(task.set(h13::Header::KBE0, 1));
  check(task.set(h13::Header::DTID, 6));
  check(task.set(h13::Common::InDim_Win, 9));
  std::vector<uint8_t> bytes = bytesOf({task}, 0x278);
  absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes, 0, 1, 0x9e);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ((*read)[0].get(h13::Header::DTID), 6u);
  EXPECT_EQ((*read)[0].get(h13::Common::InDim_Win), 9u);

  bytes.resize(0x28);
  EXPECT_EQ(errorOf(bytes), "task 0: header at offset 0x0 has an extension "
                            "word, but ends with the text");
}

TEST(ReadTasks, EntryNeedNotBeTheStart) {
  std::vector<Task> tasks = makeChain(1);
  tasks[0].offset = 0x100;
  std::vector<uint8_t> bytes = bytesOf(tasks, 0x400);
  absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes, 0x100);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(bytesOf(*read, 0x400), bytes);
  EXPECT_EQ(errorOf(bytes, 0x102),
            "task 0: offset 0x102 is not a multiple of 4");
  EXPECT_EQ(errorOf(bytes, 0x400), "task 0: offset 0x400 is outside of the "
                                   "text, which has 0x400 bytes");
}

TEST(ReadTasks, ErrorsAreLocated) {
  std::vector<uint8_t> good = bytesOf(makeChain(2), 0x600);

  std::vector<uint8_t> bytes(good.begin(), good.begin() + 0x324);
  EXPECT_EQ(errorOf(bytes), "task 1: it has 157 words from offset 0x300, but "
                            "only 36 bytes remain");
  bytes.assign(good.begin(), good.begin() + 0x24);
  EXPECT_EQ(errorOf(bytes),
            "task 0: header at offset 0x0 has 40 bytes, but 36 are left");

  bytes = good;
  poke(bytes, 0x254, 0xfc017800); // TileDMADst claims 64 words
  EXPECT_EQ(errorOf(bytes), "task 0: record at word 149 (offset 0x254) claims "
                            "64 registers, but only 42 words remain");
  EXPECT_EQ(errorOf(bytes, 0, 2, 157),
            "task 0: record at word 149 (offset 0x254) claims 64 registers, "
            "but only 7 words remain");

  bytes = good;
  poke(bytes, 0x1c, 0x10000); // NextPointer
  EXPECT_EQ(errorOf(bytes), "task 1: offset 0x10000 is outside of the text, "
                            "which has 0x600 bytes");
  poke(bytes, 0x1c, 0x40);
  EXPECT_EQ(errorOf(bytes).substr(0, 34), "task 0: record at word 10 (offset ");
  poke(bytes, 0x1c, 0x10);
  EXPECT_EQ(errorOf(bytes), "task 0: the next task, at offset 0x10, starts "
                            "inside its header");

  bytes = good;
  bytes[0x2ff] = 7; // between the tasks
  EXPECT_EQ(errorOf(bytes, 0, 2, 157), "byte 0x07 at offset 0x2ff of the text "
                                       "belongs to no task");
  EXPECT_EQ(errorOf(good, 0, 1), "task 1: the chain goes on at offset 0x300, "
                                 "but the program has 1 tasks");
}

TEST(ReadTasks, CyclesAndOverlapsAreErrors) {
  std::vector<uint8_t> bytes = bytesOf(makeChain(2), 0x600);
  poke(bytes, 0x300 + 0x1c, 0x300);
  EXPECT_EQ(errorOf(bytes),
            "task 2: the chain comes back to offset 0x300 and never ends");
  poke(bytes, 0x300 + 0x1c, 0x100);
  EXPECT_EQ(errorOf(bytes),
            "task 2: offset 0x100 lies inside the task at 0x0..0x274");
}

TEST(ReadTasks, HostileTextEndsSoon) {
  // Random bytes and bytes that make many tasks: no crash, no long run.
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint8_t> bytes(random() % 2048);
    for (uint8_t &byte : bytes)
      byte = random();
    (void)readTasks(H13, bytes, 0, 0, random() % 3 ? 0 : random());
  }
  // Flipped bits in a good stream.
  std::vector<uint8_t> good = bytesOf(makeChain(4), 0xc00);
  for (int round = 0; round < 5000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (int flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= 1 << random() % 8;
    absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes);
    if (read.ok()) {
      EXPECT_EQ(bytesOf(*read, bytes.size()), bytes);
    }
  }
  // As many headers as fit, chained from the last one to the first one, with a
  // long run of zeros in front of each.
  std::vector<uint8_t> bytes(1 << 22);
  uint64_t step = 0x40, last = bytes.size() - step;
  for (uint64_t at = last; at > step; at -= step)
    poke(bytes, at + 0x1c, at - step);
  absl::StatusOr<std::vector<Task>> read = readTasks(H13, bytes, last);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->size(), bytes.size() / step - 1);
}

TEST(WriteTasks, RejectsWhatTheFormatCannotHold) {
  auto message = [](const std::vector<Task> &tasks, uint64_t size) {
    return std::string(writeTasks(H13, tasks, size).status().message());
  };
  std::vector<Task> tasks = makeChain(2);
  EXPECT_EQ(message(tasks, 0x500),
            "task 1 ends at offset 0x574, but the text section has 0x500 "
            "bytes");
  tasks[1].offset = 0x270;
  EXPECT_EQ(message(tasks, 0x1000),
            "task 1 at offset 0x270 overlaps task 0, which ends at 0x274");
  tasks[1].offset = 0;
  EXPECT_EQ(message(tasks, 0x1000), "tasks 0 and 1 are both at offset 0x0");
  tasks[1].offset = 0x300;
  tasks[1].records[0].words.resize(65);
  EXPECT_EQ(message(tasks, 0x1000),
            "task 1: record 0 at 0x1f800 writes 65 registers, but 1 to 64 fit");
  tasks[1].records[0].words.resize(0);
  EXPECT_EQ(message(tasks, 0x1000),
            "task 1: record 0 at 0x1f800 writes 0 registers, but 1 to 64 fit");
  tasks = makeChain(1);
  tasks[0].records[0].address = 1 << 26;
  EXPECT_EQ(message(tasks, 0x1000),
            "task 0: record 0 has address 0x4000000, but at most 0x3ffffff "
            "fits");
  tasks = makeChain(1);
  tasks[0].header[9] = 0x23;
  EXPECT_EQ(message(tasks, 0x1000), "task 0: header has 10 words, but must "
                                    "have 11 where word 9 is 0x23");
  tasks[0].header.resize(9);
  EXPECT_EQ(message(tasks, 0x1000),
            "task 0: header has 9 words, but must have 10");
}
