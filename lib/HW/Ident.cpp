//===- Ident.cpp - The text that identifies a compiler --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line for the format, one for the compiler, one for each of its options.
//
//===----------------------------------------------------------------------===//

#include "ContainerFormat.h"

#include "ane/HW/Arrays.h"
#include "ane/Support/Version.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include <algorithm>

namespace ane::hw {

using namespace format;

std::string identOf(const Container &container) {
  for (const LoadCommand &command : container.commands)
    if (command.command == Ident)
      return {command.bytes.begin() + 8,
              std::find(command.bytes.begin() + 8, command.bytes.end(), 0)};
  return "";
}

// What the format has no place for is an option of the text, as other compilers
// have theirs there.
static constexpr absl::string_view kIdentStart = "ANEC v1\nmlir-ane ";
static constexpr absl::string_view kShapesOption = "\n\t--shapes=";
static constexpr absl::string_view kLowOption = "\n\t--low-halves=";
static constexpr absl::string_view kScalar = "scalar";

std::string format::ourIdent(const Program &program) {
  std::string text = absl::StrCat("ANEC v1\n", version(), "\n\t-t ",
                                  info(program.generation).name);
  auto hasShape = [](const Tensor &t) { return t.networkShape.has_value(); };
  if (absl::c_any_of(program.tensors, hasShape)) {
    std::vector<std::string> shapes;
    for (const Tensor &tensor : program.tensors) {
      std::vector<uint64_t> shape = tensor.denseShape();
      shapes.push_back(shape.empty() ? std::string(kScalar)
                                     : absl::StrJoin(shape, "x"));
    }
    absl::StrAppend(&text, kShapesOption, absl::StrJoin(shapes, ","));
  }
  std::vector<size_t> lows;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].isLow)
      lows.push_back(i);
  if (!lows.empty())
    absl::StrAppend(&text, kLowOption, absl::StrJoin(lows, ","));
  return text + "\n";
}

/// The values of an option; none where the text does not have it.
static std::vector<absl::string_view> valuesOf(absl::string_view ident,
                                               absl::string_view option) {
  const size_t start = ident.find(option);
  if (start == ident.npos)
    return {};
  absl::string_view rest = ident.substr(start + option.size());
  return absl::StrSplit(rest.substr(0, rest.find('\n')), ',');
}

static void readShapes(absl::string_view ident, Program &program) {
  std::vector<std::vector<uint64_t>> shapes;
  for (absl::string_view text : valuesOf(ident, kShapesOption)) {
    std::vector<uint64_t> &shape = shapes.emplace_back();
    if (text == kScalar)
      continue;
    for (absl::string_view size : absl::StrSplit(text, 'x'))
      if (!absl::SimpleAtoi(size, &shape.emplace_back()))
        return;
  }
  if (shapes.size() != program.tensors.size())
    return;
  for (size_t i = 0; i < shapes.size(); ++i)
    program.tensors[i].setDenseShape(shapes[i]);
}

static void readLows(absl::string_view ident, Program &program) {
  std::vector<Tensor> &tensors = program.tensors;
  for (absl::string_view text : valuesOf(ident, kLowOption)) {
    size_t index;
    if (absl::SimpleAtoi(text, &index) && index > 0 && index < tensors.size() &&
        canBeLow(tensors[index - 1], tensors[index]))
      tensors[index].isLow = true;
  }
}

void format::readIdent(absl::string_view ident, Program &program) {
  if (!absl::StartsWith(ident, kIdentStart))
    return;
  readShapes(ident, program);
  readLows(ident, program);
}

std::string identOf421(Generation generation, absl::string_view source) {
  return absl::StrCat("ANEC v1\nzin_ane_compiler v4.2.1\n\t-t ",
                      info(generation).name,
                      "\n\t--fdram-allocator=ffreuse"
                      "\n\t--fdram-tensor-priority=sizethenliverange"
                      "\n\t--fl2-allocator=ffreuse"
                      "\n\t--fl3-allocator=ffreuse"
                      "\n\t--fl2-cache-mode=resident"
                      "\n\t--fsignature=ident"
                      "\n\t--memcache-strategy="
                      "\n\t--memcache-size=4194304"
                      "\n\t--fspatial-split=disabled"
                      "\n\t--fkernel-rewind=enabled"
                      "\n\t--Wl-undefined=fvmlib"
                      "\n\t-i ",
                      source, "\n\t-o ./model.hwx\n");
}

} // namespace ane::hw
