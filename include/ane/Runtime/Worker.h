//===- Worker.h - A device in a process of its own --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some runtimes allow a process a limited number of programs in its life, or
// take it down with them. "apple:worker" loads and runs in a process that is
// started beside this one and replaced when it has loaded enough; a run that
// does not end in time is ended with it, and so is nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_RUNTIME_WORKER_H
#define ANE_RUNTIME_WORKER_H

#include "ane/Runtime/Device.h"

namespace ane::rt {

/// Serves the process at the other end of a socket until that goes away. What
/// the tool ane-worker does.
int serveWorker(int socket);

/// `device` in processes of their own, each for `loads` programs; `name` opens it
/// there.
std::unique_ptr<Device> makeWorkerDevice(std::unique_ptr<Device> device,
                                         std::string name, int loads);

} // namespace ane::rt

#endif // ANE_RUNTIME_WORKER_H
