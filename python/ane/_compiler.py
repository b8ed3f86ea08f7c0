# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include/ane-c/Compiler.h, and ane-compile for what it does not have: packages, the part of the host, reports."""
import codecs
import ctypes
import functools
import json
import os
import re
import shutil
import tempfile
import warnings
import weakref
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np

from ane import _host
from ane._diagnostics import Diagnostic, Error, parse_diagnostics
from ane._library import open_library, take_text
from ane._profile import Profile, Reasons, Report, profile_of_report
from ane._runtime import Inputs, Numbers, PathLike, Program, mode_number
from ane._tools import ToolResult, run_tool

Source = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]"]
Bindings = Union[str, Sequence[str], Mapping[Union[str, int], Union[str, "os.PathLike[str]", Numbers]]]
Shapes = Union[str, Sequence[str], Mapping[Union[str, int], Sequence[int]]]
Ranges = Union[str, Sequence[str], Mapping[Union[str, int], Tuple[float, float]]]


class CompileError(Error):
    """What the compiler said: file:line:col: error: ..., one or more.

    `diagnostics` has each message in parts. `message`, `file`, `line`, `column`, `location`, `op`, `constraint`,
    `value`, `limit` and `hint` are those of the first error; None where it has none.
    """

    def __init__(self, said: str):
        super().__init__(said)
        self.diagnostics: List[Diagnostic] = parse_diagnostics(said)
        first = next((item for item in self.diagnostics if item.severity == "error"), Diagnostic("error", said))
        self.message, self.file, self.line, self.column = first.message, first.file, first.line, first.column
        self.location, self.op, self.constraint = first.location, first.op, first.constraint
        self.value, self.limit, self.hint = first.value, first.limit, first.hint


class CompileWarning(UserWarning):
    """What the compiler warned of in a compilation that succeeded; `diagnostics` has each message in parts."""

    def __init__(self, said: str):
        super().__init__(said)
        self.diagnostics: List[Diagnostic] = parse_diagnostics(said)


class _COptions(ctypes.Structure):
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
def _library() -> ctypes.CDLL:
    library = open_library("ane-compiler")
    library.aneCompilerFree.argtypes = [ctypes.c_void_p]
    library.aneCompilerFree.restype = None
    library.aneCompile.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(_COptions),
                                   ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_void_p)]
    library.aneCompile.restype = ctypes.c_void_p
    library.aneMeasureAccuracy.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(_COptions), ctypes.POINTER(_AccuracyOptions),
        ctypes.POINTER(ctypes.c_void_p)]
    library.aneMeasureAccuracy.restype = ctypes.c_void_p
    return library


# ---------------------------------------------------------------- what is compiled
class _Network:
    """A network: bytes that have a name, or a file or package."""

    def __init__(self, source: Source, name: Optional[str]):
        self.data: Optional[bytes] = None
        self.path: Optional[str] = None
        if isinstance(source, (bytes, bytearray, memoryview)):
            self.data = bytes(source)
        elif isinstance(source, str) and _is_text(source):
            self.data = source.encode()
        elif isinstance(source, (str, os.PathLike)):
            self.path = os.fspath(source)
            if not isinstance(self.path, str):
                raise TypeError("a network is a path of type str, bytes of a network, or text")
            if not os.path.isdir(self.path):
                with open(self.path, "rb") as file:
                    self.data = file.read()
        else:
            raise TypeError(f"a network is a path, bytes or text, not {type(source).__name__}")
        self.name = _text("name", name) or self.path or "network"

    @property
    def needs_tool(self) -> bool:
        """Whether it is no text: a package, or a binary file, which ane-compile knows by its content. MLIR's reader
        trusts bytecode, so that a process of its own has to read it."""
        if self.data is None:
            return True
        try:
            text = codecs.getincrementaldecoder("utf-8")().decode(self.data[:1 << 16])
        except UnicodeDecodeError:
            return True
        return re.search(r"[\x00-\x08\x0e-\x1f]", text) is not None

    @property
    def is_mil(self) -> bool:
        return self.data is not None and re.match(rb"(\s|//[^\n]*\n)*program\s*\(", self.data) is not None

    def file(self, scratch: str) -> str:
        """A file for a tool."""
        if self.path is not None:
            return os.path.join(".", self.path) if self.path.startswith("-") else self.path
        path = os.path.join(scratch, os.path.basename(self.name) or "network")
        with open(path, "wb") as file:
            file.write(self.data or b"")
        return path


def _is_text(source: str) -> bool:
    """Whether a string is a network and no path."""
    return "\n" in source or ("{" in source and not os.path.exists(source))


def _text(option: str, value: Any) -> Optional[str]:
    """A value for C, which ends at a zero."""
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{option} is {value!r}; it is a string")
    text = os.fspath(value)
    if not isinstance(text, str) or "\0" in text:
        raise ValueError(f"{option} is {value!r}, but a string without a zero is needed")
    return text


def _list(option: str, value: Any) -> List[str]:
    if not isinstance(value, (str, list, tuple)):
        raise TypeError(f"{option} is {value!r}; it is a string, a list of strings, or a dict")
    items = [value] if isinstance(value, str) else value
    return [_text(option, item) or "" for item in items]


def _numbers(option: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{option} has {value!r}; it is a tuple of numbers")
    return value


class _Folder:
    """A folder that is removed with the object."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class _Options:
    """The options of a compilation, for the library and for the tool."""

    def __init__(self, *, target: Optional[str], function: Optional[str], bind: Bindings, shape: Shapes, range: Ranges,
                 calibrate: Optional[PathLike], flavour: Optional[str], tile: Optional[PathLike],
                 mil_root: Optional[PathLike], stop_after: Optional[str], allow_unproven: bool,
                 accuracy_goal: Optional[str], strict_numerics: bool):
        self.target, self.function = _text("target", target), _text("function", function)
        self.flavour, self.tile = _text("flavour", flavour), _text("tile", tile)
        self.mil_root, self.stop_after = _text("mil_root", mil_root), _text("stop_after", stop_after)
        self.accuracy_goal, self.calibrate = _text("accuracy_goal", accuracy_goal), _text("calibrate", calibrate)
        self.allow_unproven, self.strict_numerics = bool(allow_unproven), bool(strict_numerics)
        self._arrays: Optional[_Folder] = None  # of bindings; as long as the program may ask again
        self.bind = self._bindings(bind) if isinstance(bind, Mapping) else _list("bind", bind)
        self.shape = ([f"{name}={'x'.join(map(str, _numbers('shape', sizes)))}" for name, sizes in shape.items()]
                      if isinstance(shape, Mapping) else _list("shape", shape))
        self.range = ([f"{name}={':'.join(map(str, _numbers('range', limits)))}" for name, limits in range.items()]
                      if isinstance(range, Mapping) else _list("range", range))

    def _bindings(self, bind: Mapping[Any, Any]) -> List[str]:
        result = []
        for index, (name, value) in enumerate(bind.items()):
            if isinstance(value, np.ndarray):
                if self._arrays is None:
                    self._arrays = _Folder()
                path = os.path.join(self._arrays.path, f"{index}.npy")
                # No element of the engine has 64 bits.
                np.save(path, np.ascontiguousarray(value, np.float32 if value.dtype == np.float64 else None))
                value = "@" + path
            elif isinstance(value, os.PathLike):
                value = "@" + os.fspath(value)
            result.append(f"{name}={_text('bind', value)}")
        return result

    @property
    def needs_tool(self) -> bool:
        return bool(self.range or self.calibrate or self.strict_numerics)

    def for_library(self, network: _Network) -> _COptions:
        bindings, shapes = _strings(self.bind), _strings(self.shape)
        options = _COptions(bindings=bindings, bindingCount=len(self.bind), shapes=shapes, shapeCount=len(self.shape),
                            allowUnproven=self.allow_unproven)
        root = self.mil_root
        if root is None and network.path is not None:
            root = os.path.dirname(network.path) or "."
        for field, value in (("target", self.target), ("function", self.function), ("flavour", self.flavour),
                             ("tile", self.tile), ("milRoot", root), ("stopAfter", self.stop_after),
                             ("accuracyGoal", self.accuracy_goal)):
            if value is not None:
                setattr(options, field, os.fsencode(value))
        return options

    def for_tool(self, network: _Network) -> List[str]:
        root = self.mil_root
        if root is None and network.path is None and network.is_mil:
            root = "."
        flags = [f"--{name}={value}" for name, value in (
            ("target", self.target), ("function", self.function), ("hwx-flavour", self.flavour), ("ane-tile", self.tile),
            ("mil-root", root), ("stop-after", self.stop_after), ("accuracy-goal", self.accuracy_goal),
            ("calibrate", self.calibrate)) if value is not None]
        for name, values in (("bind", self.bind), ("shape", self.shape), ("range", self.range)):
            flags += [f"--{name}={value}" for value in values]
        flags += ["--allow-unproven"] * self.allow_unproven + ["--strict-numerics"] * self.strict_numerics
        return flags


def _strings(items: Sequence[str]) -> "ctypes.Array[ctypes.c_char_p]":
    """Several strings as an array for C."""
    return (ctypes.c_char_p * len(items))(*[os.fsencode(item) for item in items])


# ---------------------------------------------------------------- compiling
def _warn(said: str, level: int) -> None:
    if said:
        warnings.warn(CompileWarning(said), stacklevel=level + 1)


def _compile_by_library(network: _Network, options: _Options) -> Tuple[bytes, str]:
    library = _library()
    size, said = ctypes.c_size_t(), ctypes.c_void_p()
    data = network.data or b""
    result = library.aneCompile(data, len(data), os.fsencode(network.name), ctypes.byref(options.for_library(network)),
                                ctypes.byref(size), ctypes.byref(said))
    message = take_text(said.value, library.aneCompilerFree).rstrip()
    if not result:
        raise CompileError(message)
    program = ctypes.string_at(result, size.value)
    library.aneCompilerFree(result)
    return program, message


def _run_compiler(network: _Network, options: _Options, scratch: str, flags: List[str]) -> ToolResult:
    """ane-compile, which says the name of the network and not where it lies for the tool."""
    file = network.file(scratch)
    done = run_tool("ane-compile", [file, *options.for_tool(network), *flags])
    said, output = (text.replace(file, network.name).replace(scratch + os.sep, "") for text in (done.said, done.output))
    return ToolResult(done.code, output, said)


def _compile_by_tool(network: _Network, options: _Options, flags: List[str]) -> Tuple[bytes, str]:
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, "out.mlir" if options.stop_after is not None else "out.hwx")
        done = _run_compiler(network, options, scratch, ["-o", output, *flags])
        if done.code:
            raise CompileError(done.said)
        with open(output, "rb") as file:
            return file.read(), done.said


@overload
def compile(source: Source, *, host: Union[Literal[True], PathLike], stop_after: None = None, **options: Any) -> "HostProgram": ...


@overload
def compile(source: Source, *, stop_after: str, host: Literal[False] = False, **options: Any) -> str: ...


@overload
def compile(source: Source, *, host: Literal[False] = False, stop_after: None = None, **options: Any) -> "CompiledProgram": ...


def compile(  # type: ignore[misc]  # the overloads leave the common options out
            source: Source, *, target: Optional[str] = None, host: Union[bool, PathLike] = False,
            report: Optional[PathLike] = None, name: Optional[str] = None, function: Optional[str] = None,
            bind: Bindings = (), shape: Shapes = (), range: Ranges = (), calibrate: Optional[PathLike] = None,
            flavour: Optional[str] = None, tile: Optional[PathLike] = None, mil_root: Optional[PathLike] = None,
            stop_after: Optional[str] = None, allow_unproven: bool = False, accuracy_goal: Optional[str] = None,
            strict_numerics: bool = False) -> Union["CompiledProgram", "HostProgram", str]:
    """Compiles a network for the engine, and gives a CompiledProgram.

    source   the path of a .mlir (text or bytecode), .mil or .mlpackage; or the network itself, as text or bytes. A string
             with a line break, or with a "{" that names no file, is text
    target   generation of the engine: "h13" (M1, the default) or "h14"
    host     True: ops that the engine cannot do stay on the host, and the result is a Host, which runs as a program does
             (built by LLVM 22). A path: the function of the host is written there, and the programs beside it
    report   a file that ends in .html or .json, where the plan, the times and the sources of all tasks are written
    bind     values of arguments that are constants, by name or number: {"weight": array, 2: "random:7"}, or strings such as
             "1-62=random:7", "weight=@w.npy"
    shape    of arguments that leave sizes open: {"image": (1, 3, 224, 224)}, "image=1x3x224x224", or "default"
    range    what arguments hold: {"image": (-1, 1)}

    stop_after (a phase) gives the IR after it as text. The other options are those of ane-compile. Raises CompileError, and
    OSError for a file that cannot be read; what is only said is a CompileWarning.
    """
    network = _Network(source, name)
    options = _Options(target=target, function=function, bind=bind, shape=shape, range=range, calibrate=calibrate,
                       flavour=flavour, tile=tile, mil_root=mil_root, stop_after=stop_after, allow_unproven=allow_unproven,
                       accuracy_goal=accuracy_goal, strict_numerics=strict_numerics)
    page = _text("report", report)
    flags = [] if page is None else [f"--report={page}"]
    if host:
        if stop_after is not None:
            raise ValueError("host is for whole programs; leave stop_after out")
        return _compile_with_host(network, options, None if host is True else _text("host", host), flags)
    if network.needs_tool or flags or options.needs_tool:
        data, said = _compile_by_tool(network, options, flags)
    else:
        data, said = _compile_by_library(network, options)
    _warn(said, 2)
    return data.decode() if stop_after is not None else CompiledProgram(data, network, options)


def compile_text(network: Union[str, bytes], name: str = "network", **options: Any) -> Any:
    """compile(), of text or bytes: also where the text could be a path."""
    if isinstance(network, str):
        network = network.encode()
    return compile(network, name=name, **options)


def why(source: Source, *, target: Optional[str] = None, name: Optional[str] = None, function: Optional[str] = None,
        bind: Bindings = (), shape: Shapes = (), flavour: Optional[str] = None, mil_root: Optional[PathLike] = None,
        allow_unproven: bool = False) -> Reasons:
    """For each op of a network that the engine cannot do the reason, and a way out: a list, empty if it does all of them."""
    return _why(_Network(source, name), _Options(
        target=target, function=function, bind=bind, shape=shape, range=(), calibrate=None, flavour=flavour, tile=None,
        mil_root=mil_root, stop_after=None, allow_unproven=allow_unproven, accuracy_goal=None, strict_numerics=False))


def _why(network: _Network, options: _Options) -> Reasons:
    with tempfile.TemporaryDirectory() as scratch:
        place = os.path.join(scratch, "host.mlir")
        done = _run_compiler(network, options, scratch,
                             ["-o", os.path.join(scratch, "out.hwx"), f"--host={place}", "--ane-why=json"])
        if done.code:
            raise CompileError(done.said)
        return Reasons(json.loads(done.output))


def _report(network: _Network, options: _Options, kind: str) -> str:
    """The report in a form, "json" or "html"."""
    with tempfile.TemporaryDirectory() as scratch:
        place = os.path.join(scratch, "report." + kind)
        done = _run_compiler(network, options, scratch, ["-o", os.path.join(scratch, "out.hwx"), f"--report={place}"])
        if done.code:
            raise CompileError(done.said)
        with open(place, encoding="utf-8") as file:
            return file.read().replace(scratch + os.sep, "")  # the names of files in it


def _compile_with_host(network: _Network, options: _Options, place: Optional[str], flags: List[str]) -> "HostProgram":
    kept: Optional[_Folder] = None
    if place is None:
        kept = _Folder()
        place = os.path.join(kept.path, "host.mlir")
    program = os.path.splitext(place)[0] + ".hwx"
    with tempfile.TemporaryDirectory() as scratch:
        done = _run_compiler(network, options, scratch, ["-o", program, f"--host={place}", "--ane-why=json", *flags])
        if done.code:
            raise CompileError(done.said)
        reasons = Reasons(json.loads(done.output))
    _warn(done.said, 3)
    with open(place, encoding="utf-8") as file:
        return HostProgram(file.read(), os.path.dirname(os.path.abspath(place)), reasons, kept)


class HostProgram(_host.Host):
    """A network of which the host does a part. `why` has the reason for each op of the host."""

    def __init__(self, text: str, folder: str, reasons: Reasons, kept: Optional[_Folder]):
        self._kept = kept  # the folder of the programs, if nobody else has it
        super().__init__(text, folder)
        self.why = reasons


class CompiledProgram(Program):
    """A program with the network that it is of."""

    def __init__(self, data: bytes, network: _Network, options: _Options):
        super().__init__(data)
        self._network, self._options = network, options

    @property
    def why(self) -> Reasons:
        """Why ops stay on the host: an empty list, because the engine does all ops of this network. ane.why(source) says
        it of networks that do not compile, and `why` of what compile(host=True) gives."""
        return Reasons()

    def report(self, path: Optional[PathLike] = None) -> Report:
        """How the network became the program: tasks and their sources, times, L2 and traffic (docs/Formats/Report.md).

        A dict, which a notebook shows as a page; `path`, which ends in .html or .json, is a file for it.
        """
        name = _text("path", path)
        if name is not None and not name.endswith((".html", ".json")):
            raise ValueError(f"path is {name!r}; a report ends in .html or .json")
        found = Report(json.loads(_report(self._network, self._options, "json")),
                       _report(self._network, self._options, "html"))
        if name is not None:
            with open(name, "w", encoding="utf-8") as file:
                file.write(found.html if name.endswith(".html") else json.dumps(found))
        return found

    def profile(self) -> Profile:
        """The predicted time and traffic of each task, with the ops of the network that it does."""
        return profile_of_report(json.loads(_report(self._network, self._options, "json")))

    def accuracy(self, inputs: Inputs = (), mode: str = "exact", seed: int = 0) -> Dict[str, Any]:
        """How far each op of the network is off: the dict that `ane-compile --accuracy=r.json` writes (docs/Accuracy.md).

        The network is run in f32, the program in the simulator. `inputs` are arrays, in their order or by name; what
        is not given is random. The keys: `ops` with `total` and `own` errors and the range of values, `outputs`,
        `first_deviation` and `largest_own` (numbers of ops, or None), `same_outputs`.
        """
        number = mode_number(mode)
        items = inputs.items() if isinstance(inputs, Mapping) else [(None, array) for array in inputs]
        arrays = [(name, np.ascontiguousarray(array, np.float32)) for name, array in items]
        if self._network.needs_tool or self._options.needs_tool:
            return self._accuracy_by_tool(arrays, mode, seed)
        library, data = _library(), self._network.data or b""
        given = (_AccuracyInput * len(arrays))(*[
            _AccuracyInput(None if name is None else name.encode(), array.ctypes.data_as(ctypes.POINTER(ctypes.c_float)),
                           array.size) for name, array in arrays])
        said = ctypes.c_void_p()
        wanted = _AccuracyOptions(given, len(arrays), seed, number)
        options = self._options.for_library(self._network)
        result = library.aneMeasureAccuracy(data, len(data), os.fsencode(self._network.name),
                                            ctypes.byref(options), ctypes.byref(wanted), ctypes.byref(said))
        message = take_text(said.value, library.aneCompilerFree)
        if not result:
            raise CompileError(message.rstrip())
        measured: Dict[str, Any] = json.loads(take_text(result, library.aneCompilerFree))
        return measured

    def _accuracy_by_tool(self, arrays: List[Tuple[Optional[str], Numbers]], mode: str, seed: int) -> Dict[str, Any]:
        with tempfile.TemporaryDirectory() as scratch:
            place = os.path.join(scratch, "accuracy.json")
            flags = [f"--accuracy={place}", f"--seed={seed}", f"--accuracy-mode={mode}"]
            for index, (name, array) in enumerate(arrays):
                path = os.path.join(scratch, f"{index}.npy")
                np.save(path, array)
                flags.append("--input=" + (path if name is None else f"{name}={path}"))
            done = _run_compiler(self._network, self._options, scratch, flags)
            if done.code:
                raise CompileError(done.said)
            with open(place, encoding="utf-8") as file:
                measured: Dict[str, Any] = json.load(file)
                return measured
