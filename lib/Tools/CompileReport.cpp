//===- CompileReport.cpp - What the compiler did --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileReport.h"

#include "PlanReport.h"
#include "StatsJson.h"

#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/resource.h>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace json = llvm::json;

void CompileReport::begin(llvm::StringRef name) {
  Clock::time_point now = Clock::now();
  if (!steps.empty())
    steps.back().milliseconds =
        std::chrono::duration<double, std::milli>(now - steps.back().start)
            .count();
  steps.push_back({name.str(), now, 0});
}

void CompileReport::addPlan(llvm::StringRef text) {
  plan = nullptr;
  // Empty where nothing is cut into strips at all.
  if (llvm::Expected<json::Value> parsed = json::parse(text))
    plan = std::move(*parsed);
  else
    llvm::consumeError(parsed.takeError());
}

void CompileReport::addProgram(llvm::StringRef file, const hw::Program &program,
                               Operation *op) {
  json::Array places;
  for (auto task : op->getRegion(0).getOps<hwx::TaskOp>()) {
    json::Array numbers;
    for (unsigned number : sources.add(task.getLoc()))
      numbers.push_back(number);
    places.push_back(std::move(numbers));
  }
  programs.push_back(
      {file.str(), program, std::move(places), std::exchange(plan, nullptr)});
}

static json::Object figures(const hw::Program &program) {
  json::Array tensors;
  for (const hw::Tensor &tensor : program.tensors) {
    json::Array shape;
    for (uint32_t extent : tensor.shape)
      shape.push_back(extent);
    json::Object object{
        {"name", asUtf8(tensor.name)},
        {"kind", tensor.kind == hw::TensorKind::Input ? "input" : "output"},
        {"type", hw::elementName(tensor.type)},
        {"shape", std::move(shape)},
        {"bytes", tensor.bytes}};
    if (tensor.isLow)
      object["low"] = true;
    tensors.push_back(std::move(object));
  }
  return json::Object{{"tasks", program.tasks.size()},
                      {"constant_bytes", program.constantBytes().size()},
                      {"scratch_bytes", program.scratchBytes},
                      {"text_bytes", program.textBytes},
                      {"tensors", std::move(tensors)}};
}

/// Kilobytes that the process has had in memory at most. What getrusage says
/// begins on Linux with the peak of the process that started this one.
static int64_t peakKilobytes() {
  if (auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status")) {
    StringRef text = (*status)->getBuffer();
    int64_t peak;
    text = text.substr(text.find("\nVmHWM:")).drop_until(llvm::isDigit);
    if (!text.consumeInteger(10, peak))
      return peak;
  }
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage))
    return 0;
#if defined(__APPLE__)
  return usage.ru_maxrss / 1024; // there in bytes
#else
  return usage.ru_maxrss;
#endif
}

json::Object CompileReport::toJson() {
  begin("report");
  json::Object times;
  double total = 0;
  for (const Step &step : llvm::ArrayRef<Step>(steps).drop_back()) {
    times[step.name] = step.milliseconds;
    total += step.milliseconds;
  }
  times["total"] = total;
  json::Object object{{"compiler", ::ane::version()},
                      {"input", asUtf8(input)},
                      {"output", asUtf8(output)},
                      {"target", target},
                      {"accuracy_goal", accuracyGoal},
                      {"function_forms", std::move(functionForms)},
                      {"input_bytes", inputBytes},
                      {"output_bytes", outputBytes},
                      {"milliseconds", std::move(times)},
                      {"peak_memory_bytes", peakKilobytes() * 1024}};
  if (programs.size() == 1)
    object["program"] = figures(programs.front().program);
  json::Array all;
  for (Program &entry : programs) {
    json::Object plan = planToJson(entry.program);
    plan["file"] = asUtf8(entry.file);
    plan["program"] = figures(entry.program);
    plan["task_sources"] = std::move(entry.sources);
    if (entry.plan.getAsObject())
      plan["tiles"] = std::move(entry.plan);
    all.push_back(std::move(plan));
  }
  object["programs"] = std::move(all);
  object["sources"] = sources.toJson();
  return object;
}

void CompileReport::printJson(llvm::raw_ostream &os) {
  os << llvm::formatv("{0:2}", json::Value(toJson())) << "\n";
}

void CompileReport::printHtml(llvm::raw_ostream &os) {
  writePlanPage(os, toJson());
}
