//===- ExtractWeights.cpp - The weights of a program as arrays ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams are taken apart by the reader of the simulator, which shares no code
// with the packer: what comes out is what the engines would multiply with.
//
//===----------------------------------------------------------------------===//

#include "ane/Target/HWX/ExtractWeights.h"

#include "ane/HW/Float16.h"
#include "ane/Simulator/TaskReader.h"
#include "ane/Support/Npy.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;
namespace json = llvm::json;
namespace npy = ::ane::npy;

static constexpr StringLiteral kIndex = "weights.json";

static StringRef toRef(absl::string_view text) {
  return {text.data(), text.size()};
}

namespace {

class Extractor {
public:
  Extractor(Location loc, const hw::Program &program, const TaskNames &names,
            StringRef folder, mlir::ane::OutputFiles &outputs)
      : loc(loc), program(program), names(names), folder(folder),
        outputs(outputs) {}

  LogicalResult run();

private:
  LogicalResult checkFolder();
  LogicalResult write(size_t task, const sim::TaskWeights &weights);
  LogicalResult writeArray(json::Object &entry, size_t task, StringRef what,
                           npy::Type type, ArrayRef<uint64_t> shape,
                           ArrayRef<uint8_t> bytes);
  FailureOr<llvm::raw_ostream *> open(StringRef name);

  Location loc;
  const hw::Program &program;
  const TaskNames &names;
  StringRef folder;
  mlir::ane::OutputFiles &outputs;
  std::vector<json::Object> entries;
};

} // namespace

/// The folder is replaced as a whole, so it must be one of ours.
LogicalResult Extractor::checkFolder() {
  if (folder.empty() || folder == "-")
    return emitError(loc, "weights are several files and need a folder: give "
                          "-o weights");
  if (!llvm::sys::fs::exists(folder))
    return success();
  if (!llvm::sys::fs::is_directory(folder))
    return emitError(loc) << "'" << folder
                          << "' is a file; -o names a folder for the weights";
  SmallString<256> index(folder);
  llvm::sys::path::append(index, kIndex);
  std::error_code code;
  bool isEmpty = llvm::sys::fs::directory_iterator(folder, code) ==
                 llvm::sys::fs::directory_iterator();
  if (isEmpty || llvm::sys::fs::exists(index))
    return success();
  return emitError(loc) << "folder '" << folder << "' has other files and no "
                        << kIndex
                        << "; give -o a new folder, which would replace it";
}

FailureOr<llvm::raw_ostream *> Extractor::open(StringRef name) {
  SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  llvm::Expected<llvm::raw_fd_ostream &> os = outputs.open(path);
  if (!os)
    return emitError(loc) << llvm::toString(os.takeError());
  return &*os;
}

LogicalResult Extractor::writeArray(json::Object &entry, size_t task,
                                    StringRef what, npy::Type type,
                                    ArrayRef<uint64_t> shape,
                                    ArrayRef<uint8_t> bytes) {
  if (bytes.empty())
    return success();
  std::string name = llvm::formatv("task{0}.{1}.npy", task, what);
  FailureOr<llvm::raw_ostream *> os = open(name);
  if (failed(os))
    return failure();
  std::vector<uint8_t> header = npy::header(type, {shape.data(), shape.size()});
  for (ArrayRef<uint8_t> part : {ArrayRef<uint8_t>(header), bytes})
    (*os)->write(reinterpret_cast<const char *>(part.data()), part.size());
  entry[what] = name;
  return success();
}

static ArrayRef<uint8_t> bytesOf(ArrayRef<uint16_t> halves) {
  return {reinterpret_cast<const uint8_t *>(halves.data()), 2 * halves.size()};
}

LogicalResult Extractor::write(size_t task, const sim::TaskWeights &weights) {
  json::Object &entry = entries.emplace_back();
  const uint64_t channels = weights.bias.size(), table = weights.table.size();
  const uint16_t scale = hw::toHalfBits(weights.postScale);
  bool hasScale = !weights.shape.empty() && weights.postScale != 1;
  if (failed(writeArray(entry, task, "weights", npy::Type::Float16,
                        weights.shape, bytesOf(weights.weights))) ||
      failed(writeArray(entry, task, "bias", npy::Type::Float16, channels,
                        bytesOf(weights.bias))) ||
      failed(writeArray(entry, task, "scale", npy::Type::Float16, uint64_t(1),
                        hasScale ? bytesOf(scale) : ArrayRef<uint8_t>())) ||
      failed(writeArray(entry, task, "table", npy::Type::UInt8, table,
                        weights.table)))
    return failure();
  if (!weights.shape.empty()) {
    entry["groups"] = weights.groups;
    if (weights.accBias != 0)
      entry["added_before_scale"] = weights.accBias;
  }
  return success();
}

LogicalResult Extractor::run() {
  if (failed(checkFolder()))
    return failure();
  std::vector<sim::TaskSummary> tasks = sim::summarizeTasks(program);
  if (!tasks.empty() && llvm::none_of(tasks, [](const sim::TaskSummary &task) {
        return task.status.ok();
      }))
    return emitError(loc) << "task 0: " << toRef(tasks[0].status.message())
                          << "; no task of the program is understood";
  outputs.addFolder(folder);
  llvm::StringMap<size_t> known; // entries
  json::Array skipped;
  std::vector<json::Array> users;
  for (auto [index, task] : llvm::enumerate(tasks)) {
    if (!task.status.ok()) {
      emitWarning(loc) << "task " << index << ": "
                       << toRef(task.status.message())
                       << "; its weights are left out";
      skipped.push_back(json::Object{
          {"task", int64_t(index)},
          {"reason", json::fixUTF8(toRef(task.status.message()))}});
    }
    if (!task.hasWeights)
      continue;
    auto [it, isNew] = known.insert({task.weightsKey(), entries.size()});
    if (isNew) {
      auto weights = task.readWeights(program);
      if (!weights.ok())
        return emitError(loc)
               << "task " << index << ": " << toRef(weights.status().message());
      if (failed(write(index, *weights)))
        return failure();
      users.emplace_back();
      entries.back()["op"] = task.op;
    }
    json::Object user{{"task", int64_t(index)}};
    if (json::Array sources = names.toJSON(index); !sources.empty())
      user["sources"] = std::move(sources);
    users[it->second].push_back(std::move(user));
  }
  json::Array list;
  for (auto [entry, tasksOfIt] : llvm::zip_equal(entries, users)) {
    entry["tasks"] = std::move(tasksOfIt);
    list.push_back(std::move(entry));
  }
  FailureOr<llvm::raw_ostream *> os = open(kIndex);
  if (failed(os))
    return failure();
  **os << llvm::formatv("{0:2}", json::Value(json::Object{
                                     {"weights", std::move(list)},
                                     {"not_understood", std::move(skipped)}}))
       << '\n';
  return success();
}

LogicalResult mlir::ane::hwx::extractWeights(Location loc,
                                             const hw::Program &program,
                                             const TaskNames &names,
                                             StringRef folder,
                                             OutputFiles &outputs) {
  return Extractor(loc, program, names, folder, outputs).run();
}
