//===- EncoderRules.cpp - The encoder's rules, as a table -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EncoderRules.h"

#include "ane/Conversion/ANEToHWX/ExplainWord.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ane;
using llvm::StringRef;

namespace {

enum class StepKind { Section, Rule, Let, When, Otherwise, End };

/// A line of a file of rules.
struct Step {
  StepKind kind;
  const char *name;   ///< of the function, the field, or what is defined
  const char *text;   ///< the op of a section, a formula, or a condition
  const char *detail; ///< the file of a section, the type, or the evidence
  unsigned line;
};

} // namespace

#define RULE(block, field, value, why)                                         \
  {StepKind::Rule, #block "." #field, #value, why, __LINE__},
#define HALF(block, field, value, why)                                         \
  {StepKind::Rule, #block "." #field, #value, why, __LINE__},
#define LET(type, name, ...)                                                   \
  {StepKind::Let, #name, #__VA_ARGS__, #type, __LINE__},
#define WHEN(...) {StepKind::When, "", "if (" #__VA_ARGS__ ")", "", __LINE__},
#define OTHERWISE {StepKind::Otherwise, "", "else", "", __LINE__},
#define END {StepKind::End, "", "", "", __LINE__},
#define ANE_TEXT(...) #__VA_ARGS__
#define EACH(declaration, ...)                                                 \
  {StepKind::When, "", "for (" ANE_TEXT declaration " : " #__VA_ARGS__ ")",    \
   "", __LINE__},
#define SECTION(function, op, file)                                            \
  {StepKind::Section, #function, op, "Rules/" file ".def", 0},

// In the order in which a task is encoded.
// clang-format off
static constexpr Step kSteps[] = {
    SECTION(encodeHeader, "", "Header")
#include "Rules/Header.def"
    SECTION(encodeBases, "", "Bases")
#include "Rules/Bases.def"
    SECTION(encodeCommon, "", "Common")
#include "Rules/Common.def"
    SECTION(encodeSourceHints, "", "SourceHints")
#include "Rules/SourceHints.def"
    SECTION(encodeSources, "", "Sources")
#include "Rules/Sources.def"
    SECTION(encodeL2, "", "L2Sources")
#include "Rules/L2Sources.def"
    SECTION(encodeL2Source, "", "L2Source")
#include "Rules/L2Source.def"
    SECTION(encodeL2, "", "L2Result")
#include "Rules/L2Result.def"
    SECTION(encodeL2, "", "L2ResultStrides")
#include "Rules/L2ResultStrides.def"
    SECTION(encodeTarget, "", "TargetHints")
#include "Rules/TargetHints.def"
    SECTION(encodeTarget, "", "Target")
#include "Rules/Target.def"
    SECTION(encodeNe, "Ne", "Ne")
#include "Rules/Ne.def"
    SECTION(encodeIdleNe, "", "IdleNe")
#include "Rules/IdleNe.def"
    SECTION(encodeKernelDefaults, "", "KernelDefaults")
#include "Rules/KernelDefaults.def"
    SECTION(encodeStreams, "", "Streams")
#include "Rules/Streams.def"
    SECTION(encodeShapeCodes, "", "ShapeCodes")
#include "Rules/ShapeCodes.def"
    SECTION(encodeConv, "NeConvOp", "Conv")
#include "Rules/Conv.def"
    SECTION(encodeGroups, "NeConvOp", "Groups")
#include "Rules/Groups.def"
    SECTION(encodeConv, "NeConvOp", "ConvWork")
#include "Rules/ConvWork.def"
    SECTION(encodeBypass, "NeBypassOp", "Bypass")
#include "Rules/Bypass.def"
    SECTION(encodeNeReduce, "NeReduceOp", "NeReduce")
#include "Rules/NeReduce.def"
    SECTION(encodeNeProduct, "NeProductOp", "NeProduct")
#include "Rules/NeProduct.def"
    SECTION(encodePe, "Pe", "Pe")
#include "Rules/Pe.def"
    SECTION(encodePatch, "Pe", "PePatch")
#include "Rules/PePatch.def"
    SECTION(encodePeEpilogue, "Pe", "PeEpilogue")
#include "Rules/PeEpilogue.def"
    SECTION(encodeReduce, "PeReduceOp", "PeReduce")
#include "Rules/PeReduce.def"
    SECTION(encodeReduce, "PeReduceOp", "PeMean")
#include "Rules/PeMean.def"
    SECTION(encodeInterleave, "PeInterleaveOp", "PeInterleave")
#include "Rules/PeInterleave.def"
    SECTION(encodeNormalize, "PeNormalizeOp", "PeNormalize")
#include "Rules/PeNormalize.def"
    SECTION(encodePe, "Pe", "PeFirstMask")
#include "Rules/PeFirstMask.def"
    SECTION(encodePe, "PeUnaryOp", "PeUnary")
#include "Rules/PeUnary.def"
    SECTION(encodePair, "PeElementwiseOp", "PePairMasks")
#include "Rules/PePairMasks.def"
    SECTION(encodePair, "PeElementwiseOp", "PePair")
#include "Rules/PePair.def"
    SECTION(encodeEstimate, "", "Estimate")
#include "Rules/Estimate.def"
    SECTION(chain, "", "Chain")
#include "Rules/Chain.def"
};
// clang-format on

#undef RULE
#undef HALF
#undef LET
#undef WHEN
#undef OTHERWISE
#undef END
#undef EACH
#undef ANE_TEXT
#undef SECTION

/// "Common.Cfg_TaskType" as "Common.Cfg.TaskType", without an index.
static std::string pathOf(StringRef field) {
  field = field.take_until([](char c) { return c == '('; });
  auto [reg, part] = field.rsplit('_');
  return part.empty() ? field.str() : (reg + "." + part).str();
}

/// The definitions of names that stand in `formula`.
static std::vector<std::string>
definitionsIn(StringRef formula, const llvm::StringMap<std::string> &known) {
  std::vector<std::string> definitions;
  auto isName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!formula.empty()) {
    StringRef name = formula.take_while(isName);
    if (auto it = known.find(name); it != known.end())
      if (!llvm::is_contained(definitions, it->second))
        definitions.push_back(it->second);
    formula = formula.drop_front(std::max<size_t>(1, name.size()));
  }
  return definitions;
}

std::vector<EncoderRule> mlir::ane::getEncoderRules() {
  std::vector<EncoderRule> rules;
  const Step *section = nullptr;
  llvm::StringMap<std::string> known;
  std::vector<std::string> conditions;
  for (const Step &step : kSteps) {
    switch (step.kind) {
    case StepKind::Section:
      section = &step;
      known.clear();
      conditions.clear();
      break;
    case StepKind::Let:
      known[step.name] =
          (step.detail + Twine(" ") + step.name + " = " + step.text).str();
      break;
    case StepKind::When:
      conditions.push_back(step.text);
      break;
    case StepKind::Otherwise:
      conditions.back() = "else of " + conditions.back();
      break;
    case StepKind::End:
      conditions.pop_back();
      break;
    case StepKind::Rule:
      rules.push_back({pathOf(step.name), step.text, conditions,
                       definitionsIn(step.text, known), step.detail,
                       section->name, section->text, section->detail,
                       step.line});
      break;
    }
  }
  return rules;
}

/// A cell of a table of Markdown.
static std::string cell(StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|')
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string mlir::ane::encoderRulesPage() {
  std::string page;
  llvm::raw_string_ostream os(page);
  os << "# Rules of the encoder\n\n"
        "This page lists the value that the encoder writes to each field of a "
        "task, from "
        "[lib/Conversion/ANEToHWX/Rules](../../lib/Conversion/ANEToHWX/Rules). "
        "If several rules of a field apply, the last one holds. Fields "
        "of H14 are filled from their counterparts ([H14](H14.md)); `ane-opt "
        "--ane-print-encoder-rules` prints this page, `ane-translate "
        "--dump-hwx --explain` the rules of a word.\n";
  StringRef file;
  for (const EncoderRule &rule : getEncoderRules()) {
    if (rule.file != file) {
      file = rule.file;
      StringRef name = file;
      name.consume_front("Rules/");
      name.consume_back(".def");
      os << "\n## " << name
         << (rule.op.empty() ? ""
             : rule.op.size() == 2
                 ? (", tasks of the " + StringRef(rule.op).upper())
                 : ", " + rule.op)
         << "\n\n| field | value | when | where | why |\n"
            "|---|---|---|---|---|\n";
    }
    auto list = [](ArrayRef<std::string> texts) {
      return llvm::join(llvm::map_range(texts,
                                        [](const std::string &text) {
                                          return "`" + cell(text) + "`";
                                        }),
                        ", ");
    };
    os << "| `" << rule.field << "` | `" << cell(rule.formula) << "` | "
       << list(rule.conditions) << " | " << list(rule.definitions) << " | "
       << cell(rule.evidence) << " |\n";
  }
  return page;
}
