//===- Task.cpp - Task descriptors and their stream -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing in a descriptor of a linked stream says how long it is: the task
// before it does (Header.NextSize), and the program descriptor for the first.
// Where neither is known, a task ends at the next one or at the end of the
// text, less the zero words in front of that. (A zero word would also be a
// record that writes register 0, so zeros in the middle of a task are not
// padding.) PackedStream.cpp reads the other kind.
//
// Input may be hostile. Tasks may not overlap, so that the work and the memory
// of reading are linear in the size of the text.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Task.h"

#include "ane/HW/H13.h"

#include "TaskStream.h"

#include "absl/strings/str_format.h"

#include <algorithm>
#include <map>

namespace ane::hw {

using namespace stream;

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
    if (std::optional<size_t> index = record.indexOf(address))
      return &record.words[*index];
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
  task.header.resize(info(generation).headerWords);
  for (const Block &block : registers(generation).blocks()) {
    if (block.isHeader)
      continue;
    for (uint32_t done = 0; done < block.words; done += maxDenseWords) {
      Record record;
      record.address = block.base + 4 * done;
      record.words.resize(std::min(block.words - done, maxDenseWords));
      task.records.push_back(std::move(record));
    }
  }
  if (info(generation).stream == StreamKind::Packed)
    task.header[0] = task.byteSize() / 4 << kSizeShift;
  return task;
}

// Words of a header, from its control word: with the extension when a kernel
// comes from scratch.
static absl::StatusOr<uint32_t>
expectedHeaderWords(Generation generation, absl::Span<const uint32_t> header) {
  const uint32_t least = info(generation).headerWords;
  if (header.size() < least)
    return absl::InvalidArgumentError(absl::StrFormat(
        "header has %u words, but must have %u", header.size(), least));
  return least + hasExtension(header[least - 1]);
}

absl::StatusOr<uint64_t> packTasks(Generation generation,
                                   std::vector<Task> &tasks) {
  if (info(generation).stream != StreamKind::Packed)
    return absl::FailedPreconditionError(absl::StrFormat(
        "tasks of %s are linked, not packed", info(generation).name));
  uint64_t end = kFrameBytes;
  for (size_t i = 0; i < tasks.size(); ++i) {
    Task &task = tasks[i];
    uint32_t words = task.byteSize() / 4;
    if (words > kSizeMask || task.header.empty())
      return absl::InvalidArgumentError(
          absl::StrFormat("task %u: it has %u words, but 1 to %u fit", i,
                          task.header.empty() ? 0 : words, kSizeMask));
    uint64_t offset = (end + kFrameBytes - 1) / kFrameBytes * kFrameBytes;
    end = offset + 4 * words;
    if (end > UINT32_MAX)
      return absl::InvalidArgumentError(absl::StrFormat(
          "task %u ends at offset 0x%x, but offsets have 32 bits", i, end));
    task.offset = offset;
    task.header[0] =
        (task.header[0] & ~(kSizeMask << kSizeShift)) | words << kSizeShift;
  }
  return end;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

absl::Status stream::readHeader(const GenerationInfo &generation,
                                absl::Span<const uint8_t> text, uint64_t room,
                                Task &task) {
  const uint32_t words = generation.headerWords;
  if (room < 4 * words)
    return absl::InvalidArgumentError(
        absl::StrFormat("header at offset 0x%x has %u bytes, but %u are left",
                        task.offset, 4 * words, room));
  for (uint32_t i = 0; i < words; ++i)
    task.header.push_back(loadWord(text, task.offset + 4 * i));
  if (!hasExtension(task.header.back()))
    return absl::OkStatus();
  if (room < 4 * words + 4)
    return absl::InvalidArgumentError(absl::StrFormat(
        "header at offset 0x%x has an extension word, but ends "
        "with the %s",
        task.offset,
        generation.stream == StreamKind::Linked ? "text" : "task"));
  task.header.push_back(loadWord(text, task.offset + 4 * words));
  return absl::OkStatus();
}

absl::Status stream::readRecords(StreamKind kind,
                                 absl::Span<const uint8_t> text, uint64_t end,
                                 uint64_t contentsEnd, Task &task) {
  auto error = [](const std::string &message) {
    return absl::InvalidArgumentError(message);
  };
  for (uint64_t at = task.offset + 4 * task.header.size(); at < contentsEnd;) {
    uint64_t word = (at - task.offset) / 4;
    if (end - at < 4)
      return error(absl::StrFormat(
          "record at word %u is cut off: %u bytes remain", word, end - at));
    uint32_t count = 0;
    Record record = decodeHead(kind, loadWord(text, at), count);
    uint64_t remaining = (end - at) / 4 - 1;
    if (count > remaining)
      return error(absl::StrFormat("record at word %u (offset 0x%x) claims %u "
                                   "registers, but only %u words remain",
                                   word, at, count, remaining));
    record.words.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
      record.words.push_back(loadWord(text, at + 4 + 4 * i));
    task.records.push_back(std::move(record));
    at += 4 + 4 * uint64_t(count);
  }
  return absl::OkStatus();
}

absl::Status stream::checkZero(absl::Span<const uint8_t> text, uint64_t begin,
                               uint64_t end) {
  for (uint64_t at = begin; at < end; ++at)
    if (text[at] != 0)
      return absl::InvalidArgumentError(absl::StrFormat(
          "byte 0x%02x at offset 0x%x of the text belongs to no task", text[at],
          at));
  return absl::OkStatus();
}

namespace {

class TaskReader {
public:
  TaskReader(const GenerationInfo &generation, absl::Span<const uint8_t> text)
      : generation(generation), text(text) {}

  /// On failure `tasks` has those in front of the fault.
  absl::Status readChain(uint64_t entry, uint32_t maxTasks,
                         uint32_t firstTaskWords, std::vector<Task> &tasks);
  absl::Status checkGaps() const;

private:
  absl::Status readTask(uint64_t offset, uint32_t words, Task &task);
  absl::StatusOr<uint64_t> claimable(uint64_t offset) const;
  uint64_t endOfContents(uint64_t begin, uint64_t limit) const;
  template <typename... Args>
  absl::Status error(const absl::FormatSpec<Args...> &format,
                     const Args &...args) const {
    return absl::InvalidArgumentError(absl::StrFormat(
        "task %u: %s", index, absl::StrFormat(format, args...)));
  }

  const GenerationInfo &generation;
  absl::Span<const uint8_t> text;
  uint32_t index = 0; ///< of the task at hand
  /// Ends of the tasks read so far, by their starts.
  std::map<uint64_t, uint64_t> extents;
};

} // namespace

/// How far a task at `offset` may reach: to the task after it or to the end.
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
  task.offset = offset;
  if (absl::Status status = readHeader(generation, text, room, task);
      !status.ok())
    return error("%s", status.message());

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
  if (absl::Status status =
          readRecords(generation.stream, text, offset + room, end, task);
      !status.ok())
    return error("%s", status.message());
  extents[offset] = offset + task.byteSize();
  return absl::OkStatus();
}

absl::Status TaskReader::checkGaps() const {
  uint64_t at = 0;
  for (const auto &[begin, end] : extents) {
    if (absl::Status status = checkZero(text, at, begin); !status.ok())
      return status;
    at = end;
  }
  return checkZero(text, at, text.size());
}

absl::Status TaskReader::readChain(uint64_t entry, uint32_t maxTasks,
                                   uint32_t firstTaskWords,
                                   std::vector<Task> &tasks) {
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
      return absl::OkStatus();
  }
}

TaskStream readTasksUntilFault(Generation generation,
                               absl::Span<const uint8_t> text, uint64_t entry,
                               uint32_t maxTasks, uint32_t firstTaskWords) {
  TaskStream result;
  const GenerationInfo &facts = info(generation);
  // Offsets are 32 bits in the format.
  if (text.size() > UINT32_MAX) {
    result.status = absl::InvalidArgumentError(absl::StrFormat(
        "text section has %u bytes, but offsets have 32 bits", text.size()));
  } else if (facts.stream == StreamKind::Packed) {
    result.status = readPacked(facts, text, entry, maxTasks, result.tasks);
    result.complete = result.status.ok();
  } else {
    TaskReader reader(facts, text);
    result.status =
        reader.readChain(entry, maxTasks, firstTaskWords, result.tasks);
    result.complete = result.status.ok();
    if (result.complete)
      result.status = reader.checkGaps();
  }
  return result;
}

absl::StatusOr<std::vector<Task>> readTasks(Generation generation,
                                            absl::Span<const uint8_t> text,
                                            uint64_t entry, uint32_t maxTasks,
                                            uint32_t firstTaskWords) {
  TaskStream stream =
      readTasksUntilFault(generation, text, entry, maxTasks, firstTaskWords);
  if (!stream.status.ok())
    return stream.status;
  return std::move(stream.tasks);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// A packed task is found by what its first word says of its size, and where
/// the one in front of it ends.
static absl::Status checkPacked(const Task &task) {
  if (task.offset % kFrameBytes != 0)
    return absl::InvalidArgumentError(absl::StrFormat(
        "offset 0x%x is not a multiple of %u", task.offset, kFrameBytes));
  if (packedWords(task.header[0]) != task.byteSize() / 4)
    return absl::InvalidArgumentError(absl::StrFormat(
        "header word 0 (0x%x) says %u words, but it has %u", task.header[0],
        packedWords(task.header[0]), task.byteSize() / 4));
  return absl::OkStatus();
}

static absl::Status checkWritable(Generation generation, const Task &task,
                                  size_t index) {
  auto error = [&](absl::string_view message) {
    return absl::InvalidArgumentError(
        absl::StrFormat("task %u: %s", index, message));
  };
  absl::StatusOr<uint32_t> expected =
      expectedHeaderWords(generation, task.header);
  if (!expected.ok())
    return error(expected.status().message());
  const uint32_t control = info(generation).headerWords - 1;
  if (task.header.size() != *expected)
    return error(absl::StrFormat(
        "header has %u words, but must have %u where word %u is 0x%x",
        task.header.size(), *expected, control, task.header[control]));
  for (size_t i = 0; i < task.records.size(); ++i)
    if (absl::Status status = checkRecord(generation, task.records[i]);
        !status.ok())
      return error(absl::StrFormat("record %u %s", i, status.message()));
  if (info(generation).stream == StreamKind::Packed)
    if (absl::Status status = checkPacked(task); !status.ok())
      return error(status.message());
  return absl::OkStatus();
}

static void writeTask(StreamKind kind, const Task &task,
                      std::vector<uint8_t> &bytes) {
  uint64_t at = task.offset;
  auto put = [&](uint32_t word) {
    storeWord(bytes, at, word);
    at += 4;
  };
  for (uint32_t word : task.header)
    put(word);
  for (const Record &record : task.records) {
    put(encodeHead(kind, record));
    for (uint32_t word : record.words)
      put(word);
  }
}

absl::StatusOr<std::vector<uint8_t>>
writeTasks(Generation generation, absl::Span<const Task> tasks, uint64_t size) {
  const StreamKind kind = info(generation).stream;
  std::map<uint64_t, size_t> order; // index of a task by its offset
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (absl::Status status = checkWritable(generation, tasks[i], i);
        !status.ok())
      return status;
    if (kind == StreamKind::Packed && i > 0 &&
        tasks[i].offset <= tasks[i - 1].offset)
      return absl::InvalidArgumentError(absl::StrFormat(
          "task %u at offset 0x%x is not after task %u at 0x%x, but packed "
          "tasks run in the order of their offsets",
          i, tasks[i].offset, i - 1, tasks[i - 1].offset));
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
    writeTask(kind, task, bytes);
  return bytes;
}

} // namespace ane::hw
