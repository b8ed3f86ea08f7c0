//===- ContainerWriter.cpp - From a container to the bytes of a file ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Renders what a Container understands into a file and lays its residues over
// it. The reader takes as residue every byte in which this rendering differs
// from the file that it read, so that writing gives that file back whatever is
// in it.
//
//===----------------------------------------------------------------------===//

#include "ContainerFormat.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>

namespace ane::hw {

using namespace format;

static void storeName(uint8_t *at, const std::string &name) {
  storeText(at, absl::string_view(name).substr(0, 16));
}

LoadCommand encodeSegment(const Segment &segment) {
  LoadCommand result;
  result.command = Segment64;
  result.bytes.resize(kSegmentBytes + kSectionBytes * segment.sections.size());
  uint8_t *at = result.bytes.data();
  store32(at, Segment64);
  store32(at + 4, result.bytes.size());
  storeName(at + 8, segment.name);
  store64(at + 24, segment.vmAddress);
  store64(at + 32, segment.vmSize);
  store64(at + 40, segment.fileOffset);
  store64(at + 48, segment.fileSize);
  store32(at + 56, segment.maxProtection);
  store32(at + 60, segment.initialProtection);
  store32(at + 64, segment.sections.size());
  store32(at + 68, segment.flags);
  at += kSegmentBytes;
  for (const Section &section : segment.sections) {
    storeName(at, section.name);
    storeName(at + 16, section.segment);
    store64(at + 32, section.address);
    store64(at + 40, section.size);
    const uint32_t words[] = {
        section.fileOffset,      section.alignLog2,  section.relocationOffset,
        section.relocationCount, section.flags,      section.reserved[0],
        section.reserved[1],     section.reserved[2]};
    for (size_t i = 0; i < 8; ++i)
      store32(at + 48 + 4 * i, words[i]);
    at += kSectionBytes;
  }
  return result;
}

namespace format {

SymbolTableRange symbolTableRange(const Container &container) {
  for (const LoadCommand &command : container.commands) {
    if (command.command != SymbolTable ||
        command.bytes.size() < kSymbolTableBytes)
      continue;
    const uint8_t *at = command.bytes.data();
    return {load32(at + 8), load32(at + 12), load32(at + 16), load32(at + 20)};
  }
  return {};
}

const Section *textSection(const Container &container, absl::string_view name) {
  for (const Segment &segment : container.segments)
    if (segment.name == "__TEXT")
      for (const Section &section : segment.sections)
        if (section.name == name)
          return &section;
  return nullptr;
}

const Section *kernelSection(const Container &container) {
  if (!info(container.program.generation).hasKernelSegment)
    return nullptr;
  for (const Segment &segment : container.segments)
    if (segment.name == kKernelSegment)
      for (const Section &section : segment.sections)
        if (section.name == kKernelSection)
          return &section;
  return nullptr;
}

static bool isRendered(const Container &container, const Section &section) {
  return &section == textSection(container, "__text") ||
         &section == textSection(container, "__const") ||
         &section == kernelSection(container);
}

namespace {
/// Constants and where they go.
struct ConstantPart {
  const Section *section;
  absl::Span<const uint8_t> bytes;
};
} // namespace

/// In the order of the file.
static std::array<ConstantPart, 2> constantParts(const Container &container) {
  std::array<ConstantPart, 2> parts = {
      {{textSection(container, "__const"), container.program.tensorConstants()},
       {kernelSection(container), container.program.kernels()}}};
  auto placeOf = [](const ConstantPart &part) {
    return part.section ? part.section->fileOffset : 0;
  };
  if (placeOf(parts[1]) < placeOf(parts[0]))
    std::swap(parts[0], parts[1]);
  return parts;
}

namespace {

/// A range of bytes of the file that something refers to.
struct Extent {
  uint64_t begin, end;
  std::string what;
};

} // namespace

/// Collects what the load commands point at and is rendered; fails where it
/// leaves the file. What other sections have is residue, wherever it lies.
static absl::StatusOr<std::vector<Extent>>
contentExtents(const Container &container) {
  std::vector<Extent> extents;
  absl::Status status;
  auto add = [&](uint64_t begin, uint64_t size, std::string what) {
    if (begin > container.fileSize || size > container.fileSize - begin)
      status.Update(absl::InvalidArgumentError(absl::StrFormat(
          "%s covers %d bytes at 0x%x, but the file has %d bytes", what, size,
          begin, container.fileSize)));
    else if (size)
      extents.push_back({begin, begin + size, std::move(what)});
  };
  uint64_t commandBytes = kHeaderBytes;
  for (const LoadCommand &command : container.commands)
    commandBytes += command.bytes.size();
  add(0, commandBytes, "header and load commands");
  for (const Segment &segment : container.segments)
    for (const Section &section : segment.sections) {
      std::string name =
          absl::CHexEscape(absl::StrCat(segment.name, ",", section.name));
      if (section.fileOffset && isRendered(container, section))
        add(section.fileOffset, section.size, "section " + name);
      add(section.relocationOffset,
          uint64_t(section.relocationCount) * kRelocationBytes,
          "relocations of section " + name);
    }
  SymbolTableRange range = symbolTableRange(container);
  add(range.symbolOffset, uint64_t(range.symbolCount) * kSymbolBytes,
      "symbol table");
  add(range.stringOffset, range.stringBytes, "string table");
  if (!status.ok())
    return status;
  return extents;
}

absl::Status checkLayout(const Container &container) {
  const uint64_t size = container.fileSize;
  for (const Segment &segment : container.segments)
    if (segment.fileOffset > size ||
        segment.fileSize > size - segment.fileOffset)
      return absl::InvalidArgumentError(absl::StrFormat(
          "segment %s covers %d bytes at 0x%x, but the file has %d bytes",
          absl::CHexEscape(segment.name), segment.fileSize, segment.fileOffset,
          size));
  absl::StatusOr<std::vector<Extent>> extents = contentExtents(container);
  if (!extents.ok())
    return extents.status();
  auto before = [](const Extent &a, const Extent &b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  };
  std::sort(extents->begin(), extents->end(), before);
  for (size_t i = 1; i < extents->size(); ++i) {
    const Extent &extent = (*extents)[i], &previous = (*extents)[i - 1];
    if (extent.begin < previous.end)
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s at 0x%x overlaps %s, which ends at 0x%x", extent.what,
          extent.begin, previous.what, previous.end));
  }
  return absl::OkStatus();
}

absl::Status checkAmount(const Container &container) {
  uint64_t end = kHeaderBytes;
  for (const LoadCommand &command : container.commands)
    end += command.bytes.size();
  const Program &program = container.program;
  if (const Section *text = textSection(container, "__text"))
    for (const Task &task : program.tasks)
      end = std::max<uint64_t>(end, uint64_t(text->fileOffset) + task.offset +
                                        task.byteSize());
  for (const ConstantPart &part : constantParts(container))
    if (part.section)
      end = std::max(end, part.section->fileOffset + part.bytes.size());
  for (const Segment &segment : container.segments)
    for (const Section &section : segment.sections)
      end = std::max(end, section.relocationOffset +
                              section.relocations.size() * kRelocationBytes);
  SymbolTableRange range = symbolTableRange(container);
  uint64_t strings = range.stringOffset;
  for (const Symbol &symbol : container.symbols)
    strings += symbol.name.size() + 1;
  end =
      std::max({end, strings,
                range.symbolOffset + container.symbols.size() * kSymbolBytes});
  for (const Residue &residue : container.residues)
    end = std::max(end, residue.fileOffset + residue.bytes.size());
  if (container.fileSize > end + kMaxTail)
    return absl::InvalidArgumentError(absl::StrFormat(
        "the file has %d bytes, but its contents end at 0x%x; at most %d bytes "
        "of zeros may follow",
        container.fileSize, end, kMaxTail));
  return absl::OkStatus();
}

static absl::Status renderSymbols(const Container &container,
                                  absl::Span<uint8_t> file) {
  SymbolTableRange range = symbolTableRange(container);
  if (container.symbols.empty())
    return absl::OkStatus(); // Not understood: residue.
  if (container.symbols.size() != range.symbolCount)
    return absl::InvalidArgumentError(absl::StrFormat(
        "the symbol table command counts %d symbols, but there are %d",
        range.symbolCount, container.symbols.size()));
  // Byte 0 of the strings is the empty name; the others follow in order.
  uint64_t next = 1;
  for (size_t i = 0; i < container.symbols.size(); ++i) {
    const Symbol &symbol = container.symbols[i];
    uint8_t *at = file.data() + range.symbolOffset + i * kSymbolBytes;
    store32(at, next);
    at[4] = symbol.type;
    at[5] = symbol.section;
    store16(at + 6, symbol.description);
    store64(at + 8, symbol.value);
    if (next < range.stringBytes)
      std::memcpy(
          file.data() + range.stringOffset + next, symbol.name.data(),
          std::min<uint64_t>(symbol.name.size(), range.stringBytes - next));
    next += symbol.name.size() + 1;
  }
  return absl::OkStatus();
}

static absl::Status renderText(const Container &container,
                               absl::Span<uint8_t> file, bool withConstants) {
  const Program &program = container.program;
  auto put = [&](absl::string_view name, const Section *section,
                 absl::Span<const uint8_t> bytes,
                 bool isCopied) -> absl::Status {
    if (!section && bytes.empty())
      return absl::OkStatus();
    uint64_t size = section ? section->size : 0;
    if (size != bytes.size())
      return absl::InvalidArgumentError(
          absl::StrFormat("section %s has %d bytes, but its contents have %d",
                          name, size, bytes.size()));
    if (size && (!section->fileOffset ||
                 section->fileOffset + size > container.fileSize))
      return absl::InvalidArgumentError(
          absl::StrFormat("section %s has no place in the file", name));
    if (size && isCopied)
      std::memcpy(file.data() + section->fileOffset, bytes.data(), size);
    return absl::OkStatus();
  };
  if (program.textBytes > container.fileSize)
    return absl::InvalidArgumentError(
        absl::StrFormat("the tasks need %d bytes of text, but the file has %d",
                        program.textBytes, container.fileSize));
  absl::StatusOr<std::vector<uint8_t>> text =
      writeTasks(program.generation, program.tasks, program.textBytes);
  if (!text.ok())
    return text.status();
  if (absl::Status status =
          put("__TEXT,__text", textSection(container, "__text"), *text, true);
      !status.ok())
    return status;
  if (absl::Status status = put("__KERN_0,__kern_0", kernelSection(container),
                                program.kernels(), withConstants);
      !status.ok())
    return status;
  return put("__TEXT,__const", textSection(container, "__const"),
             program.tensorConstants(), withConstants);
}

/// Into a file of zeros; without the constants, their place is left as it is.
static absl::Status renderInto(absl::Span<uint8_t> file,
                               const Container &container, bool withConstants) {
  for (size_t i = 0; i < container.header.size(); ++i)
    store32(file.data() + 4 * i, container.header[i]);
  uint8_t *at = file.data() + kHeaderBytes;
  for (const LoadCommand &command : container.commands) {
    std::memcpy(at, command.bytes.data(), command.bytes.size());
    at += command.bytes.size();
  }
  if (absl::Status status = renderSymbols(container, file); !status.ok())
    return status;
  if (absl::Status status = renderText(container, file, withConstants);
      !status.ok())
    return status;
  for (const Segment &segment : container.segments)
    for (const Section &section : segment.sections) {
      // There are none where they are residue.
      if (!section.relocations.empty() &&
          section.relocations.size() != section.relocationCount)
        return absl::InvalidArgumentError(absl::StrFormat(
            "section %s,%s counts %d relocations, but there are %d",
            segment.name, section.name, section.relocationCount,
            section.relocations.size()));
      at = file.data() + section.relocationOffset;
      for (const Relocation &relocation : section.relocations) {
        store32(at, relocation.address);
        store32(at + 4, relocation.info);
        at += kRelocationBytes;
      }
    }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<uint8_t>> render(const Container &container) {
  std::vector<uint8_t> file(container.fileSize);
  absl::Status status =
      renderInto(absl::MakeSpan(file), container, /*withConstants=*/true);
  if (!status.ok())
    return status;
  return file;
}

} // namespace format

static absl::Status check(const Container &container) {
  absl::Status status = checkLayout(container);
  return status.ok() ? checkAmount(container) : status;
}

static absl::Status writeInto(absl::Span<uint8_t> file,
                              const Container &container, bool withConstants) {
  absl::Status status = renderInto(file, container, withConstants);
  if (!status.ok())
    return status;
  for (const Residue &residue : container.residues) {
    if (residue.fileOffset > file.size() ||
        residue.bytes.size() > file.size() - residue.fileOffset)
      return absl::InvalidArgumentError(absl::StrFormat(
          "residue of %d bytes at 0x%x leaves the file of %d bytes",
          residue.bytes.size(), residue.fileOffset, file.size()));
    std::copy(residue.bytes.begin(), residue.bytes.end(),
              file.begin() + residue.fileOffset);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<uint8_t>>
writeContainer(const Container &container) {
  if (absl::Status status = check(container); !status.ok())
    return status;
  std::vector<uint8_t> file(container.fileSize);
  absl::Status status =
      writeInto(absl::MakeSpan(file), container, /*withConstants=*/true);
  if (!status.ok())
    return status;
  return file;
}

absl::Status
writeContainer(const Container &container,
               absl::FunctionRef<void(absl::Span<const uint8_t>)> write) {
  if (absl::Status status = check(container); !status.ok())
    return status;
  // Where the constants go, and whether that is all that is there.
  const std::array<ConstantPart, 2> parts = constantParts(container);
  bool isApart = false;
  for (const ConstantPart &part : parts) {
    if (!part.section || !part.section->size)
      continue;
    const uint64_t begin = part.section->fileOffset;
    const uint64_t end = begin + part.section->size;
    isApart = end <= container.fileSize;
    for (const Residue &residue : container.residues)
      isApart &= residue.fileOffset >= end ||
                 residue.fileOffset + residue.bytes.size() <= begin;
    if (!isApart)
      break;
  }
  // Pages of zeros that nobody writes to take no memory.
  std::unique_ptr<void, decltype(&std::free)> image(
      std::calloc(container.fileSize, 1), std::free);
  if (!image)
    return absl::ResourceExhaustedError(absl::StrFormat(
        "no memory for a file of %d bytes", container.fileSize));
  absl::Span<uint8_t> file(static_cast<uint8_t *>(image.get()),
                           container.fileSize);
  absl::Status status = writeInto(file, container, /*withConstants=*/!isApart);
  if (!status.ok())
    return status;
  if (!isApart) {
    write(file);
    return absl::OkStatus();
  }
  uint64_t done = 0;
  for (const ConstantPart &part : parts) {
    if (!part.section || !part.section->size)
      continue;
    write(file.subspan(done, part.section->fileOffset - done));
    write(part.bytes);
    done = part.section->fileOffset + part.section->size;
  }
  write(file.subspan(done));
  return absl::OkStatus();
}

} // namespace ane::hw
