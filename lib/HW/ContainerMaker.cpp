//===- ContainerMaker.cpp - The container around a program of ours --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes segments, descriptors, symbols and relocations from a Program, laid
// out as compiler 4.2.1 does, or 9.509, of which descriptors and addresses are
// on record but no file. Two things differ on purpose: the names of the
// coefficient streams (the original digest is not known; ours is a hash of the
// stream) and the text that identifies the compiler. Where a program needs what
// no file of that compiler shows, a comment says so.
//
//===----------------------------------------------------------------------===//

#include "ContainerFormat.h"
#include "ProgramThread.h"

#include "ane/HW/H13.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace ane::hw {

using namespace format;

static constexpr uint64_t kFirstAddress = 0x30000000;
static constexpr uint64_t kPageBytes = 0x4000;
/// Section-local, pc-relative, four bytes, against section 2 (`__const`).
static constexpr uint32_t kRelocationInfo = 0x05000002;
static constexpr uint8_t kSymbolExternal = 0xf, kConstSection = 2;
/// Element types, as every file spells them.
static constexpr const char *kTypeStabs[] = {"void:t1=1",
                                             "int8:t2=r2;0;127",
                                             "uint8:t3=r1;0;255",
                                             "int16:t4=r1;-32768;32767",
                                             "float16:t5=r1;2;0",
                                             "float:t6=r1;4;0",
                                             "raw10:t7=r1;-512;511",
                                             "lut:t8=",
                                             "uint4:t9=r1;0;15",
                                             "uint6:t10=r1;0;63"};

/// 64 hexadecimal digits that depend on `bytes` and `seed`.
static std::string streamDigest(absl::Span<const uint8_t> bytes,
                                uint64_t seed) {
  // Four lanes of multiply and rotate over 8-byte words. Identifies, does not
  // authenticate.
  uint64_t lanes[4] = {seed + 0x9e3779b97f4a7c15, seed ^ 0xbf58476d1ce4e5b9,
                       seed - 0x94d049bb133111eb, bytes.size()};
  auto mix = [](uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  };
  for (uint64_t i = 0; i < bytes.size(); i += 8) {
    uint8_t word[8] = {};
    std::memcpy(word, &bytes[i], std::min<uint64_t>(8, bytes.size() - i));
    uint64_t &lane = lanes[i / 8 % 4];
    lane = (lane ^ load64(word)) * 0x9e3779b97f4a7c15;
    lane ^= lane >> 29;
  }
  std::string digest;
  uint64_t state = 0;
  for (uint64_t lane : lanes)
    state = mix(state ^ lane);
  for (uint64_t lane : lanes)
    absl::StrAppendFormat(&digest, "%016X", mix(state += mix(lane)));
  return digest;
}

namespace {

/// A coefficient stream that a task loads.
struct Stream {
  uint64_t textOffset; ///< of the word with its address
  uint64_t constOffset;
  std::string symbol;
};

/// A tensor with the address of its surface.
struct Surface {
  const Tensor *tensor;
  uint64_t address;
};

class Maker {
public:
  Maker(const Program &program, const Signature &signature)
      : signature(signature) {
    result.program = program;
  }

  absl::StatusOr<Container> make();

private:
  std::string symbolOf(const Tensor &tensor) const;
  absl::Status checkTensors() const;
  absl::Status checkTasks();
  absl::Status collectStreams();
  absl::Status collectTaskStreams(const Task &task);
  void fillConstants();
  absl::Status placeSections();
  uint64_t placeRegions(uint64_t scratchBytes);
  absl::Status makeSymbols();
  Segment makeKernelSegment();
  void makeSegments();
  void makeLibraries();
  void makeProgramThread();
  void makeTensorThread(const Tensor &tensor);
  void makeTensorThreads();
  void makeIdent();
  void finishOffsets();

  LoadCommand &command(uint32_t code, uint64_t size);

  Program &program() { return result.program; }
  bool isPacked() const {
    return info(result.program.generation).stream == StreamKind::Packed;
  }
  /// No other form is on record for packed streams.
  bool isV9() const {
    return signature.form == ContainerForm::V9 || isPacked();
  }

  const Signature &signature;
  Container result;
  std::vector<Stream> streams;
  std::vector<Surface> surfaces;
  uint64_t constOffset = 0;  ///< from the start of the text segment
  uint64_t segmentBytes = 0; ///< of the text segment
  uint64_t textAddress = kFirstAddress;
  uint64_t scratchAddress = 0, kernelAddress = 0;
};

} // namespace

// Seen in other compilers' files: outputs end so. It tells an output from an
// input of the same name.
std::string Maker::symbolOf(const Tensor &tensor) const {
  bool isInputToo =
      tensor.kind == TensorKind::Output &&
      std::any_of(result.program.tensors.begin(), result.program.tensors.end(),
                  [&](const Tensor &other) {
                    return other.kind == TensorKind::Input &&
                           other.name == tensor.name;
                  });
  return isInputToo ? tensor.name + "@output" : tensor.name;
}

absl::Status Maker::checkTensors() const {
  absl::flat_hash_set<std::string> symbols;
  absl::flat_hash_set<uint32_t> bases;
  bool sawOutput = false;
  for (const Tensor &tensor : result.program.tensors) {
    auto error = [&](absl::string_view what) {
      return absl::InvalidArgumentError(
          absl::StrFormat("tensor '%s': %s", tensor.name, what));
    };
    if (tensor.name.empty() || tensor.name.find('\0') != std::string::npos)
      return error("the name is empty or has a zero character");
    if (!symbols.insert(symbolOf(tensor)).second)
      return error("another tensor has the same name");
    const uint32_t baseCount = info(result.program.generation).baseCount;
    const uint32_t first = info(result.program.generation).firstTensorBase;
    if (tensor.base < first || tensor.base >= baseCount)
      return error(
          absl::StrFormat("base is %d, but tensors have bases %d to %d",
                          tensor.base, first, baseCount - 1));
    if (!bases.insert(tensor.base).second)
      return error(absl::StrFormat("another tensor has base %d", tensor.base));
    if (!tensor.bytes || tensor.elementCount() == 0)
      return error("the surface has no bytes");
    sawOutput |= tensor.kind == TensorKind::Output;
    if (sawOutput && tensor.kind == TensorKind::Input)
      return error("an input comes after an output, expected inputs first");
  }
  return absl::OkStatus();
}

/// Tasks must be chained in their order: the engine, and every reader, follows
/// the headers.
static absl::Status checkChain(absl::Span<const Task> tasks) {
  for (size_t i = 0; i < tasks.size(); ++i) {
    const bool last = i + 1 == tasks.size();
    const uint32_t next = tasks[i].get(h13::Header::NextPointer);
    const uint32_t size = tasks[i].get(h13::Header::NextSize);
    const uint32_t wantNext = last ? 0 : tasks[i + 1].offset;
    const uint32_t wantSize = last ? 0 : tasks[i + 1].byteSize() / 4 - 1;
    if (next != wantNext || size != wantSize)
      return absl::InvalidArgumentError(absl::StrFormat(
          "task %d: NextPointer is 0x%x and NextSize %d words, but %s wants "
          "0x%x and %d",
          i, next, size,
          last ? std::string("the last task") : absl::StrCat("task ", i + 1),
          wantNext, wantSize));
  }
  return absl::OkStatus();
}

absl::Status Maker::checkTasks() {
  if (program().tasks.empty())
    return absl::InvalidArgumentError("a program needs at least one task");
  if (!isPacked())
    if (absl::Status status = checkChain(program().tasks); !status.ok())
      return status;
  uint64_t end = 0;
  for (const Task &task : program().tasks)
    end = std::max<uint64_t>(end, uint64_t(task.offset) + task.byteSize());
  if (!program().textBytes)
    program().textBytes = end;
  if (program().textBytes < end)
    return absl::InvalidArgumentError(
        absl::StrFormat("text has %d bytes, but the last task ends at byte %d",
                        program().textBytes, end));
  // Each finds the next by its size.
  if (isPacked())
    return writeTasks(program().generation, program().tasks, end).status();
  return absl::OkStatus();
}

/// Position of the word of register `address` in the text, or -1.
static int64_t wordPosition(const Task &task, uint32_t address) {
  uint64_t at = task.offset + 4 * task.header.size();
  for (const Record &record : task.records) {
    at += 4;
    if (std::optional<size_t> index = record.indexOf(address))
      return at + 4 * *index;
    at += 4 * record.words.size();
  }
  return -1;
}

absl::Status Maker::collectTaskStreams(const Task &task) {
  using namespace h13::KernelDMASrc;
  // A kernel may also come from a tensor (seen: products of two run-time
  // operands); the driver binds that through its base register.
  if (!task.get(h13::Header::KBE0) ||
      task.get(h13::Header::KBase0) != BaseConst)
    return absl::OkStatus();
  absl::Span<const uint8_t> constants = program().constantBytes();
  std::vector<Stream> found;
  std::vector<uint64_t> sizes;
  for (uint32_t i = 0; i < info(Generation::H13).neCount; ++i) {
    if (!task.get(CoeffDMAConfig_En(i)))
      continue;
    const uint64_t offset = task.get(CoeffBaseAddr_Addr(i));
    const uint64_t size = task.get(CoeffBfrSize_MemBfrSize(i));
    const int64_t position = wordPosition(task, CoeffBaseAddr_Addr(i).address);
    if (position < 0)
      continue; // Keeps the address that an earlier task wrote.
    if (offset > constants.size() || size > constants.size() - offset)
      return absl::InvalidArgumentError(absl::StrFormat(
          "task at 0x%x: coefficient stream %d covers %d bytes at 0x%x of the "
          "constants, which have %d bytes",
          task.offset, i, size, offset, constants.size()));
    found.push_back({uint64_t(position), offset, absl::StrCat("_ne_", i)});
    sizes.push_back(size);
  }
  if (found.empty())
    return absl::OkStatus();
  // One name a task: the digest of its first stream and of its place, since two
  // tasks may have equal coefficients at different places.
  const std::string name =
      "K" + streamDigest(constants.subspan(found[0].constOffset, sizes[0]),
                         found[0].constOffset);
  // Seen: a table that goes to a bypass (one stream) has no `_ne_0`.
  const bool table =
      task.get(h13::NE::MACCfg_OpMode) == h13::NE::OpMode::Bypass;
  for (Stream &stream : found) {
    stream.symbol = table ? name : name + stream.symbol;
    streams.push_back(stream);
  }
  return absl::OkStatus();
}

absl::Status Maker::collectStreams() {
  // Guess: the records of a packed stream that have a base are what the loader
  // needs, so that nothing is left to relocate.
  if (isPacked())
    return absl::OkStatus();
  for (const Task &task : program().tasks)
    if (absl::Status status = collectTaskStreams(task); !status.ok())
      return status;
  return absl::OkStatus();
}

/// Seen: without constants there is a section of zeros nevertheless; of
/// coefficients in a segment of their own there is none.
void Maker::fillConstants() {
  if (!program().tensorConstants().empty())
    return;
  auto bytes = std::make_shared<std::vector<uint8_t>>(
      program().kernels().begin(), program().kernels().end());
  program().kernelBytes = bytes->size();
  bytes->resize(alignTo(bytes->size(), info(program().generation).streamAlign) +
                kPageBytes);
  program().constants = std::move(bytes);
}

absl::Status Maker::placeSections() {
  fillConstants();
  const uint64_t align = info(program().generation).streamAlign;
  constOffset = alignTo(program().textBytes, align);
  segmentBytes =
      alignTo(constOffset + program().tensorConstants().size(), kPageBytes);
  const uint64_t scratchBytes = alignTo(program().scratchBytes, kPageBytes);
  for (const Tensor &tensor : program().tensors) {
    surfaces.push_back({&tensor, 0});
    if (tensor.bytes > UINT32_MAX)
      return absl::OutOfRangeError(
          absl::StrFormat("tensor '%s' has %d bytes; a surface has at most %d",
                          tensor.name, tensor.bytes, UINT32_MAX));
  }
  uint64_t end = placeRegions(scratchBytes);
  if (program().scratchBytes > UINT32_MAX || end > UINT32_MAX)
    return absl::OutOfRangeError(absl::StrFormat(
        "text, constants, tensors and %d bytes of scratch end at 0x%x, but "
        "addresses of a program have 32 bits",
        program().scratchBytes, end));
  return absl::OkStatus();
}

/// Addresses of the text, the surfaces and the scratch region in the order of
/// the form; returns the end of the last one.
uint64_t Maker::placeRegions(uint64_t scratchBytes) {
  uint64_t address = kFirstAddress;
  auto place = [&](uint64_t &start, uint64_t bytes) {
    start = address;
    address += alignTo(bytes, kPageBytes);
  };
  std::vector<Surface *> order;
  order.reserve(surfaces.size());
  for (Surface &surface : surfaces)
    order.push_back(&surface);
  if (isV9()) {
    std::sort(order.begin(), order.end(), [](Surface *a, Surface *b) {
      return a->tensor->name < b->tensor->name;
    });
    place(scratchAddress, scratchBytes);
  } else {
    place(textAddress, segmentBytes);
  }
  for (Surface *surface : order)
    place(surface->address, surface->tensor->bytes);
  if (isV9())
    place(textAddress, segmentBytes);
  else
    place(scratchAddress, scratchBytes);
  if (!program().kernels().empty())
    place(kernelAddress, program().kernels().size());
  return address;
}

absl::Status Maker::makeSymbols() {
  // Tasks may share a stream; it has one symbol.
  absl::flat_hash_set<uint64_t> named;
  for (const Stream &stream : streams)
    if (named.insert(stream.constOffset).second)
      result.symbols.push_back(
          {stream.symbol, kSymbolExternal, kConstSection, 2,
           textAddress + constOffset + stream.constOffset});
  const std::vector<std::string> &names = signature.streamNames;
  if (!names.empty() && names.size() != result.symbols.size())
    return absl::InvalidArgumentError(absl::StrFormat(
        "the signature names %d coefficient streams, but the tasks load %d",
        names.size(), result.symbols.size()));
  for (size_t i = 0; i < names.size(); ++i)
    result.symbols[i].name = names[i];
  uint8_t section = 3;
  for (const Surface &surface : surfaces)
    result.symbols.push_back(
        {symbolOf(*surface.tensor), kSymbolExternal, section++,
         uint16_t(surface.tensor->kind == TensorKind::Input ? 2 : 0),
         surface.address});
  for (const char *stab : kTypeStabs)
    result.symbols.push_back({stab, 0x80, 0, 0, 0});
  // A tensor is an array type of five numbers; the first stands in the symbol.
  uint16_t number = std::size(kTypeStabs) + 1;
  for (const Surface &surface : surfaces) {
    const Tensor &t = *surface.tensor;
    std::string stab = absl::StrFormat(
        "%s:t%d=ar1;0;%d;%d=s%dn:ar1;0;%d;%d=s%dc:ar1;0;%d;%d=s%dh:ar1;0;%d;"
        "%d=s%dw:%d",
        symbolOf(t), number, t.shape[0], number + 1, t.strides[0], t.shape[1],
        number + 2, t.strides[1], t.shape[2], number + 3, t.strides[2],
        t.shape[3], number + 4, t.strides[3], elementCode(t.type));
    result.symbols.push_back({stab, 0x20, 0, number, 0});
    number += 5;
  }
  return absl::OkStatus();
}

static Section makeSection(const char *name, const char *segment,
                           uint64_t address, uint64_t size, uint32_t alignLog2,
                           uint32_t flags) {
  Section section;
  section.name = name;
  section.segment = segment;
  section.address = address;
  section.size = size;
  section.alignLog2 = alignLog2;
  section.flags = flags;
  return section;
}

/// Seen: address, bytes and that there is one. Its flags are those of the
/// section of constants (guess).
Segment Maker::makeKernelSegment() {
  Segment segment;
  segment.name = kKernelSegment;
  segment.vmAddress = kernelAddress;
  segment.vmSize = segment.fileSize =
      alignTo(program().kernels().size(), kPageBytes);
  segment.maxProtection = segment.initialProtection = 1;
  segment.flags = 4;
  segment.sections = {makeSection(kKernelSection, kKernelSegment, kernelAddress,
                                  program().kernels().size(), 14, 0x26)};
  return segment;
}

void Maker::makeSegments() {
  Segment pageZero;
  pageZero.name = "__PAGEZERO";
  pageZero.vmSize = kPageBytes;
  pageZero.flags = 4;
  Segment text;
  text.name = "__TEXT";
  text.vmAddress = textAddress;
  text.vmSize = text.fileSize = segmentBytes;
  text.maxProtection = text.initialProtection = 5;
  text.flags = streams.empty() ? 4 : 0;
  Section tasks =
      makeSection("__text", "__TEXT", textAddress, program().textBytes, 14,
                  streams.empty() ? 0x28 : 0x128);
  for (const Stream &stream : streams)
    tasks.relocations.push_back({uint32_t(stream.textOffset), kRelocationInfo});
  tasks.relocationCount = tasks.relocations.size();
  Section constants =
      makeSection("__const", "__TEXT", textAddress + constOffset,
                  program().tensorConstants().size(), 6, 0x26);
  text.sections = {tasks, constants};
  result.segments = {pageZero, text};
  for (const Surface &surface : surfaces) {
    const bool input = surface.tensor->kind == TensorKind::Input;
    Segment segment;
    segment.name = "__FVMLIB";
    segment.vmAddress = surface.address;
    segment.vmSize = alignTo(surface.tensor->bytes, kPageBytes);
    segment.maxProtection = segment.initialProtection = input ? 1 : 2;
    segment.flags = 6;
    segment.sections = {makeSection(input ? "__const" : "__data", "__FVMLIB",
                                    surface.address, surface.tensor->bytes, 14,
                                    input ? 0x21 : 0x23)};
    result.segments.push_back(segment);
  }
  if (!program().kernels().empty())
    result.segments.push_back(makeKernelSegment());
  if (!program().scratchBytes)
    return;
  // Deduced: no file of compiler 4.2.1 has intermediates. A segment without
  // sections says how large the region is; the base table says where.
  Segment scratch;
  scratch.name = "__SCRATCH";
  scratch.vmAddress = scratchAddress;
  scratch.vmSize = alignTo(program().scratchBytes, kPageBytes);
  scratch.maxProtection = scratch.initialProtection = 3;
  scratch.flags = 6;
  program().scratchBytes = scratch.vmSize;
  result.segments.push_back(scratch);
}

LoadCommand &Maker::command(uint32_t code, uint64_t size) {
  LoadCommand &command = result.commands.emplace_back();
  command.command = code;
  command.bytes.resize(size);
  store32(&command.bytes[0], code);
  store32(&command.bytes[4], size);
  return command;
}

void Maker::makeLibraries() {
  for (const Surface &surface : surfaces) {
    const std::string name = symbolOf(*surface.tensor);
    uint8_t *at =
        command(LoadLibrary, alignTo(0x14 + name.size() + 1, 8)).bytes.data();
    store32(at + 8, 0x14);
    store32(at + 0x10, surface.address);
    storeText(at + 0x14, name);
  }
}

void Maker::makeProgramThread() {
  ProgramThread thread;
  thread.generation = program().generation;
  thread.form = signature.form;
  thread.name = program().name;
  thread.bases = {{BaseText, textAddress},
                  {BaseConst, textAddress + constOffset}};
  if (program().scratchBytes)
    thread.bases.push_back({BaseScratch, scratchAddress});
  for (const Surface &surface : surfaces)
    thread.bases.push_back({surface.tensor->base, surface.address});
  if (kernelAddress)
    thread.bases.push_back({program().kernelBase(), kernelAddress});
  thread.textAddress = textAddress;
  thread.tasks = program().tasks;
  thread.kind = signature.programKind;
  result.commands.push_back(encodeProgramThread(thread));
}

void Maker::makeTensorThread(const Tensor &tensor) {
  const uint32_t strings = isV9() ? kTensorStringsV9 : kTensorStrings;
  const uint64_t symbol = strings + program().name.size() + 1;
  const std::string symbolName = symbolOf(tensor);
  const uint64_t name = symbol + symbolName.size() + 1;
  uint8_t *at =
      command(Thread, alignTo(name + tensor.name.size() + 1, 8)).bytes.data();
  const bool input = tensor.kind == TensorKind::Input;
  store32(at + kThreadFlavor, kFlavorTensor);
  store32(at + kThreadCount, (strings - kThreadState) / 4);
  store32(at + kTensorVersion, 3);
  store32(at + kTensorDirection, input ? kDirectionInput : kDirectionOutput);
  store32(at + kTensorProgram, strings);
  store32(at + kTensorSymbol, symbol);
  store32(at + kTensorElement, elementCode(tensor.type));
  for (size_t i = 0; i < 5; ++i) {
    store32(at + kTensorShape + 4 * i, tensor.shape[i]);
    store64(at + kTensorStrides + 8 * i, tensor.strides[i]);
  }
  store32(at + kTensorInterleave, tensor.interleave);
  store32(at + kTensorName, name);
  // Seen: an input counts its whole buffer, an output ends with its last
  // element; version 9 counts one image of either.
  uint64_t bytes = tensor.bytes;
  if (isV9()) {
    bytes = tensor.shape[1] * tensor.strides[1];
  } else if (!input) {
    bytes = elementBytes(tensor.type);
    for (uint32_t i = 0; i < 4; ++i)
      bytes += (tensor.shape[i] - 1) * tensor.strides[i];
  }
  store64(at + kTensorSize, bytes);
  storeText(at + strings, program().name);
  storeText(at + symbol, symbolName);
  storeText(at + name, tensor.name);
}

void Maker::makeTensorThreads() {
  // Seen: inputs sorted by name, then the outputs.
  std::vector<const Tensor *> inputs;
  for (const Tensor &tensor : program().tensors)
    if (tensor.kind == TensorKind::Input)
      inputs.push_back(&tensor);
  std::sort(inputs.begin(), inputs.end(),
            [](auto *a, auto *b) { return a->name < b->name; });
  for (const Tensor *tensor : inputs)
    makeTensorThread(*tensor);
  for (const Tensor &tensor : program().tensors)
    if (tensor.kind == TensorKind::Output)
      makeTensorThread(tensor);
}

void Maker::makeIdent() {
  const std::string text =
      signature.ident.empty() ? ourIdent(program()) : signature.ident;
  LoadCommand &ident = command(Ident, alignTo(8 + text.size() + 1, 8));
  std::memcpy(&ident.bytes[8], text.data(), text.size());
}

/// Places symbols, strings, relocations and sections after the load commands,
/// which all have their final size by now.
void Maker::finishOffsets() {
  uint64_t commandBytes = 0;
  for (const LoadCommand &command : result.commands)
    commandBytes += command.bytes.size();
  const GenerationInfo &generation = info(program().generation);
  result.header = {kMagic,
                   kCpuType,
                   generation.cpuSubtype,
                   kFileType,
                   uint32_t(result.commands.size()),
                   uint32_t(commandBytes),
                   kHeaderFlags,
                   0};
  const uint64_t symbolOffset = kHeaderBytes + commandBytes;
  const uint64_t stringOffset =
      symbolOffset + result.symbols.size() * kSymbolBytes;
  uint64_t stringBytes = 1;
  for (const Symbol &symbol : result.symbols)
    stringBytes += symbol.name.size() + 1;
  uint8_t *table = result.commands.back().bytes.data();
  store32(table + 8, symbolOffset);
  store32(table + 12, result.symbols.size());
  store32(table + 16, stringOffset);
  store32(table + 20, stringBytes);
  uint64_t end = stringOffset + stringBytes;
  Segment &text = result.segments[1];
  Section &tasks = text.sections[0];
  if (tasks.relocationCount) {
    tasks.relocationOffset = alignTo(end, 8);
    end = tasks.relocationOffset +
          uint64_t(tasks.relocationCount) * kRelocationBytes;
  }
  // Seen: 0x4000. Deduced: a later page when the symbols need more room.
  text.fileOffset = alignTo(end, kPageBytes);
  tasks.fileOffset = text.fileOffset;
  text.sections[1].fileOffset = text.fileOffset + constOffset;
  result.fileSize = text.fileOffset + segmentBytes;
  for (Segment &segment : result.segments)
    if (segment.name == kKernelSegment) {
      segment.fileOffset = segment.sections[0].fileOffset = result.fileSize;
      result.fileSize += segment.fileSize;
    }
  for (size_t i = 0; i < result.segments.size(); ++i)
    result.commands[i] = encodeSegment(result.segments[i]);
}

absl::StatusOr<Container> Maker::make() {
  if (absl::Status status = checkTensors(); !status.ok())
    return status;
  if (absl::Status status = checkTasks(); !status.ok())
    return status;
  if (absl::Status status = collectStreams(); !status.ok())
    return status;
  if (absl::Status status = placeSections(); !status.ok())
    return status;
  if (absl::Status status = makeSymbols(); !status.ok())
    return status;
  makeSegments();
  for (const Segment &segment : result.segments)
    result.commands.push_back(encodeSegment(segment));
  makeLibraries();
  makeProgramThread();
  makeTensorThreads();
  makeIdent();
  command(SymbolTable, kSymbolTableBytes);
  finishOffsets();
  return std::move(result);
}

absl::StatusOr<Container> makeContainer(const Program &program,
                                        const Signature &signature) {
  return Maker(program, signature).make();
}

Signature signatureOf(const Container &container) {
  Signature signature;
  signature.ident = identOf(container);
  const ProgramLayout &layout =
      programLayout(info(container.program.generation).stream);
  for (const LoadCommand &command : container.commands) {
    const std::vector<uint8_t> &bytes = command.bytes;
    if (command.command == Thread && bytes.size() >= layout.minBytes &&
        load32(&bytes[kThreadFlavor]) == layout.flavor) {
      signature.programKind = load32(&bytes[layout.kind]);
      if (load32(&bytes[layout.nameOffset]) == kProgramNameV9)
        signature.form = ContainerForm::V9;
    }
  }
  if (signature.ident == ourIdent(container.program))
    signature.ident.clear();
  for (const Symbol &symbol : container.symbols)
    if (symbol.type == kSymbolExternal && symbol.section == kConstSection)
      signature.streamNames.push_back(symbol.name);
  // Names that we would give ourselves say nothing.
  Signature unnamed = signature;
  unnamed.streamNames.clear();
  absl::StatusOr<Container> ours = makeContainer(container.program, unnamed);
  if (ours.ok() && sameWrapping(*ours, container))
    signature.streamNames.clear();
  return signature;
}

bool sameWrapping(const Container &a, const Container &b) {
  auto sameCommand = [](const LoadCommand &a, const LoadCommand &b) {
    return a.bytes == b.bytes;
  };
  auto sameSymbol = [](const Symbol &a, const Symbol &b) {
    return std::tie(a.name, a.type, a.section, a.description, a.value) ==
           std::tie(b.name, b.type, b.section, b.description, b.value);
  };
  auto sameRelocation = [](const Relocation &a, const Relocation &b) {
    return a.address == b.address && a.info == b.info;
  };
  auto sameSection = [&](const Section &a, const Section &b) {
    return std::equal(a.relocations.begin(), a.relocations.end(),
                      b.relocations.begin(), b.relocations.end(),
                      sameRelocation);
  };
  auto sameSegment = [&](const Segment &a, const Segment &b) {
    return std::equal(a.sections.begin(), a.sections.end(), b.sections.begin(),
                      b.sections.end(), sameSection);
  };
  return a.header == b.header && a.fileSize == b.fileSize &&
         a.residues.empty() && b.residues.empty() &&
         a.program.textBytes == b.program.textBytes &&
         std::equal(a.commands.begin(), a.commands.end(), b.commands.begin(),
                    b.commands.end(), sameCommand) &&
         std::equal(a.symbols.begin(), a.symbols.end(), b.symbols.begin(),
                    b.symbols.end(), sameSymbol) &&
         std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(),
                    b.segments.end(), sameSegment);
}

} // namespace ane::hw
