//===- TilePlanJson.cpp - Plans of strips from and to JSON ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan by hand is taken as it is, so what it says must be understood whole:
// a key that is misspelt or has a value of another kind is an error.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Files/InputFiles.h"
#include "ane/Files/OutputFiles.h"
#include "ane/Support/Json.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::ane;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Value writeKept(KeptRows kept) {
  if (kept == KeptRows::Narrow)
    return "narrow";
  return kept == KeptRows::All;
}

// Whoever writes a plan by hand has to know which op has which number: "3:
// ane.conv 1x64x56x56".
static json::Array writeNames(const TileGraph &graph) {
  json::Array names;
  for (auto [number, node] : llvm::enumerate(graph.nodes)) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << number << ": " << node.op->getName().getStringRef() << " ";
    llvm::interleave(
        cast<ShapedType>(node.op->getResult(0).getType()).getShape(), stream,
        "x");
    names.push_back(std::move(text));
  }
  return names;
}

static json::Object writeGroup(const TileGroup &group) {
  json::Object object{{"first", group.first},
                      {"last", group.last},
                      {"dim", group.dim},
                      {"size", group.size},
                      {"keep", writeKept(group.keptRows)}};
  if (group.innerDim >= 0) {
    object["dim"] = json::Array{group.dim, group.innerDim};
    object["size"] = json::Array{group.size, group.innerSize};
  }
  return object;
}

static json::Array writeCuts(ArrayRef<ColumnCut> cuts) {
  json::Array array;
  for (const ColumnCut &cut : cuts)
    array.push_back(json::Object{
        {"first", cut.first}, {"last", cut.last}, {"parts", cut.parts}});
  return array;
}

std::string mlir::ane::writePlan(StringRef function, const TileGraph &graph,
                                 const TilePlan &plan) {
  json::Array groups;
  for (const TileGroup &group : plan.groups)
    groups.push_back(writeGroup(group));
  json::Object object{{"function", function.str()},
                      {"ops", int64_t(graph.nodes.size())},
                      {"names", writeNames(graph)},
                      {"compulsory_bytes", plan.compulsoryBytes},
                      {"bound_bytes", plan.boundBytes},
                      {"column_parts", writeCuts(plan.columnCuts)},
                      {"groups", std::move(groups)}};
  if (!plan.reductions.empty()) {
    json::Array reductions;
    for (auto [op, channels] : plan.reductions)
      reductions.push_back(
          json::Object{{"op", op}, {"input_channels", channels}});
    object["reductions"] = std::move(reductions);
  }
  if (!plan.isByHand) {
    object["planned_bytes"] = plan.plannedBytes;
    object["gap"] = plan.getGap();
    object["exact"] = plan.isExact;
    object["copied_ops"] = plan.copiedOps;
  }
  return llvm::formatv("{0:2}\n", json::Value(std::move(object))).str();
}

LogicalResult PlanRecord::write(func::FuncOp func, std::string plan) const {
  if (text) {
    *text = std::move(plan);
    return success();
  }
  OutputFiles outputs;
  llvm::Expected<llvm::raw_fd_ostream &> os = outputs.open(file);
  if (os)
    *os << plan;
  llvm::Error error = os ? outputs.commit() : os.takeError();
  if (error)
    return func.emitError(llvm::toString(std::move(error)));
  return success();
}

static std::optional<std::string>
addResidency(func::FuncOp func, StringRef text, const HeldCounts &counts) {
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  json::Object *plan = parsed->getAsObject();
  if (!plan || plan->getString("function") != func.getName())
    return std::nullopt;
  json::Array residency;
  for (auto &[key, ofKey] :
       {std::pair("op", &counts.ops), std::pair("argument", &counts.arguments)})
    for (auto [number, count] : *ofKey)
      residency.push_back(
          json::Object{{key, number},
                       {"in", count.held == 0               ? "dram"
                              : count.held == count.tensors ? "l2"
                                                            : "both"}});
  (*plan)["residency"] = std::move(residency);
  return llvm::formatv("{0:2}\n", *parsed).str();
}

LogicalResult PlanRecord::complete(func::FuncOp func,
                                   const HeldCounts &counts) const {
  // Of a function whose strips were set on its ops no plan was written.
  std::unique_ptr<llvm::MemoryBuffer> old;
  std::string message;
  if (text)
    old = llvm::MemoryBuffer::getMemBuffer(*text, "plan");
  else if (!file.empty() && file != "-")
    old = openInputFile(file, &message);
  std::optional<std::string> plan;
  if (old)
    plan = addResidency(func, old->getBuffer(), counts);
  return plan ? write(func, std::move(*plan)) : success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// A plan that is read: who is wrong, and the file to look into.
struct PlanSource {
  Operation *func;
  StringRef file;

  /// `where` is a place in the file, or empty.
  InFlightDiagnostic error(const Twine &where = "") const {
    std::string place = where.str();
    return func->emitError("the plan of tiles '")
           << file << (place.empty() ? "'" : "': " + place);
  }
  /// The way out where the plan is one for something else.
  static constexpr StringLiteral advice =
      "; without --ane-tile, --dump-ane-tile=FILE writes a plan for this "
      "function to start from";
};
} // namespace

static LogicalResult checkKeys(const PlanSource &plan, const Twine &where,
                               const json::Object &object,
                               ArrayRef<StringLiteral> known) {
  for (const auto &entry : object)
    if (!llvm::is_contained(known, StringRef(entry.first)))
      return plan.error(where)
             << " has '" << StringRef(entry.first) << "', but can have "
             << llvm::join(known, ", ") << " only";
  return success();
}

static FailureOr<int64_t> readInteger(const PlanSource &plan,
                                      const Twine &where,
                                      const json::Object &object,
                                      StringRef key) {
  if (std::optional<int64_t> value = object.getInteger(key))
    return *value;
  const json::Value *value = object.get(key);
  if (!value)
    return plan.error(where) << " has no '" << key << "', an integer";
  return plan.error(where) << " has '" << key
                           << "': " << llvm::formatv("{0}", *value).str()
                           << ", but it must be an integer";
}

static FailureOr<KeptRows> readKept(const PlanSource &plan, const Twine &where,
                                    const json::Object &group) {
  const json::Value *value = group.get("keep");
  if (!value)
    return KeptRows::None;
  if (value->getAsString() == StringRef("narrow"))
    return KeptRows::Narrow;
  if (std::optional<bool> all = value->getAsBoolean())
    return *all ? KeptRows::All : KeptRows::None;
  return plan.error(where) << " has 'keep': "
                           << llvm::formatv("{0}", *value).str()
                           << ", but it must be true, false or \"narrow\"";
}

// A number, or one for strips and one for their parts.
static FailureOr<SmallVector<int64_t, 2>>
readOneOrTwo(const PlanSource &plan, const Twine &where,
             const json::Object &group, StringRef key) {
  const json::Array *array = group.getArray(key);
  if (!array) {
    FailureOr<int64_t> one = readInteger(plan, where, group, key);
    if (failed(one))
      return failure();
    return SmallVector<int64_t, 2>{*one};
  }
  SmallVector<int64_t, 2> both;
  for (const json::Value &value : *array)
    if (std::optional<int64_t> number = value.getAsInteger())
      both.push_back(*number);
  if (array->size() != 2 || both.size() != 2)
    return plan.error(where)
           << " has '" << key
           << "': " << llvm::formatv("{0}", *group.get(key)).str()
           << ", but it must be an integer or an array of two";
  return both;
}

static FailureOr<TileGroup> readGroup(const PlanSource &plan,
                                      const json::Value &value,
                                      const TileGraph &graph, size_t number,
                                      int64_t next) {
  std::string where = "group " + std::to_string(number);
  const json::Object *object = value.getAsObject();
  if (!object)
    return plan.error(where) << " is not an object";
  if (failed(checkKeys(plan, where, *object,
                       {"first", "last", "dim", "size", "keep"})))
    return failure();
  FailureOr<int64_t> first = readInteger(plan, where, *object, "first"),
                     last = readInteger(plan, where, *object, "last");
  FailureOr<SmallVector<int64_t, 2>> dims = readOneOrTwo(plan, where, *object,
                                                         "dim"),
                                     sizes = readOneOrTwo(plan, where, *object,
                                                          "size");
  FailureOr<KeptRows> kept = readKept(plan, where, *object);
  if (failed(first) || failed(last) || failed(dims) || failed(sizes) ||
      failed(kept))
    return failure();
  if (dims->size() != sizes->size())
    return plan.error(where)
           << " has 'dim': " << llvm::formatv("{0}", *object->get("dim")).str()
           << " and 'size': "
           << llvm::formatv("{0}", *object->get("size")).str()
           << ", but both must be integers, or arrays of two";
  TileGroup group{*first, *last};
  group.keptRows = *kept;
  int64_t count = graph.nodes.size();
  for (auto [dim, size] : llvm::zip(*dims, *sizes))
    if (*first < next || *last < *first || *last >= count || size < 1 ||
        dim < 0 || dim > 3)
      return plan.error(where)
             << " has ops " << *first << " to " << *last << " in tiles of "
             << size << " along dimension " << dim
             << ", but must have ops from " << next << " to " << count - 1
             << ", tiles of at least 1 and a dimension from 0 to 3";
  // One strip is all there is.
  const TileValue &result = graph.values[graph.nodes[*last].result];
  group.dim = dims->front();
  group.size = std::min<int64_t>(sizes->front(), result.extents[group.dim]);
  if (dims->size() == 1)
    return group;
  group.innerDim = dims->back();
  group.innerSize =
      std::min<int64_t>(sizes->back(), result.extents[group.innerDim]);
  return group;
}

// The one of `count` ops or arguments that an entry of a list is about.
static FailureOr<int64_t> readNumber(const PlanSource &plan, const Twine &where,
                                     const json::Object &entry, StringRef key,
                                     int64_t count) {
  FailureOr<int64_t> at = readInteger(plan, where, entry, key);
  if (failed(at))
    return failure();
  if (*at < 0 || *at >= count)
    return plan.error(where) << " has " << key << " " << *at
                             << ", but must have one from 0 to " << count - 1;
  return at;
}

static LogicalResult readReductions(const PlanSource &plan,
                                    const json::Object &object,
                                    const TileGraph &graph,
                                    std::vector<SplitReduction> &reductions) {
  const json::Value *value = object.get("reductions");
  if (!value)
    return success();
  const json::Array *list = value->getAsArray();
  if (!list)
    return plan.error() << " has 'reductions' that is not an array";
  for (auto [number, entry] : llvm::enumerate(*list)) {
    std::string where = "entry " + std::to_string(number) + " of 'reductions'";
    const json::Object *split = entry.getAsObject();
    if (!split)
      return plan.error(where) << " is not an object";
    if (failed(checkKeys(plan, where, *split, {"op", "input_channels"})))
      return failure();
    FailureOr<int64_t> at = readNumber(plan, where, *split, "op",
                                       graph.nodes.size()),
                       channels =
                           readInteger(plan, where, *split, "input_channels");
    if (failed(at) || failed(channels))
      return failure();
    auto conv = dyn_cast<ConvOp>(graph.nodes[*at].op);
    if (!conv || conv.getGroups() != 1 || *channels < 1)
      return plan.error(where)
             << " has " << *channels << " input channels for op " << *at
             << ", an " << graph.nodes[*at].op->getName()
             << ", but must have at least 1 for a convolution without groups";
    reductions.push_back({*at, *channels});
  }
  return success();
}

// "both" is what a dumped plan says of an op whose strips lie here and there.
static LogicalResult readResidency(const PlanSource &plan,
                                   const json::Object &object,
                                   const TileGraph &graph,
                                   std::vector<HeldResult> &results) {
  const json::Value *value = object.get("residency");
  if (!value)
    return success();
  const json::Array *list = value->getAsArray();
  if (!list)
    return plan.error() << " has 'residency' that is not an array";
  for (auto [number, entry] : llvm::enumerate(*list)) {
    std::string where = "entry " + std::to_string(number) + " of 'residency'";
    const json::Object *held = entry.getAsObject();
    if (!held)
      return plan.error(where) << " is not an object";
    bool isArgument = held->get("argument") && !held->get("op");
    if (failed(isArgument ? checkKeys(plan, where, *held, {"argument", "in"})
                          : checkKeys(plan, where, *held, {"op", "in"})))
      return failure();
    FailureOr<int64_t> at =
        isArgument ? readNumber(plan, where, *held, "argument",
                                cast<func::FuncOp>(plan.func).getNumArguments())
                   : readNumber(plan, where, *held, "op", graph.nodes.size());
    if (failed(at))
      return failure();
    std::optional<StringRef> in = held->getString("in");
    if (in != StringRef("l2") && in != StringRef("dram") &&
        in != StringRef("both"))
      return plan.error(where)
             << " must have 'in' of \"l2\", \"dram\" or \"both\"";
    if (*in != "both")
      results.push_back(
          {*at, *in == "l2" ? MemorySpace::L2 : MemorySpace::Dram, isArgument});
  }
  return success();
}

// A plan that lists other ops is one for another network.
static LogicalResult checkNames(const PlanSource &plan,
                                const json::Object &object,
                                const TileGraph &graph) {
  if (!object.get("names"))
    return success();
  const json::Array *array = object.getArray("names");
  const json::Array expected = writeNames(graph);
  if (!array || array->size() > expected.size())
    return plan.error() << " has 'names' that are not a list of "
                        << expected.size() << " ops" << PlanSource::advice;
  const json::Value none = nullptr;
  for (auto [number, name] : llvm::enumerate(expected))
    if (const json::Value &other =
            number < array->size() ? (*array)[number] : none;
        other != name)
      return plan.error()
             << " has 'names' of other ops: "
             << llvm::formatv("{0} in place of {1}", other, name).str()
             << PlanSource::advice;
  return success();
}

static FailureOr<TilePlan> readGroups(const PlanSource &source,
                                      const json::Object &object,
                                      const TileGraph &graph) {
  if (failed(checkKeys(source, "", object,
                       {"function", "ops", "names", "groups", "residency",
                        "reductions", "column_parts", "planned_bytes",
                        "compulsory_bytes", "bound_bytes", "gap", "exact",
                        "copied_ops"})))
    return failure();
  FailureOr<int64_t> ops = readInteger(source, "", object, "ops");
  if (failed(ops))
    return failure();
  if (*ops != int64_t(graph.nodes.size()))
    return source.error() << " is for " << *ops << " ops, but the function has "
                          << graph.nodes.size() << " beside constants"
                          << PlanSource::advice;
  if (failed(checkNames(source, object, graph)))
    return failure();
  const json::Array *groups = object.getArray("groups");
  if (!groups)
    return source.error() << " has no array 'groups'; [] cuts no op";
  TilePlan plan;
  plan.isByHand = true;
  for (const json::Value &value : *groups) {
    int64_t next = plan.groups.empty() ? 0 : plan.groups.back().last + 1;
    FailureOr<TileGroup> group =
        readGroup(source, value, graph, plan.groups.size(), next);
    if (failed(group))
      return failure();
    plan.groups.push_back(*group);
  }
  if (failed(readResidency(source, object, graph, plan.held)) ||
      failed(readReductions(source, object, graph, plan.reductions)))
    return failure();
  return plan;
}

FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
mlir::ane::openPlan(func::FuncOp func, StringRef file) {
  auto buffer = readInput(file);
  if (!buffer)
    return func.emitError("cannot read the plan of tiles '")
           << file << "': " << buffer.getError().message()
           << "; --ane-tile is the file of a plan, or none";
  return std::move(*buffer);
}

// The plans of a file: one, or an array of them.
static FailureOr<SmallVector<const json::Object *>>
findPlans(const PlanSource &source, const json::Value &file) {
  SmallVector<const json::Object *> plans;
  if (const json::Array *array = file.getAsArray())
    for (const json::Value &value : *array)
      plans.push_back(value.getAsObject());
  else
    plans.push_back(file.getAsObject());
  if (llvm::is_contained(plans, nullptr))
    return source.error() << " is not an object or an array of objects";
  for (const json::Object *plan : plans)
    if (!plan->getString("function"))
      return source.error() << " does not say for which 'function' it is";
  llvm::StringSet<> names;
  for (const json::Object *plan : plans)
    if (StringRef name = *plan->getString("function");
        !names.insert(name).second)
      return source.error() << " has two plans for the function '" << name
                            << "'; remove one of them";
  return plans;
}

// The plan for `func` among `parsed`, which the text becomes; null: there are
// plans for other functions of the module only.
static FailureOr<const json::Object *> findPlan(const PlanSource &source,
                                                func::FuncOp func,
                                                StringRef text,
                                                json::Value &file) {
  if (::ane::isJsonTooDeep({text.data(), text.size()}))
    return source.error() << " has more than " << ::ane::maxJsonDepth
                          << " levels of nesting";
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return source.error() << " is not JSON: "
                          << llvm::toString(parsed.takeError());
  file = std::move(*parsed);
  FailureOr<SmallVector<const json::Object *>> plans = findPlans(source, file);
  if (failed(plans))
    return failure();
  bool isOfModule = false;
  for (const json::Object *plan : *plans) {
    StringRef name = *plan->getString("function");
    if (name == func.getName())
      return plan;
    isOfModule |=
        SymbolTable::lookupNearestSymbolFrom(
            func, StringAttr::get(func.getContext(), name)) != nullptr;
  }
  if (isOfModule)
    return nullptr;
  InFlightDiagnostic diagnostic = source.error() << " is for ";
  if (plans->empty())
    return diagnostic << "no function";
  llvm::interleaveComma(*plans, diagnostic, [&](const json::Object *plan) {
    diagnostic << "'" << *plan->getString("function") << "'";
  });
  return diagnostic << ", but the function is '" << func.getName() << "'"
                    << PlanSource::advice;
}

FailureOr<std::optional<TilePlan>> mlir::ane::readPlan(func::FuncOp func,
                                                       StringRef file,
                                                       StringRef text,
                                                       const TileGraph &graph) {
  PlanSource source{func, file};
  json::Value parsed = nullptr;
  FailureOr<const json::Object *> plan = findPlan(source, func, text, parsed);
  if (failed(plan))
    return failure();
  if (!*plan)
    return std::optional<TilePlan>();
  // Parts only: nobody has to know what ops there are after ane-tile-images.
  if ((*plan)->get("column_parts") && !(*plan)->get("ops") &&
      !(*plan)->get("groups")) {
    if (failed(checkKeys(source, "without 'ops' and 'groups' it", **plan,
                         {"function", "column_parts"})))
      return failure();
    return std::optional<TilePlan>();
  }
  FailureOr<TilePlan> groups = readGroups(source, **plan, graph);
  if (failed(groups))
    return failure();
  return std::optional<TilePlan>(std::move(groups));
}

static FailureOr<int64_t> readCount(const PlanSource &source,
                                    const Twine &where,
                                    const json::Object &object, StringRef key) {
  FailureOr<int64_t> parts = readInteger(source, where, object, key);
  if (succeeded(parts) && *parts < 1)
    return source.error(where) << " has '" << key << "': " << *parts
                               << ", but it must be at least 1";
  return parts;
}

static FailureOr<std::vector<ColumnCut>> readCuts(const PlanSource &source,
                                                  const json::Array &array) {
  std::vector<ColumnCut> cuts;
  for (auto [number, entry] : llvm::enumerate(array)) {
    std::string where =
        "entry " + std::to_string(number) + " of 'column_parts'";
    const json::Object *object = entry.getAsObject();
    if (!object)
      return source.error(where) << " is not an object";
    if (failed(checkKeys(source, where, *object, {"first", "last", "parts"})))
      return failure();
    FailureOr<int64_t> first = readInteger(source, where, *object, "first"),
                       last = readInteger(source, where, *object, "last"),
                       parts = readCount(source, where, *object, "parts");
    if (failed(first) || failed(last) || failed(parts))
      return failure();
    int64_t next = cuts.empty() ? 0 : cuts.back().last + 1;
    if (*first < next || *last < *first)
      return source.error(where)
             << " has ops " << *first << " to " << *last
             << ", but must have ops from " << next << " on, in order";
    cuts.push_back({*first, *last, *parts});
  }
  return cuts;
}

FailureOr<ColumnsByHand>
mlir::ane::readColumns(func::FuncOp func, StringRef file, StringRef text) {
  PlanSource source{func, file};
  json::Value parsed = nullptr;
  FailureOr<const json::Object *> plan = findPlan(source, func, text, parsed);
  if (failed(plan))
    return failure();
  ColumnsByHand columns;
  if (!*plan || !(*plan)->get("column_parts"))
    return columns;
  if (const json::Array *list = (*plan)->getArray("column_parts")) {
    FailureOr<std::vector<ColumnCut>> cuts = readCuts(source, *list);
    if (failed(cuts))
      return failure();
    columns.cuts = std::move(*cuts);
    return columns;
  }
  FailureOr<int64_t> parts = readCount(source, "", **plan, "column_parts");
  if (failed(parts))
    return failure();
  columns.parts = parts;
  return columns;
}
