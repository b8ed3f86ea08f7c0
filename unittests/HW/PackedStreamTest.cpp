//===- PackedStreamTest.cpp - Task streams of H14 and later ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Task.h"

#include "gtest/gtest.h"

#include <random>

using namespace ane::hw;

namespace {

void check(const absl::Status &status) {
  ASSERT_TRUE(status.ok()) << status.message();
}

/// A task with a record of each kind.
Task makeTask(Generation generation, uint32_t id, bool isExtended = false) {
  Task task;
  task.header.resize(info(generation).headerWords + isExtended);
  task.header[0] = id;
  task.header[info(generation).headerWords - 1] = isExtended ? 0x50003 : 1;
  task.records.push_back({0x1900, {0x80}});
  task.records.push_back(scatterRecord(0x500, 0x8005, {1, 2, 3, 4}));
  task.records.push_back(baseRecord(0x1110, 4, 0x123400005678));
  return task;
}

std::vector<Task> makeTasks(Generation generation, uint32_t count) {
  std::vector<Task> tasks;
  for (uint32_t i = 0; i < count; ++i)
    tasks.push_back(makeTask(generation, i, i % 2 == 1));
  check(packTasks(generation, tasks).status());
  return tasks;
}

std::vector<uint8_t> bytesOf(Generation generation,
                             const std::vector<Task> &tasks, uint64_t size) {
  absl::StatusOr<std::vector<uint8_t>> bytes =
      writeTasks(generation, tasks, size);
  check(bytes.status());
  return *std::move(bytes);
}

uint32_t peek(const std::vector<uint8_t> &bytes, uint64_t offset) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    word |= uint32_t(bytes[offset + i]) << 8 * i;
  return word;
}

void poke(std::vector<uint8_t> &bytes, uint64_t offset, uint32_t word) {
  for (int i = 0; i < 4; ++i)
    bytes[offset + i] = word >> 8 * i;
}

std::string errorOf(absl::Span<const uint8_t> bytes, uint64_t entry = 0,
                    uint32_t maxTasks = 0,
                    Generation generation = Generation::H14) {
  absl::StatusOr<std::vector<Task>> tasks =
      readTasks(generation, bytes, entry, maxTasks);
  return tasks.ok() ? "no error" : std::string(tasks.status().message());
}

} // namespace

TEST(Record, ScatteredWordsHaveTheirOwnAddresses) {
  Record record = scatterRecord(0x500, 0x8005, {10, 11, 12, 13});
  EXPECT_EQ(record.addressOf(0), 0x500u);
  EXPECT_EQ(record.addressOf(1), 0x504u);
  EXPECT_EQ(record.addressOf(2), 0x50cu);
  EXPECT_EQ(record.addressOf(3), 0x540u);
  for (size_t i = 0; i < record.words.size(); ++i)
    EXPECT_EQ(record.indexOf(record.addressOf(i)), i);
  for (uint32_t absent : {0x4fcu, 0x502u, 0x508u, 0x510u, 0x544u, 0x900u})
    EXPECT_FALSE(record.indexOf(absent)) << absent;

  Task task;
  task.records.push_back(record);
  FieldRef field{"Field", false, 0x50c, 7, 0, Codec::Plain, 0};
  EXPECT_TRUE(task.writes(0x50c));
  EXPECT_FALSE(task.writes(0x508));
  EXPECT_EQ(task.get(field), 12u);
  check(task.set(field, 99));
  EXPECT_EQ(task.records[0].words[2], 99u);
}

TEST(PackedStream, TheFirstWordsAreThoseOfRecordedPrograms) {
  std::vector<Task> tasks = makeTasks(Generation::H14, 2);
  std::vector<uint8_t> bytes = bytesOf(Generation::H14, tasks, 0x100);
  EXPECT_EQ(tasks[0].offset, 16u);
  EXPECT_EQ(tasks[0].byteSize(), 4u * (8 + 2 + 5 + 3));
  EXPECT_EQ(peek(bytes, 0x10), 0x00120000u);
  EXPECT_EQ(peek(bytes, 0x30), 0x00000640u);
  EXPECT_EQ(peek(bytes, 0x38), 0xc0028140u);
  EXPECT_EQ(peek(bytes, 0x4c), 0x22008444u);
  EXPECT_EQ(tasks[1].offset, 0x60u);
  EXPECT_EQ(peek(bytes, 0x60), 0x00130001u);
}

TEST(PackedStream, RoundTripsInAllGenerations) {
  for (const GenerationInfo &generation : generations()) {
    if (generation.stream != StreamKind::Packed)
      continue;
    std::vector<Task> tasks = makeTasks(generation.id, 3);
    std::vector<uint8_t> bytes = bytesOf(generation.id, tasks, 0x140);
    absl::StatusOr<std::vector<Task>> read =
        readTasks(generation.id, bytes, 0, 3);
    ASSERT_TRUE(read.ok()) << read.status().message();
    ASSERT_EQ(read->size(), 3u);
    EXPECT_EQ((*read)[1].header.size(), generation.headerWords + 1);
    const Record &scatter = (*read)[2].records[1],
                 &base = (*read)[2].records[2];
    EXPECT_EQ(scatter.kind, RecordKind::Scatter);
    EXPECT_EQ(scatter.follow, 0x8005);
    EXPECT_EQ(base.base, std::optional<uint8_t>(4));
    EXPECT_EQ(base.words, (std::vector<uint32_t>{0x5678, 0x1234}));
    EXPECT_EQ(bytesOf(generation.id, *read, bytes.size()), bytes);
  }
}

TEST(PackedStream, RegistersWithoutANameAndUnknownBitsAreData) {
  std::vector<uint8_t> bytes(0x100);
  uint32_t words[] = {0, 0, 0, 0, 0xf8110007, 1, 2, 3, 4, 5, 6, 8};
  for (size_t i = 0; i < std::size(words); ++i)
    poke(bytes, 4 * i, words[i]);
  // Dense with every bit that has no meaning, and one that has a base besides;
  // a lone scattered word; a repeated record.
  uint32_t records[] = {0x5fe07fff, 7,      0x7fe00001, 8,     0x80000002, 9,
                        0x00000549, 0xdead, 0x00000549, 0xdead};
  for (size_t i = 0; i < std::size(records); ++i)
    poke(bytes, 0x30 + 4 * i, records[i]);
  // The size: 8 words of header, 9 of records that are counted.
  poke(bytes, 0x10, 0xf8120007);
  absl::StatusOr<std::vector<Task>> read = readTasks(Generation::H14, bytes);
  ASSERT_TRUE(read.ok()) << read.status().message();
  ASSERT_EQ((*read)[0].records.size(), 5u);
  EXPECT_EQ((*read)[0].records[0].unknown, 0x5fe00000u);
  EXPECT_EQ((*read)[0].records[1].unknown, 0x40600000u);
  EXPECT_EQ((*read)[0].records[1].base, std::optional<uint8_t>(63));
  EXPECT_EQ(bytesOf(Generation::H14, *read, bytes.size()), bytes);
}

TEST(PackedStream, ErrorsAreLocated) {
  std::vector<uint8_t> good =
      bytesOf(Generation::H14, makeTasks(Generation::H14, 2), 0x100);
  EXPECT_EQ(errorOf(good), "no error");
  EXPECT_EQ(errorOf(good, 0, 1), "task 1: the stream goes on at offset 0x60, "
                                 "but the program has 1 tasks");
  EXPECT_EQ(errorOf(good, 8), "task 0: offset 0x8 is not a multiple of 16");
  EXPECT_EQ(errorOf(good, 0x100), "task 0: offset 0x100 is outside of the "
                                  "text, which has 0x100 bytes");
  EXPECT_EQ(errorOf(good, 0x60), "byte 0x12 at offset 0x12 of the text belongs "
                                 "to no task");
  EXPECT_EQ(errorOf(std::vector<uint8_t>(0x40)),
            "task 0: the text has no task");

  std::vector<uint8_t> bytes(good.begin(), good.begin() + 0x90);
  EXPECT_EQ(errorOf(bytes), "task 1: it has 19 words from offset 0x60, but "
                            "only 48 bytes remain");
  bytes = good;
  poke(bytes, 0x10, 0x00070000);
  EXPECT_EQ(errorOf(bytes),
            "task 0: header at offset 0x10 has 32 bytes, but 28 are left");
  poke(bytes, 0x10, 0x00080000);
  poke(bytes, 0x2c, 3);
  EXPECT_EQ(errorOf(bytes), "task 0: header at offset 0x10 has an extension "
                            "word, but ends with the task");
  bytes = good;
  poke(bytes, 0x4c, 0x221f8444);
  EXPECT_EQ(errorOf(bytes), "task 0: record at word 15 (offset 0x4c) claims "
                            "64 registers, but only 2 words remain");
  bytes = good;
  poke(bytes, 0x58, 7); // after task 0
  EXPECT_EQ(errorOf(bytes),
            "byte 0x07 at offset 0x58 of the text belongs to no task");
  bytes = good;
  poke(bytes, 4, 7); // in front of task 0
  EXPECT_EQ(errorOf(bytes),
            "byte 0x07 at offset 0x4 of the text belongs to no task");
}

TEST(PackedStream, HostileTextEndsSoon) {
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    std::vector<uint8_t> bytes(random() % 1024);
    for (size_t i = 16; i < bytes.size(); ++i)
      bytes[i] = random();
    (void)readTasks(Generation::H14, bytes);
  }
  std::vector<uint8_t> good =
      bytesOf(Generation::H16, makeTasks(Generation::H16, 4), 0x200);
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (int flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= 1 << random() % 8;
    absl::StatusOr<std::vector<Task>> read = readTasks(Generation::H16, bytes);
    if (read.ok()) {
      EXPECT_EQ(bytesOf(Generation::H16, *read, bytes.size()), bytes);
    }
  }
  // As many tasks as fit.
  std::vector<uint8_t> bytes(1 << 16);
  for (uint64_t at = 16; at < bytes.size(); at += 32)
    poke(bytes, at, 8 << 16);
  bytes.resize(bytes.size() + 16);
  absl::StatusOr<std::vector<Task>> read = readTasks(Generation::H14, bytes);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->size(), 2048u);
}

TEST(PackedStream, WriterRejectsWhatTheFormatCannotHold) {
  auto message = [](const std::vector<Task> &tasks,
                    Generation generation = Generation::H14) {
    return std::string(
        writeTasks(generation, tasks, 0x1000).status().message());
  };
  std::vector<Task> good = makeTasks(Generation::H14, 2), tasks = good;
  tasks[1].offset = 0x64;
  EXPECT_EQ(message(tasks), "task 1: offset 0x64 is not a multiple of 16");
  tasks[1].offset = 0;
  EXPECT_EQ(message(tasks),
            "task 1 at offset 0x0 is not after task 0 at 0x10, but packed "
            "tasks run in the order of their offsets");
  tasks = good;
  tasks[0].records.pop_back();
  EXPECT_EQ(message(tasks), "task 0: header word 0 (0x120000) says 18 words, "
                            "but it has 15");
  tasks = good;
  tasks[0].header[7] = 3;
  EXPECT_EQ(message(tasks), "task 0: header has 8 words, but must have 9 where "
                            "word 7 is 0x3");
  auto recordMessage = [&](auto change) {
    tasks = good;
    for (Record &record : tasks[0].records)
      change(record);
    return message(tasks);
  };
  EXPECT_EQ(recordMessage([](Record &r) { r.address += 2; }),
            "task 0: record 0 has address 0x1902, which is no multiple of 4");
  EXPECT_EQ(recordMessage([](Record &r) { r.address = 0x20000; }),
            "task 0: record 0 has address 0x20000, but at most 0x1fffc fits");
  EXPECT_EQ(recordMessage([](Record &r) { r.words.resize(65); }),
            "task 0: record 0 at 0x1900 writes 65 registers, but 1 to 64 fit");
  EXPECT_EQ(recordMessage([](Record &r) { r.follow |= r.follow << 1; }),
            "task 0: record 1 at 0x500 names 6 registers, but has 4 words");
  EXPECT_EQ(recordMessage([](Record &r) {
              if (r.kind == RecordKind::Scatter)
                r.base = 1;
            }),
            "task 0: record 1 at 0x500 is scattered, so that its first word "
            "has no bits for a base");
  EXPECT_EQ(recordMessage([](Record &r) { r.kind = RecordKind::Dense; }),
            "task 0: record 1 at 0x500 is dense, but names registers after "
            "the first by 0x8005");
  EXPECT_EQ(recordMessage([](Record &r) { r.base = 64; }),
            "task 0: record 0 at 0x1900 has base 64, but at most 63 fits");
  EXPECT_EQ(recordMessage([](Record &r) { r.unknown = 0x8000; }),
            "task 0: record 0 at 0x1900 has 0x8000 for bits that are not "
            "unknown");
}

TEST(PackedStream, LinkedStreamsHaveDenseRecordsAlone) {
  Task task;
  task.header.resize(10);
  task.records.push_back(scatterRecord(0, 1, {1, 2}));
  EXPECT_EQ(writeTasks(Generation::H13, {task}, 0x100).status().message(),
            "task 0: record 0 at 0x0 is scattered or has a base, but h13 has "
            "dense records alone");
  std::vector<Task> tasks = {task};
  EXPECT_EQ(packTasks(Generation::H13, tasks).status().message(),
            "tasks of h13 are linked, not packed");
  tasks[0].records[0].words.resize(2047 - 10);
  EXPECT_EQ(packTasks(Generation::H14, tasks).status().message(),
            "task 0: it has 2048 words, but 1 to 2047 fit");
}
