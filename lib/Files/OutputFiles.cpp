//===- OutputFiles.cpp - Files that appear whole or not at all ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Files/OutputFiles.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>
#include <utility>

using namespace mlir::ane;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace paths = llvm::sys::path;

static Error makeError(StringRef path, const Twine &reason) {
  std::string name = path == "-" ? "standard output" : ("'" + path + "'").str();
  return llvm::createStringError("cannot write " + name + ": " + reason);
}

static Error makeError(StringRef path, std::error_code code) {
  return makeError(path, code.message());
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

namespace {

/// A signal that comes while this lives acts afterwards: files take their
/// places together.
class HoldSignals {
public:
  HoldSignals() : lock(mutex) {
    for (auto [signal, before] : llvm::zip_equal(signals, saved)) {
      struct sigaction action = {};
      sigaction(signal, nullptr, &before);
      if (before.sa_handler == SIG_IGN)
        continue;
      action.sa_handler = [](int signal) { held = signal; };
      sigaction(signal, &action, nullptr);
    }
  }
  ~HoldSignals() {
    for (auto [signal, before] : llvm::zip_equal(signals, saved))
      sigaction(signal, &before, nullptr);
    if (int signal = held.exchange(0))
      std::raise(signal);
  }

private:
  static constexpr int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
  static std::atomic<int> held;
  static std::mutex mutex; // handlers are those of the process

  std::lock_guard<std::mutex> lock;
  struct sigaction saved[std::size(signals)];
};

std::atomic<int> HoldSignals::held{0};
std::mutex HoldSignals::mutex;

} // namespace

// LLVM has such a list, too, but forgets it when one of its drivers returns.
static constexpr size_t maxPassing = 64;
static std::atomic<char *> passing[maxPassing];

static void notePassing(StringRef name) {
  llvm::sys::RemoveFileOnSignal(name);
  char *copy = strdup(name.str().c_str()), *none = nullptr;
  for (std::atomic<char *> &slot : passing)
    if (none = nullptr; slot.compare_exchange_strong(none, copy))
      return;
  free(copy);
}

static void forgetPassing(StringRef name) {
  llvm::sys::DontRemoveFileOnSignal(name);
  for (std::atomic<char *> &slot : passing) {
    char *found = slot.load();
    // Whoever takes a name out of its slot has it alone.
    if (found && name == found && slot.compare_exchange_strong(found, nullptr))
      free(found);
  }
}

void mlir::ane::removePassingFiles() {
  for (std::atomic<char *> &slot : passing)
    if (char *name = slot.exchange(nullptr))
      unlink(name);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static StringRef folderOf(StringRef path) {
  StringRef folder = paths::parent_path(path);
  return folder.empty() ? "." : folder;
}

/// What cannot be renamed to: pipes, devices, and names of descriptors, which
/// may well be regular files.
static bool isStream(StringRef path) {
  fs::file_status status;
  if (path == "-" || (!fs::status(path, status) && fs::is_other(status)))
    return true;
  SmallString<128> folder;
  return !fs::real_path(folderOf(path), folder) &&
         (folder == "/dev" || folder == "/dev/fd" ||
          StringRef(folder).starts_with("/proc/"));
}

/// A name in `folder` that begins as `path` does and that nothing has. (LLVM's
/// createUniqueFile would replace each '%' of the path as well.)
static std::string passingName(StringRef path, StringRef folder) {
  constexpr size_t longest = 200; // of the 255 bytes that a name may have
  StringRef name = paths::filename(path);
  SmallString<128> result(folder == "." ? "" : folder);
  paths::append(result, name.size() > longest ? "output" : name);
  uint64_t number = uint64_t(llvm::sys::Process::GetRandomNumber()) << 32 |
                    llvm::sys::Process::GetRandomNumber();
  return (result + "." + llvm::utohexstr(number, /*LowerCase=*/true) + ".tmp")
      .str();
}

static bool isBelow(StringRef path, StringRef folder) {
  return path.consume_front(folder) && !path.empty() &&
         paths::is_separator(path.front());
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Expected<OutputFiles::File &> OutputFiles::start(StringRef path,
                                                 StringRef beside) {
  auto file = std::make_unique<File>();
  file->path = path.str();
  std::error_code code;
  if (isStream(path)) {
    if (path == "-")
      file->os = std::make_unique<llvm::raw_fd_ostream>(fileno(stdout),
                                                        /*shouldClose=*/false);
    else
      file->os =
          std::make_unique<llvm::raw_fd_ostream>(path, code, fs::OF_None);
    if (code)
      return makeError(path, code);
  } else {
    if (fs::is_directory(path))
      return makeError(path, "it is a folder");
    // A file that is protected from writing stays. Of a link only the name
    // does.
    fs::file_status status;
    bool replaces = !fs::status(path, status, /*follow=*/false) &&
                    fs::is_regular_file(status);
    if (replaces && (code = fs::access(path, fs::AccessMode::Write)))
      return makeError(path, code);
    int descriptor;
    do {
      file->passing = passingName(path, beside);
      notePassing(file->passing); // before it is there
      code = fs::openFileForWrite(file->passing, descriptor, fs::CD_CreateNew);
      if (code)
        forgetPassing(file->passing);
    } while (code == std::errc::file_exists);
    if (code)
      return makeError(path, code);
    if (replaces)
      (void)fs::setPermissions(descriptor, status.permissions());
    file->os = std::make_unique<llvm::raw_fd_ostream>(descriptor,
                                                      /*shouldClose=*/true);
  }
  files.push_back(std::move(file));
  return *files.back();
}

Expected<llvm::raw_fd_ostream &> OutputFiles::open(StringRef path,
                                                   bool makesFolder) {
  StringRef folder = folderOf(path), beside = folder;
  bool isBelowFolder = false;
  for (StringRef whole : folders)
    if (isBelow(path, whole)) {
      beside = folderOf(whole);
      isBelowFolder = true;
    }
  makesFolder &= !isBelowFolder;
  while (makesFolder && !fs::exists(beside))
    beside = folderOf(beside);
  Expected<File &> file = start(path, beside);
  if (!file)
    return file.takeError();
  file->isBelowFolder = isBelowFolder;
  file->makesFolder = makesFolder;
  return *file->os;
}

Expected<std::string> OutputFiles::reserve(StringRef path) {
  if (isStream(path))
    return path.str();
  Expected<File &> file = start(path, folderOf(path));
  if (!file)
    return file.takeError();
  file->os.reset();
  return file->passing;
}

void OutputFiles::addFolder(StringRef path) { folders.push_back(path.str()); }

uint64_t OutputFiles::bytesOf(StringRef path) const {
  uint64_t bytes = 0;
  for (const std::unique_ptr<File> &file : files)
    if (file->os && (file->path == path || isBelow(file->path, path)))
      bytes += file->os->tell();
  return bytes;
}

/// What the stream says once it has no more to do. An error that nobody looks
/// at would end the process.
static std::error_code closeStream(std::unique_ptr<llvm::raw_fd_ostream> &os,
                                   bool isOpened) {
  if (!os)
    return {};
  if (isOpened)
    os->close();
  else
    os->flush();
  std::error_code code = os->error();
  os->clear_error();
  os.reset();
  return code;
}

OutputFiles::~OutputFiles() {
  for (std::unique_ptr<File> &file : files) {
    (void)closeStream(file->os, file->path != "-");
    if (file->passing.empty())
      continue;
    (void)fs::remove(file->passing);
    forgetPassing(file->passing);
  }
}

//===----------------------------------------------------------------------===//
// Taking places
//===----------------------------------------------------------------------===//

/// Lets two names change places, so that there is no moment without `b`.
static bool exchange(const std::string &a, const std::string &b) {
#if defined(RENAME_EXCHANGE)
  return !renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
#elif defined(RENAME_SWAP)
  return !renamex_np(a.c_str(), b.c_str(), RENAME_SWAP);
#else
  return false;
#endif
}

/// Removes a folder, or a link and not what it points to.
static void removeFolder(const std::string &path) {
  if (fs::is_symlink_file(path))
    (void)fs::remove(path);
  else
    (void)fs::remove_directories(path);
}

/// Puts the folder `made` where `path` is.
static std::error_code replaceFolder(const std::string &made,
                                     const std::string &path) {
  fs::file_status status;
  if (fs::status(path, status, /*follow=*/false) ==
      std::errc::no_such_file_or_directory)
    return fs::rename(made, path);
  if (exchange(made, path)) {
    removeFolder(made);
    return {};
  }
  // File systems that cannot exchange: two steps.
  std::string old = passingName(path, folderOf(path));
  if (std::error_code code = fs::rename(path, old))
    return code;
  if (std::error_code code = fs::rename(made, path)) {
    (void)fs::rename(old, path);
    return code;
  }
  removeFolder(old);
  return {};
}

Error OutputFiles::finishFolder(StringRef path) {
  std::string made = passingName(path, folderOf(path));
  // As open to others as files are; the umask closes what its user wants
  // closed.
  std::error_code code =
      fs::create_directory(made, /*IgnoreExisting=*/false, fs::perms::all_all);
  if (code)
    return makeError(path, code);
  llvm::scope_exit clean([&] { removeFolder(made); });
  for (std::unique_ptr<File> &file : files) {
    if (!isBelow(file->path, path))
      continue;
    std::string place = made + file->path.substr(path.size());
    code = fs::create_directories(folderOf(place), /*IgnoreExisting=*/true,
                                  fs::perms::all_all);
    if (!code)
      code = fs::rename(file->passing, place);
    if (code)
      return makeError(file->path, code);
  }
  code = replaceFolder(made, path.str());
  if (code)
    return makeError(path, code);
  clean.release();
  return Error::success();
}

Error OutputFiles::commit() {
  for (std::unique_ptr<File> &file : files)
    if (std::error_code code = closeStream(file->os, file->path != "-"))
      return makeError(file->path, code);
  HoldSignals hold;
  for (StringRef folder : folders)
    if (Error error = finishFolder(folder))
      return error;
  for (std::unique_ptr<File> &file : llvm::reverse(files)) {
    if (file->passing.empty() || file->isBelowFolder)
      continue;
    std::error_code code;
    if (file->makesFolder)
      code =
          fs::create_directories(folderOf(file->path),
                                 /*IgnoreExisting=*/true, fs::perms::all_all);
    if (!code)
      code = fs::rename(file->passing, file->path);
    if (code)
      return makeError(file->path, code);
  }
  for (std::unique_ptr<File> &file : files)
    if (!file->passing.empty())
      forgetPassing(file->passing);
  files.clear();
  folders.clear();
  return Error::success();
}
