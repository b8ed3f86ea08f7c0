//===- GenMILOps.cpp - The table of MIL operations ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --gen-ane-mil-op-table: the rows behind `lookupOp`.
// --gen-ane-mil-op-doc:   a page for people.
// --gen-ane-mil-op-tests: a program in the mil dialect with each op once.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

// In the order of mlir::ane::mil::Element.
static constexpr StringRef kElements[] = {
    "bf16",    "bool",  "fp16",   "fp32",  "fp64",  "fp8e4m3fn",
    "fp8e5m2", "int16", "int32",  "int4",  "int64", "int8",
    "string",  "uint1", "uint16", "uint2", "uint3", "uint32",
    "uint4",   "uint6", "uint64", "uint8"};

static std::vector<const Record *> getOps(const RecordKeeper &records) {
  std::vector<const Record *> ops =
      records.getAllDerivedDefinitions("MIL_Statement");
  if (ops.empty())
    PrintFatalError("there is no MIL_Statement");
  llvm::sort(ops, [](const Record *a, const Record *b) {
    return a->getValueAsString("mil") < b->getValueAsString("mil");
  });
  return ops;
}

static std::vector<const Record *> getArguments(const Record *op) {
  return op->getValueAsListOfDefs("milArguments");
}

static std::vector<const Record *> getResults(const Record *op) {
  return op->getValueAsListOfDefs("milResults");
}

// Names of the element types of a set up to an opset.
static std::vector<StringRef> getElements(const Record *set, unsigned opset) {
  std::vector<StringRef> result;
  for (unsigned i = 15; i <= opset; ++i)
    llvm::append_range(result,
                       set->getValueAsListOfStrings("from" + utostr(i)));
  return result;
}

static uint32_t getMask(const Record *set, unsigned opset) {
  uint32_t mask = 0;
  for (StringRef name : getElements(set, opset)) {
    const auto *known = llvm::find(kElements, name);
    if (known == std::end(kElements))
      PrintFatalError(set, "'" + name + "' is no element type");
    mask |= 1u << (known - std::begin(kElements));
  }
  return mask;
}

static unsigned getFirstOpset(const Record *op, const Record *argument) {
  int since = argument->getValueAsInt("firstOpset");
  return since ? since : op->getValueAsInt("opset");
}

static std::string quote(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

//===----------------------------------------------------------------------===//
// --gen-ane-mil-op-table
//===----------------------------------------------------------------------===//

static void emitArguments(const Record *op, raw_ostream &os) {
  os << "static constexpr ArgumentInfo k" << op->getName()
     << "Arguments[] = {\n";
  for (const Record *argument : getArguments(op)) {
    int until = argument->getValueAsInt("lastOpset");
    os << formatv(
        "    {{{0}, ArgumentInfo::{1}, {2}, {3}, {4}, {5}, {6}, {7}, ",
        quote(argument->getValueAsString("name")),
        argument->getValueAsString("kind"),
        argument->getValueAsBit("isOptional") ? "true" : "false",
        argument->getValueAsBit("isConst") ? "true" : "false",
        getFirstOpset(op, argument), until ? until : 255,
        quote(argument->getValueAsString("variable")),
        quote(argument->getValueAsString("oldVariable")));
    os << '{';
    for (unsigned opset = 15; opset <= 18; ++opset)
      os << formatv("{0:x}, ",
                    getMask(argument->getValueAsDef("elements"), opset));
    os << "}, " << quote(argument->getValueAsString("defaultValue")) << ", "
       << quote(argument->getValueAsString("defaultNote")) << "},\n";
  }
  os << "};\n";
}

static StringRef getCount(const Record *result) {
  const Record *count = result->getValueAsDef("count");
  if (count->isSubClassOf("Variadic"))
    return "many";
  return count->isSubClassOf("Optional") ? "optional" : "one";
}

static int getLastOpset(const Record *row) {
  int until = row->getValueAsInt("lastOpset");
  return until ? until : 255;
}

static void emitResults(const Record *op, raw_ostream &os) {
  if (getResults(op).empty())
    return;
  os << "static constexpr ResultInfo k" << op->getName() << "Results[] = {\n";
  for (const Record *result : getResults(op))
    os << formatv("    {{{0}, ResultInfo::{1}, {2}, {3}, {4:x}, {5}},\n",
                  quote(result->getValueAsString("name")), getCount(result),
                  quote(result->getValueAsString("variable")),
                  quote(result->getValueAsString("typeArgument")),
                  getMask(result->getValueAsDef("elements"), 18),
                  getLastOpset(result));
  os << "};\n";
}

static void emitTable(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("The table of MIL operations", os, records);
  std::vector<const Record *> ops = getOps(records);
  for (const Record *op : ops) {
    emitArguments(op, os);
    emitResults(op, os);
    std::vector<StringRef> shape =
        op->getValueAsDef("shape")->getValueAsListOfStrings("arguments");
    for (StringRef name : shape)
      if (llvm::none_of(getArguments(op), [&](const Record *argument) {
            return argument->getValueAsString("name") == name;
          }))
        PrintFatalError(op, "the shape is that of '" + name +
                                "', which is no argument");
    if (shape.empty())
      continue;
    os << "static constexpr StringRef k" << op->getName() << "Shape[] = {";
    llvm::interleaveComma(shape, os,
                          [&](StringRef name) { os << quote(name); });
    os << "};\n";
  }
  os << "\nstatic constexpr OpInfo kOps[] = {\n";
  for (const Record *op : ops) {
    const Record *shape = op->getValueAsDef("shape");
    bool hasShape = !shape->getValueAsListOfStrings("arguments").empty();
    std::string name = ("k" + op->getName()).str();
    os << formatv(
        "    {{{0}, {1}, {2}, {3}, OpInfo::{4}, {5}, {6}, {7}},\n",
        quote(op->getValueAsString("mil")),
        quote(op->getValueAsString("summary")), op->getValueAsInt("opset"),
        op->getValueAsBit("hasAttributeForm") ? "true" : "false",
        shape->getValueAsString("rule"), hasShape ? name + "Shape" : "{}",
        name + "Arguments", getResults(op).empty() ? "{}" : name + "Results");
  }
  os << "};\n";
}

//===----------------------------------------------------------------------===//
// --gen-ane-mil-op-doc
//===----------------------------------------------------------------------===//

// `fp16, fp32; int8 from ios17`
static std::string describe(const Record *set, unsigned first) {
  std::vector<StringRef> names = getElements(set, std::min(first, 18u));
  std::string result = names.empty() ? "any" : llvm::join(names, ", ");
  for (unsigned opset = first + 1; opset <= 18; ++opset) {
    std::vector<StringRef> more =
        set->getValueAsListOfStrings("from" + utostr(opset));
    if (!more.empty())
      result += "; " + llvm::join(more, ", ") + " from ios" + utostr(opset);
  }
  return result;
}

static void emitArgumentDoc(const Record *op, const Record *argument,
                            raw_ostream &os) {
  StringRef name = argument->getValueAsString("name");
  StringRef kind = argument->getValueAsString("kind");
  unsigned first = getFirstOpset(op, argument);
  os << "| `" << name << "` | ";
  if (kind != "tensor")
    os << kind;
  else
    os << describe(argument->getValueAsDef("elements"), first);
  StringRef variable = argument->getValueAsString("variable");
  StringRef old = argument->getValueAsString("oldVariable");
  if (!variable.empty()) {
    os << " (" << variable;
    if (old != variable && op->getValueAsInt("opset") < 17)
      os << "; " << old << " before ios17";
    os << ')';
  }
  os << " | " << (argument->getValueAsBit("isConst") ? "constant" : "value")
     << " | ";
  StringRef value = argument->getValueAsString("defaultValue");
  StringRef note = argument->getValueAsString("defaultNote");
  if (!value.empty())
    os << '`' << value << '`';
  else if (!note.empty())
    os << note;
  else
    os << (argument->getValueAsBit("isOptional") ? "none" : "required");
  os << " | ";
  int until = argument->getValueAsInt("lastOpset");
  if (argument->getValueAsInt("firstOpset"))
    os << "from ios" << first;
  if (until)
    os << (argument->getValueAsInt("firstOpset") ? " " : "") << "to ios"
       << until;
  os << " |\n";
}

static void emitOpDoc(const Record *op, raw_ostream &os) {
  os << "## " << op->getValueAsString("mil") << "\n\n"
     << op->getValueAsString("summary") << ". From ios"
     << op->getValueAsInt("opset") << ".";
  const Record *shape = op->getValueAsDef("shape");
  std::vector<StringRef> shapeArguments =
      shape->getValueAsListOfStrings("arguments");
  std::string joined = "`" + llvm::join(shapeArguments, "`, `") + "`";
  StringRef rule = shape->getValueAsString("rule");
  std::vector<std::string> results;
  for (const Record *result : getResults(op)) {
    std::string text = ("`" + result->getValueAsString("name") + "`").str();
    StringRef variable = result->getValueAsString("variable");
    StringRef argument = result->getValueAsString("typeArgument");
    std::vector<StringRef> elements =
        getElements(result->getValueAsDef("elements"), 18);
    if (!variable.empty())
      text += (" (" + variable + ")").str();
    else if (!argument.empty())
      text += (" (as `" + argument + "` says)").str();
    else if (!elements.empty())
      text += " (" + llvm::join(elements, ", ") + ")";
    if (result->getValueAsInt("lastOpset"))
      text += " up to ios" + utostr(getLastOpset(result));
    else if (getCount(result) != "one")
      text += getCount(result) == "many" ? ", any number" : ", optional";
    results.push_back(text);
  }
  if (results.empty())
    os << " No result.";
  else
    os << " Gives " << llvm::join(results, ", ") << ".";
  if (rule == "same")
    os << " The shape is that of " << joined << ".";
  else if (rule == "count")
    os << " It has as many elements as " << joined << ".";
  else if (rule == "broadcast")
    os << " The shape is that of " << joined << " broadcast.";
  os << "\n\n| argument | element types | | default | opsets "
        "|\n|---|---|---|---|---|\n";
  for (const Record *argument : getArguments(op))
    emitArgumentDoc(op, argument, os);
  os << "\n";
}

static void emitDoc(const RecordKeeper &records, raw_ostream &os) {
  std::vector<const Record *> ops = getOps(records);
  os << "<!-- Generated by ane-tblgen from "
        "include/ane/Dialect/MIL/IR/MILStatements.td; do not edit. -->\n\n"
        "# Operations of MIL\n\n"
        "The "
     << ops.size()
     << " operations of opsets ios15 to ios18 that the `mil` dialect has an op "
        "for; each is `mil.` and its name. Letters in parentheses are type "
        "variables: the same letter means the same element type. A "
        "*constant* must be known at compile time.\n\n"
        "Other operations (`cond` and `while_loop`, whose text is not "
        "published, and operations of later opsets) are a `mil.op`.\n\n";
  for (const Record *op : ops)
    emitOpDoc(op, os);
}

//===----------------------------------------------------------------------===//
// --gen-ane-mil-op-tests
//===----------------------------------------------------------------------===//

namespace {
// Writes a statement with all arguments of the newest opset. All tensors have
// four elements, which satisfies every rule about shapes.
class TestWriter {
public:
  TestWriter(const Record *op, raw_ostream &os) : op(op), os(os) {}
  void write();

private:
  static std::string getMLIRType(StringRef element);
  std::string getElement(const Record *argument) const;
  bool namesType(StringRef argument) const;
  void writeArgument(const Record *argument);

  const Record *op;
  raw_ostream &os;
  std::vector<std::string> operands, checks, types;
};
} // namespace

std::string TestWriter::getMLIRType(StringRef element) {
  if (element == "bool")
    return "i1";
  if (element == "string")
    return "!mil.string";
  if (element.consume_front("uint"))
    return ("ui" + element).str();
  if (element.consume_front("int"))
    return ("i" + element).str();
  element.consume_front("fp");
  return ("f" + element).str();
}

std::string TestWriter::getElement(const Record *argument) const {
  std::vector<StringRef> elements =
      getElements(argument->getValueAsDef("elements"), 18);
  return elements.empty() ? "fp16" : elements.back().str();
}

bool TestWriter::namesType(StringRef argument) const {
  return llvm::any_of(getResults(op), [&](const Record *result) {
    return result->getValueAsString("typeArgument") == argument;
  });
}

void TestWriter::writeArgument(const Record *argument) {
  std::string name = argument->getValueAsString("name").str();
  StringRef kind = argument->getValueAsString("kind");
  std::string element = getElement(argument), type = getMLIRType(element);
  std::string value = element == "string"                 ? "\"a\""
                      : element == "bool"                 ? "true"
                      : StringRef(element).contains("fp") ? "1.0"
                                                          : "1";
  std::string tensor = "tensor<4x" + type + ">";
  std::string constant = "dense<" + value + "> : " + tensor;
  if (namesType(name)) {
    tensor = "!mil.string";
    constant = "\"int32\" : !mil.string";
  } else if (kind == "state") {
    tensor = "!mil.state<" + tensor + ">";
  } else if (kind == "list") {
    tensor = "!mil.list<!mil.string, 1>";
    constant = "#mil.compound<[\"a\" : !mil.string]> : " + tensor;
  }
  if (kind == "state" ||
      (kind == "list" && !argument->getValueAsBit("isConst")))
    os << "    %" << name << " = mil.op \"source\"() {} : () -> " << tensor
       << "\n";
  else
    os << "    %" << name << " = mil.const " << constant << " {} : " << tensor
       << "\n";
  std::string operand = "%" + name, check = "%[[#]]";
  types.push_back(tensor);
  if (kind == "tuple") {
    operand = "(" + operand + ", " + operand + ")";
    check = "(" + check + ", " + check + ")";
    types.push_back(tensor);
  }
  operands.push_back(name + " = " + operand);
  checks.push_back(name + " = " + check);
}

void TestWriter::write() {
  StringRef name = op->getValueAsString("mil");
  os << "  mil.func @" << name << " opset \"ios18\" () names [] {} {\n";
  for (const Record *argument : getArguments(op))
    if (!argument->getValueAsInt("lastOpset"))
      writeArgument(argument);
  std::vector<std::string> results;
  for (const Record *result : getResults(op)) {
    if (result->getValueAsInt("lastOpset"))
      continue;
    std::string element = "fp16";
    StringRef variable = result->getValueAsString("variable");
    for (const Record *argument : getArguments(op))
      if (!variable.empty() &&
          argument->getValueAsString("variable") == variable)
        element = getElement(argument);
    std::vector<StringRef> fixed =
        getElements(result->getValueAsDef("elements"), 18);
    if (!fixed.empty())
      element = fixed.back().str();
    if (!result->getValueAsString("typeArgument").empty())
      element = "int32";
    results.push_back("tensor<4x" + getMLIRType(element) + ">");
  }
  // Constants have no names, so the check has numbers for them.
  os << "    // CHECK: mil." << name << '(' << llvm::join(checks, ", ")
     << ") {name = \"" << name << "\"}\n    ";
  if (!results.empty())
    os << "%r:" << results.size() << " = ";
  os << "mil." << name << '(' << llvm::join(operands, ", ") << ") {name = \""
     << name << "\"} : (" << llvm::join(types, ", ") << ") -> ("
     << llvm::join(results, ", ") << ")\n    mil.return\n  }\n";
}

static void emitTests(const RecordKeeper &records, raw_ostream &os) {
  os << "mil.program version \"1.3\" {} {\n";
  for (const Record *op : getOps(records))
    TestWriter(op, os).write();
  os << "}\n";
}

static TableGen::Emitter::Opt table("gen-ane-mil-op-table", emitTable,
                                    "Generate the table of MIL operations");
static TableGen::Emitter::Opt doc("gen-ane-mil-op-doc", emitDoc,
                                  "Generate a page about MIL operations");
static TableGen::Emitter::Opt
    tests("gen-ane-mil-op-tests", emitTests,
          "Generate a program with each MIL operation");
