//===- Container.h - The .hwx container -------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `.hwx` file is a 64-bit Mach-O file with a magic of its own: segments for
// text and constants, one for each tensor, thread commands that describe the
// program and its tensors, symbols, relocations.
//
// Two views of it exist. `Program` (Program.h) is the meaning. `Container` is
// the file itself without losing a bit: writeContainer(readContainer(bytes)) ==
// bytes for every file that readContainer accepts. Compilers put more into
// their files from version to version, so what the reader does not know is no
// error: it is kept, and a Note says what it is. docs/Formats/HWX.md describes
// the format.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_CONTAINER_H
#define ANE_HW_CONTAINER_H

#include "ane/HW/Program.h"

#include "absl/functional/function_ref.h"

#include <string>
#include <vector>

namespace ane::hw {

struct Relocation {
  uint32_t address; ///< bytes from the start of its section
  uint32_t info;    ///< symbol or section, pc-relative, length, type: raw bits
};

struct Section {
  std::string name, segment;
  uint64_t address = 0, size = 0;
  uint32_t fileOffset = 0, alignLog2 = 0, flags = 0;
  uint32_t relocationOffset = 0, relocationCount = 0;
  std::array<uint32_t, 3> reserved = {};
  std::vector<Relocation> relocations; ///< relocationCount of them
};

struct Segment {
  std::string name;
  uint64_t vmAddress = 0, vmSize = 0, fileOffset = 0, fileSize = 0;
  uint32_t maxProtection = 0, initialProtection = 0, flags = 0;
  std::vector<Section> sections;
};

/// Larger load commands are refused; the largest on record has 3416 bytes.
constexpr uint64_t kMaxCommandBytes = 1 << 20;

/// One load command. Those that are understood are views of `bytes`; the bytes
/// themselves stay, so that nothing is lost.
struct LoadCommand {
  uint32_t command = 0;
  std::vector<uint8_t> bytes; ///< whole command, with command and size words
};

struct Symbol {
  std::string name;
  uint8_t type = 0, section = 0;
  uint16_t description = 0;
  uint64_t value = 0;
};

/// Bytes that no rule of the format produces, kept where they stood.
struct Residue {
  uint64_t fileOffset = 0;
  std::vector<uint8_t> bytes;
};

/// Something in a file that the reader does not understand. Its bytes are kept.
struct Note {
  /// What the program lacks because of it.
  enum Missing : uint8_t { Nothing, Tensor, Tasks };
  Missing missing;
  std::string text;
};

struct Container {
  std::array<uint32_t, 8> header = {}; ///< the Mach-O header words
  std::vector<LoadCommand> commands;
  std::vector<Segment> segments;
  std::vector<Symbol> symbols;
  Program program;
  uint64_t fileSize = 0;
  std::vector<Residue> residues;
  std::vector<Note> notes; ///< of the reader; nothing writes them
};

/// Whether a load command describes a segment. Container::segments has those,
/// in order.
bool isSegment(const LoadCommand &command);
/// The segment that a load command (0x19) describes, relocations empty; fails
/// when the command is too short for its sections.
absl::StatusOr<Segment> decodeSegment(const LoadCommand &command);
/// What a load command of a library (0x6, 0x40) names: the surface of a tensor.
struct Library {
  std::string name;
  uint64_t address = 0;
};
/// In the order of the load commands; those too short for a name are left out.
std::vector<Library> librariesOf(const Container &container);
/// The load command of a segment: what decodeSegment reads back.
LoadCommand encodeSegment(const Segment &segment);

/// Reads a file. Fails where it is cut off, overlaps itself or has no task that
/// can be read, with what is wrong and where (offset, command, task); all else
/// that is not understood is a note. Never allocates more than a small multiple
/// of the size of `file`.
absl::StatusOr<Container> readContainer(absl::Span<const uint8_t> file);

/// Fails with the first note that says that the program in `container` lacks
/// more than `allowed`.
absl::Status checkComplete(const Container &container, Note::Missing allowed);

/// Reads the program in a file, to be run: all its tasks and tensors must be
/// understood.
absl::StatusOr<Program> readProgram(absl::Span<const uint8_t> file);

/// Writes it back, byte for byte.
absl::StatusOr<std::vector<uint8_t>> writeContainer(const Container &container);
/// The same front to back, without a copy of the constants: most of a file is
/// weights. An error comes before the first bytes.
absl::Status
writeContainer(const Container &container,
               absl::FunctionRef<void(absl::Span<const uint8_t>)> write);

/// How the file of a program is laid out, by the compiler that does it so.
enum class ContainerForm : uint8_t {
  V4, ///< 4.2.1: text and constants first, then tensors, then scratch memory
  V9, ///< 9.509: scratch memory, tensors by name, text and constants
};

/// What a compiler writes into a container of its own accord: with it, two
/// compilers make different files around the same program.
struct Signature {
  /// Text of the identification command; empty for ours.
  std::string ident;
  /// Names of the coefficient streams in the order of their symbols; empty for
  /// a digest of each.
  std::vector<std::string> streamNames;
  /// Word 0x850 of the program thread: 17 in programs that compute, 7 and 4 in
  /// pure copies (seen; what it means is not known).
  uint32_t programKind = 17;
  ContainerForm form = ContainerForm::V4;
};

/// The text with which compiler 4.2.1 identifies itself and, at their defaults,
/// its options (seen in all its files). `source` is what it was asked to
/// compile.
std::string identOf421(Generation generation, absl::string_view source);

/// The text with which a compiler identifies itself in a container; empty where
/// there is none.
std::string identOf(const Container &container);

/// The signature in a container, as far as it differs from ours.
Signature signatureOf(const Container &container);

/// Makes the container that the compiler of `signature.form` would make around
/// `program`: segments, descriptors, symbols and relocations computed from it.
absl::StatusOr<Container> makeContainer(const Program &program,
                                        const Signature &signature = {});

/// Whether two containers around the same program give the same file: all but
/// tasks and constants is compared.
bool sameWrapping(const Container &a, const Container &b);

} // namespace ane::hw

#endif // ANE_HW_CONTAINER_H
