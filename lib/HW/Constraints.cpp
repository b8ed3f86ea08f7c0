//===- Constraints.cpp - What the engine cannot do ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/Constraints.h"

#include "absl/strings/str_cat.h"

namespace ane::hw {

static constexpr uint32_t bit(Generation generation) {
  return 1u << static_cast<unsigned>(generation);
}

static constexpr uint32_t kAll = 2 * bit(Generation::H18) - 1;
static constexpr uint32_t kSinceH14 = kAll & ~bit(Generation::H13);

static constexpr Constraint table[] = {
#define ANE_LIMIT(NAME, ID, OP, SUBJECT, MEMBER, GENERATION, EVIDENCE, SOURCE, \
                  WAY_OUT)                                                     \
  {ConstraintId::NAME,                                                         \
   ID,                                                                         \
   OP,                                                                         \
   SUBJECT,                                                                    \
   [](const GenerationInfo &g) -> uint64_t { return g.MEMBER; },               \
   k##GENERATION,                                                              \
   Evidence::EVIDENCE,                                                         \
   SOURCE,                                                                     \
   WAY_OUT},
#define ANE_RULE(NAME, ID, OP, SENTENCE, GENERATION, EVIDENCE, SOURCE,         \
                 WAY_OUT)                                                      \
  {ConstraintId::NAME, ID,     OP,     SENTENCE, nullptr, k##GENERATION,       \
   Evidence::EVIDENCE, SOURCE, WAY_OUT},
#include "ane/HW/Constraints.def"
};

namespace {
struct Known {
  ConstraintId id;
  Generation generation;
  Evidence evidence;
  absl::string_view source;
};

struct Rewrite {
  absl::string_view op, becomes, exactness;
};
} // namespace

static constexpr Known knownElsewhere[] = {
#define ANE_KNOWN(NAME, GENERATION, EVIDENCE, SOURCE)                          \
  {ConstraintId::NAME, Generation::GENERATION, Evidence::EVIDENCE, SOURCE},
#include "ane/HW/Constraints.def"
};

static constexpr Rewrite rewrites[] = {
#define ANE_REWRITE(OP, BECOMES, EXACTNESS) {OP, BECOMES, EXACTNESS},
#include "ane/HW/Constraints.def"
};

absl::Span<const Constraint> constraints() { return table; }

static const Constraint &constraint(ConstraintId id) {
  return table[static_cast<size_t>(id)];
}

bool exceeds(ConstraintId id, const GenerationInfo &generation,
             uint64_t actual) {
  const Constraint &row = constraint(id);
  return row.holdsFor(generation.id) && row.limit &&
         actual > row.limit(generation);
}

std::string describeExcess(ConstraintId id, const GenerationInfo &generation,
                           uint64_t actual) {
  const Constraint &row = constraint(id);
  return absl::StrCat(row.subject, " ", actual, " exceeds the limit of ",
                      row.limit ? row.limit(generation) : 0, " of ",
                      generation.name, " (", row.name, "); ", row.wayOut);
}

std::string describeViolation(ConstraintId id, const GenerationInfo &generation,
                              absl::string_view actual) {
  const Constraint &row = constraint(id);
  return absl::StrCat(actual, ", but ", generation.name, " ", row.subject, " (",
                      row.name, "); ", row.wayOut);
}

static absl::string_view stringify(Evidence evidence) {
  switch (evidence) {
  case Evidence::Seen:
    return "seen";
  case Evidence::Deduced:
    return "deduced";
  case Evidence::Guess:
    return "guess";
  }
  return "";
}

/// "seen: every real program stores f16"
static std::string evidenceOf(const Constraint &row, Generation generation) {
  std::string text = absl::StrCat(stringify(row.evidence), ": ", row.source);
  if (generation == Generation::H13 || !row.holdsFor(Generation::H13))
    return text;
  for (const Known &known : knownElsewhere)
    if (known.id == row.id && known.generation == generation)
      return absl::StrCat(stringify(known.evidence), ": ", known.source);
  return absl::StrCat("guess: as on h13 (", text, ")");
}

static std::string pageRow(const Constraint &row,
                           const GenerationInfo &generation) {
  std::string what =
      row.limit ? absl::StrCat(row.subject, " <= ", row.limit(generation))
                : absl::StrCat("the engine ", row.subject);
  return absl::StrCat("| `", row.name, "` | `", row.op, "` | ", what, " | ",
                      evidenceOf(row, generation.id), " | ", row.wayOut,
                      " |\n");
}

std::string supportedOpsPage() {
  std::string page =
      "# Limits of the engine, and rewrites of ops\n\n"
      "Generated from include/ane/HW/Constraints.def by `ane-opt "
      "--ane-print-constraints`; do not edit.\n";
  for (const GenerationInfo &generation : generations()) {
    absl::StrAppend(&page, "\n## Limits and rules of ", generation.name, "\n\n",
                    "| id | op | limit or rule | evidence | way out |\n",
                    "|---|---|---|---|---|\n");
    for (const Constraint &row : table)
      if (row.holdsFor(generation.id))
        absl::StrAppend(&page, pageRow(row, generation));
  }
  absl::StrAppend(&page, "\n## Ops that `ane-decompose` expands\n\n",
                  "| op | becomes | accuracy |\n|---|---|---|\n");
  for (const Rewrite &row : rewrites)
    absl::StrAppend(&page, "| `", row.op, "` | ", row.becomes, " | ",
                    row.exactness, " |\n");
  return page;
}

} // namespace ane::hw
