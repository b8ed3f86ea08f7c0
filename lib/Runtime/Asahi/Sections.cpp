//===- Sections.cpp - A program as the firmware of M2 loads it ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include "Driver.h"

#include "ane/HW/AnecFile.h"
#include "ane/HW/Layout.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::rt::asahi {

namespace {
constexpr uint64_t kPageBytes = 0x4000;

/// Words at offsets of a section of zeros.
class Words {
public:
  explicit Words(uint64_t size) : bytes(size) {}
  void set(uint64_t at, uint32_t value) {
    for (int i = 0; i < 4; ++i)
      bytes[at + i] = value >> 8 * i;
  }
  void setLong(uint64_t at, uint64_t value) {
    set(at, value);
    set(at + 4, value >> 32);
  }
  std::vector<uint8_t> take() { return std::move(bytes); }

private:
  std::vector<uint8_t> bytes;
};

} // namespace

static std::vector<uint8_t>
bufferSection(absl::Span<const ProgramBuffer> buffers) {
  constexpr uint64_t header = 0x208, entry = 0x30;
  constexpr uint32_t version = 0x10, end = 0xffff;
  Words words(header + entry * buffers.size());
  words.set(0, 1);
  words.set(4, version);
  words.set(0x204, buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const uint64_t at = header + entry * i;
    words.set(at, 1);
    words.set(at + 0x04, buffers[i].id);
    words.set(at + 0x08, buffers[i].isOutput ? 1 : 0);
    words.set(at + 0x10, buffers[i].isOutput ? 2 : 1);
    words.setLong(at + 0x20, buffers[i].size);
    words.set(at + 0x28, end);
  }
  return words.take();
}

/// One operation for all tasks: pairs of a base and its buffer.
static std::vector<uint8_t>
operationSection(std::vector<std::pair<uint32_t, uint32_t>> refs) {
  constexpr uint64_t record = 0x40c;
  std::sort(refs.begin(), refs.end());
  Words words(4 + record);
  words.set(0, 1);
  words.set(4 + 0x08, refs.size());
  for (size_t i = 0; i < refs.size(); ++i) {
    words.set(4 + 0x0c + 8 * i, refs[i].first);
    words.set(4 + 0x10 + 8 * i, refs[i].second);
  }
  return words.take();
}

static std::vector<uint8_t> procedureSection() {
  constexpr uint64_t header = 0x18, record = 0x20;
  Words words(header + record);
  words.set(0, 1);
  words.setLong(0x08, header);
  words.setLong(0x10, record);
  words.set(0x18, 1);
  words.set(0x1c, 3); // the kind of its contents
  words.set(0x28, 1);
  words.set(0x30, ~0u);
  words.set(0x34, 4);
  return words.take();
}

static std::vector<uint8_t> blockSection(uint32_t tasks, uint64_t taskBytes) {
  Words words(40);
  words.set(0, 1);
  words.set(0x0c, tasks);
  words.setLong(0x20, taskBytes);
  return words.take();
}

absl::StatusOr<Sections> makeSections(const hw::Program &program) {
  Sections result;
  std::vector<std::pair<uint32_t, uint32_t>> refs = {
      {hw::BaseConst, KernelSection}};
  const std::vector<hw::AnecPort> ports = hw::anecPorts(program);
  for (bool outputs : {false, true}) {
    std::vector<ProgramBuffer> some;
    for (size_t i = 0; i < ports.size(); ++i) {
      const hw::Tensor &tensor = program.tensors[i];
      if ((tensor.kind == hw::TensorKind::Output) != outputs)
        continue;
      some.push_back({ports[i].channel, outputs,
                      hw::alignTo(tensor.bytes, kPageBytes), i});
      refs.push_back({ports[i].base, ports[i].channel});
    }
    std::sort(some.begin(), some.end(),
              [](const ProgramBuffer &a, const ProgramBuffer &b) {
                return a.id < b.id;
              });
    result.buffers.insert(result.buffers.end(), some.begin(), some.end());
  }
  if (program.scratchBytes) {
    result.buffers.push_back({kScratchBuffer, false,
                              hw::alignTo(program.scratchBytes, kPageBytes),
                              std::nullopt});
    refs.push_back({hw::BaseScratch, kScratchBuffer});
  }
  if (result.buffers.size() >= kMaxBuffers)
    return absl::InvalidArgumentError(absl::StrFormat(
        "a program of interface 2 has at most %d buffers, this one %d",
        kMaxBuffers - 1, result.buffers.size()));
  absl::StatusOr<std::vector<uint8_t>> text =
      hw::writeTasks(program.generation, program.tasks, program.textBytes);
  if (!text.ok())
    return text.status();
  absl::Span<const uint8_t> constants = program.constantBytes();
  std::vector<uint8_t> kernel(constants.begin(), constants.end());
  // No published program has no constants.
  kernel.resize(std::max<size_t>(kernel.size(),
                                 hw::info(program.generation).streamAlign));
  result.sections = {
      {BufferSection, bufferSection(result.buffers)},
      {KernelSection, std::move(kernel)},
      {TaskSection, *text},
      {OperationSection, operationSection(std::move(refs))},
      {ProcedureSection, procedureSection()},
      {BlockSection, blockSection(program.tasks.size(), text->size())}};
  return result;
}

} // namespace ane::rt::asahi
