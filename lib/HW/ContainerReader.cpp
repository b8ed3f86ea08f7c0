//===- ContainerReader.cpp - From the bytes of a file to a container ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every offset and count is checked against the bytes that are there before
// anything is read or allocated. Errors say which load command, at which offset
// of the file, has which value and what was expected.
//
//===----------------------------------------------------------------------===//

#include "ContainerFormat.h"
#include "ProgramThread.h"

#include "ane/HW/Layout.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::hw {

using namespace format;

using Bytes = absl::Span<const uint8_t>;

/// The characters up to the first zero, at most the whole span.
static std::string zeroTerminated(Bytes bytes) {
  auto end = std::find(bytes.begin(), bytes.end(), 0);
  return std::string(bytes.begin(), end);
}

bool isSegment(const LoadCommand &command) {
  return command.command == Segment64;
}

absl::StatusOr<Segment> decodeSegment(const LoadCommand &command) {
  Bytes bytes = command.bytes;
  if (bytes.size() < kSegmentBytes)
    return absl::InvalidArgumentError(
        absl::StrFormat("segment command has %d bytes, expected at least %d",
                        bytes.size(), kSegmentBytes));
  Segment segment;
  segment.name = zeroTerminated(bytes.subspan(8, 16));
  segment.vmAddress = load64(&bytes[24]);
  segment.vmSize = load64(&bytes[32]);
  segment.fileOffset = load64(&bytes[40]);
  segment.fileSize = load64(&bytes[48]);
  segment.maxProtection = load32(&bytes[56]);
  segment.initialProtection = load32(&bytes[60]);
  segment.flags = load32(&bytes[68]);
  const uint32_t count = load32(&bytes[64]);
  if (count > (bytes.size() - kSegmentBytes) / kSectionBytes)
    return absl::InvalidArgumentError(absl::StrFormat(
        "segment '%s' claims %d sections, but its %d bytes hold only %d",
        absl::CHexEscape(segment.name), count, bytes.size(),
        (bytes.size() - kSegmentBytes) / kSectionBytes));
  for (uint32_t i = 0; i < count; ++i) {
    Bytes at = bytes.subspan(kSegmentBytes + i * kSectionBytes, kSectionBytes);
    Section section;
    section.name = zeroTerminated(at.subspan(0, 16));
    section.segment = zeroTerminated(at.subspan(16, 16));
    section.address = load64(&at[32]);
    section.size = load64(&at[40]);
    section.fileOffset = load32(&at[48]);
    section.alignLog2 = load32(&at[52]);
    section.relocationOffset = load32(&at[56]);
    section.relocationCount = load32(&at[60]);
    section.flags = load32(&at[64]);
    for (uint32_t j = 0; j < 3; ++j)
      section.reserved[j] = load32(&at[68 + 4 * j]);
    segment.sections.push_back(std::move(section));
  }
  return segment;
}

// "load command 3 at 0x1a8: " and so on.
static absl::Status commandError(size_t index, uint64_t offset,
                                 absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrFormat("load command %d at 0x%x: %s", index, offset, what));
}

// Splits the load commands that follow the header; contents of symbols,
// segments and relocations come later.
static absl::Status readSegmentCommands(Container &container) {
  uint64_t offset = kHeaderBytes;
  for (size_t i = 0; i < container.commands.size(); ++i) {
    const LoadCommand &command = container.commands[i];
    if (isSegment(command)) {
      absl::StatusOr<Segment> segment = decodeSegment(command);
      if (!segment.ok())
        return commandError(i, offset, segment.status().message());
      container.segments.push_back(*std::move(segment));
    } else if (command.command == SymbolTable &&
               command.bytes.size() < kSymbolTableBytes) {
      return commandError(
          i, offset,
          absl::StrFormat("symbol table command has %d bytes, expected %d",
                          command.bytes.size(), kSymbolTableBytes));
    }
    offset += command.bytes.size();
  }
  return absl::OkStatus();
}

namespace {

/// What a tensor descriptor says, before it is bound to an address.
struct Descriptor {
  Tensor tensor;
  std::string symbol;
  size_t command;
  uint64_t offset;
};

class Reader {
public:
  explicit Reader(Bytes file) : file(file) {}

  absl::StatusOr<Container> read();

private:
  absl::Status readHeader();
  absl::Status readCommands();
  absl::Status readRelocations();
  absl::Status readSymbols();
  absl::Status readThreads();
  absl::Status readProgramThread(size_t index, uint64_t offset, Bytes bytes);
  absl::Status readTensorThread(size_t index, uint64_t offset, Bytes bytes);
  absl::Status readLibrary(size_t index, uint64_t offset, Bytes bytes);
  absl::Status bindTensors();
  absl::Status bindTensor(const Descriptor &descriptor, uint64_t address);
  absl::Status readProgram();
  absl::Status keepResidues();

  Bytes file;
  Container result;
  const ProgramLayout *layout = nullptr; ///< of the program thread
  /// Name and address of each surface, in the order of the file.
  std::vector<std::pair<std::string, uint64_t>> libraries;
  std::vector<Descriptor> descriptors;
  std::vector<uint64_t> bases;
  size_t programCommand = 0;
  uint64_t programOffset = 0, entry = 0;
  uint32_t taskCount = 0, firstTaskWords = 0;
};

} // namespace

absl::Status Reader::readHeader() {
  if (file.size() < kHeaderBytes)
    return absl::InvalidArgumentError(
        absl::StrFormat("file has %d bytes, but the header alone needs %d",
                        file.size(), kHeaderBytes));
  for (size_t i = 0; i < result.header.size(); ++i)
    result.header[i] = load32(&file[4 * i]);
  auto expect = [&](HeaderWord word, const char *name, uint32_t value) {
    if (result.header[word] == value)
      return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrFormat("header at 0x%x: %s is 0x%x, expected 0x%x", 4 * word,
                        name, result.header[word], value));
  };
  if (absl::Status s = expect(Magic, "magic", kMagic); !s.ok())
    return s;
  if (absl::Status s = expect(CpuType, "cpu type", kCpuType); !s.ok())
    return s;
  std::string known;
  const GenerationInfo *found = nullptr;
  for (const GenerationInfo &generation : generations()) {
    if (generation.cpuSubtype == result.header[CpuSubtype])
      found = &generation;
    absl::StrAppend(&known, known.empty() ? "" : ", ", generation.cpuSubtype,
                    " (", generation.name, ")");
  }
  if (!found)
    return absl::UnimplementedError(
        absl::StrFormat("header at 0x8: cpu subtype is %d, expected one of %s",
                        result.header[CpuSubtype], known));
  result.program.generation = found->id;
  layout = &programLayout(found->stream);
  result.fileSize = file.size();
  return absl::OkStatus();
}

absl::Status Reader::readCommands() {
  const uint32_t count = result.header[CommandCount];
  const uint64_t total = result.header[CommandBytes];
  if (total > file.size() - kHeaderBytes)
    return absl::InvalidArgumentError(absl::StrFormat(
        "header at 0x14: load commands take %d bytes, but only %d follow",
        total, file.size() - kHeaderBytes));
  uint64_t offset = kHeaderBytes;
  const uint64_t end = kHeaderBytes + total;
  for (uint32_t i = 0; i < count; ++i) {
    if (end - offset < 8)
      return commandError(
          i, offset,
          absl::StrFormat("header counts %d commands, but %d bytes are left",
                          count, end - offset));
    LoadCommand command;
    command.command = load32(&file[offset]);
    const uint32_t size = load32(&file[offset + 4]);
    const uint64_t most = std::min(end - offset, kMaxCommandBytes);
    if (size < 8 || size % 4 != 0 || size > most)
      return commandError(
          i, offset,
          absl::StrFormat("size is %d bytes, expected a multiple of 4 from 8 "
                          "to %d",
                          size, most));
    Bytes bytes = file.subspan(offset, size);
    command.bytes.assign(bytes.begin(), bytes.end());
    result.commands.push_back(std::move(command));
    offset += size;
  }
  if (offset != end)
    return absl::InvalidArgumentError(absl::StrFormat(
        "header at 0x14: load commands take %d bytes, but %d commands have %d",
        total, count, offset - kHeaderBytes));
  return readSegmentCommands(result);
}

absl::Status Reader::readRelocations() {
  for (Segment &segment : result.segments)
    for (Section &section : segment.sections) {
      section.relocations.reserve(section.relocationCount);
      for (uint64_t i = 0; i < section.relocationCount; ++i) {
        const uint8_t *at =
            &file[section.relocationOffset + i * kRelocationBytes];
        section.relocations.push_back({load32(at), load32(at + 4)});
      }
    }
  return absl::OkStatus();
}

absl::Status Reader::readSymbols() {
  SymbolTableRange range = symbolTableRange(result);
  if (!range.symbolCount)
    return absl::OkStatus();
  Bytes strings = file.subspan(range.stringOffset, range.stringBytes);
  // Names may share characters; together they must not exceed the file by much.
  uint64_t budget = uint64_t(range.stringBytes) * 4 + 4096;
  for (uint64_t i = 0; i < range.symbolCount; ++i) {
    const uint64_t offset = range.symbolOffset + i * kSymbolBytes;
    const uint8_t *at = &file[offset];
    const uint32_t nameOffset = load32(at);
    if (nameOffset >= strings.size())
      return absl::InvalidArgumentError(absl::StrFormat(
          "symbol %d at 0x%x: name at 0x%x, but the string table has %d bytes",
          i, offset, nameOffset, strings.size()));
    Symbol symbol;
    symbol.name = zeroTerminated(strings.subspan(nameOffset));
    symbol.type = at[4];
    symbol.section = at[5];
    symbol.description = at[6] | at[7] << 8;
    symbol.value = load64(at + 8);
    if (symbol.name.size() > budget)
      return absl::InvalidArgumentError(absl::StrFormat(
          "symbol %d at 0x%x: names overlap so often that they exceed the "
          "string table of %d bytes four times",
          i, offset, strings.size()));
    budget -= symbol.name.size();
    result.symbols.push_back(std::move(symbol));
  }
  return absl::OkStatus();
}

absl::Status Reader::readProgramThread(size_t index, uint64_t offset,
                                       Bytes bytes) {
  if (bytes.size() < layout->leastBytes)
    return commandError(
        index, offset,
        absl::StrFormat("program thread has %d bytes, expected at least %d",
                        bytes.size(), layout->leastBytes));
  if (!bases.empty())
    return commandError(index, offset,
                        absl::StrFormat("second program; load command %d "
                                        "already describes one",
                                        programCommand));
  programCommand = index;
  programOffset = offset;
  for (uint32_t i = 0; i < layout->baseCount; ++i)
    bases.push_back(load64(&bytes[kThreadState + layout->baseBytes * i]));
  entry = load64(&bytes[kProgramEntry]);
  taskCount = load32(&bytes[layout->taskCount]);
  // Of linked streams alone.
  firstTaskWords = load32(&bytes[kProgramFirstWords]) + 1;
  const uint32_t name = load32(&bytes[layout->nameOffset]);
  if (name >= bytes.size())
    return commandError(index, offset,
                        absl::StrFormat("program name at 0x%x, but the command "
                                        "has %d bytes",
                                        name, bytes.size()));
  result.program.name = zeroTerminated(bytes.subspan(name));
  return absl::OkStatus();
}

absl::Status Reader::readTensorThread(size_t index, uint64_t offset,
                                      Bytes bytes) {
  if (bytes.size() < kTensorStrings)
    return commandError(
        index, offset,
        absl::StrFormat("tensor thread has %d bytes, expected at least %d",
                        bytes.size(), kTensorStrings));
  auto word = [&](uint32_t at) { return load32(&bytes[at]); };
  Descriptor descriptor;
  descriptor.command = index;
  descriptor.offset = offset;
  Tensor &tensor = descriptor.tensor;
  const uint32_t direction = word(kTensorDirection);
  if (direction != kDirectionInput && direction != kDirectionOutput)
    return commandError(
        index, offset,
        absl::StrFormat("direction is %d, expected 1 (input) or 2 (output)",
                        direction));
  tensor.kind =
      direction == kDirectionInput ? TensorKind::Input : TensorKind::Output;
  const uint32_t element = word(kTensorElement);
  const ElementType types[] = {ElementType::Int8, ElementType::UInt8,
                               ElementType::Float16};
  auto type = std::find_if(std::begin(types), std::end(types), [&](auto type) {
    return elementCode(type) == element;
  });
  if (type == std::end(types))
    return commandError(
        index, offset,
        absl::StrFormat("element type is %d, expected 2 (int8), 3 (uint8) or 5 "
                        "(float16)",
                        element));
  tensor.type = *type;
  for (uint32_t i = 0; i < 5; ++i) {
    tensor.shape[i] = word(kTensorShape + 4 * i);
    tensor.strides[i] = load64(&bytes[kTensorStrides + 8 * i]);
  }
  tensor.interleave = word(kTensorInterleave);
  tensor.bytes = load64(&bytes[kTensorSize]);
  for (auto [at, text] : {std::make_pair(kTensorSymbol, &descriptor.symbol),
                          std::make_pair(kTensorName, &tensor.name)}) {
    if (word(at) >= bytes.size())
      return commandError(
          index, offset,
          absl::StrFormat("name at 0x%x, but the command has %d bytes",
                          word(at), bytes.size()));
    *text = zeroTerminated(bytes.subspan(word(at)));
  }
  descriptors.push_back(std::move(descriptor));
  return absl::OkStatus();
}

absl::Status Reader::readLibrary(size_t index, uint64_t offset, Bytes bytes) {
  if (bytes.size() < 0x14 || load32(&bytes[8]) >= bytes.size())
    return commandError(index, offset,
                        absl::StrFormat("library name leaves the command of %d "
                                        "bytes",
                                        bytes.size()));
  libraries.push_back(
      {zeroTerminated(bytes.subspan(load32(&bytes[8]))), load32(&bytes[0x10])});
  return absl::OkStatus();
}

absl::Status Reader::readThreads() {
  uint64_t offset = kHeaderBytes;
  for (size_t i = 0; i < result.commands.size(); ++i) {
    const LoadCommand &command = result.commands[i];
    Bytes bytes = command.bytes;
    absl::Status status;
    if (command.command == LoadLibrary)
      status = readLibrary(i, offset, bytes);
    else if (command.command == Thread && bytes.size() < kThreadState)
      status = commandError(
          i, offset,
          absl::StrFormat("thread has %d bytes, expected at least %d",
                          bytes.size(), kThreadState));
    else if (command.command == Thread &&
             load32(&bytes[kThreadFlavor]) == layout->flavor)
      status = readProgramThread(i, offset, bytes);
    else if (command.command == Thread &&
             load32(&bytes[kThreadFlavor]) == kFlavorTensor)
      status = readTensorThread(i, offset, bytes);
    if (!status.ok())
      return status;
    offset += bytes.size();
  }
  if (bases.empty())
    return absl::InvalidArgumentError(absl::StrFormat(
        "none of the %d load commands describes a program (thread of flavor "
        "%d)",
        result.commands.size(), layout->flavor));
  return absl::OkStatus();
}

absl::Status Reader::bindTensor(const Descriptor &descriptor,
                                uint64_t address) {
  Tensor tensor = descriptor.tensor;
  auto base = std::find(bases.begin() + BaseFirstTensor, bases.end(), address);
  if (base == bases.end())
    return commandError(descriptor.command, descriptor.offset,
                        absl::StrFormat("tensor '%s' lies at 0x%x, which is "
                                        "not in the base-address table",
                                        absl::CHexEscape(tensor.name),
                                        address));
  tensor.base = base - bases.begin();
  // The descriptor of an output counts only up to its last element; the section
  // has the whole buffer.
  for (const Segment &segment : result.segments)
    for (const Section &section : segment.sections)
      if (section.address == address && section.size)
        tensor.bytes = section.size;
  if (absl::Status status = checkSurface(tensor); !status.ok())
    return commandError(descriptor.command, descriptor.offset,
                        status.message());
  result.program.tensors.push_back(std::move(tensor));
  return absl::OkStatus();
}

absl::Status Reader::bindTensors() {
  absl::flat_hash_map<std::string, uint64_t> addresses;
  for (const auto &[name, address] : libraries)
    if (!addresses.emplace(name, address).second)
      return absl::InvalidArgumentError(absl::StrFormat(
          "two surfaces are named '%s'", absl::CHexEscape(name)));
  absl::flat_hash_map<std::string, const Descriptor *> bySymbol;
  for (const Descriptor &descriptor : descriptors) {
    const std::string name = absl::CHexEscape(descriptor.symbol);
    if (!addresses.contains(descriptor.symbol))
      return commandError(descriptor.command, descriptor.offset,
                          absl::StrFormat("no surface is named '%s'", name));
    if (!bySymbol.emplace(descriptor.symbol, &descriptor).second)
      return commandError(
          descriptor.command, descriptor.offset,
          absl::StrFormat("second descriptor of surface '%s'", name));
  }
  for (TensorKind kind : {TensorKind::Input, TensorKind::Output})
    for (const auto &[name, address] : libraries) {
      auto found = bySymbol.find(name);
      if (found == bySymbol.end() || found->second->tensor.kind != kind)
        continue;
      if (absl::Status s = bindTensor(*found->second, address); !s.ok())
        return s;
    }
  return absl::OkStatus();
}

absl::Status Reader::readProgram() {
  const Section *text = textSection(result, "__text");
  if (!text || !text->fileOffset || !text->size)
    return absl::InvalidArgumentError("the file has no section __TEXT,__text");
  if (entry < text->address || entry - text->address >= text->size)
    return commandError(
        programCommand, programOffset,
        absl::StrFormat("entry 0x%x is outside the text of %d bytes at 0x%x",
                        entry, text->size, text->address));
  if (!taskCount)
    return commandError(programCommand, programOffset, "program has no task");
  Program &program = result.program;
  program.textBytes = text->size;
  absl::StatusOr<std::vector<Task>> tasks =
      readTasks(program.generation, file.subspan(text->fileOffset, text->size),
                entry - text->address, taskCount, firstTaskWords);
  if (!tasks.ok())
    return absl::InvalidArgumentError(
        absl::StrFormat("section __TEXT,__text at 0x%x: %s", text->fileOffset,
                        tasks.status().message()));
  if (tasks->size() != taskCount)
    return commandError(
        programCommand, programOffset,
        absl::StrFormat("program counts %d tasks, but %d are %s", taskCount,
                        tasks->size(),
                        info(program.generation).stream == StreamKind::Linked
                            ? "chained"
                            : "in the text"));
  program.tasks = *std::move(tasks);
  if (const Section *constants = textSection(result, "__const");
      constants && constants->fileOffset) {
    Bytes bytes = file.subspan(constants->fileOffset, constants->size);
    program.constants = std::make_shared<const std::vector<uint8_t>>(
        bytes.begin(), bytes.end());
  }
  if (uint64_t scratch = bases[BaseScratch])
    for (const Segment &segment : result.segments)
      if (segment.vmAddress == scratch && segment.vmSize)
        program.scratchBytes = segment.vmSize;
  return absl::OkStatus();
}

/// Keeps every byte in which the rendering differs from the file. Runs that are
/// close together become one.
absl::Status Reader::keepResidues() {
  absl::StatusOr<std::vector<uint8_t>> rendered = render(result);
  if (!rendered.ok())
    return rendered.status();
  constexpr uint64_t kGap = 16;
  for (uint64_t i = 0; i < file.size(); ++i) {
    if (file[i] == (*rendered)[i])
      continue;
    uint64_t end = i + 1;
    for (uint64_t j = end; j < file.size() && j < end + kGap; ++j)
      if (file[j] != (*rendered)[j])
        end = j + 1;
    Bytes bytes = file.subspan(i, end - i);
    result.residues.push_back({i, {bytes.begin(), bytes.end()}});
    i = end - 1;
  }
  return checkAmount(result);
}

absl::StatusOr<Container> Reader::read() {
  if (absl::Status s = readHeader(); !s.ok())
    return s;
  if (absl::Status s = readCommands(); !s.ok())
    return s;
  if (absl::Status s = checkLayout(result); !s.ok())
    return s;
  if (absl::Status s = readRelocations(); !s.ok())
    return s;
  if (absl::Status s = readSymbols(); !s.ok())
    return s;
  if (absl::Status s = readThreads(); !s.ok())
    return s;
  if (absl::Status s = bindTensors(); !s.ok())
    return s;
  if (absl::Status s = readProgram(); !s.ok())
    return s;
  if (absl::Status s = keepResidues(); !s.ok())
    return s;
  return std::move(result);
}

absl::StatusOr<Container> readContainer(absl::Span<const uint8_t> file) {
  return Reader(file).read();
}

} // namespace ane::hw
