//===- WeightFile.cpp - Constants of a program go to its file -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightFile.h"
#include "Spelling.h"

#include "ane/HW/Float16.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace mlir::ane::mil;

// Elements that are converted at a time: small enough for the first cache.
static constexpr size_t kChunk = 4096;

WeightFile::~WeightFile() {
  bool failed = writer != nullptr;
  writer.reset();
  if (failed && !madeDir.empty())
    (void)llvm::sys::fs::remove(madeDir);
}

// The wide integers came to files with iOS 18.
bool WeightFile::wants(DenseResourceElementsAttr value, Type type,
                       StringRef opset) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || value.getNumElements() < kMinBlobElements)
    return false;
  std::optional<BlobType> blob = getBlobType(tensor.getElementType());
  if (!blob)
    return false;
  bool isWide = isa<IntegerType>(tensor.getElementType()) &&
                getBitWidth(tensor.getElementType()) > 8;
  unsigned number = 0;
  opset.drop_front(std::min<size_t>(3, opset.size())).getAsInteger(10, number);
  return !isWide || number >= 18;
}

LogicalResult WeightFile::open(Location loc) {
  SmallString<128> path(dir);
  llvm::sys::path::append(path, "weights");
  bool existed = llvm::sys::fs::is_directory(path);
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return emitError(loc, "cannot make the folder '")
           << path << "': " << error.message();
  if (!existed)
    madeDir = path.str();
  llvm::sys::path::append(path, "weight.bin");
  llvm::Expected<std::unique_ptr<BlobFileWriter>> file =
      BlobFileWriter::create(path);
  if (!file)
    return emitError(loc, "cannot write weights: ")
           << llvm::toString(file.takeError());
  writer = std::move(*file);
  return success();
}

// f32 -> f16, nearest even.
static llvm::Error appendRounded(BlobFileWriter &writer, ArrayRef<char> data) {
  std::array<float, kChunk> single;
  std::array<uint16_t, kChunk> half;
  while (!data.empty()) {
    size_t count = std::min(kChunk, data.size() / sizeof(float));
    std::memcpy(single.data(), data.data(), count * sizeof(float));
    ::ane::hw::convertToHalf(single.data(), half.data(), count);
    for (size_t i = 0; i < count; ++i)
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

// Elements of `bits` < 8 bits, one a byte -> packed, the first in the lowest
// bits.
static llvm::Error appendPacked(BlobFileWriter &writer, ArrayRef<char> data,
                                unsigned bits) {
  std::vector<char> packed(llvm::divideCeil(data.size() * bits, 8), 0);
  for (size_t i = 0; i < data.size(); ++i) {
    unsigned value = (unsigned char)data[i] & ((1u << bits) - 1);
    size_t bit = i * bits;
    packed[bit / 8] |= value << (bit % 8);
    if (bit % 8 + bits > 8)
      packed[bit / 8 + 1] |= value >> (8 - bit % 8);
  }
  return writer.append(packed);
}

FailureOr<uint64_t> WeightFile::add(ConstOp op,
                                    DenseResourceElementsAttr value) {
  if (dir.empty())
    return op.emitOpError("has ")
           << value.getNumElements() << " elements, but only less than "
           << kMinBlobElements
           << " are written into the text; name a folder for the weight file "
              "with --weights-dir";
  if (reference)
    return reference->emitOpError("refers to '")
           << kWeightsPath << "', which would be overwritten";
  FailureOr<RawElements> raw = getRawElements(value);
  if (failed(raw))
    return op.emitOpError("has a resource without the bytes of its type ")
           << value.getType();
  Type target = cast<RankedTensorType>(op.getType()).getElementType();
  BlobType type = *getBlobType(target);
  auto key =
      std::make_tuple(raw->bytes.data(), raw->bytes.size(), uint32_t(type));
  auto [known, isNew] = offsets.try_emplace(key, 0);
  if (!isNew)
    return known->second;
  if (!writer && failed(open(op.getLoc())))
    return failure();
  uint64_t bits = uint64_t(getBitWidth(target)) * value.getNumElements();
  uint64_t bytes = llvm::divideCeil(bits, 8);
  llvm::Expected<uint64_t> offset =
      writer->begin(type, bytes, bytes * 8 - bits);
  llvm::Error error = offset.takeError();
  if (!error) {
    if (raw->element != target)
      error = appendRounded(*writer, raw->bytes);
    else if (getBitWidth(target) < 8)
      error = appendPacked(*writer, raw->bytes, getBitWidth(target));
    else
      error = writer->append(raw->bytes);
  }
  if (error)
    return op.emitOpError("cannot write weights: ")
           << llvm::toString(std::move(error));
  return known->second = *offset;
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

LogicalResult WeightFile::commit(Location loc) {
  if (!writer)
    return success();
  if (llvm::Error error = writer->commit())
    return emitError(loc, "cannot write weights: ")
           << llvm::toString(std::move(error));
  writer.reset();
  return success();
}
