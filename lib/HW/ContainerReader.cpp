//===- ContainerReader.cpp - From the bytes of a file to a container ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every offset and count is checked against the bytes that are there before
// anything is read or allocated. Errors and notes say which load command, at
// which offset of the file, has which value and what was expected. What is not
// understood becomes residue, since the rendering has zeros in its place.
//
//===----------------------------------------------------------------------===//

#include "ContainerFormat.h"
#include "ProgramThread.h"

#include "ane/HW/Layout.h"
#include "ane/Support/Pointer.h"

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"

#include <algorithm>

namespace ane::hw {

using namespace format;

using Bytes = absl::Span<const uint8_t>;

/// The characters up to the first zero, at most the whole span.
static std::string zeroTerminated(Bytes bytes) {
  auto end = absl::c_find(bytes, 0);
  return std::string(bytes.begin(), end);
}

bool isSegment(const LoadCommand &command) {
  return command.command == Segment64;
}

std::vector<Library> librariesOf(const Container &container) {
  std::vector<Library> libraries;
  for (const LoadCommand &command : container.commands) {
    const bool wide = command.command == LoadLibrary64;
    if (!wide && command.command != LoadLibrary)
      continue;
    Bytes bytes = command.bytes;
    if (bytes.size() < (wide ? kLibrary64Bytes : kLibraryBytes) ||
        load32(&bytes[kLibraryNameOffset]) >= bytes.size())
      continue;
    const uint8_t *address = &bytes[kLibraryAddress];
    libraries.push_back(
        {zeroTerminated(bytes.subspan(load32(&bytes[kLibraryNameOffset]))),
         wide ? load64(address) : load32(address)});
  }
  return libraries;
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

/// A place of a tensor, as a library command or a symbol names it.
struct Surface {
  std::string name;
  uint64_t address;
  const Descriptor *descriptor = nullptr;
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
  void describeSegments();
  void readCommand(size_t index, uint64_t offset, const LoadCommand &command);
  void readContents();
  absl::Status readProgramThread(size_t index, uint64_t offset, Bytes bytes);
  absl::Status readTensorThread(size_t index, uint64_t offset, Bytes bytes);
  absl::Status readLibrary(size_t index, uint64_t offset, Bytes bytes);
  bool agree(const Surface &surface, const Tensor &tensor) const;
  Surface *findSurface(const Descriptor &descriptor);
  absl::Status bindTensor(const Surface &surface);
  void bindTensors();
  void readConstants();
  absl::Status readProgram();
  absl::Status keepResidues();

  void note(Note::Missing missing, absl::string_view text) {
    // A note is longer than what it may be about.
    constexpr size_t kMaxNotes = 256;
    if (missing == Note::Nothing && result.notes.size() >= kMaxNotes) {
      if (result.notes.size() == kMaxNotes)
        result.notes.push_back({missing, "and more"});
      return;
    }
    result.notes.push_back({missing, std::string(text)});
  }
  /// Of surfaces and descriptors: the base table has no room for more.
  absl::Status checkRoom(size_t index, uint64_t offset, size_t count) const {
    if (count < layout->baseCount)
      return absl::OkStatus();
    return commandError(index, offset,
                        absl::StrFormat("the base-address table has room for "
                                        "%d tensors",
                                        layout->baseCount));
  }
  void noteFailure(Note::Missing missing, const absl::Status &status) {
    if (!status.ok())
      note(missing, status.message());
  }

  Bytes file;
  Container result;
  const ProgramLayout *layout = nullptr; ///< of the program thread
  std::vector<Surface> surfaces;         ///< in the order of the file
  std::string ident;
  std::vector<Descriptor> descriptors;
  std::vector<uint64_t> bases;
  bool hasProgram = false;
  size_t programCommand = 0;
  uint64_t programOffset = 0, entry = 0;
  uint32_t taskCount = 0, firstTaskWords = 0;
};

} // namespace

absl::Status Reader::readHeader() {
  if (isLfsPointer({reinterpret_cast<const char *>(file.data()), file.size()}))
    return absl::InvalidArgumentError(
        absl::StrCat("the file ", kLfsPointerText));
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
  if (bytes.size() < layout->minBytes)
    return commandError(
        index, offset,
        absl::StrFormat("program thread has %d bytes, expected at least %d",
                        bytes.size(), layout->minBytes));
  if (hasProgram)
    return commandError(index, offset,
                        absl::StrFormat("second program; load command %d "
                                        "already describes one",
                                        programCommand));
  hasProgram = true;
  programCommand = index;
  programOffset = offset;
  for (uint32_t i = 0; i < layout->baseCount; ++i)
    bases[i] = load64(&bytes[kThreadState + layout->baseBytes * i]);
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
  if (absl::Status status = checkRoom(index, offset, descriptors.size());
      !status.ok())
    return status;
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
  const auto *type = absl::c_find_if(
      types, [&](auto type) { return elementCode(type) == element; });
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
  const bool wide = result.commands[index].command == LoadLibrary64;
  const uint32_t least = wide ? kLibrary64Bytes : kLibraryBytes;
  if (bytes.size() < least ||
      load32(&bytes[kLibraryNameOffset]) >= bytes.size())
    return commandError(index, offset,
                        absl::StrFormat("library name leaves the command of %d "
                                        "bytes",
                                        bytes.size()));
  if (absl::Status status = checkRoom(index, offset, surfaces.size());
      !status.ok())
    return status;
  const uint8_t *address = &bytes[kLibraryAddress];
  surfaces.push_back(
      {zeroTerminated(bytes.subspan(load32(&bytes[kLibraryNameOffset]))),
       wide ? load64(address) : load32(address)});
  return absl::OkStatus();
}

/// Segments that this reader knows nothing about.
void Reader::describeSegments() {
  for (const Segment &segment : result.segments)
    if (segment.fileSize && segment.name != "__TEXT" &&
        !(kernelSection(result) && segment.name == kKernelSegment))
      note(
          Note::Nothing,
          absl::StrFormat("segment %s with %d bytes at 0x%x of the file is not "
                          "known",
                          absl::CHexEscape(segment.name), segment.fileSize,
                          segment.fileOffset));
}

void Reader::readCommand(size_t index, uint64_t offset,
                         const LoadCommand &command) {
  Bytes bytes = command.bytes;
  switch (command.command) {
  case Segment64:
  case SymbolTable:
    return;
  case Ident:
    ident = zeroTerminated(bytes.subspan(8));
    return;
  case LoadLibrary:
  case LoadLibrary64:
    return noteFailure(Note::Nothing, readLibrary(index, offset, bytes));
  case Thread:
    break;
  default:
    return noteFailure(
        Note::Nothing,
        commandError(index, offset,
                     absl::StrFormat("code 0x%x is not known; it has %d "
                                     "bytes",
                                     command.command, bytes.size())));
  }
  const uint32_t flavor =
      bytes.size() < kThreadState ? 0 : load32(&bytes[kThreadFlavor]);
  if (flavor == layout->flavor)
    return noteFailure(Note::Tasks, readProgramThread(index, offset, bytes));
  if (flavor == kFlavorTensor)
    return noteFailure(Note::Tensor, readTensorThread(index, offset, bytes));
  noteFailure(Note::Nothing,
              commandError(index, offset,
                           absl::StrFormat("thread of flavor %d is not known; "
                                           "it has %d bytes",
                                           flavor, bytes.size())));
}

void Reader::readContents() {
  bases.resize(layout->baseCount);
  describeSegments();
  uint64_t offset = kHeaderBytes;
  for (size_t i = 0; i < result.commands.size(); ++i) {
    readCommand(i, offset, result.commands[i]);
    offset += result.commands[i].bytes.size();
  }
  if (!hasProgram)
    note(Note::Tasks,
         absl::StrFormat("none of the %d load commands describes a program "
                         "(thread of flavor %d)",
                         result.commands.size(), layout->flavor));
}

absl::Status Reader::bindTensor(const Surface &surface) {
  const Descriptor &descriptor = *surface.descriptor;
  Tensor tensor = descriptor.tensor;
  auto fail = [&](absl::string_view what) {
    return commandError(descriptor.command, descriptor.offset, what);
  };
  auto base =
      std::find(bases.begin() + info(result.program.generation).firstTensorBase,
                bases.end(), surface.address);
  if (base == bases.end() || !surface.address)
    return fail(absl::StrFormat("tensor '%s' lies at 0x%x, which is not in the "
                                "base-address table",
                                absl::CHexEscape(tensor.name),
                                surface.address));
  tensor.base = base - bases.begin();
  // An input and an output may have one name.
  for (const Tensor &other : result.program.tensors)
    if ((other.name == tensor.name && other.kind == tensor.kind) ||
        other.base == tensor.base)
      return fail(
          absl::StrFormat("tensor '%s' with base %d is like tensor '%s' "
                          "with base %d",
                          absl::CHexEscape(tensor.name), tensor.base,
                          absl::CHexEscape(other.name), other.base));
  // The descriptor of an output counts only up to its last element; the section
  // has the whole buffer.
  for (const Segment &segment : result.segments)
    for (const Section &section : segment.sections)
      if (section.address == surface.address && section.size)
        tensor.bytes = section.size;
  if (absl::Status status = checkSurface(tensor); !status.ok())
    return fail(status.message());
  result.program.tensors.push_back(std::move(tensor));
  return absl::OkStatus();
}

/// Whether the segment of a surface lets the engine do what the tensor needs:
/// all on record are either read or written.
bool Reader::agree(const Surface &surface, const Tensor &tensor) const {
  constexpr uint32_t kRead = 1, kWrite = 2;
  for (const Segment &segment : result.segments)
    if (segment.vmAddress == surface.address && segment.vmSize &&
        (segment.initialProtection == kRead ||
         segment.initialProtection == kWrite))
      return (segment.initialProtection == kRead) ==
             (tensor.kind == TensorKind::Input);
  return true;
}

/// The surface of a descriptor: by the name of its symbol, else by the name
/// that callers know. (Seen since version 5: libraries have the latter, which
/// for outputs lacks the `@output` of the symbol.)
Surface *Reader::findSurface(const Descriptor &descriptor) {
  for (const std::string &name : {descriptor.symbol, descriptor.tensor.name})
    for (Surface &surface : surfaces)
      if (surface.name == name && !surface.descriptor &&
          agree(surface, descriptor.tensor))
        return &surface;
  return nullptr;
}

void Reader::bindTensors() {
  // What no library names a symbol may.
  absl::flat_hash_set<uint64_t> places;
  for (const Surface &surface : surfaces)
    places.insert(surface.address);
  for (const Symbol &symbol : result.symbols)
    if (std::count(bases.begin() +
                       info(result.program.generation).firstTensorBase,
                   bases.end(), symbol.value) &&
        symbol.value && places.insert(symbol.value).second)
      surfaces.push_back({symbol.name, symbol.value});
  for (const Descriptor &descriptor : descriptors) {
    if (Surface *surface = findSurface(descriptor))
      surface->descriptor = &descriptor;
    else
      noteFailure(Note::Tensor,
                  commandError(descriptor.command, descriptor.offset,
                               absl::StrFormat(
                                   "no surface is named '%s' that has no other "
                                   "descriptor",
                                   absl::CHexEscape(descriptor.symbol))));
  }
  for (TensorKind kind : {TensorKind::Input, TensorKind::Output})
    for (const Surface &surface : surfaces)
      if (surface.descriptor && surface.descriptor->tensor.kind == kind)
        noteFailure(Note::Tensor, bindTensor(surface));
  for (const Surface &surface : surfaces)
    if (!surface.descriptor)
      note(Note::Nothing,
           absl::StrFormat("surface '%s' at 0x%x has no descriptor",
                           absl::CHexEscape(surface.name), surface.address));
  readIdent(ident, result.program);
}

/// Coefficients first, then tensors.
void Reader::readConstants() {
  Program &program = result.program;
  auto bytes = std::make_shared<std::vector<uint8_t>>();
  auto append = [&](const Section *section) {
    if (!section || !section->fileOffset)
      return;
    Bytes part = file.subspan(section->fileOffset, section->size);
    bytes->insert(bytes->end(), part.begin(), part.end());
  };
  if (const Section *kernels = kernelSection(result)) {
    append(kernels);
    program.kernelBytes = bytes->size();
    bytes->resize(alignTo(bytes->size(), info(program.generation).streamAlign));
    // Tasks find it by its entry in the table.
    const uint32_t base = program.kernelBase();
    if (base >= bases.size() || bases[base] != kernels->address)
      note(Note::Tasks,
           absl::StrFormat("section %s,%s lies at 0x%x, expected it at base %d "
                           "of the base-address table",
                           kKernelSegment, kKernelSection, kernels->address,
                           base));
  }
  append(textSection(result, "__const"));
  if (!bytes->empty())
    program.constants = std::move(bytes);
}

absl::Status Reader::readProgram() {
  const Section *text = textSection(result, "__text");
  if (!text || !text->fileOffset || !text->size)
    return absl::InvalidArgumentError("the file has no section __TEXT,__text");
  auto noteProgram = [&](absl::string_view what) {
    noteFailure(Note::Tasks, commandError(programCommand, programOffset, what));
  };
  if (!hasProgram)
    entry = text->address;
  else if (!taskCount)
    noteProgram("program has no task");
  Program &program = result.program;
  program.textBytes = text->size;
  TaskStream stream;
  if (entry < text->address || entry - text->address >= text->size) {
    noteProgram(
        absl::StrFormat("entry 0x%x is outside the text of %d bytes at 0x%x",
                        entry, text->size, text->address));
  } else {
    stream = readTasksUntilFault(
        program.generation, file.subspan(text->fileOffset, text->size),
        entry - text->address, taskCount, firstTaskWords);
    if (!stream.status.ok())
      note(stream.complete ? Note::Nothing : Note::Tasks,
           absl::StrFormat("section __TEXT,__text at 0x%x: %s",
                           text->fileOffset, stream.status.message()));
    if (taskCount && stream.complete && stream.tasks.size() != taskCount)
      noteProgram(
          absl::StrFormat("program counts %d tasks, but %d are %s", taskCount,
                          stream.tasks.size(),
                          info(program.generation).stream == StreamKind::Linked
                              ? "chained"
                              : "in the text"));
  }
  program.tasks = std::move(stream.tasks);
  if (program.tasks.empty())
    return checkComplete(result, Note::Tensor);
  readConstants();
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
  if (absl::Status s = readSymbols(); !s.ok()) {
    note(Note::Nothing, s.message());
    result.symbols.clear();
  }
  readContents();
  bindTensors();
  if (absl::Status s = readProgram(); !s.ok())
    return s;
  if (absl::Status s = keepResidues(); !s.ok())
    return s;
  return std::move(result);
}

absl::StatusOr<Container> readContainer(absl::Span<const uint8_t> file) {
  return Reader(file).read();
}

absl::Status checkComplete(const Container &container, Note::Missing allowed) {
  for (const Note &note : container.notes)
    if (note.missing > allowed)
      return absl::InvalidArgumentError(note.text);
  return absl::OkStatus();
}

absl::StatusOr<Program> readProgram(absl::Span<const uint8_t> file) {
  absl::StatusOr<Container> container = readContainer(file);
  if (!container.ok())
    return container.status();
  if (absl::Status s = checkComplete(*container, Note::Nothing); !s.ok())
    return s;
  return std::move(container->program);
}

} // namespace ane::hw
