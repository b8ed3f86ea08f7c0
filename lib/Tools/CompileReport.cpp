//===- CompileReport.cpp - What the compiler did --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/resource.h>

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

void CompileReport::setProgram(const hw::Program &program) {
  hasProgram = true;
  tasks = program.tasks.size();
  constantBytes = program.constantBytes().size();
  scratchBytes = program.scratchBytes;
  textBytes = program.textBytes;
  for (const hw::Tensor &tensor : program.tensors) {
    json::Array shape;
    for (uint32_t extent : tensor.shape)
      shape.push_back(extent);
    tensors.push_back(json::Object{
        {"name", tensor.name},
        {"kind", tensor.kind == hw::TensorKind::Input ? "input" : "output"},
        {"type", hw::elementName(tensor.type)},
        {"shape", std::move(shape)},
        {"bytes", tensor.bytes}});
  }
}

/// Kilobytes that the process has had in memory at most.
static int64_t peakKilobytes() {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage))
    return 0;
  return usage.ru_maxrss;
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
  json::Object object{{"input", input},
                      {"output", output},
                      {"target", target},
                      {"input_bytes", inputBytes},
                      {"output_bytes", outputBytes},
                      {"milliseconds", std::move(times)},
                      {"peak_memory_bytes", peakKilobytes() * 1024}};
  if (hasProgram)
    object["program"] = json::Object{{"tasks", tasks},
                                     {"constant_bytes", constantBytes},
                                     {"scratch_bytes", scratchBytes},
                                     {"text_bytes", textBytes},
                                     {"tensors", json::Array(tensors)}};
  return object;
}

void CompileReport::printJson(llvm::raw_ostream &os) {
  os << llvm::formatv("{0:2}", json::Value(toJson())) << "\n";
}

static void printRow(llvm::raw_ostream &os, llvm::StringRef key,
                     const json::Value &value) {
  std::string text = llvm::formatv("{0:2}", value).str();
  os << "<tr><td>";
  llvm::printHTMLEscaped(key, os);
  os << "</td><td><pre>";
  llvm::printHTMLEscaped(text, os);
  os << "</pre></td></tr>\n";
}

void CompileReport::printHtml(llvm::raw_ostream &os) {
  json::Object object = toJson();
  os << "<!doctype html>\n<meta charset=\"utf-8\">\n<title>";
  llvm::printHTMLEscaped(input, os);
  os << "</title>\n<style>body{font-family:sans-serif}td{vertical-align:top;"
        "padding:.2em 1em}pre{margin:0}</style>\n<h1>";
  llvm::printHTMLEscaped(input, os);
  os << "</h1>\n<table>\n";
  for (const char *key : {"target", "output", "input_bytes", "output_bytes",
                          "milliseconds", "peak_memory_bytes", "program"})
    if (const json::Value *value = object.get(key))
      printRow(os, key, *value);
  os << "</table>\n";
}
