# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile networks for the Apple Neural Engine and run the programs.

    import ane
    program = ane.compile("net.mlpackage")        # or .mil, .mlir, or the text itself
    scores = program(image=image)                 # numpy arrays in and out, in the simulator
    request = program.submit(image); ...; request.result()   # in the background
    program.profile()                             # predicted time of each task
    program.report("plan.html")                   # a page
    program.save("net.hwx"); program = ane.load("net.hwx")
    network = ane.compile("net.mlpackage", host=True)  # what the engine cannot do, the host does
    network.why                                   # ... and why
    for answer in ane.query(text): ...            # does an op run, at what cost, why not; compiles little

docs/Python.md has examples. The functions are those of include/ane-c, by ctypes; packages, the part of the host, reports
and profiles come from the tools. Running needs libane-runtime only, compiling libane-compiler too.
"""
from ane._compiler import CompiledProgram, CompileError, CompileWarning, HostProgram, compile, compile_text, why
from ane._diagnostics import Diagnostic, Error
from ane._host import Host, HostTensor, load_host
from ane._profile import Profile, Reason, Reasons, Report, TaskProfile
from ane._query import Answer, Query, can_run, query
from ane._runtime import Device, Event, Permission, Program, Request, RunError, Stats, Tensor, Values, devices, load, version

__all__ = ["Answer", "CompiledProgram", "CompileError", "CompileWarning", "Device", "Diagnostic", "Error", "Event", "Host",
           "HostProgram", "HostTensor", "Permission", "Profile", "Program", "Query", "Reason", "Reasons", "Report", "Request", "RunError", "Stats",
           "TaskProfile", "Tensor", "Values", "can_run", "compile", "compile_text", "devices", "load", "load_host", "query",
           "version", "why"]
