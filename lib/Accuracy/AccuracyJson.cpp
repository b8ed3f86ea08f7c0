//===- AccuracyJson.cpp - Accuracy as data --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Accuracy/Accuracy.h"

#include "ane/Support/Version.h"
#include "ane/Target/MLPackage/MLPackage.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
namespace json = llvm::json;

/// JSON has no infinity.
static json::Value number(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static std::string asUtf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static json::Array shapeToJson(ArrayRef<int64_t> shape) {
  json::Array array;
  for (int64_t size : shape)
    array.push_back(size);
  return array;
}

static json::Object summaryToJson(const ValueSummary &summary) {
  json::Array exponents;
  for (size_t count : summary.exponents)
    exponents.push_back(count);
  return json::Object{{"elements", summary.elements},
                      {"zeros", summary.zeros},
                      {"special", summary.special},
                      {"least", number(summary.least)},
                      {"most", number(summary.most)},
                      {"largest", number(summary.largest)},
                      {"smallest", number(summary.smallest)},
                      {"exponents", std::move(exponents)}};
}

static json::Value differenceToJson(const std::optional<Difference> &value) {
  if (!value)
    return nullptr;
  return json::Object{{"largest", number(value->largest)},
                      {"relative", number(value->relative)},
                      {"rms", number(value->rms)},
                      {"lost", value->lost},
                      {"zeros", value->zeros},
                      {"deviates", value->deviates()}};
}

/// The first file and line of an op, and what it is called there.
static json::Object placeToJson(Location loc) {
  json::Object place;
  if (std::optional<mil::PackagePlace> inPackage = mil::placeInPackage(loc)) {
    place["file"] = asUtf8(inPackage->file);
    place["name"] =
        asUtf8((inPackage->operation + " '" + inPackage->output + "'").str());
    return place;
  }
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && !place.get("name"))
      place["name"] = asUtf8(named.getName().getValue());
    if (auto file = dyn_cast<FileLineColRange>(part)) {
      place["file"] = asUtf8(file.getFilename().getValue());
      place["line"] = file.getStartLine();
      place["column"] = file.getStartColumn();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return place;
}

static json::Object opToJson(size_t index, const OpAccuracy &op) {
  json::Object object{{"index", index},
                      {"op", op.op},
                      {"place", placeToJson(op.loc)},
                      {"shape", shapeToJson(op.shape)},
                      {"reference", summaryToJson(op.reference)},
                      {"total", differenceToJson(op.total)},
                      {"own", differenceToJson(op.own)}};
  if (!op.kind.empty())
    object["kind"] = op.kind;
  if (!op.missing.empty())
    object["missing"] = asUtf8(op.missing);
  return object;
}

json::Object mlir::ane::accuracyToJson(const AccuracyReport &report) {
  json::Array ops, outputs;
  for (auto [index, op] : llvm::enumerate(report.ops))
    ops.push_back(opToJson(index, op));
  for (const OutputAccuracy &output : report.outputs)
    outputs.push_back(
        json::Object{{"name", asUtf8(output.name)},
                     {"shape", shapeToJson(output.shape)},
                     {"reference", summaryToJson(output.reference)},
                     {"total", differenceToJson(output.total)}});
  auto indexOrNull = [](std::optional<size_t> index) {
    return index ? json::Value(*index) : json::Value(nullptr);
  };
  return json::Object{{"compiler", ::ane::version()},
                      {"deviation", kDeviation},
                      {"first_exponent", ValueSummary::kFirstExponent},
                      {"first_deviation", indexOrNull(report.firstDeviation())},
                      {"largest_own", indexOrNull(report.largestOwn())},
                      {"same_outputs", report.sameOutputs},
                      {"programs", report.programs},
                      {"ops", std::move(ops)},
                      {"outputs", std::move(outputs)}};
}
