//===- ModuleReader.cpp - Reads networks with large weights ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the one form that printers write is taken apart here:
//
//   {-#
//     dialect_resources: {
//       builtin: {
//         name: "0x...",
//         name: "0x..."
//       }
//     }
//   #-}
//
// at the end of the file. At anything else the reader steps back and MLIR's own
// parser gets the whole file, with its own diagnostics.
//
//===----------------------------------------------------------------------===//

#include "ModuleReader.h"

#include "ane/Files/InputFiles.h"
#include "ane/Support/Nesting.h"
#include "ane/Support/Pointer.h"
#include "ane/Target/MIL/MILTranslation.h"
#include "ane/Target/Models/Models.h"
#include "ane/Target/ONNX/ONNX.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <vector>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// A file read in pieces, with a position.
class PieceReader {
public:
  PieceReader(llvm::sys::fs::file_t file, uint64_t size)
      : file(file), size(size), buffer(1 << 20) {}

  uint64_t position() const { return start + at; }
  bool seek(uint64_t position) {
    start = position;
    at = end = 0;
    return position <= size;
  }
  /// The next character, -1 at the end or after a failure.
  int peek() { return at < end || fill() ? buffer[at] : -1; }
  int next() {
    int c = peek();
    at += c >= 0;
    return c;
  }
  /// The characters at hand, at least one unless the file ends.
  StringRef piece() {
    return peek() < 0
               ? StringRef()
               : StringRef(reinterpret_cast<char *>(&buffer[at]), end - at);
  }
  void skip(size_t count) { at += count; }

private:
  bool fill() {
    start += end;
    at = end = 0;
    llvm::Expected<size_t> got = llvm::sys::fs::readNativeFileSlice(
        file,
        llvm::MutableArrayRef<char>(reinterpret_cast<char *>(buffer.data()),
                                    buffer.size()),
        start);
    if (!got) {
      llvm::consumeError(got.takeError());
      return false;
    }
    end = *got;
    return end > 0;
  }

  llvm::sys::fs::file_t file;
  uint64_t size, start = 0;
  size_t at = 0, end = 0;
  std::vector<unsigned char> buffer;
};

/// One resource of the section: where its digits stand in the file.
struct HexEntry {
  std::string name;
  uint64_t digits = 0; ///< position of the first digit
  uint64_t count = 0;  ///< number of digits
};

} // namespace

/// The position of the first line that starts with "{-#".
static std::optional<uint64_t> findSection(PieceReader &reader) {
  constexpr StringLiteral mark("\n{-#");
  size_t matched = 0;
  for (StringRef piece = reader.piece(); !piece.empty();
       piece = reader.piece()) {
    if (matched == 0) {
      size_t line = piece.find('\n');
      if (line == StringRef::npos) {
        reader.skip(piece.size());
        continue;
      }
      reader.skip(line + 1);
      matched = 1;
      continue;
    }
    if (piece[0] == mark[matched]) {
      reader.skip(1);
      if (++matched == mark.size())
        return reader.position() - mark.size() + 1;
    } else {
      matched = 0;
    }
  }
  return std::nullopt;
}

namespace {

class SectionParser {
public:
  explicit SectionParser(PieceReader &reader) : reader(reader) {}

  /// The entries, or none when the section has another form than the usual one.
  std::optional<std::vector<HexEntry>> parse() {
    std::vector<HexEntry> entries;
    if (!token("{-#") || !token("dialect_resources") || !token(":") ||
        !token("{") || !token("builtin") || !token(":") || !token("{"))
      return std::nullopt;
    do {
      HexEntry entry;
      if (!name(entry.name) || !token(":") || !digits(entry))
        return std::nullopt;
      entries.push_back(std::move(entry));
    } while (token(","));
    if (!token("}") || !token("}") || !token("#-}"))
      return std::nullopt;
    space();
    if (reader.peek() >= 0)
      return std::nullopt;
    return entries;
  }

private:
  void space() {
    while (llvm::isSpace(static_cast<char>(reader.peek())) &&
           reader.peek() >= 0)
      reader.next();
  }
  bool token(StringRef text) {
    space();
    for (char c : text) {
      if (reader.peek() != c)
        return false;
      reader.next();
    }
    return true;
  }
  /// As a word or as a string; one with escapes is left to the parser.
  bool name(std::string &out) {
    space();
    if (reader.peek() == '"') {
      reader.next();
      for (int c = reader.next(); c != '"'; c = reader.next()) {
        if (c < ' ' || c == '\\' || out.size() >= 4096)
          return false;
        out.push_back(static_cast<char>(c));
      }
      return !out.empty();
    }
    for (int c = reader.peek();
         c > 0 && (llvm::isAlnum(c) || c == '_' || c == '.' || c == '$');
         c = reader.peek())
      out.push_back(static_cast<char>(reader.next()));
    return !out.empty();
  }
  bool digits(HexEntry &entry) {
    if (!token("\"0x"))
      return false;
    entry.digits = reader.position();
    for (StringRef piece = reader.piece(); !piece.empty();
         piece = reader.piece()) {
      size_t quote = piece.find('"');
      reader.skip(std::min(quote, piece.size()));
      if (quote != StringRef::npos) {
        entry.count = reader.position() - entry.digits;
        reader.skip(1);
        // Four bytes of alignment come before the data.
        return entry.count % 2 == 0 && entry.count >= 8;
      }
    }
    return false;
  }

  PieceReader &reader;
};

} // namespace

/// Decodes the digits of `entry`; none when one of them is not a digit.
static std::optional<AsmResourceBlob> decode(PieceReader &reader,
                                             const HexEntry &entry) {
  reader.seek(entry.digits);
  bool good = true;
  auto readByte = [&]() -> unsigned {
    unsigned high = llvm::hexDigitValue(reader.next());
    unsigned low = llvm::hexDigitValue(reader.next());
    good &= high < 16 && low < 16;
    return high << 4 | low;
  };
  uint32_t alignment = 0;
  for (int i = 0; i < 4; ++i)
    alignment |= readByte() << (8 * i);
  if (!good || alignment == 0 || !llvm::isPowerOf2_32(alignment) ||
      alignment > 4096)
    return std::nullopt;

  uint64_t bytes = entry.count / 2 - 4;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      bytes, std::max<uint32_t>(alignment, 8), /*dataIsMutable=*/true);
  char *out = blob.getMutableData().data(), *last = out + bytes;
  while (out != last && good) {
    StringRef piece = reader.piece();
    // A pair of digits may lie across two pieces.
    if (piece.size() < 2) {
      *out++ = static_cast<char>(readByte());
      continue;
    }
    size_t pairs = std::min<size_t>(piece.size() / 2, last - out);
    const auto *in = reinterpret_cast<const unsigned char *>(piece.data());
    unsigned wrong = 0;
    for (size_t i = 0; i < pairs; ++i) {
      unsigned high = llvm::hexDigitValue(in[2 * i]);
      unsigned low = llvm::hexDigitValue(in[2 * i + 1]);
      wrong |= high | low;
      *out++ = static_cast<char>(high << 4 | low);
    }
    good &= wrong < 16;
    reader.skip(2 * pairs);
  }
  if (!good)
    return std::nullopt;
  return blob;
}

/// As MLIR does it. Some verifiers refuse an op without a word; then there is
/// an error that says no more than that.
static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sourceMgr, StringRef path,
                                   MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  StringRef text = buffer->getBuffer();
  size_t deep = isBytecode(*buffer)
                    ? StringRef::npos
                    : ::ane::findTooDeep({text.data(), text.size()});
  if (deep != StringRef::npos) {
    auto [line, column] = sourceMgr.getLineAndColumn(
        llvm::SMLoc::getFromPointer(text.data() + deep),
        sourceMgr.getMainFileID());
    emitError(FileLineColLoc::get(context, path, line, column))
        << "nests more than " << ::ane::maxTextDepth << " levels deep";
    return nullptr;
  }
  bool hasError = false;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return failure(); // whoever prints it
    });
    module = parseSourceFile<ModuleOp>(sourceMgr, context);
  }
  if (!module && !hasError)
    emitError(FileLineColLoc::get(context, path, 1, 1))
        << "has an op that its verifier refuses, without saying which or why; "
           "remove parts of the file to find it";
  return module;
}

/// The ops come from the front of the file, the weights are decoded after the
/// parser's back. Null when the file is not of the usual form or the parser
/// failed; then nothing has been reported yet.
static OwningOpRef<ModuleOp> readInPieces(const std::string &path,
                                          llvm::SourceMgr &sourceMgr,
                                          MLIRContext *context) {
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return nullptr;
  }
  llvm::scope_exit close([&] {
    [[maybe_unused]] std::error_code isOpen = llvm::sys::fs::closeFile(*file);
  });
  llvm::sys::fs::file_status status;
  constexpr uint64_t worthwhile = 4 << 20;
  if (llvm::sys::fs::status(*file, status) ||
      !llvm::sys::fs::is_regular_file(status) || status.getSize() < worthwhile)
    return nullptr;

  PieceReader reader(*file, status.getSize());
  std::optional<uint64_t> section = findSection(reader);
  if (!section || !reader.seek(*section))
    return nullptr;
  std::optional<std::vector<HexEntry>> entries = SectionParser(reader).parse();
  if (!entries)
    return nullptr;

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> ops =
      llvm::MemoryBuffer::getOpenFileSlice(*file, path, *section, 0);
  if (!ops)
    return nullptr;
  sourceMgr.AddNewSourceBuffer(std::move(*ops), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parse(sourceMgr, path, context);
  if (!module)
    return nullptr;

  DialectResourceBlobManager &blobs =
      DenseResourceElementsHandle::getManagerInterface(context)
          .getBlobManager();
  for (const HexEntry &entry : *entries) {
    DialectResourceBlobManager::BlobEntry *known = blobs.lookup(entry.name);
    if (!known || known->getBlob())
      continue;
    std::optional<AsmResourceBlob> blob = decode(reader, entry);
    if (!blob) {
      emitError(UnknownLoc::get(context))
          << "resource '" << entry.name
          << "' is not a hexadecimal string with an alignment that is a power "
             "of two";
      return nullptr;
    }
    known->setBlob(std::move(*blob));
  }
  return module;
}

/// What no parser should see: its message would quote the bytes.
static bool isOtherBinary(const llvm::MemoryBuffer &file) {
  return file.getBuffer().take_front(64).contains('\0') && !isBytecode(file);
}

/// Models of Core ML and of ONNX begin alike.
static bool mayBeCoreML(StringRef path, StringRef bytes) {
  return models::isCoreMLModel(bytes) || path.ends_with(".mlmodel");
}
static bool mayBeModel(StringRef path, const llvm::MemoryBuffer &file) {
  return onnx::isModel(file.getBuffer()) &&
         !mayBeCoreML(path, file.getBuffer());
}

namespace {

/// Files that people have, by what they begin with.
struct FileKind {
  StringLiteral bytes;
  size_t offset;
  StringLiteral name, wayOut;
};
constexpr FileKind fileKinds[] = {
    {"TFL3", 4, "a TensorFlow Lite model", "convert it to ONNX with tf2onnx"},
    {"\x89HDF", 0, "an HDF5 file, as Keras writes",
     "convert it to ONNX with tf2onnx"},
    {"PK\x03\x04", 0, "a zip archive, as torch.save and Keras write",
     "export the network with torch.onnx.export or tf2onnx"},
    {"\x80\x02", 0, "a Python pickle, as older versions of torch.save write",
     "export the network with torch.onnx.export"},
    {"GGUF", 0, "a file of weights for llama.cpp",
     "export the network it belongs to, to ONNX for example"},
    {"{\"", 8, "a file of weights alone (safetensors)",
     "export the network they belong to, to ONNX for example"},
};

} // namespace

static std::string describeBinary(StringRef path, StringRef bytes) {
  auto place = ("'" + path + "' ").str();
  if (isContainer(bytes) || path.ends_with(".anec") || path.ends_with(".ane"))
    return place + "is a register program already; ane-run runs it, "
                   "ane-translate reads it, and of what it reads 'ane-opt "
                   "--ane-lift' makes a network";
  for (const FileKind &kind : fileKinds)
    if (bytes.substr(kind.offset).starts_with(kind.bytes))
      return place + "is " + kind.name.str() + "; " + kind.wayOut.str();
  return place + "is no network: expected MLIR (text or bytecode), MIL text, a "
                 ".mlpackage, a .mlmodel, an ONNX model or a net.plist";
}

OwningOpRef<ModuleOp>
mlir::ane::readModule(const std::string &path, llvm::SourceMgr &sourceMgr,
                      MLIRContext *context, ArrayRef<std::string> shapes,
                      ArrayRef<std::string> bindings, SourceFormat &format,
                      std::string &error) {
  format = SourceFormat::MLIR;
  if (std::error_code code = checkInput(path)) {
    error = "cannot open input file '" + path + "': " + code.message();
    return nullptr;
  }
  constexpr size_t headBytes = 1 << 12;
  auto head = path == "-"
                  ? std::error_code()
                  : llvm::MemoryBuffer::getFileSlice(path, headBytes, 0);
  bool mayBeMIL = path == "-" || (head && mil::isMILText((*head)->getBuffer()));
  bool mayBeONNX = path == "-" || (head && mayBeModel(path, **head));
  bool mayBePlist =
      path == "-" || (head && models::isPropertyList((*head)->getBuffer()));
  bool isCoreML =
      path == "-" || (head && mayBeCoreML(path, (*head)->getBuffer()));
  bool isEspresso =
      head && path != "-" && models::isEspressoNetwork((*head)->getBuffer());
  if (path != "-" && !mayBeMIL && !mayBeONNX && !mayBePlist && !isCoreML &&
      !isEspresso) {
    OwningOpRef<ModuleOp> module = readInPieces(path, sourceMgr, context);
    if (module || sourceMgr.getNumBuffers())
      return module;
  }
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  if (!file)
    return nullptr;
  StringRef bytes = file->getBuffer();
  if (::ane::isLfsPointer({bytes.data(), bytes.size()})) {
    error = "'" + path + "' " + std::string(::ane::kLfsPointerText);
    return nullptr;
  }
  if (mayBeONNX && mayBeModel(path, *file)) {
    format = SourceFormat::ONNX;
    onnx::ImportOptions options;
    options.file = path;
    options.folder = llvm::sys::path::parent_path(path).str();
    options.shapes.assign(shapes.begin(), shapes.end());
    options.bindings.assign(bindings.begin(), bindings.end());
    return onnx::importModel(bytes, context, options);
  }
  isCoreML = isCoreML && mayBeCoreML(path, bytes);
  if (isEspresso || isCoreML || (mayBePlist && models::isPropertyList(bytes))) {
    models::ImportOptions options;
    options.file = path;
    options.folder = llvm::sys::path::parent_path(path).str();
    format = SourceFormat::Layers;
    if (isEspresso)
      return models::importEspresso(bytes, context, options);
    if (!isCoreML)
      return models::importNetPlist(bytes, context, options);
    return models::importCoreMLModel(bytes, context, options);
  }
  if (isOtherBinary(*file)) {
    error = describeBinary(path, file->getBuffer());
    return nullptr;
  }
  // Its names of dialects are texts of their own.
  if (isBytecode(*file) && bytes.contains(StringRef("\0vhlo\0", 6))) {
    error = "'" + path +
            "' is a portable artifact of StableHLO (VHLO bytecode), whose ops "
            "and attributes are stored by version; write the text instead: "
            "jax.export(...)(...).mlir_module(), or stablehlo-translate "
            "--deserialize";
    return nullptr;
  }
  bool fromMIL = mayBeMIL && mil::isMILText(file->getBuffer());
  sourceMgr.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  if (fromMIL)
    format = SourceFormat::MIL;
  if (fromMIL)
    return mil::translateFromMIL(sourceMgr, context);
  return parse(sourceMgr, path, context);
}
