# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include/ane-c/Compiler.h"""
import ctypes
import functools
import json
import os
import warnings

import numpy as np

from ane._diagnostics import Diagnostic, parse_diagnostics
from ane._library import open_library, take_text
from ane._runtime import Program, mode_number


class CompileError(Exception):
    """What the compiler said: file:line:col: error: ..., one or more.

    `diagnostics` has each message in parts; `file`, `line`, `column`, `op` and `hint` are those of the first error.
    """

    def __init__(self, said):
        super().__init__(said)
        self.diagnostics = parse_diagnostics(said)
        first = next((item for item in self.diagnostics if item.severity == "error"), Diagnostic("error", said))
        self.message, self.file, self.line, self.column = first.message, first.file, first.line, first.column
        self.op, self.hint = first.op, first.hint


class CompileWarning(UserWarning):
    """What the compiler warned of in a compilation that succeeded; `diagnostics` has each message in parts."""

    def __init__(self, said):
        super().__init__(said)
        self.diagnostics = parse_diagnostics(said)


class _Options(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("target", "function", "flavour", "tile", "milRoot", "stopAfter")
                ] + [("bindings", ctypes.POINTER(ctypes.c_char_p)), ("bindingCount", ctypes.c_size_t),
                     ("shapes", ctypes.POINTER(ctypes.c_char_p)), ("shapeCount", ctypes.c_size_t),
                     ("allowUnproven", ctypes.c_int), ("accuracyGoal", ctypes.c_char_p)]


class _AccuracyInput(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("elements", ctypes.POINTER(ctypes.c_float)), ("elementCount", ctypes.c_size_t)]


class _AccuracyOptions(ctypes.Structure):
    _fields_ = [("inputs", ctypes.POINTER(_AccuracyInput)), ("inputCount", ctypes.c_size_t), ("seed", ctypes.c_uint64),
                ("mode", ctypes.c_int)]


@functools.lru_cache(maxsize=None)
def _library():
    library = open_library("ane-compiler")
    library.aneCompilerFree.argtypes = [ctypes.c_void_p]
    library.aneCompilerFree.restype = None
    library.aneCompile.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(_Options),
                                   ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_void_p)]
    library.aneCompile.restype = ctypes.c_void_p
    library.aneMeasureAccuracy.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(_Options), ctypes.POINTER(_AccuracyOptions),
        ctypes.POINTER(ctypes.c_void_p)]
    library.aneMeasureAccuracy.restype = ctypes.c_void_p
    return library


def _strings(items):
    """A string, or several, as an array for C."""
    items = [item.encode() for item in ([items] if isinstance(items, str) else items)]
    return (ctypes.c_char_p * len(items))(*items)


def compile_text(network, name="network", *, bind=(), shape=(), target=None, function=None, flavour=None, tile=None,
                 mil_root=None, stop_after=None, allow_unproven=False, accuracy_goal=None):
    """Compiles a network that is text or bytes: MLIR (TOSA, linalg or ane ops) or MIL.

    Gives a CompiledProgram, or MLIR text with `stop_after` (a phase). `bind` are strings such as
    "1-62=random:7" or "weight=@w.npy" for arguments that are constants, or one; `shape` such as
    "image=1x3x224x224" for arguments that leave sizes open, or "default". The other options are
    those of ane-compile. Raises CompileError.
    """
    library = _library()
    bindings, shapes = _strings(bind), _strings(shape)
    options = _Options(bindings=bindings, bindingCount=len(bindings), shapes=shapes, shapeCount=len(shapes),
                       allowUnproven=allow_unproven)
    for field, value in (("target", target), ("function", function), ("flavour", flavour), ("tile", tile),
                         ("milRoot", mil_root), ("stopAfter", stop_after), ("accuracyGoal", accuracy_goal)):
        if value is not None:
            setattr(options, field, os.fsencode(value))
    if isinstance(network, str):
        network = network.encode()
    size, said = ctypes.c_size_t(), ctypes.c_void_p()
    result = library.aneCompile(network, len(network), name.encode(), ctypes.byref(options), ctypes.byref(size),
                                ctypes.byref(said))
    said = take_text(said.value, library.aneCompilerFree)
    if not result:
        raise CompileError(said.rstrip())
    if said:
        warnings.warn(CompileWarning(said.rstrip()), stacklevel=2)
    data = ctypes.string_at(result, size.value)
    library.aneCompilerFree(result)
    return data.decode() if stop_after is not None else CompiledProgram(data, network, name, options)


class CompiledProgram(Program):
    """A program with the network that it is of."""

    def __init__(self, data, network, name, options):
        super().__init__(data)
        self._network, self._name, self._options = network, name, options

    def accuracy(self, inputs=(), mode="exact", seed=0):
        """How far each op of the network is off: the dict that `ane-compile --accuracy=r.json` writes (docs/Accuracy.md).

        The network is run in f32, the program in the simulator. `inputs` are arrays, in their order or by name; what
        is not given is random. The keys: `ops` with `total` and `own` errors and the range of values, `outputs`,
        `first_deviation` and `largest_own` (numbers of ops, or None), `same_outputs`.
        """
        library = _library()
        items = inputs.items() if isinstance(inputs, dict) else [(None, array) for array in inputs]
        arrays = [(name, np.ascontiguousarray(array, np.float32)) for name, array in items]
        given = (_AccuracyInput * len(arrays))(*[
            _AccuracyInput(None if name is None else name.encode(), array.ctypes.data_as(ctypes.POINTER(ctypes.c_float)),
                           array.size) for name, array in arrays])
        said = ctypes.c_void_p()
        wanted = _AccuracyOptions(given, len(arrays), seed, mode_number(mode))
        result = library.aneMeasureAccuracy(self._network, len(self._network), self._name.encode(),
                                            ctypes.byref(self._options), ctypes.byref(wanted), ctypes.byref(said))
        said = take_text(said.value, library.aneCompilerFree)
        if not result:
            raise CompileError(said.rstrip())
        return json.loads(take_text(result, library.aneCompilerFree))


def compile(path, **options):
    """Compiles the network of a file, .mlir (text or bytecode) or .mil, whose weights lie
    beside it unless `mil_root` says where. The options are those of compile_text."""
    if os.path.isdir(path):
        raise CompileError(f"{os.fspath(path)}: error: a folder, expected a .mlir or .mil file; "
                           "ane-compile takes packages")
    with open(path, "rb") as file:
        network = file.read()
    options.setdefault("mil_root", os.path.dirname(os.fspath(path)) or ".")
    return compile_text(network, os.fspath(path), **options)
