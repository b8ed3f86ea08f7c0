//===- Signals.cpp - What signals do to a tool ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Files/Signals.h"

#include "ane/Files/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

using namespace mlir::ane;
using llvm::StringRef;

static const char *toolName = "";

//===----------------------------------------------------------------------===//
// Inputs that are cut
//===----------------------------------------------------------------------===//
//
// A handler may call little: no allocation, no streams.

/// The file that `address` is mapped from, in `line`; empty where the system
/// does not say.
static StringRef findMappedFile(uintptr_t address, char (&line)[4096]) {
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0)
    return "";
  size_t length = 0;
  char c;
  StringRef file;
  // "START-END PERMISSIONS OFFSET DEVICE INODE   PATH"
  while (file.empty() && read(maps, &c, 1) == 1) {
    if (c != '\n') {
      if (length < sizeof(line))
        line[length++] = c;
      continue;
    }
    StringRef text(line, std::exchange(length, 0));
    auto takeNumber = [&] {
      uintptr_t value = 0;
      while (!text.empty() && llvm::isHexDigit(text.front())) {
        value = value * 16 + llvm::hexDigitValue(text.front());
        text = text.drop_front();
      }
      text = text.drop_front(!text.empty());
      return value;
    };
    uintptr_t start = takeNumber(), end = takeNumber();
    size_t path = text.find('/');
    if (start <= address && address < end && path != StringRef::npos)
      file = text.drop_front(path);
  }
  close(maps);
  return file;
}

static void say(StringRef text) {
  [[maybe_unused]] ssize_t written = write(2, text.data(), text.size());
}

/// The rest of a mapped file is gone. Nothing could be computed of it.
static void endAtCutFile(int signal, siginfo_t *info, void *) {
  static char line[4096];
  StringRef file;
  if (info->si_code == BUS_ADRERR)
    file = findMappedFile(reinterpret_cast<uintptr_t>(info->si_addr), line);
  if (file.empty()) { // some other fault: as if this handler were not there
    std::signal(signal, SIG_DFL);
    return;
  }
  removePassingFiles();
  say(toolName);
  say(": error: '");
  say(file);
  say("' was cut by somebody while it was read\n");
  _exit(1);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// At SIGQUIT, LLVM would print a stack with the help of another program and
/// its files, from a handler that may have interrupted an allocation.
static void endAtSignal(int signal) {
  llvm::sys::RunInterruptHandlers(); // files of drivers
  removePassingFiles();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void mlir::ane::takeSignals(const char *tool) {
  toolName = tool;
  // One that comes in between would find LLVM's handler.
  sigset_t all, blocked;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &blocked);
  constexpr int asked[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGUSR2};
  struct sigaction before[std::size(asked)];
  for (auto [signal, action] : llvm::zip_equal(asked, before))
    sigaction(signal, nullptr, &action);
  llvm::sys::SetOneShotPipeSignalFunction(
      llvm::sys::DefaultOneShotPipeSignalHandler);
  llvm::sys::SetInterruptFunction(nullptr); // takes the signals
  for (auto [signal, action] : llvm::zip_equal(asked, before))
    if (action.sa_handler == SIG_IGN)
      sigaction(signal, &action, nullptr);
    else if (signal != SIGPIPE)
      std::signal(signal, endAtSignal);
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction cut = {};
  cut.sa_sigaction = endAtCutFile;
  cut.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &cut, nullptr);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}
