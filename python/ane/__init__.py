# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile networks for the Apple Neural Engine and run the programs.

    import ane
    program = ane.compile("net.mlir")             # or .mil, or ane.compile_text(...)
    outputs = program.run({"image": image})       # numpy arrays in and out
    errors = program.accuracy({"image": image})   # how far each op is off, as a dict
    program.save("net.hwx"); program = ane.load("net.hwx")
    network = ane.load_host("host.mlir")          # what ane-compile --host wrote, with its programs

The functions are those of include/ane-c, by ctypes; programs run in the simulator unless
another device is named. Running needs libane-runtime only, compiling libane-compiler too.
"""
from ane._compiler import CompiledProgram, CompileError, CompileWarning, compile, compile_text
from ane._diagnostics import Diagnostic
from ane._host import Host, HostTensor, load_host
from ane._runtime import Device, Program, RunError, Stats, Tensor, Values, devices, load, version

__all__ = ["CompiledProgram", "CompileError", "CompileWarning", "Device", "Diagnostic", "Host", "HostTensor", "Program",
           "RunError", "Stats", "Tensor", "Values", "compile", "compile_text", "devices", "load", "load_host", "version"]
