//===- Page.cpp - Reports as pages ----------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Page.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// JSON as the content of a script element: outside of strings it has none of
/// these characters, and in strings an escape means the same.
static void printForScript(raw_ostream &os, json::Object object) {
  std::string text;
  raw_string_ostream stream(text);
  stream << json::Value(std::move(object));
  for (char c : text) {
    switch (c) {
    case '<':
      os << "\\u003c";
      break;
    case '>':
      os << "\\u003e";
      break;
    case '&':
      os << "\\u0026";
      break;
    default:
      os << c;
    }
  }
}

void mlir::ane::writePage(raw_ostream &os, StringRef page,
                          json::Object report) {
  constexpr StringLiteral titleMark = "@TITLE@", dataMark = "@DATA@";
  auto [head, rest] = page.split(titleMark);
  auto [middle, tail] = rest.split(dataMark);
  os << head;
  printHTMLEscaped(report.getString("input").value_or(""), os);
  os << middle;
  printForScript(os, std::move(report));
  os << tail;
}
