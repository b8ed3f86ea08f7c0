//===- ane-worker.cpp - The process of a device with "worker" -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/Worker.h"

#include <cstdio>
#include <sys/socket.h>

int main(int argc, char **) {
  // Its socket, from whoever starts it.
  constexpr int socket = 3;
  int type = 0;
  socklen_t size = sizeof(type);
  if (argc == 1 && !getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size))
    return ane::rt::serveWorker(socket);
  std::puts("ane-worker: loads and runs programs for another process, which "
            "starts it (--device=apple:worker)");
  return argc == 1;
}
