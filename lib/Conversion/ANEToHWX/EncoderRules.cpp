//===- EncoderRules.cpp - What the encoder's own text says ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not a parser of C++: it relies on how the formatter lays the encoder out, one
// statement a line or indented below its first line.
//
//===----------------------------------------------------------------------===//

#include "EncoderRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::ane;
using llvm::StringRef;

namespace {

class RuleReader {
public:
  explicit RuleReader(EncoderSource source) : source(source) {
    source.text.split(lines, '\n');
  }

  std::vector<EncoderRule> read();

private:
  static size_t indentOf(StringRef line) {
    return line.size() - line.ltrim(' ').size();
  }
  /// From `column` of line `at` to the parenthesis that closes the first one,
  /// on one line.
  std::string balanced(size_t at, size_t column) const;
  std::string commentAbove(size_t at) const;
  std::vector<std::string> conditionsOf(size_t at) const;
  std::vector<std::string> definitionsOf(StringRef formula, size_t at) const;
  void readStatement(size_t at, size_t column);
  std::string fieldOf(StringRef name) const;

  EncoderSource source;
  SmallVector<StringRef> lines;
  /// Names of register blocks: C -> Common.
  llvm::StringMap<std::string> blocks;
  std::string function, op;
  size_t functionLine = 0;
  std::vector<EncoderRule> rules;
};

} // namespace

std::string RuleReader::balanced(size_t at, size_t column) const {
  std::string text;
  int depth = 0;
  for (; at < lines.size(); ++at, column = 0) {
    StringRef rest = lines[at].drop_front(column).trim();
    if (!text.empty() && text.back() != '(')
      text += ' ';
    for (char c : rest) {
      text += c;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ')' && depth == 0)
        return text;
    }
  }
  return text;
}

std::string RuleReader::commentAbove(size_t at) const {
  size_t first = at;
  while (first > 0 && lines[first - 1].ltrim().starts_with("//") &&
         !lines[first - 1].starts_with("//==="))
    --first;
  std::string text;
  for (; first < at; ++first) {
    StringRef line = lines[first].ltrim().ltrim('/').trim();
    text += (text.empty() ? "" : " ") + line.str();
  }
  return text;
}

// Statements around a line are indented less than it is.
std::vector<std::string> RuleReader::conditionsOf(size_t at) const {
  std::vector<std::string> conditions;
  size_t indent = indentOf(lines[at]);
  while (at-- > functionLine && indent > 2) {
    StringRef line = lines[at].ltrim();
    if (line.empty() || indentOf(lines[at]) >= indent)
      continue;
    indent = indentOf(lines[at]);
    StringRef head = line.ltrim("} ");
    if (head.starts_with("else if (") || head.starts_with("if (") ||
        head.starts_with("for ("))
      conditions.push_back(balanced(at, lines[at].find(head)));
    else if (head.starts_with("else") || head.starts_with("case ") ||
             head.starts_with("default:"))
      conditions.push_back(head.rtrim(" {").str());
  }
  std::reverse(conditions.begin(), conditions.end());
  return conditions;
}

// Statements in front of line `at` that give a name of the formula its value.
std::vector<std::string> RuleReader::definitionsOf(StringRef formula,
                                                   size_t at) const {
  std::vector<std::string> definitions;
  llvm::StringSet<> seen;
  auto isName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t i = 0; i < formula.size(); ++i) {
    if (!llvm::isAlpha(formula[i]) || (i && isName(formula[i - 1])))
      continue;
    StringRef name = formula.drop_front(i).take_while(isName);
    bool isMember = i && (formula[i - 1] == '.' || formula[i - 1] == '>' ||
                          formula[i - 1] == ':');
    bool isScope = formula.drop_front(i + name.size()).starts_with("::");
    if (isMember || isScope || !seen.insert(name).second)
      continue;
    llvm::Regex definition("[ &*]" + name.str() + " = ");
    for (size_t line = at; line-- > functionLine;) {
      if (!definition.match(lines[line]))
        continue;
      std::string text = lines[line].trim().str();
      while (!StringRef(text).ends_with(";") && ++line < at)
        text += " " + lines[line].trim().str();
      definitions.push_back(StringRef(text).rtrim(';').str());
      break;
    }
  }
  return definitions;
}

/// "C::Cfg_TaskType" or "h13::Common::Cfg_TaskType" as "Common.Cfg.TaskType";
/// empty when it is no field of a block.
std::string RuleReader::fieldOf(StringRef name) const {
  name = name.take_until([](char c) { return c == '('; });
  auto [scope, field] = name.rsplit("::");
  if (field.empty())
    return "";
  StringRef block = scope;
  if (block.consume_front("hw::h13::") || block.consume_front("h13::"))
    ;
  else if (auto it = blocks.find(block); it != blocks.end())
    block = it->second;
  else
    return "";
  auto [reg, part] = field.rsplit('_');
  return (block + "." + reg + (part.empty() ? "" : "." + part)).str();
}

void RuleReader::readStatement(size_t at, size_t column) {
  std::string call = balanced(at, column);
  StringRef arguments =
      StringRef(call).drop_until([](char c) { return c == '('; });
  arguments = arguments.drop_front().drop_back();
  int depth = 0;
  size_t comma = 0;
  for (; comma < arguments.size(); ++comma) {
    char c = arguments[comma];
    depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      break;
  }
  std::string field = fieldOf(arguments.take_front(comma).trim());
  if (field.empty())
    return;
  EncoderRule rule;
  rule.field = field;
  rule.formula = arguments.drop_front(comma).ltrim(", ").str();
  rule.conditions = conditionsOf(at);
  rule.definitions = definitionsOf(rule.formula, at);
  rule.evidence = commentAbove(at);
  if (rule.evidence.empty())
    rule.evidence = commentAbove(functionLine);
  rule.function = function;
  rule.op = op;
  rule.file = source.file;
  rule.line = at + 1;
  rules.push_back(std::move(rule));
}

std::vector<EncoderRule> RuleReader::read() {
  static const llvm::Regex alias(
      "namespace ([A-Za-z0-9]+) = h13::([A-Za-z0-9]+);");
  static const llvm::Regex head("^[A-Za-z].*[ :*&]([A-Za-z0-9]+)\\(");
  static const llvm::Regex computeOp("\\(([NP]e[A-Za-z]+Op)[ )]");
  SmallVector<StringRef> match;
  for (size_t at = 0; at < lines.size(); ++at) {
    StringRef line = lines[at];
    if (line.ltrim().starts_with("//"))
      continue;
    if (alias.match(line, &match))
      blocks[match[1]] = match[2].str();
    if (head.match(line, &match)) {
      function = match[1].str();
      functionLine = at;
      StringRef engine = function;
      op = !engine.consume_front("encode")                          ? ""
           : engine.starts_with("Ne")                               ? "Ne"
           : engine.starts_with("Pe") || engine.ends_with("IdleNe") ? "Pe"
                                                                    : "";
      if (computeOp.match(line, &match))
        op = match[1].str();
    }
    for (StringRef verb : {"set(", "setHalf("})
      for (size_t column = line.find(verb); column != StringRef::npos;
           column = line.find(verb, column + 1))
        if (column && !llvm::isAlnum(line[column - 1]))
          readStatement(at, column);
  }
  return std::move(rules);
}

std::vector<EncoderRule> mlir::ane::readEncoderRules(EncoderSource source) {
  return RuleReader(source).read();
}
