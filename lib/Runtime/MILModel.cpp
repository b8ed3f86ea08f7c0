//===- MILModel.cpp - A network in MIL text, as a device takes it ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/MILModel.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace ane::rt {

namespace fs = std::filesystem;

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '@' ||
         c == '.';
}

namespace {
/// Words, strings with their quotes, "->" and single characters.
class Tokens {
public:
  explicit Tokens(absl::string_view text) : text(text) { advance(); }

  absl::string_view peek() const { return token; }
  bool isEnd() const { return token.empty(); }
  bool isString() const { return absl::StartsWith(token, "\""); }
  bool isWord() const { return !isEnd() && isWordCharacter(token[0]); }
  absl::string_view take() {
    absl::string_view taken = token;
    advance();
    return taken;
  }
  bool takeIf(absl::string_view expected) {
    if (token != expected)
      return false;
    advance();
    return true;
  }
  absl::Status error(absl::string_view expected) const {
    auto before = text.substr(0, token.data() - text.data());
    size_t line = 1 + std::count(before.begin(), before.end(), '\n');
    return absl::InvalidArgumentError(
        absl::StrFormat("line %d of the MIL text: expected %s, found %s", line,
                        expected, isEnd() ? "its end" : quoted()));
  }

private:
  std::string quoted() const { return absl::StrCat("'", token, "'"); }

  void skipSpace() {
    while (next < text.size()) {
      if (std::isspace(static_cast<unsigned char>(text[next])))
        ++next;
      else if (absl::StartsWith(text.substr(next), "//"))
        next = std::min(text.find('\n', next), text.size());
      else
        return;
    }
  }

  void advance() {
    skipSpace();
    size_t begin = next;
    if (next == text.size()) {
      token = text.substr(next, 0);
      return;
    }
    if (isWordCharacter(text[next])) {
      while (next < text.size() && isWordCharacter(text[next]))
        ++next;
    } else if (text[next] == '"') {
      for (++next; next < text.size() && text[next] != '"'; ++next)
        if (text[next] == '\\')
          ++next;
      next = std::min(next + 1, text.size());
    } else {
      next += absl::StartsWith(text.substr(next), "->") ? 2 : 1;
    }
    token = text.substr(begin, next - begin);
  }

  absl::string_view text, token;
  size_t next = 0;
};

/// A type as it stands in the text; shapes are looked at where they matter.
struct Type {
  std::string spelling; ///< without spaces
  std::vector<std::string> dimensions;
  bool isFloat32() const { return absl::StartsWith(spelling, "tensor<fp32,"); }
};

/// A parameter or a result.
struct Value {
  Type type;
  std::string operation; ///< that makes it; empty: a parameter
};

class Reader {
public:
  Reader(absl::string_view text, const std::string &root,
         const std::string &function)
      : tokens(text), root(root.empty() ? "." : root) {
    model.text = std::string(text);
    model.function = function;
  }
  absl::StatusOr<MILModel> read();

private:
  absl::Status readFunction();
  absl::Status readParameters();
  absl::Status readBody();
  absl::Status readResults();
  absl::StatusOr<Type> readType();
  absl::Status skipAttributes();
  absl::Status readStatement();
  absl::Status readOperand(absl::string_view operation);
  absl::Status skipToken();
  absl::Status addFile(absl::string_view literal);
  absl::Status addTensor(absl::string_view name, hw::TensorKind kind);

  Tokens tokens;
  fs::path root;
  MILModel model;
  bool isChosen = true; ///< the function that is read
  absl::flat_hash_map<std::string, Value> values;
};

} // namespace

/// `word` or `word<...>`, such as tensor<fp16, [1, 4]>.
absl::StatusOr<Type> Reader::readType() {
  if (!tokens.isWord())
    return tokens.error("a type");
  Type type{std::string(tokens.take()), {}};
  if (!tokens.takeIf("<"))
    return type;
  type.spelling += "<";
  int depth = 1;
  bool inShape = false;
  while (depth && !tokens.isEnd()) {
    absl::string_view token = tokens.take();
    depth += token == "<" ? 1 : token == ">" ? -1 : 0;
    inShape = token == "[" || (inShape && token != "]");
    if (inShape && token != "[" && token != ",")
      type.dimensions.emplace_back(token);
    absl::StrAppend(&type.spelling, token, token == "," ? " " : "");
  }
  return type;
}

/// Whether the file is below the folder, also through links.
static bool isBelow(const fs::path &root, const fs::path &file) {
  std::error_code code;
  fs::path realRoot = fs::canonical(root, code);
  fs::path real = fs::canonical(file, code);
  if (code)
    return false;
  auto mismatch =
      std::mismatch(realRoot.begin(), realRoot.end(), real.begin(), real.end());
  return mismatch.first == realRoot.end();
}

absl::Status Reader::addFile(absl::string_view literal) {
  absl::string_view name = literal;
  if (!absl::ConsumePrefix(&name, "\"@model_path/"))
    return absl::OkStatus();
  absl::ConsumeSuffix(&name, "\"");
  for (const MILFile &file : model.files)
    if (file.name == name)
      return absl::OkStatus();
  fs::path relative{std::string(name)}, path = root / relative;
  std::error_code code;
  bool leavesFolder = relative.is_absolute();
  for (const fs::path &part : relative)
    leavesFolder |= part == "..";
  if (leavesFolder)
    return absl::InvalidArgumentError(absl::StrFormat(
        "the MIL text refers to @model_path/%s, which leads out of the folder "
        "of the model",
        name));
  if (!fs::is_regular_file(path, code))
    return absl::NotFoundError(absl::StrFormat(
        "the MIL text refers to @model_path/%s, but %s is no file; say with "
        "--mil-root=DIR where the files of the model are",
        name, path.string()));
  if (!isBelow(root, path))
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is a link to a file that is not below '%s'",
                        path.string(), root.string()));
  model.files.push_back({std::string(name), path.string()});
  return absl::OkStatus();
}

absl::Status Reader::skipToken() {
  if (tokens.isString())
    return addFile(tokens.take());
  tokens.take();
  return absl::OkStatus();
}

absl::Status Reader::addTensor(absl::string_view name, hw::TensorKind kind) {
  if (!isChosen)
    return absl::OkStatus();
  const char *what = kind == hw::TensorKind::Input ? "input" : "output";
  auto found = values.find(name);
  if (found == values.end())
    return absl::InvalidArgumentError(
        absl::StrFormat("no statement makes the result '%s'", name));
  const Type &type = found->second.type;
  hw::Tensor tensor;
  tensor.name = std::string(name);
  tensor.kind = kind;
  bool isCast =
      kind == hw::TensorKind::Input || found->second.operation == "cast";
  if (absl::StartsWith(type.spelling, "tensor<fp16,") ||
      (type.isFloat32() && isCast))
    tensor.type = hw::ElementType::Float16;
  else if (absl::StartsWith(type.spelling, "tensor<int8,"))
    tensor.type = hw::ElementType::Int8;
  else if (absl::StartsWith(type.spelling, "tensor<uint8,"))
    tensor.type = hw::ElementType::UInt8;
  else
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s '%s' has type %s; expected a tensor of fp16, int8 or uint8, or of "
        "fp32 that a cast makes or takes (a cast in the network makes one of "
        "other types)",
        what, name, type.spelling));
  if (type.dimensions.size() > 4)
    return absl::InvalidArgumentError(
        absl::StrFormat("%s '%s' has type %s with %d dimensions; the engine "
                        "takes at most 4: reshape it in the network",
                        what, name, type.spelling, type.dimensions.size()));
  size_t index = 4 - type.dimensions.size();
  for (const std::string &dimension : type.dimensions) {
    uint32_t &size = tensor.shape[index++];
    if (!absl::SimpleAtoi(dimension, &size) || !size || size > 1 << 20)
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s '%s' has type %s, whose dimension %s is not one from 1 to %d",
          what, name, type.spelling, dimension, 1 << 20));
  }
  const auto *sizes = tensor.shape.begin();
  std::vector<uint64_t> shape(sizes + 4 - type.dimensions.size(), sizes + 4);
  tensor.setDenseShape(shape);
  model.tensors.push_back(std::move(tensor));
  model.isFloat32.push_back(type.isFloat32());
  return absl::OkStatus();
}

absl::Status Reader::readParameters() {
  if (!tokens.takeIf("("))
    return tokens.error("'(' and the parameters of the function");
  while (!tokens.takeIf(")")) {
    absl::StatusOr<Type> type = readType();
    if (!type.ok())
      return type.status();
    if (!tokens.isWord())
      return tokens.error("the name of a parameter");
    std::string name(tokens.take());
    values[name] = {*std::move(type), ""};
    if (absl::Status status = addTensor(name, hw::TensorKind::Input);
        !status.ok())
      return status;
    if (!tokens.takeIf(",") && tokens.peek() != ")")
      return tokens.error("',' or ')'");
  }
  return absl::OkStatus();
}

/// What stands between the parentheses of an operation. *claim*: an fp32
/// parameter works with a cast, and reads as zeros elsewhere.
absl::Status Reader::readOperand(absl::string_view operation) {
  if (!tokens.isWord())
    return skipToken();
  absl::string_view name = tokens.take();
  if (tokens.peek() == "=" || operation == "cast") // the name of an argument
    return absl::OkStatus();
  auto found = values.find(name);
  if (!isChosen || found == values.end() || !found->second.operation.empty() ||
      !found->second.type.isFloat32())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "input '%s' is of fp32, and '%s' takes it; the engine computes in fp16: "
      "cast it in the network first",
      name, operation));
}

/// `type name, type name = operation(...)[...];`
absl::Status Reader::readStatement() {
  std::vector<std::pair<std::string, Type>> results;
  while (!tokens.isEnd() && tokens.peek() != "->" && !tokens.takeIf("=")) {
    if (tokens.peek() != "tensor") {
      if (absl::Status status = skipToken(); !status.ok())
        return status;
      continue;
    }
    absl::StatusOr<Type> type = readType();
    if (!type.ok())
      return type.status();
    if (tokens.isWord())
      results.emplace_back(tokens.take(), *std::move(type));
  }
  std::string operation(tokens.isWord() ? tokens.take() : "");
  while (!tokens.isEnd() && tokens.peek() != "->" && !tokens.takeIf(";"))
    if (absl::Status status = readOperand(operation); !status.ok())
      return status;
  for (auto &[name, type] : results)
    values[name] = {std::move(type), operation};
  return absl::OkStatus();
}

/// Notes the type of all results, and the files.
absl::Status Reader::readBody() {
  while (tokens.peek() != "->") {
    if (tokens.isEnd())
      return tokens.error("'->' and the results of the function");
    if (absl::Status status = readStatement(); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status Reader::readResults() {
  tokens.take(); // the arrow
  if (!tokens.takeIf("("))
    return tokens.error("'(' and the results of the function");
  while (!tokens.takeIf(")")) {
    if (!tokens.isWord())
      return tokens.error("the name of a result");
    if (absl::Status status = addTensor(tokens.take(), hw::TensorKind::Output);
        !status.ok())
      return status;
    if (!tokens.takeIf(",") && tokens.peek() != ")")
      return tokens.error("',' or ')'");
  }
  return absl::OkStatus();
}

/// `[name = value, ...] {`
absl::Status Reader::skipAttributes() {
  int depth = 0;
  do {
    depth += tokens.peek() == "[" ? 1 : tokens.peek() == "]" ? -1 : 0;
    if (!depth && tokens.takeIf("{"))
      return absl::OkStatus();
    tokens.take();
  } while (!tokens.isEnd());
  return tokens.error("'{' and the statements of the function");
}

absl::Status Reader::readFunction() {
  if (!tokens.isWord())
    return tokens.error("the name of a function");
  model.functions.emplace_back(tokens.take());
  isChosen = model.function.empty() ? model.functions.size() == 1
                                    : model.functions.back() == model.function;
  values.clear();
  if (tokens.peek() == "<") // the opset
    while (!tokens.isEnd() && !tokens.takeIf(">"))
      tokens.take();
  if (absl::Status status = readParameters(); !status.ok())
    return status;
  if (absl::Status status = skipAttributes(); !status.ok())
    return status;
  if (absl::Status status = readBody(); !status.ok())
    return status;
  return readResults();
}

absl::StatusOr<MILModel> Reader::read() {
  if (!tokens.takeIf("program"))
    return tokens.error("'program'");
  while (!tokens.isEnd())
    if (absl::Status status =
            tokens.takeIf("func") ? readFunction() : skipToken();
        !status.ok())
      return status;
  const std::vector<std::string> &all = model.functions;
  const bool isOne = model.function.empty()
                         ? all.size() == 1
                         : std::count(all.begin(), all.end(), model.function);
  if (!isOne)
    return absl::InvalidArgumentError(
        all.empty() ? "the MIL text has no function"
        : model.function.empty()
            ? absl::StrFormat("the MIL text has %d functions: %s; say which "
                              "with --function=NAME",
                              all.size(), absl::StrJoin(all, ", "))
            : absl::StrFormat("the MIL text has no function '%s'; it has: %s",
                              model.function, absl::StrJoin(all, ", ")));
  if (model.function.empty())
    model.function = all.front();
  return std::move(model);
}

absl::StatusOr<MILModel> readMILModel(absl::string_view text,
                                      const std::string &root,
                                      const std::string &function) {
  return Reader(text, root, function).read();
}

} // namespace ane::rt
