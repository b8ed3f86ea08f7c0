//===- Task.cpp - Task descriptors and their stream -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing in a descriptor says how long it is: the task before it does
// (Header.NextSize), and the program descriptor for the first. Where neither is
// known, a task ends at the next one or at the end of the text, less the zero
// words in front of that. (A zero word would also be a record that writes
// register 0, so zeros in the middle of a task are not padding.)
//
// Input may be hostile. Tasks may not overlap, so that the work and the memory
// of reading are linear in the size of the text.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Task.h"

#include "ane/HW/H13.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <map>

namespace ane::hw {

/// Words of the header without the extension.
static constexpr uint32_t headerWords = 10;
/// Registers that one record can write: its count has 6 bits.
static constexpr uint32_t maxRecordWords = 64;
static constexpr uint32_t addressMask = (1u << 26) - 1;

/// Public notes on the format test the two low bits of header word 9; in every
/// recorded program that is the same as "KBase0 is 3 and enabled".
static bool hasExtension(uint32_t header9) { return (header9 & 3) == 3; }

static uint32_t loadWord(absl::Span<const uint8_t> bytes, uint64_t offset) {
  return bytes[offset] | bytes[offset + 1] << 8 | bytes[offset + 2] << 16 |
         uint32_t(bytes[offset + 3]) << 24;
}

static void storeWord(std::vector<uint8_t> &bytes, uint64_t offset,
                      uint32_t word) {
  for (int i = 0; i < 4; ++i)
    bytes[offset + i] = word >> 8 * i;
}

//===----------------------------------------------------------------------===//
// Task
//===----------------------------------------------------------------------===//

uint32_t Task::byteSize() const {
  uint32_t words = header.size();
  for (const Record &record : records)
    words += 1 + record.words.size();
  return 4 * words;
}

/// The word that `task` writes to a register or header field, null for none.
/// Where two records write the same register, the later one counts.
template <typename TaskT>
static auto findWord(TaskT &task, bool inHeader, uint32_t address)
    -> decltype(task.header.data()) {
  if (inHeader)
    return address < task.header.size() ? &task.header[address] : nullptr;
  for (size_t i = task.records.size(); i-- > 0;) {
    auto &record = task.records[i];
    if (address < record.address || (address - record.address) % 4 != 0)
      continue;
    uint32_t index = (address - record.address) / 4;
    if (index < record.words.size())
      return &record.words[index];
  }
  return nullptr;
}

bool Task::writes(uint32_t address) const {
  return findWord(*this, false, address) != nullptr;
}

uint32_t Task::word(const FieldRef &field) const {
  const uint32_t *word = findWord(*this, field.inHeader, field.address);
  return word ? *word : 0;
}

uint32_t Task::get(const FieldRef &field) const {
  const uint32_t *word = findWord(*this, field.inHeader, field.address);
  return word ? field.decode(*word) : 0;
}

absl::Status Task::set(const FieldRef &field, uint32_t value) {
  uint32_t *word = findWord(*this, field.inHeader, field.address);
  if (word)
    return field.encode(*word, value);
  if (field.inHeader)
    return absl::FailedPreconditionError(
        absl::StrFormat("%s cannot be set: the task has %u header words",
                        field.path, header.size()));
  return absl::FailedPreconditionError(
      absl::StrFormat("%s cannot be set: no record of the task writes "
                      "register 0x%x",
                      field.path, field.address));
}

Task makeFullTask(Generation generation) {
  Task task;
  task.header.resize(headerWords);
  for (const Block &block : registers(generation).blocks()) {
    if (block.isHeader)
      continue;
    Record record;
    record.address = block.base;
    record.words.resize(block.words);
    task.records.push_back(std::move(record));
  }
  return task;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

class TaskReader {
public:
  explicit TaskReader(absl::Span<const uint8_t> text) : text(text) {}

  absl::StatusOr<std::vector<Task>> readChain(uint64_t entry, uint32_t maxTasks,
                                              uint32_t firstTaskWords);

private:
  absl::Status readTask(uint64_t offset, uint32_t words, Task &task);
  absl::Status readRecords(uint64_t limit, uint64_t end, Task &task);
  absl::StatusOr<uint64_t> claimable(uint64_t offset) const;
  absl::Status checkGaps() const;
  uint64_t endOfContents(uint64_t begin, uint64_t limit) const;
  template <typename... Args>
  absl::Status error(const absl::FormatSpec<Args...> &format,
                     const Args &...args) const {
    return absl::InvalidArgumentError(absl::StrFormat(
        "task %u: %s", index, absl::StrFormat(format, args...)));
  }

  absl::Span<const uint8_t> text;
  uint32_t index = 0; ///< of the task at hand
  /// Ends of the tasks read so far, by their starts.
  std::map<uint64_t, uint64_t> extents;
};

} // namespace

/// How far a task at `offset` may reach: to the task behind it or to the end.
absl::StatusOr<uint64_t> TaskReader::claimable(uint64_t offset) const {
  auto next = extents.upper_bound(offset);
  if (next != extents.begin()) {
    auto previous = std::prev(next);
    if (previous->first == offset)
      return error("the chain comes back to offset 0x%x and never ends",
                   offset);
    if (previous->second > offset)
      return error("offset 0x%x lies inside the task at 0x%x..0x%x", offset,
                   previous->first, previous->second);
  }
  return next != extents.end() ? next->first : text.size();
}

/// The end of the last nonzero word in [begin, limit).
uint64_t TaskReader::endOfContents(uint64_t begin, uint64_t limit) const {
  uint64_t end = begin + (limit - begin) / 4 * 4;
  while (end > begin && loadWord(text, end - 4) == 0)
    end -= 4;
  return end;
}

/// Records from the end of the header on. None crosses `limit`; the first one
/// that would start at `end` or behind is not there.
absl::Status TaskReader::readRecords(uint64_t limit, uint64_t end, Task &task) {
  for (uint64_t at = task.offset + 4 * task.header.size(); at < end;) {
    uint64_t word = (at - task.offset) / 4;
    if (limit - at < 4)
      return error("record at word %u is cut off: %u bytes remain", word,
                   limit - at);
    uint32_t head = loadWord(text, at);
    uint32_t count = (head >> 26) + 1;
    uint64_t remaining = (limit - at) / 4 - 1;
    if (count > remaining)
      return error("record at word %u (offset 0x%x) claims %u registers, but "
                   "only %u words remain",
                   word, at, count, remaining);
    Record record;
    record.address = head & addressMask;
    record.words.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
      record.words.push_back(loadWord(text, at + 4 + 4 * i));
    task.records.push_back(std::move(record));
    at += 4 + 4 * uint64_t(count);
  }
  return absl::OkStatus();
}

/// Reads the task at `offset`. `words` is its size, 0 when unknown.
absl::Status TaskReader::readTask(uint64_t offset, uint32_t words, Task &task) {
  absl::StatusOr<uint64_t> limit = claimable(offset);
  if (!limit.ok())
    return limit.status();
  uint64_t room = *limit - offset;
  if (words != 0) {
    if (4 * uint64_t(words) > room)
      return error("it has %u words from offset 0x%x, but only %u bytes remain",
                   words, offset, room);
    room = 4 * uint64_t(words);
  }
  if (room < 4 * headerWords)
    return error("header at offset 0x%x has %u bytes, but %u are left", offset,
                 4 * headerWords, room);
  task.offset = offset;
  for (uint32_t i = 0; i < headerWords; ++i)
    task.header.push_back(loadWord(text, offset + 4 * i));
  if (hasExtension(task.header[9])) {
    if (room < 4 * headerWords + 4)
      return error("header at offset 0x%x has an extension word, but ends with "
                   "the text",
                   offset);
    task.header.push_back(loadWord(text, offset + 4 * headerWords));
  }

  // A size is exact. Without one, the task ends in front of the padding.
  uint64_t end = offset + room;
  if (words == 0) {
    uint32_t next = task.get(h13::Header::NextPointer);
    if (next > offset && next < end)
      end = next;
    room = end - offset;
    if (room < 4 * task.header.size())
      return error("the next task, at offset 0x%x, starts inside its header",
                   next);
    end = endOfContents(offset + 4 * task.header.size(), end);
  }
  if (absl::Status status = readRecords(offset + room, end, task); !status.ok())
    return status;
  extents[offset] = offset + task.byteSize();
  return absl::OkStatus();
}

/// What no task covers must be zero, since writing the tasks back gives zero.
absl::Status TaskReader::checkGaps() const {
  uint64_t at = 0;
  auto checkZero = [&](uint64_t end) -> absl::Status {
    for (; at < end; ++at)
      if (text[at] != 0)
        return absl::InvalidArgumentError(absl::StrFormat(
            "byte 0x%02x at offset 0x%x of the text belongs to no task",
            text[at], at));
    return absl::OkStatus();
  };
  for (const auto &[begin, end] : extents) {
    if (absl::Status status = checkZero(begin); !status.ok())
      return status;
    at = end;
  }
  return checkZero(text.size());
}

absl::StatusOr<std::vector<Task>>
TaskReader::readChain(uint64_t entry, uint32_t maxTasks,
                      uint32_t firstTaskWords) {
  std::vector<Task> tasks;
  uint64_t offset = entry;
  uint32_t words = firstTaskWords;
  for (;; ++index) {
    if (maxTasks != 0 && index == maxTasks)
      return error("the chain goes on at offset 0x%x, but the program has %u "
                   "tasks",
                   offset, maxTasks);
    if (offset % 4 != 0)
      return error("offset 0x%x is not a multiple of 4", offset);
    if (offset >= text.size())
      return error("offset 0x%x is outside of the text, which has 0x%x bytes",
                   offset, text.size());
    Task task;
    if (absl::Status status = readTask(offset, words, task); !status.ok())
      return status;
    offset = task.get(h13::Header::NextPointer);
    uint32_t nextSize = task.get(h13::Header::NextSize);
    words = nextSize != 0 ? nextSize + 1 : 0;
    tasks.push_back(std::move(task));
    if (offset == 0)
      break;
  }
  if (absl::Status status = checkGaps(); !status.ok())
    return status;
  return tasks;
}

absl::StatusOr<std::vector<Task>> readTasks(Generation generation,
                                            absl::Span<const uint8_t> text,
                                            uint64_t entry, uint32_t maxTasks,
                                            uint32_t firstTaskWords) {
  switch (generation) {
  case Generation::H13:
    break;
  }
  // Offsets are 32 bits in the format.
  if (text.size() > UINT32_MAX)
    return absl::InvalidArgumentError(absl::StrFormat(
        "text section has %u bytes, but offsets have 32 bits", text.size()));
  return TaskReader(text).readChain(entry, maxTasks, firstTaskWords);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static absl::Status checkWritable(const Task &task, size_t index) {
  auto error = [&](const std::string &message) {
    return absl::InvalidArgumentError(
        absl::StrFormat("task %u: %s", index, message));
  };
  if (task.header.size() < headerWords)
    return error(absl::StrFormat("header has %u words, but must have %u",
                                 task.header.size(), headerWords));
  size_t expected = headerWords + hasExtension(task.header[9]);
  if (task.header.size() != expected)
    return error(absl::StrFormat(
        "header has %u words, but must have %u where word 9 is 0x%x",
        task.header.size(), expected, task.header[9]));
  for (size_t i = 0; i < task.records.size(); ++i) {
    const Record &record = task.records[i];
    if (record.words.empty() || record.words.size() > maxRecordWords)
      return error(absl::StrFormat(
          "record %u at 0x%x writes %u registers, but 1 to %u fit", i,
          record.address, record.words.size(), maxRecordWords));
    if (record.address > addressMask)
      return error(
          absl::StrFormat("record %u has address 0x%x, but at most 0x%x fits",
                          i, record.address, addressMask));
  }
  return absl::OkStatus();
}

static void writeTask(const Task &task, std::vector<uint8_t> &bytes) {
  uint64_t at = task.offset;
  auto put = [&](uint32_t word) {
    storeWord(bytes, at, word);
    at += 4;
  };
  for (uint32_t word : task.header)
    put(word);
  for (const Record &record : task.records) {
    put(uint32_t(record.words.size() - 1) << 26 | record.address);
    for (uint32_t word : record.words)
      put(word);
  }
}

absl::StatusOr<std::vector<uint8_t>> writeTasks(absl::Span<const Task> tasks,
                                                uint64_t size) {
  std::map<uint64_t, size_t> order; // index of a task by its offset
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (absl::Status status = checkWritable(tasks[i], i); !status.ok())
      return status;
    auto [it, isNew] = order.emplace(tasks[i].offset, i);
    if (!isNew)
      return absl::InvalidArgumentError(
          absl::StrFormat("tasks %u and %u are both at offset 0x%x", it->second,
                          i, tasks[i].offset));
  }
  uint64_t end = 0;
  size_t previous = 0;
  for (const auto &[offset, i] : order) {
    if (offset < end)
      return absl::InvalidArgumentError(absl::StrFormat(
          "task %u at offset 0x%x overlaps task %u, which ends at 0x%x", i,
          offset, previous, end));
    end = offset + tasks[i].byteSize();
    previous = i;
    if (end > size)
      return absl::OutOfRangeError(absl::StrFormat(
          "task %u ends at offset 0x%x, but the text section has 0x%x bytes", i,
          end, size));
  }
  std::vector<uint8_t> bytes(size);
  for (const Task &task : tasks)
    writeTask(task, bytes);
  return bytes;
}

} // namespace ane::hw
