//===- Rules.cpp - What the private paths to the engine demand ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Transforms/Rules.h"

#include "ane/HW/Generation.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;
namespace hw = ::ane::hw;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr SystemRange anySystem() { return {}; }
static constexpr SystemRange upTo(unsigned last) { return {0, last}; }
static constexpr SystemRange from(unsigned first) { return {first, ~0u}; }

static constexpr Rule kRules[] = {
#define MIL_RULE(NAME, ID, PATHS, CHIPS, SYSTEMS, COMPILER, SEVERITY,          \
                 EVIDENCE, DEMAND, SOURCE, WAY_OUT, REWRITE)                   \
  {RuleId::NAME,                                                               \
   ID,                                                                         \
   PATHS,                                                                      \
   CHIPS,                                                                      \
   SYSTEMS,                                                                    \
   COMPILER,                                                                   \
   Severity::SEVERITY,                                                         \
   Evidence::EVIDENCE,                                                         \
   DEMAND,                                                                     \
   0,                                                                          \
   "",                                                                         \
   SOURCE,                                                                     \
   WAY_OUT,                                                                    \
   REWRITE},
#define MIL_LIMIT(NAME, ID, PATHS, CHIPS, SYSTEMS, COMPILER, SEVERITY,         \
                  EVIDENCE, SUBJECT, LIMIT, UNIT, SOURCE, WAY_OUT, REWRITE)    \
  {RuleId::NAME,                                                               \
   ID,                                                                         \
   PATHS,                                                                      \
   CHIPS,                                                                      \
   SYSTEMS,                                                                    \
   COMPILER,                                                                   \
   Severity::SEVERITY,                                                         \
   Evidence::EVIDENCE,                                                         \
   SUBJECT,                                                                    \
   LIMIT,                                                                      \
   UNIT,                                                                       \
   SOURCE,                                                                     \
   WAY_OUT,                                                                    \
   REWRITE},
#include "ane/Dialect/MIL/Transforms/Rules.def"
};

static constexpr OpReach kReach[] = {
#define MIL_REACH(OPERATION, CHIPS, IS_DISPUTED, WAY_OUT)                      \
  {OPERATION, CHIPS, IS_DISPUTED, WAY_OUT},
#include "ane/Dialect/MIL/Transforms/OpReach.def"
};

namespace {
struct Note {
  unsigned paths;
  StringLiteral text;
};
} // namespace

static constexpr Note kNotes[] = {
#define MIL_NOTE(PATHS, TEXT) {PATHS, TEXT},
#include "ane/Dialect/MIL/Transforms/Rules.def"
};

const Rule &mlir::ane::mil::getRule(RuleId id) {
  return kRules[static_cast<size_t>(id)];
}

const OpReach *mlir::ane::mil::getReach(StringRef operation) {
  const OpReach *row = llvm::find_if(
      kReach, [&](const OpReach &row) { return row.operation == operation; });
  return row == std::end(kReach) ? nullptr : row;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

namespace {
struct Chip {
  StringLiteral name;
  hw::Generation generation;
  unsigned bit;
};
} // namespace

// The generation that goes with a chip is *seen* in compiled programs, for M5
// in one report only.
static constexpr Chip kChips[] = {{"m1", hw::Generation::H13, kM1},
                                  {"m2", hw::Generation::H14, kM2},
                                  {"m3", hw::Generation::H15, kM3},
                                  {"m4", hw::Generation::H16, kM4},
                                  {"m5", hw::Generation::H17, kM5}};

// What somebody has reported on.
static constexpr unsigned kSystems[] = {13, 14, 15, 26, 27};
// Versions of the engine's compiler that real programs name.
static constexpr StringLiteral kCompilers[] = {"4.2.1", "5.4.1", "7.6.4",
                                               "9.509"};

static std::string listSystems() {
  std::string result;
  for (unsigned system : kSystems)
    result += (result.empty() ? "macos" : ", macos") + llvm::utostr(system);
  return result;
}

static std::string listChips() {
  std::string result;
  for (const Chip &chip : kChips)
    result += ((result.empty() ? "" : ", ") + chip.name + " (" +
               hw::info(chip.generation).name + ")")
                  .str();
  return result;
}

static llvm::Error parseTargetWord(StringRef word, Target &target) {
  for (const Chip &chip : kChips)
    if (word == chip.name || word == hw::info(chip.generation).name) {
      if (target.chips != kAllChips)
        return llvm::createStringError("target names two chips; name one");
      target.chips = chip.bit;
      return llvm::Error::success();
    }
  unsigned system;
  StringRef digits = word;
  if (digits.consume_front("macos") && !digits.getAsInteger(10, system) &&
      llvm::is_contained(kSystems, system)) {
    if (target.systems.first)
      return llvm::createStringError("target names two systems; name one");
    target.systems = {system, system};
    return llvm::Error::success();
  }
  return llvm::createStringError("target has no meaning for '" + word +
                                 "'; the known systems are " + listSystems() +
                                 ", the known chips are " + listChips());
}

llvm::Expected<Target> mlir::ane::mil::parseTarget(StringRef name,
                                                   StringRef path,
                                                   StringRef compiler) {
  Target target;
  SmallVector<StringRef> words;
  name.split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    if (llvm::Error error = parseTargetWord(word.trim(), target))
      return std::move(error);
  if (path == "e5")
    target.paths = kE5;
  else if (!path.empty() && path != "im")
    return llvm::createStringError("path is '" + path +
                                   "', but must be im (in memory) or e5");
  if (!compiler.empty() && !llvm::is_contained(kCompilers, compiler))
    return llvm::createStringError("compiler is '" + compiler +
                                   "', but the known versions are " +
                                   llvm::join(ArrayRef(kCompilers), ", "));
  target.compiler = compiler.str();
  return target;
}

bool mlir::ane::mil::holds(const Rule &rule, const Target &target) {
  return (rule.paths & target.paths) && (rule.chips & target.chips) &&
         rule.systems.first <= target.systems.last &&
         target.systems.first <= rule.systems.last &&
         (rule.compiler.empty() || target.compiler.empty() ||
          rule.compiler == target.compiler);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static StringRef stringify(Evidence evidence) {
  switch (evidence) {
  case Evidence::Seen:
    return "seen";
  case Evidence::Deduced:
    return "deduced";
  case Evidence::Claimed:
    return "claimed by one author";
  }
  return "";
}

std::string mlir::ane::mil::describe(const Violation &violation) {
  const Rule &rule = *violation.rule;
  std::string demand =
      rule.limit
          ? ("at most " + Twine(rule.limit) + " " + rule.unit + " are taken")
                .str()
          : rule.demand.str();
  StringRef wayOut =
      violation.wayOut.empty() ? StringRef(rule.wayOut) : violation.wayOut;
  return (violation.actual + ", but " + demand + " (" + rule.name + ", " +
          stringify(rule.evidence) + ": " + rule.source + "); " + wayOut +
          (violation.canRewrite ? ", as ane-legalize-mil does" : ""))
      .str();
}

// Whether a statement is one that the table of operations allows: a `mil.op`
// may lack arguments or have others than a rewrite expects.
static bool isRegular(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  if (!generic)
    return true;
  const OpInfo *info = lookupOp(generic.getMILType());
  if (!info)
    return false;
  SmallVector<StatementArgument> arguments;
  for (const NamedArgument &argument : generic.getMILArguments())
    arguments.push_back(
        {argument.name, llvm::to_vector<1>(argument.values), argument.isTuple});
  auto func = op->getParentOfType<FuncOp>();
  std::optional<unsigned> opset = parseOpset(func.getOpset());
  return opset && !checkStatement(*info, arguments, generic.getMILAttributes(),
                                  op->getResultTypes(), *opset);
}

// What only exchanges constants by others of the same or the right type.
static bool keepsStatement(StringRef rewrite) {
  return rewrite == "name-literals" || rewrite == "bound-masks" ||
         rewrite == "store-constants" || rewrite == "convert-epsilon";
}

void Checker::report(RuleId id, Operation *op, const Twine &actual,
                     bool canRewrite, StringRef wayOut) {
  if (!holds(id))
    return;
  const Rule &rule = getRule(id);
  canRewrite = canRewrite && !rule.rewrite.empty() &&
               (keepsStatement(rule.rewrite) || isRegular(op));
  sink({&rule, op, actual.str(), canRewrite, wayOut});
}

void Checker::checkLimit(ArrayRef<RuleId> ids, Operation *op,
                         const Twine &subject, uint64_t value,
                         bool canRewrite) {
  for (RuleId id : ids) {
    const Rule &rule = getRule(id);
    if (value <= rule.limit || !holds(id))
      continue;
    return report(id, op, subject + " is " + Twine(value) + " " + rule.unit,
                  canRewrite);
  }
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

static std::string pathsOf(unsigned paths) {
  return paths == kInMemory ? "in memory" : paths == kE5 ? "E5" : "both";
}

static std::string chipsOf(unsigned chips) {
  if (chips == kAllChips)
    return "all";
  std::string result;
  for (const Chip &chip : kChips)
    if (chips & chip.bit)
      result += (result.empty() ? "" : ", ") + chip.name.upper();
  return result.empty() ? "none" : result;
}

static std::string systemsOf(const Rule &rule) {
  std::string result = "any";
  if (rule.systems.first)
    result = "macOS " + llvm::utostr(rule.systems.first) + " and later";
  else if (rule.systems.last != ~0u)
    result = "up to macOS " + llvm::utostr(rule.systems.last);
  if (!rule.compiler.empty())
    result += (", compiler " + rule.compiler).str();
  return result;
}

static std::string pageRow(const Rule &rule) {
  std::string demand = rule.demand.str();
  if (rule.limit)
    demand += " <= " + llvm::utostr(rule.limit) + " " + rule.unit.str();
  return ("| `" + rule.name + "` | " +
          (rule.severity == Severity::Error ? "error" : "warning") + " | " +
          demand + " | " + pathsOf(rule.paths) + " | " + chipsOf(rule.chips) +
          " | " + systemsOf(rule) + " | " + stringify(rule.evidence) + ": " +
          rule.source + " | " + rule.wayOut +
          (rule.rewrite.empty() ? "" : " (`" + rule.rewrite + "`)") + " |\n")
      .str();
}

std::string mlir::ane::mil::rulesPage() {
  std::string page =
      "# Demands of the private paths on a MIL program\n\n"
      "Generated from include/ane/Dialect/MIL/Transforms/Rules.def and "
      "OpReach.def by `ane-opt --ane-print-mil-rules`; do not edit.\n\n"
      "`ane-opt --ane-check-mil=macos15,m4` explains each violation; "
      "`--ane-legalize-mil=macos15,m4` applies the rewrites that the last "
      "column names. Without a target, a failure on some machine is a "
      "remark.\n\n"
      "The path *in memory* hands text to the engine's compiler; *E5* is Core "
      "ML's own runtime (`path=e5`). We ran none of these programs on a "
      "machine: *seen* means reported by more than one author or recorded with "
      "its outcome, *deduced* means that it follows from such facts.\n\n"
      "An error means certain failure or silently wrong data; a warning means "
      "that reports disagree, or that the outcome depends on the data.\n\n"
      "Known systems: " +
      listSystems() + ". Known chips: " + listChips() +
      ". Known compilers: " + llvm::join(ArrayRef(kCompilers), ", ") +
      ".\n\n## Rules\n\n"
      "| id | severity | demand | path | chips | systems | how it is known | "
      "what helps |\n|---|---|---|---|---|---|---|---|\n";
  for (const Rule &rule : kRules)
    page += pageRow(rule);
  page += "\n## Operations that not every chip has\n\n"
          "| operation | chips | reports agree | what helps elsewhere |\n"
          "|---|---|---|---|\n";
  for (const OpReach &row : kReach)
    page += ("| `" + row.operation + "` | " + chipsOf(row.chips) + " | " +
             (row.isDisputed ? "no" : "yes") + " | " + row.wayOut + " |\n")
                .str();
  page += "\n## What no program text can violate\n\n";
  for (const Note &note : kNotes)
    page += ("- " + note.text + " (" + pathsOf(note.paths) + ")\n").str();
  return page;
}
