//===- Blobs.cpp - How fast weight files are read and written -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The measure is memcpy of as many bytes from memory:
//
//    read    a file is opened, mapped, its blob found and copied to a buffer
//            that was touched before; memcpy copies between such buffers
//    write   a blob goes into a new file; memcpy goes into a new file of that
//            size that has been mapped, which is where bytes must go either way
//    round   the same from fp32, with two bytes read for each that is written;
//            memcpy of 1.5 times the bytes moves as many
//
// usage: ane-bench-blobs FOLDER [flags of Google Benchmark]
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/MIL/BlobFile.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace mlir;
using namespace mlir::ane::mil;

static constexpr size_t kBytes = 100 << 20;

static std::string folder;

static std::string getPath(const char *name) { return folder + "/" + name; }

static void fail(llvm::Error error) {
  llvm::errs() << "ane-bench-blobs: error: " << llvm::toString(std::move(error))
               << "\n";
  std::exit(1);
}

// Ordinary numbers in fp16 as in fp32, in memory that has been touched.
template <typename T> static std::vector<T> makeNumbers(size_t count) {
  std::vector<T> result(count);
  for (size_t i = 0; i < count; ++i) {
    if constexpr (sizeof(T) == 2)
      result[i] = T(0x3000 + i % 1021);
    else
      result[i] = T(0.125f + float(i % 1021) / 1024);
  }
  return result;
}

// The file system takes its time over a name that is taken, so there is none.
static void writeBlob(const std::string &path, llvm::ArrayRef<char> data) {
  (void)llvm::sys::fs::remove(path);
  mlir::ane::OutputFiles files;
  auto writer = BlobFileWriter::create(files, path);
  if (!writer)
    fail(writer.takeError());
  if (auto offset = (*writer)->begin(BlobType::Float16, data.size()); !offset)
    fail(offset.takeError());
  if (llvm::Error error = (*writer)->append(data))
    fail(std::move(error));
  if (llvm::Error error = (*writer)->finish())
    fail(std::move(error));
  if (llvm::Error error = files.commit())
    fail(std::move(error));
}

static llvm::ArrayRef<char> getBytes(const std::vector<uint16_t> &halves) {
  return {reinterpret_cast<const char *>(halves.data()), halves.size() * 2};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static void readCopy(benchmark::State &state) {
  auto from = makeNumbers<uint16_t>(kBytes / 2);
  auto to = makeNumbers<uint16_t>(kBytes / 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), kBytes);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}

static void readBlob(benchmark::State &state) {
  writeBlob(getPath("read.bin"), getBytes(makeNumbers<uint16_t>(kBytes / 2)));
  auto to = makeNumbers<uint16_t>(kBytes / 2);
  for (auto _ : state) {
    BlobReader reader(folder);
    llvm::Expected<Blob> blob =
        reader.get("@model_path/read.bin", 64, BlobType::Float16, kBytes / 2);
    if (!blob)
      fail(blob.takeError());
    std::memcpy(to.data(), blob->bytes.data(), blob->bytes.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void copyIntoFile(const std::string &path, const char *from,
                         size_t bytes) {
  (void)llvm::sys::fs::remove(path);
  int descriptor;
  if (std::error_code code = llvm::sys::fs::openFileForReadWrite(
          path, descriptor, llvm::sys::fs::CD_CreateAlways,
          llvm::sys::fs::OF_None))
    fail(llvm::errorCodeToError(code));
  std::error_code code = llvm::sys::fs::resize_file(descriptor, bytes);
  if (!code) {
    llvm::sys::fs::mapped_file_region region(
        llvm::sys::fs::convertFDToNativeFile(descriptor),
        llvm::sys::fs::mapped_file_region::readwrite, bytes, 0, code);
    if (!code)
      std::memcpy(region.data(), from, bytes);
  }
  llvm::sys::fs::file_t file = llvm::sys::fs::convertFDToNativeFile(descriptor);
  (void)llvm::sys::fs::closeFile(file);
  if (code)
    fail(llvm::errorCodeToError(code));
}

static void writeCopy(benchmark::State &state) {
  auto from = makeNumbers<uint16_t>(kBytes / 2);
  for (auto _ : state)
    copyIntoFile(getPath("copy.bin"), getBytes(from).data(), kBytes);
}

static void writeFile(benchmark::State &state) {
  auto from = makeNumbers<uint16_t>(kBytes / 2);
  for (auto _ : state)
    writeBlob(getPath("write.bin"), getBytes(from));
}

static void roundCopy(benchmark::State &state) {
  auto from = makeNumbers<uint16_t>(kBytes / 4 * 3);
  for (auto _ : state)
    copyIntoFile(getPath("copy.bin"), getBytes(from).data(), kBytes / 2 * 3);
}

// A program with one constant, whose f32 elements the writer rounds.
static void roundFile(benchmark::State &state) {
  MLIRContext context;
  context.loadDialect<MILDialect>();
  auto numbers = makeNumbers<float>(kBytes / 2);
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  builder.setInsertionPointToEnd(module->getBody());
  DictionaryAttr none = builder.getDictionaryAttr({});
  auto program = ProgramOp::create(builder, loc, "1.3", none);
  builder.setInsertionPointToEnd(&program.getBody().front());
  auto func = FuncOp::create(builder, loc, "main", "ios18", {}, {}, none);
  builder.setInsertionPointToEnd(&func.getBody().front());
  auto type = RankedTensorType::get({kBytes / 2}, builder.getF32Type());
  auto value = DenseResourceElementsAttr::get(
      type, "numbers",
      UnmanagedAsmResourceBlob::allocateInferAlign(
          llvm::ArrayRef<float>(numbers)));
  ConstOp::create(builder, loc, type.clone({kBytes / 2}, builder.getF16Type()),
                  value, /*is_inline=*/false, none, StringAttr());
  ReturnOp::create(builder, loc, ValueRange());
  for (auto _ : state) {
    (void)llvm::sys::fs::remove(getPath("weights/weight.bin"));
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(translateToMIL(*module, os, {"", "", folder})))
      std::exit(1);
  }
}

BENCHMARK(readCopy)->Name("read/memcpy")->UseRealTime();
BENCHMARK(readBlob)->Name("read/blob")->UseRealTime();
BENCHMARK(writeCopy)->Name("write/memcpy")->UseRealTime();
BENCHMARK(writeFile)->Name("write/blob")->UseRealTime();
BENCHMARK(roundCopy)->Name("round/memcpy")->UseRealTime();
BENCHMARK(roundFile)->Name("round/blob")->UseRealTime();

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    llvm::errs()
        << "usage: ane-bench-blobs FOLDER [flags of Google Benchmark]\n";
    return 1;
  }
  folder = argv[1];
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
