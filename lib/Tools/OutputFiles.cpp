//===- OutputFiles.cpp - Files that a command writes ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mlir::ane {

bool isSameFile(StringRef a, StringRef b) {
  sys::fs::file_status status;
  if (a.empty() || a == "-" || b.empty() || b == "-" ||
      (!sys::fs::status(a, status) && sys::fs::is_other(status)))
    return false;
  if (sys::fs::equivalent(a, b))
    return true;
  SmallString<128> paths[] = {a, b};
  for (SmallString<128> &path : paths) {
    sys::fs::make_absolute(path);
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  }
  return paths[0] == paths[1];
}

std::string describeClash(ArrayRef<NamedFile> inputs,
                          ArrayRef<NamedFile> outputs) {
  for (auto [i, output] : enumerate(outputs))
    for (const NamedFile &other :
         concat<const NamedFile>(inputs, outputs.take_front(i)))
      if (isSameFile(output.path, other.path))
        return output.what + " would write over '" + other.path +
               "', which is " + other.what + "; give it another name";
  return "";
}

} // namespace mlir::ane
