//===- TaskSources.cpp - Which ops of a network a task does ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskSources.h"

#include "SourceLines.h"

#include "ane/Dialect/HWX/IR/HWX.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mlir::ane {

TaskSources::TaskSources(Operation *program, SourceMgr &sourceMgr) {
  SourceLines lines(sourceMgr);
  for (auto task : program->getRegion(0).getOps<hwx::TaskOp>())
    tasks.push_back(lines.add(task.getLoc()));
  places = lines.toJson();
}

static Error error(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// The only program, or the one with this name, of a report.
static const json::Object *findProgram(const json::Array &programs,
                                       StringRef file) {
  for (const json::Value &value : programs) {
    const json::Object *program = value.getAsObject();
    if (!program)
      continue;
    std::optional<StringRef> name = program->getString("file");
    if (programs.size() == 1 ||
        (name && sys::path::filename(*name) == sys::path::filename(file)))
      return program;
  }
  return nullptr;
}

Expected<TaskSources> TaskSources::fromReport(StringRef report, StringRef file,
                                              size_t taskCount) {
  Expected<json::Value> value = json::parse(report);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  const json::Array *programs = object ? object->getArray("programs") : nullptr;
  const json::Array *sources = object ? object->getArray("sources") : nullptr;
  if (!programs || !sources)
    return error("is no report of ane-compile: it has no list 'programs' or no "
                 "list 'sources'; write one with ane-compile --report=r.json");
  const json::Object *program = findProgram(*programs, file);
  const json::Array *found =
      program ? program->getArray("task_sources") : nullptr;
  if (!found)
    return error("has no sources of '" + sys::path::filename(file) +
                 "', but of " + Twine(programs->size()) +
                 " other programs; give the report of this one");
  if (found->size() != taskCount)
    return error("is of another program: its tasks are " +
                 Twine(found->size()) + ", those of '" +
                 sys::path::filename(file) + "' " + Twine(taskCount));
  TaskSources result;
  result.places = *sources;
  for (const json::Value &numbers : *found) {
    std::vector<unsigned> &task = result.tasks.emplace_back();
    if (const json::Array *array = numbers.getAsArray())
      for (const json::Value &number : *array)
        if (std::optional<uint64_t> place = number.getAsUINT64();
            place && *place < sources->size())
          task.push_back(*place);
  }
  return result;
}

json::Array TaskSources::toJson(size_t task) const {
  json::Array result;
  if (task < tasks.size())
    for (unsigned place : tasks[task])
      result.push_back(places[place]);
  return result;
}

static std::string describePlace(const json::Object &place) {
  std::string text;
  auto get = [&](StringRef key) {
    return place.getString(key).value_or("").str();
  };
  std::string name = get("name"), operation = get("operation");
  if (!operation.empty())
    return operation + " '" + get("output") + "'";
  if (std::optional<int64_t> line = place.getInteger("line")) {
    text = sys::path::filename(get("file")).str() + ":" + utostr(*line);
    if (std::optional<int64_t> column = place.getInteger("column"))
      text += ":" + utostr(*column);
  }
  if (!name.empty())
    text += text.empty() ? name : " (" + name + ")";
  return text;
}

std::string TaskSources::describe(size_t task) const {
  if (task >= tasks.size())
    return "";
  constexpr size_t most = 3;
  SmallVector<std::string> texts;
  for (unsigned place : tasks[task])
    if (const json::Object *object = places[place].getAsObject())
      if (std::string text = describePlace(*object); !text.empty())
        texts.push_back(std::move(text));
  const size_t more = texts.size() > most ? texts.size() - most : 0;
  texts.truncate(std::min(most, texts.size()));
  return join(texts, ", ") + (more ? ", and " + utostr(more) + " more" : "");
}

} // namespace mlir::ane
