//===- BlobReader.cpp - Values in weight files, mapped --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/MIL/BlobReader.h"

#include "ane/Files/InputFiles.h"
#include "ane/Support/MappedPages.h"
#include "ane/Support/Pointer.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <optional>

using namespace mlir;
using namespace mlir::ane::mil;
using llvm::createFileError;
using llvm::createStringError;
using llvm::Expected;
using llvm::MemoryBuffer;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct BlobTypeInfo {
  BlobType type;
  StringLiteral name;
  unsigned bits;
};
} // namespace

static constexpr BlobTypeInfo kBlobTypes[] = {
    {BlobType::Float16, "fp16", 16},
    {BlobType::Float32, "fp32", 32},
    {BlobType::UInt8, "uint8", 8},
    {BlobType::Int8, "int8", 8},
    {BlobType::BFloat16, "bf16", 16},
    {BlobType::Int16, "int16", 16},
    {BlobType::UInt16, "uint16", 16},
    {BlobType::Int4, "int4", 4},
    {BlobType::UInt1, "uint1", 1},
    {BlobType::UInt2, "uint2", 2},
    {BlobType::UInt4, "uint4", 4},
    {BlobType::UInt3, "uint3", 3},
    {BlobType::UInt6, "uint6", 6},
    {BlobType::Int32, "int32", 32},
    {BlobType::UInt32, "uint32", 32},
    {BlobType::Float8E4M3FN, "fp8e4m3fn", 8},
    {BlobType::Float8E5M2, "fp8e5m2", 8},
};

static const BlobTypeInfo *findType(BlobType type) {
  const auto *info = llvm::find_if(
      kBlobTypes, [&](const BlobTypeInfo &one) { return one.type == type; });
  return info == std::end(kBlobTypes) ? nullptr : info;
}

// Like `uint4`, or empty for a number that is no type.
static StringRef stringifyBlobType(BlobType type) {
  const BlobTypeInfo *info = findType(type);
  return info ? StringRef(info->name) : StringRef();
}

unsigned mlir::ane::mil::getBlobBits(BlobType type) {
  const BlobTypeInfo *info = findType(type);
  return info ? info->bits : 0;
}

std::optional<BlobType> mlir::ane::mil::getBlobType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    std::string name = (Twine(integer.isUnsigned() ? "uint" : "int") +
                        Twine(integer.getWidth()))
                           .str();
    for (const BlobTypeInfo &info : kBlobTypes)
      if (info.name == name)
        return info.type;
    return std::nullopt;
  }
  return TypeSwitch<Type, std::optional<BlobType>>(type)
      .Case<Float16Type>([](auto) { return BlobType::Float16; })
      .Case<Float32Type>([](auto) { return BlobType::Float32; })
      .Case<BFloat16Type>([](auto) { return BlobType::BFloat16; })
      .Case<Float8E4M3FNType>([](auto) { return BlobType::Float8E4M3FN; })
      .Case<Float8E5M2Type>([](auto) { return BlobType::Float8E5M2; })
      .Default([](Type) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Expected<std::string> mlir::ane::mil::locateBelow(StringRef path,
                                                  StringRef root) {
  namespace fs = llvm::sys::fs;
  namespace paths = llvm::sys::path;
  if (paths::is_absolute(path) || path.contains('\0') ||
      llvm::is_contained(llvm::make_range(paths::begin(path), paths::end(path)),
                         ".."))
    return createFileError(
        path, createStringError("path leads out of the folder '" + root + "'"));
  SmallString<256> full(root);
  paths::append(full, path);
  SmallString<256> realRoot, real;
  if (std::error_code error =
          fs::real_path(root.empty() ? "." : root, realRoot))
    return createFileError(root, error);
  if (std::error_code error = fs::real_path(full, real))
    return createFileError(
        full,
        createStringError(error.message() +
                          "; the folder of '@model_path' is '" + root + "'"));
  bool isBelow = StringRef(real).starts_with(realRoot) &&
                 (realRoot == "/" || real.size() == realRoot.size() ||
                  real[realRoot.size()] == '/');
  if (!isBelow)
    return createFileError(full, createStringError("is a link to '" + real +
                                                   "', which is not below '" +
                                                   realRoot + "'"));
  // A pipe would be waited for.
  if (!fs::is_regular_file(real))
    return createFileError(full, createStringError("is no regular file"));
  return full.str().str();
}

static Expected<std::string> locate(StringRef path, StringRef root) {
  StringRef below = path;
  if (below.consume_front("@model_path/"))
    return locateBelow(below, root);
  return createFileError(
      path, createStringError("path of a weight file does not begin with "
                              "'@model_path/'"));
}

static absl::Span<const uint8_t> asSpan(ArrayRef<char> bytes) {
  return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
}

namespace {
/// An open file; a small one is read and not mapped.
struct OpenFile {
  explicit OpenFile(std::unique_ptr<MemoryBuffer> file)
      : buffer(std::move(file)) {
    if (buffer->getBufferKind() == MemoryBuffer::MemoryBuffer_MMap)
      pages.emplace(
          asSpan(ArrayRef(buffer->getBufferStart(), buffer->getBufferSize())));
  }
  std::unique_ptr<MemoryBuffer> buffer;
  std::optional<::ane::MappedPages> pages;
};
} // namespace

Expected<std::shared_ptr<const MemoryBuffer>> BlobReader::open(StringRef path) {
  std::shared_ptr<const MemoryBuffer> &file = files[path];
  if (file)
    return file;
  Expected<std::string> place = locate(path, root);
  if (!place)
    return place.takeError();
  auto buffer = readInput(*place);
  if (std::error_code error = buffer.getError())
    return createFileError(*place, error);
  StringRef bytes = (*buffer)->getBuffer();
  if (::ane::isLfsPointer({bytes.data(), bytes.size()}))
    return createFileError(*place,
                           createStringError(::ane::kLfsPointerText.data()));
  if ((*buffer)->getBufferSize() < sizeof(BlobFileHeader))
    return createFileError(
        *place,
        createStringError("has " + Twine((*buffer)->getBufferSize()) +
                          " bytes, but a weight file begins with a header of " +
                          Twine(sizeof(BlobFileHeader)) + " bytes"));
  const auto *header =
      reinterpret_cast<const BlobFileHeader *>((*buffer)->getBufferStart());
  if (header->version != kBlobVersion)
    return createFileError(
        *place,
        createStringError("version of the weight file is " +
                          Twine(uint32_t(header->version)) + ", but only " +
                          Twine(kBlobVersion) + " is known"));
  auto opened = std::make_shared<OpenFile>(std::move(*buffer));
  file = {opened, opened->buffer.get()};
  return file;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

// What a record claims, against the file and the type of the constant.
static llvm::Error checkRecord(const BlobRecord &record, uint64_t fileSize,
                               BlobType type, uint64_t elements) {
  if (record.magic != kBlobMagic)
    return createStringError(
        llvm::formatv("no blob begins here: found {0:x+8}, expected {1:x+8}",
                      uint32_t(record.magic), kBlobMagic)
            .str());
  auto actualType = static_cast<BlobType>(uint32_t(record.type));
  StringRef name = stringifyBlobType(actualType);
  if (actualType != type || name.empty()) {
    return createStringError(
        "blob has elements of " +
        (name.empty() ? "unknown type " + Twine(uint32_t(record.type)).str()
                      : name.str()) +
        ", but the type of the constant says " + stringifyBlobType(type));
  }
  bool overflows;
  uint64_t bits = llvm::SaturatingMultiply<uint64_t>(
      elements, getBlobBits(type), &overflows);
  uint64_t bytes = llvm::divideCeil(bits, 8);
  if (overflows || record.size != bytes)
    return createStringError(
        "blob has " + Twine(uint64_t(record.size)) + " bytes, but " +
        Twine(elements) + " elements of " + stringifyBlobType(type) + " need " +
        (overflows ? "more than 2^61" : Twine(bytes)));
  uint64_t padding = bytes * 8 - bits;
  if (getBlobBits(type) < 8 && record.paddingBits != padding)
    return createStringError("blob has " + Twine(uint64_t(record.paddingBits)) +
                             " padding bits, but " + Twine(elements) +
                             " elements of " + stringifyBlobType(type) +
                             " leave " + Twine(padding));
  uint64_t offset = record.offset;
  if (offset % kBlobAlignment)
    return createStringError("data of the blob is at " + Twine(offset) +
                             ", which is no multiple of " +
                             Twine(kBlobAlignment));
  if (offset < sizeof(BlobFileHeader) || offset > fileSize ||
      bytes > fileSize - offset)
    return createStringError(
        "data of the blob is " + Twine(bytes) + " bytes at " + Twine(offset) +
        ", but the file has " + Twine(fileSize) + " bytes");
  return llvm::Error::success();
}

Expected<Blob> BlobReader::get(StringRef path, uint64_t offset, BlobType type,
                               uint64_t elements) {
  auto file = open(path);
  if (!file)
    return file.takeError();
  auto fail = [&](llvm::Error error) {
    return createStringError("'" + (*file)->getBufferIdentifier() +
                             "' at offset " + Twine(offset) + ": " +
                             llvm::toString(std::move(error)));
  };
  uint64_t size = (*file)->getBufferSize();
  if (offset % kBlobAlignment)
    return fail(createStringError("offset of a blob must be a multiple of " +
                                  Twine(kBlobAlignment)));
  if (offset < sizeof(BlobFileHeader) || offset > size ||
      size - offset < sizeof(BlobRecord))
    return fail(createStringError(
        "no blob can begin here: the file has " + Twine(size) +
        " bytes, the first " + Twine(sizeof(BlobFileHeader)) +
        " are its header, and a record has " + Twine(sizeof(BlobRecord))));
  const char *start = (*file)->getBufferStart();
  const auto *record = reinterpret_cast<const BlobRecord *>(start + offset);
  if (llvm::Error error = checkRecord(*record, size, type, elements))
    return fail(std::move(error));
  return Blob{type, ArrayRef<char>(start + record->offset, record->size),
              *file};
}

Expected<Blob> BlobReader::get(BlobFileAttr reference) {
  auto tensor = dyn_cast<RankedTensorType>(reference.getType());
  Type element = tensor ? tensor.getElementType() : reference.getType();
  std::optional<BlobType> type = getBlobType(element);
  if (!type || (tensor && !tensor.hasStaticShape())) {
    std::string text;
    llvm::raw_string_ostream(text) << reference.getType();
    return createStringError("'" + reference.getPath() + "' at offset " +
                             Twine(reference.getOffset()) +
                             ": values of type " + text +
                             " do not lie in weight files");
  }
  return get(reference.getPath(), reference.getOffset(), *type,
             tensor ? tensor.getNumElements() : 1);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

// A resource that refers to the mapped bytes and keeps the file open; its pages
// leave memory when it is given back.
static AsmResourceBlob makeResourceBlob(const Blob &blob) {
  // Data lies at multiples of 64 in the file; a small file is not mapped but
  // read, to a multiple of 16. More than that would be of the allocator's
  // liking, and printed.
  constexpr uintptr_t minAlignment = 16;
  uintptr_t address = reinterpret_cast<uintptr_t>(blob.bytes.data());
  size_t align = std::min(minAlignment, address & -address);
  return AsmResourceBlob(
      blob.bytes, align,
      [blob](void *, size_t, size_t) {
        ::ane::releasePages(asSpan(blob.bytes));
      },
      /*dataIsMutable=*/false);
}

static FailureOr<Blob> read(Operation *op, BlobFileAttr reference,
                            BlobReader &reader) {
  Expected<Blob> blob = reader.get(reference);
  if (!blob)
    return op->emitError() << llvm::toString(blob.takeError());
  return *blob;
}

// The part of a statement that may refer to files.
static Attribute getValues(Operation *op) {
  if (auto constant = dyn_cast<ConstOp>(op))
    return constant.getValue();
  if (auto statement = dyn_cast<MILOpInterface>(op))
    return statement.getMILAttributes();
  return {};
}

LogicalResult mlir::ane::mil::checkBlobReferences(ModuleOp module,
                                                  BlobReader &reader) {
  WalkResult result = module.walk([&](Operation *op) {
    Attribute values = getValues(op);
    if (!values)
      return WalkResult::advance();
    return values.walk([&](BlobFileAttr reference) {
      return failed(read(op, reference, reader)) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
    });
  });
  return failure(result.wasInterrupted());
}

namespace {
/// Makes values of references; one resource for each blob.
class BlobResolver {
public:
  BlobResolver(MLIRContext *context, BlobReader &reader)
      : manager(DenseResourceElementsHandle::getManagerInterface(context)),
        reader(reader) {}

  /// Null, with an error at `op`, when there is no such blob.
  Attribute resolve(Operation *op, BlobFileAttr reference);

private:
  DenseResourceElementsHandle::ManagerInterface &manager;
  BlobReader &reader;
  std::map<std::pair<const char *, size_t>, DenseResourceElementsHandle>
      handles;
};
} // namespace

Attribute BlobResolver::resolve(Operation *op, BlobFileAttr reference) {
  FailureOr<Blob> blob = read(op, reference, reader);
  if (failed(blob))
    return {};
  auto tensor = dyn_cast<RankedTensorType>(reference.getType());
  if (!tensor) {
    unsigned bits = reference.getType().getIntOrFloatBitWidth();
    uint32_t raw = 0;
    std::memcpy(&raw, blob->bytes.data(), blob->bytes.size());
    APInt value = APInt(32, raw).zextOrTrunc(bits);
    if (auto type = dyn_cast<FloatType>(reference.getType()))
      return FloatAttr::get(type, APFloat(type.getFloatSemantics(), value));
    return IntegerAttr::get(reference.getType(), value);
  }
  auto key = std::make_pair(blob->bytes.data(), blob->bytes.size());
  auto known = handles.find(key);
  if (known == handles.end()) {
    std::string name = (llvm::sys::path::stem(reference.getPath()) + "_" +
                        Twine(reference.getOffset()))
                           .str();
    known = handles.emplace(key, manager.insert(name, makeResourceBlob(*blob)))
                .first;
  }
  return DenseResourceElementsAttr::get(tensor, known->second);
}

LogicalResult mlir::ane::mil::resolveBlobReferences(ModuleOp module,
                                                    BlobReader &reader) {
  BlobResolver resolver(module.getContext(), reader);
  WalkResult result = module.walk([&](Operation *op) {
    Attribute values = getValues(op);
    bool refers = false, failed = false;
    if (values)
      values.walk([&](BlobFileAttr) { refers = true; });
    if (!refers)
      return WalkResult::advance();
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](BlobFileAttr reference)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          Attribute value = resolver.resolve(op, reference);
          failed |= !value;
          return std::make_pair(value, value ? WalkResult::skip()
                                             : WalkResult::interrupt());
        });
    replacer.replaceElementsIn(op);
    return failed ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
