//===- WeightFile.cpp - Constants of a program go to its file -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightFile.h"
#include "Spelling.h"

#include "ane/HW/Float16.h"
#include "ane/Target/MIL/BlobPacking.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace mlir::ane::mil;

// Elements that are converted at a time: small enough for the second cache. A
// multiple of eight, so that packed elements end with a byte.
static constexpr size_t kChunk = 32768;

static int64_t getNumElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

// As coremltools decides. The wide integers came to files with iOS 18.
bool WeightFile::wants(Attribute value, Type type, StringRef opset) const {
  if (isa<BlobFileAttr>(value))
    return references != nullptr;
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool takes = isa<DenseResourceElementsAttr>(value) ||
               (references && isa<DenseElementsAttr>(value));
  if (!takes || !tensor || tensor.getNumElements() < kMinBlobElements)
    return false;
  std::optional<BlobType> blob = getBlobType(tensor.getElementType());
  if (!blob)
    return false;
  bool isWide =
      isa<IntegerType>(tensor.getElementType()) && getBlobBits(*blob) > 8;
  unsigned number = 0;
  opset.drop_front(std::min<size_t>(3, opset.size())).getAsInteger(10, number);
  return !isWide || number >= 18;
}

LogicalResult WeightFile::open(Location loc) {
  SmallString<128> path(dir);
  llvm::sys::path::append(path, "weights");
  if (llvm::sys::fs::is_symlink_file(path))
    return emitError(loc, "cannot write weights: '")
           << path
           << "' is a link, and the files of the folder that it points to are "
              "not this program's; remove it, or name another folder";
  llvm::sys::path::append(path, "weight.bin");
  llvm::Expected<std::unique_ptr<BlobFileWriter>> file =
      BlobFileWriter::create(outputs, path);
  if (!file)
    return emitError(loc, "weights: ") << llvm::toString(file.takeError());
  writer = std::move(*file);
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The elements of a value, and what they become in the file.
struct WeightFile::Source {
  ArrayRef<char> bytes;
  bool isSplat = false; ///< `bytes` is one element
  bool rounds = false;  ///< f32 -> f16
  bool packs = false;   ///< one element a byte -> packed
  std::vector<char> storage;
};

// f32 -> f16, nearest even.
static llvm::Error appendRounded(BlobFileWriter &writer, ArrayRef<char> data) {
  std::vector<uint16_t> half(kChunk);
  std::vector<float> aligned;
  while (!data.empty()) {
    size_t count = std::min(kChunk, data.size() / sizeof(float));
    const auto *single = reinterpret_cast<const float *>(data.data());
    if (reinterpret_cast<uintptr_t>(single) % alignof(float)) {
      aligned.resize(count);
      std::memcpy(aligned.data(), data.data(), count * sizeof(float));
      single = aligned.data();
    }
    ::ane::hw::convertToHalf(single, half.data(), count);
    // Without branches, for speed; the second look finds the culprit.
    bool overflows = false;
    for (size_t i = 0; i < count; ++i)
      overflows |= (half[i] & 0x7fff) == 0x7c00;
    for (size_t i = 0; overflows && i < count; ++i)
      if ((half[i] & 0x7fff) == 0x7c00 && std::isfinite(single[i]))
        return llvm::createStringError(
            llvm::formatv("value {0} is outside of fp16, which ends at 65504; "
                          "scale the weights",
                          single[i])
                .str());
    if (llvm::Error error =
            writer.append({reinterpret_cast<const char *>(half.data()),
                           count * sizeof(uint16_t)}))
      return error;
    data = data.drop_front(count * sizeof(float));
  }
  return llvm::Error::success();
}

static llvm::Error appendPacked(BlobFileWriter &writer, ArrayRef<char> data,
                                unsigned bits) {
  std::vector<char> packed(getPackedSize(kChunk, bits));
  while (!data.empty()) {
    size_t count = std::min(kChunk, data.size());
    packElements(reinterpret_cast<const uint8_t *>(data.data()), count, bits,
                 reinterpret_cast<uint8_t *>(packed.data()));
    if (llvm::Error error = writer.append(
            ArrayRef<char>(packed).take_front(getPackedSize(count, bits))))
      return error;
    data = data.drop_front(count);
  }
  return llvm::Error::success();
}

static llvm::Error appendElements(BlobFileWriter &writer, ArrayRef<char> data,
                                  bool rounds, bool packs, unsigned bits) {
  if (rounds)
    return appendRounded(writer, data);
  return packs ? appendPacked(writer, data, bits) : writer.append(data);
}

// One element many times.
static llvm::Error appendSplat(BlobFileWriter &writer, ArrayRef<char> element,
                               uint64_t count, bool rounds, bool packs,
                               unsigned bits) {
  std::vector<char> chunk;
  chunk.reserve(std::min<uint64_t>(count, kChunk) * element.size());
  for (uint64_t i = 0; i < std::min<uint64_t>(count, kChunk); ++i)
    chunk.insert(chunk.end(), element.begin(), element.end());
  for (uint64_t done = 0; done < count; done += kChunk) {
    uint64_t now = std::min<uint64_t>(kChunk, count - done);
    if (llvm::Error error = appendElements(
            writer, ArrayRef<char>(chunk).take_front(now * element.size()),
            rounds, packs, bits))
      return error;
  }
  return llvm::Error::success();
}

FailureOr<WeightFile::Source>
WeightFile::getSource(Operation *op, Attribute value, Type element) {
  Source source;
  if (auto blobFile = dyn_cast<BlobFileAttr>(value)) {
    llvm::Expected<Blob> blob = references->get(blobFile);
    if (!blob)
      return op->emitOpError() << llvm::toString(blob.takeError());
    if (files.empty() || files.back() != blob->file)
      files.push_back(blob->file);
    source.bytes = blob->bytes;
    return source;
  }
  auto elements = cast<ElementsAttr>(value);
  auto bools = dyn_cast<DenseElementsAttr>(value);
  if (bools &&
      elements.getElementType().isInteger(1)) { // packed by MLIR's rule
    for (bool bit : bools.getValues<bool>())
      source.storage.push_back(bit);
    source.bytes = source.storage;
    source.packs = true;
    return source;
  }
  FailureOr<RawElements> raw = getRawElements(elements);
  if (failed(raw))
    return op->emitOpError("has a resource without the bytes of its type ")
           << elements.getType();
  source.bytes = raw->bytes;
  source.isSplat = raw->isSplat;
  source.rounds = raw->element != element;
  source.packs = !raw->isPacked && getBitWidth(element) < 8;
  return source;
}

FailureOr<uint64_t> WeightFile::add(Operation *op, Attribute value, Type type) {
  if (dir.empty())
    return op->emitOpError("has ")
           << getNumElements(type) << " elements, but only less than "
           << kMinBlobElements
           << " are written into the text; name a folder for the weight file "
              "with --weights-dir";
  if (reference)
    return reference->emitOpError("refers to '")
           << kWeightsPath << "', which would be overwritten";
  Type element = getElementTypeOrSelf(type);
  FailureOr<Source> source = getSource(op, value, element);
  if (failed(source))
    return failure();
  BlobType blobType = *getBlobType(element);
  // What was built on the fly is nowhere else.
  uint64_t fresh = 0, *known = &fresh;
  if (source->storage.empty()) {
    auto [entry, isNew] = offsets.try_emplace(
        {source->bytes.data(), source->bytes.size(), uint32_t(blobType)}, 0);
    if (!isNew)
      return entry->second;
    known = &entry->second;
  }
  if (!writer && failed(open(op->getLoc())))
    return failure();
  unsigned bitWidth = getBlobBits(blobType);
  uint64_t count = getNumElements(type), bits = bitWidth * count;
  uint64_t bytes = llvm::divideCeil(bits, 8);
  llvm::Expected<uint64_t> offset =
      writer->begin(blobType, bytes, bytes * 8 - bits);
  llvm::Error error = offset.takeError();
  if (!error)
    error = source->isSplat
                ? appendSplat(*writer, source->bytes, count, source->rounds,
                              source->packs, bitWidth)
                : appendElements(*writer, source->bytes, source->rounds,
                                 source->packs, bitWidth);
  if (error)
    return op->emitOpError("cannot write weights: ")
           << llvm::toString(std::move(error));
  return *known = *offset;
}

void WeightFile::findReferences(ProgramOp program) {
  auto refersHere = [](Attribute value) {
    auto blob = dyn_cast<BlobFileAttr>(value);
    return blob && blob.getPath() == kWeightsPath;
  };
  program.walk([&](Operation *op) {
    if (auto constant = dyn_cast<ConstOp>(op)) {
      if (refersHere(constant.getValue()))
        reference = op;
    } else if (auto statement = dyn_cast<MILOpInterface>(op)) {
      for (NamedAttribute attribute : statement.getMILAttributes())
        if (refersHere(attribute.getValue()))
          reference = op;
    }
  });
}

LogicalResult WeightFile::finish(Location loc) {
  if (!writer)
    return success();
  if (llvm::Error error = writer->finish())
    return emitError(loc, "cannot write weights: ")
           << llvm::toString(std::move(error));
  writer.reset();
  return success();
}
