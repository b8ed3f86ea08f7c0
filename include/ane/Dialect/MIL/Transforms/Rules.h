//===- Rules.h - What the private paths to the engine demand ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table (Rules.def): an id, the path, chips, systems and compiler for which
// a rule holds, what it demands, how well that is known and what helps.
// ane-check-mil, ane-legalize-mil and docs/Formats/MILRules.md read the same
// rows.
//
// There are two private paths. The in-memory path hands MIL text to the
// engine's compiler; the E5 path is the runtime of Core ML after the same
// text. Limits of the chip and of its compiler hold on both.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_RULES_H
#define ANE_DIALECT_MIL_TRANSFORMS_RULES_H

#include "ane/Dialect/MIL/Utils/Statement.h"

#include "llvm/Support/Error.h"
#include <functional>

namespace mlir::ane::mil {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

enum PathSet : uint8_t { kInMemory = 1, kE5 = 2, kAnyPath = 3 };

enum ChipSet : uint8_t {
  kM1 = 1,
  kM2 = 2,
  kM3 = 4,
  kM4 = 8,
  kM5 = 16,
  kAllChips = 31
};

/// Major versions of macOS, both ends included.
struct SystemRange {
  unsigned first = 0, last = ~0u;
};

enum class Severity : uint8_t { Error, Warning };
enum class Evidence : uint8_t { Seen, Deduced, Claimed };

/// The order of Rules.def.
enum class RuleId : uint8_t {
#define MIL_RULE(NAME, ...) NAME,
#define MIL_LIMIT(NAME, ...) NAME,
#include "ane/Dialect/MIL/Transforms/Rules.def"
};

struct Rule {
  RuleId id;
  StringLiteral name; ///< as in messages and tests, "conv_bias"
  unsigned paths, chips;
  SystemRange systems;
  StringLiteral compiler; ///< the version that is meant; "" for any
  Severity severity;
  Evidence evidence;
  StringLiteral demand;  ///< clause after ", but"; limit: what is limited
  uint64_t limit;        ///< 0 for a rule
  StringLiteral unit;    ///< of the limit
  StringLiteral source;  ///< where the knowledge comes from
  StringLiteral wayOut;  ///< an imperative sentence
  StringLiteral rewrite; ///< the pattern of ane-legalize-mil, or ""
};

const Rule &getRule(RuleId id);

/// An operation that not every chip has (OpReach.def).
struct OpReach {
  StringLiteral operation;
  unsigned chips;  ///< that have it
  bool isDisputed; ///< reports disagree about these chips
  StringLiteral wayOut;
};
/// Null for an operation that every chip has.
const OpReach *getReach(StringRef operation);

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// What a program shall run on. What is not said is any: a rule holds for a
/// target if it holds for one of those that are meant.
struct Target {
  unsigned paths = kInMemory;
  unsigned chips = kAllChips;
  SystemRange systems;
  std::string compiler;

  bool isAny() const { return chips == kAllChips && !systems.first; }
};

/// `name` is like "macos15,m4", in any order, either part may be absent; `path`
/// is "im", "e5" or ""; `compiler` is a version or "".
llvm::Expected<Target> parseTarget(StringRef name, StringRef path,
                                   StringRef compiler);
bool holds(const Rule &rule, const Target &target);

//===----------------------------------------------------------------------===//
// Violations
//===----------------------------------------------------------------------===//

struct Violation {
  const Rule *rule;
  Operation *op;
  std::string actual; ///< a clause that says what was found
  bool canRewrite;    ///< the rule's rewrite does it here
  StringRef wayOut;
};

/// "conv has an argument 'bias', but ... (conv_bias, seen: ...); ...".
std::string describe(const Violation &violation);

/// Collects the violations of rules that hold for a target.
class Checker {
public:
  using Report = std::function<void(const Violation &)>;
  Checker(const Target &target, Report report)
      : target(target), sink(std::move(report)) {}

  /// The whole program: itself, its functions, their statements.
  void check(ProgramOp program);
  void check(FuncOp func);
  void check(const Statement &statement);

  // What the single checks use.
  bool holds(RuleId id) const { return mil::holds(getRule(id), target); }
  void report(RuleId id, Operation *op, const Twine &actual,
              bool canRewrite = true, StringRef wayOut = "");
  /// Reports the first of the limits that holds and that `value` exceeds.
  void checkLimit(ArrayRef<RuleId> ids, Operation *op, const Twine &subject,
                  uint64_t value, bool canRewrite = true);

  const Target &target;

private:
  Report sink;
};

/// docs/Formats/MILRules.md.
std::string rulesPage();

} // namespace mlir::ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_RULES_H
