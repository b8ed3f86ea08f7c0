//===- OutputFiles.h - Files that appear whole or not at all ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a tool writes goes through here. A file is written beside its
// place under a passing name, and takes its place by a rename once all files of
// the command are complete:
//
//    out/net.hwx               the old file, until commit()
//    out/net.hwx.1f0c...tmp    the new one, until commit()
//
// So a failure, a signal or a full disk leaves the old file as it was. After
// SIGKILL the passing name may stay, never a half file under the right one. A
// link is replaced, not followed. Standard output, devices and pipes have no
// place to be renamed to; they are written at once.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FILES_OUTPUTFILES_H
#define ANE_FILES_OUTPUTFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::ane {

/// The output files of one command.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  /// Removes what was not committed.
  ~OutputFiles();

  /// Starts the file `path`; "-" is standard output. With `makesFolder`,
  /// commit() makes the folder that it lies in if there is none. Errors of the
  /// stream show at commit(), unless somebody takes them before.
  llvm::Expected<llvm::raw_fd_ostream &> open(llvm::StringRef path,
                                              bool makesFolder = false);
  /// Starts a file that somebody else opens: returns the name to write to.
  llvm::Expected<std::string> reserve(llvm::StringRef path);
  /// Starts a folder. Files that are opened below it from here on are all that
  /// is in it, and commit() puts it where a folder or a link of that name is.
  void addFolder(llvm::StringRef path);
  /// The bytes written so far to the file `path`, or to those below it.
  uint64_t bytesOf(llvm::StringRef path) const;

  /// Closes all files and, if none has an error, gives them their names: those
  /// that were opened last come first, after the folders.
  llvm::Error commit();

private:
  struct File {
    std::string path;
    std::string passing; ///< empty: written in place
    std::unique_ptr<llvm::raw_fd_ostream> os;
    bool isBelowFolder = false, makesFolder = false;
  };

  llvm::Expected<File &> start(llvm::StringRef path, llvm::StringRef beside);
  llvm::Error finishFolder(llvm::StringRef path);

  std::vector<std::unique_ptr<File>> files;
  std::vector<std::string> folders;
};

/// For a handler of signals: removes what is under passing names.
void removePassingFiles();

} // namespace mlir::ane

#endif // ANE_FILES_OUTPUTFILES_H
