//===- ContainerFormat.h - Numbers of the .hwx container --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offsets and codes that reader, writer and maker share. All of them are
// seen in files of compiler 4.2.1 unless a comment says otherwise;
// docs/Formats/HWX.md tells what they mean. Private to lib/HW.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_CONTAINERFORMAT_H
#define ANE_LIB_HW_CONTAINERFORMAT_H

#include "ane/HW/Container.h"
#include "ane/HW/Layout.h"

#include "absl/strings/str_cat.h"

namespace ane::hw::format {

// The Mach-O header: eight words.
enum HeaderWord {
  Magic,
  CpuType,
  CpuSubtype,
  FileType,
  CommandCount,
  CommandBytes,
  Flags,
  Reserved
};
constexpr uint32_t kHeaderBytes = 32;
constexpr uint32_t kMagic = 0xbeefface;
constexpr uint32_t kCpuType = 0x80;
constexpr uint32_t kFileType = 2;
constexpr uint32_t kHeaderFlags = 0x200000;

// Load commands.
enum Command : uint32_t {
  SymbolTable = 0x2,
  Thread = 0x4,
  LoadLibrary = 0x6,
  Ident = 0x8,
  Segment64 = 0x19,
  /// Seen since version 5; "src model info" and the place of a byte.
  OwnedNote = 0x31,
  /// Seen since version 7 in place of LoadLibrary, with addresses of 64 bits.
  LoadLibrary64 = 0x40,
};
constexpr uint32_t kLibraryNameOffset = 0x08, kLibraryAddress = 0x10,
                   kLibraryBytes = 0x14, kLibrary64Bytes = 0x18;
constexpr uint32_t kSegmentBytes = 72, kSectionBytes = 80;
constexpr uint32_t kSymbolBytes = 16, kRelocationBytes = 8;
constexpr uint32_t kSymbolTableBytes = 24;

// Offsets in a thread command, from its start. Flavor 1 is a program with a
// linked task stream; ProgramThread.cpp has the other.
constexpr uint32_t kFlavorProgram = 1, kFlavorTensor = 3;
constexpr uint32_t kThreadFlavor = 0x08, kThreadCount = 0x0c,
                   kThreadState = 0x10;
constexpr uint32_t kProgramEntry = 0x810, kProgramFirstWords = 0x818;
constexpr uint32_t kProgramNameOffset = 0x83c, kProgramKind = 0x850;
constexpr uint32_t kProgramName = 0x860;
/// Where version 9 has the name; the words in front of it are new.
constexpr uint32_t kProgramNameV9 = 0x878;
/// Where it has the name of a program with a packed task stream.
constexpr uint32_t kProgramNamePacked = 0x888;

// Flavor 3 is a tensor.
constexpr uint32_t kTensorVersion = 0x10, kTensorDirection = 0x14,
                   kTensorProgram = 0x18;
constexpr uint32_t kTensorSymbol = 0x20, kTensorElement = 0x24,
                   kTensorShape = 0x28;
constexpr uint32_t kTensorStrides = 0x50, kTensorInterleave = 0x78,
                   kTensorName = 0x7c;
constexpr uint32_t kTensorSize = 0x80, kTensorStrings = 0x88;
/// Since version 5 zeros come in front of the strings.
constexpr uint32_t kTensorStringsV9 = 0xd38;
constexpr uint32_t kDirectionInput = 1, kDirectionOutput = 2;

/// Files may end in zeros after the last byte that something refers to, but
/// not in arbitrarily many, so that a few bytes of text cannot ask for
/// gigabytes.
constexpr uint64_t kMaxTail = 1 << 20;

inline uint32_t load32(const uint8_t *at) {
  return at[0] | at[1] << 8 | at[2] << 16 | uint32_t(at[3]) << 24;
}
inline uint64_t load64(const uint8_t *at) {
  return load32(at) | uint64_t(load32(at + 4)) << 32;
}
inline void store16(uint8_t *at, uint16_t value) {
  at[0] = value & 0xff;
  at[1] = value >> 8;
}
inline void store32(uint8_t *at, uint32_t value) {
  store16(at, value & 0xffff);
  store16(at + 2, value >> 16);
}
/// Without a zero after it.
inline void storeText(uint8_t *at, absl::string_view text) {
  std::copy(text.begin(), text.end(), at);
}
inline void store64(uint8_t *at, uint64_t value) {
  store32(at, value & 0xffffffff);
  store32(at + 4, value >> 32);
}

/// The number that type stabs and tensor descriptors use for an element type.
inline uint32_t elementCode(ElementType type) {
  switch (type) {
  case ElementType::Int8:
    return 2;
  case ElementType::UInt8:
    return 3;
  case ElementType::Float16:
    return 5;
  }
  return 0;
}

/// Our text of identification.
std::string ourIdent(const Program &program);

/// Reads what our text of identification says of the tensors of `program`; that
/// of other compilers says nothing.
void readIdent(absl::string_view ident, Program &program);

/// Where the symbol table and its strings lie, from its load command.
struct SymbolTableRange {
  uint32_t symbolOffset = 0, symbolCount = 0, stringOffset = 0, stringBytes = 0;
};
SymbolTableRange symbolTableRange(const Container &container);

/// The section of the tasks ("__text") or of the constants ("__const").
const Section *textSection(const Container &container, absl::string_view name);
/// The section of coefficients and tables, of generations that have a segment
/// for them; null without.
constexpr const char *kKernelSegment = "__KERN_0";
constexpr const char *kKernelSection = "__kern_0";
const Section *kernelSection(const Container &container);

/// Checks that everything the load commands point at lies in a file of
/// `container.fileSize` bytes without overlap.
absl::Status checkLayout(const Container &container);
/// Checks that the file is not much larger than what the container holds for
/// it.
absl::Status checkAmount(const Container &container);

/// The file without its residues. The layout must have been checked.
absl::StatusOr<std::vector<uint8_t>> render(const Container &container);

} // namespace ane::hw::format

#endif // ANE_LIB_HW_CONTAINERFORMAT_H
