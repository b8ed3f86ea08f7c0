# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include/ane-c/Runtime.h"""
import ctypes
import functools
import json
import os
import tempfile
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ane import _html
from ane._diagnostics import Error
from ane._library import open_library, take_text
from ane._profile import Profile
from ane._tools import run_tool

_TYPES = [np.uint8, np.int8, np.float16]  # AneElementType
_MODES = {"exact": 0, "fast": 1, "count": 2, "engine": 3}  # AneMode


PathLike = Union[str, "os.PathLike[str]"]
Numbers = npt.NDArray[Any]
Array = Any  # what numpy.asarray takes
Inputs = Union[Mapping[str, Array], Sequence[Array], Numbers]


class RunError(Error):
    """A file that is no program, arrays that do not fit it, or what a device said."""


class Permission(NamedTuple):
    """What this process and this machine are allowed, and what needs it."""
    what: str  # "System Integrity Protection"
    held: str  # "on", "off", "yes", "no", "unknown"
    needed: str


class Device(NamedTuple):
    kind: str  # "sim", "apple", "asahi"
    name: str
    generation: str
    state: str  # "ready", or why it is not
    ready: bool
    permissions: Tuple[Permission, ...] = ()


class Tensor(NamedTuple):
    name: str
    shape: Tuple[int, ...]  # of the network; N, C, H, W where a file of others does not say it
    dtype: "np.dtype[Any]"  # an input of float32 enters as two surfaces of float16
    is_output: bool


class Stats(NamedTuple):
    """Of the simulator; zeros on other devices."""
    tasks: int
    macs: int
    dram_bytes: int
    compulsory_bytes: int
    l2_peak_bytes: int
    predicted_ms: float


class Values(NamedTuple):
    """What became of the elements of a surface, or of the result of a task, when they were rounded to its type."""
    name: str  # of the surface; of results what the task computes
    task: Optional[int]  # of a result: its number
    elements: int
    infinities: int  # also numbers above 65504
    nans: int
    underflows: int  # zero, and something else before; inputs: unknown
    subnormals: int  # below 2^-14, with fewer than 11 digits
    largest: float  # magnitude before rounding, of finite ones
    inherits_special: bool  # infinite or NaN, and a source of the task was, too


class _Device(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("kind", "name", "generation", "state")] + [("ready", ctypes.c_int)]


class _Permission(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("what", "held", "needed")]


class _Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("isOutput", ctypes.c_int), ("type", ctypes.c_int),
                ("shape", ctypes.c_uint32 * 5), ("denseBytes", ctypes.c_uint64),
                ("sizes", ctypes.POINTER(ctypes.c_uint64)), ("rank", ctypes.c_size_t), ("isLow", ctypes.c_int)]


class _RunOptions(ctypes.Structure):
    _fields_ = [("mode", ctypes.c_int), ("threads", ctypes.c_uint), ("timeoutSeconds", ctypes.c_double),
                ("waitEvent", ctypes.c_void_p), ("waitValue", ctypes.c_uint64),
                ("signalEvent", ctypes.c_void_p), ("signalValue", ctypes.c_uint64)]


class _Stats(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("tasks", "macs", "dramBytes", "compulsoryBytes", "l2PeakBytes")
                ] + [("predictedMs", ctypes.c_double)]


class _Values(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("task", ctypes.c_int64)
                ] + [(name, ctypes.c_uint64) for name in ("elements", "infinities", "nans", "underflows", "subnormals")
                     ] + [("largest", ctypes.c_float), ("inheritsSpecial", ctypes.c_int)]


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    library = open_library("ane-runtime")
    error = ctypes.POINTER(ctypes.c_void_p)
    for name, result, arguments in (
        ("aneRuntimeFree", None, [ctypes.c_void_p]),
        ("aneRuntimeVersion", ctypes.c_char_p, []),
        ("aneDeviceCount", ctypes.c_size_t, []),
        ("aneDeviceGet", _Device, [ctypes.c_size_t]),
        ("aneDevicePermission", _Permission, [ctypes.c_size_t, ctypes.c_size_t]),
        ("aneProgramRead", ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_size_t, error]),
        ("aneProgramReadFile", ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_char_p, error]),
        ("aneProgramReadFunction", ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, error]),
        ("aneProgramDestroy", None, [ctypes.c_void_p]),
        ("aneProgramTensorCount", ctypes.c_size_t, [ctypes.c_void_p]),
        ("aneProgramTensor", _Tensor, [ctypes.c_void_p, ctypes.c_size_t]),
        ("aneProgramConvert", ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_void_p] * 3 + [error]),
        ("aneProgramVerify", ctypes.c_int, [ctypes.c_void_p, error]),
        ("aneProgramLoad", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, error]),
        ("aneExecutableProcedure", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, error]),
        ("aneExecutableDestroy", None, [ctypes.c_void_p]),
        ("aneExecutableRun", ctypes.c_int, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p),
                                            ctypes.POINTER(_RunOptions), ctypes.POINTER(_Stats), error]),
        ("aneExecutableSubmit", ctypes.c_void_p, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p),
                                                  ctypes.POINTER(_RunOptions), error]),
        ("aneRequestWait", ctypes.c_int, [ctypes.c_void_p, ctypes.c_double]),
        ("aneRequestCancel", ctypes.c_int, [ctypes.c_void_p]),
        ("aneRequestFinish", ctypes.c_int, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(_Stats),
                                            error]),
        ("aneRequestDestroy", None, [ctypes.c_void_p]),
        ("aneEventCreate", ctypes.c_void_p, [ctypes.c_char_p, error]),
        ("aneEventDestroy", None, [ctypes.c_void_p]),
        ("aneEventValue", ctypes.c_uint64, [ctypes.c_void_p]),
        ("aneEventSignal", None, [ctypes.c_void_p, ctypes.c_uint64]),
        ("aneEventWait", ctypes.c_int, [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_double, error]),
        ("aneExecutableKeep", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, error]),
        ("aneExecutableWriteState", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, error]),
        ("aneExecutableReadState", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, error]),
        ("aneExecutableHardwareMs", ctypes.c_double, [ctypes.c_void_p]),
        ("aneExecutableValueCount", ctypes.c_size_t, [ctypes.c_void_p]),
        ("aneExecutableValues", _Values, [ctypes.c_void_p, ctypes.c_size_t]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def mode_number(mode: str) -> int:
    if not isinstance(mode, str) or mode not in _MODES:
        raise ValueError(f"mode is {mode!r}; it is one of {', '.join(_MODES)}")
    return _MODES[mode]


def version() -> str:
    """Of the library: "mlir-ane 0.1.0 (COMMIT)"."""
    text: bytes = _library().aneRuntimeVersion()
    return text.decode()


def devices() -> List[Device]:
    """All devices that the library knows, also those that are not ready."""
    library = _library()
    result = []
    for index in range(library.aneDeviceCount()):
        device = library.aneDeviceGet(index)
        permissions: List[Permission] = []
        while (found := library.aneDevicePermission(index, len(permissions))).what:
            permissions.append(Permission(found.what.decode(), found.held.decode(), found.needed.decode()))
        result.append(Device(device.kind.decode(), device.name.decode(), device.generation.decode(),
                             device.state.decode(), bool(device.ready), tuple(permissions)))
    return result


def load(path: PathLike, mil_root: Optional[PathLike] = None, function: str = "") -> "Program":
    """The program of a .hwx file, or a network in MIL text (.mil, or a folder with model.mil such as a .mlmodelc), which
    runs on devices that compile it themselves.

    `mil_root` is the folder that MIL text calls @model_path; without it, that of the file. `function` names one of
    several functions of a text.
    Raises RunError for a file that is no program, and OSError for one that cannot be read.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path is {path!r}; it is the name of a file")
    if os.path.exists(os.path.join(path, "model.mil")):  # a .mlmodelc
        path = os.path.join(path, "model.mil")
    if os.path.isdir(path):
        raise RunError(f"{os.fspath(path)} is a folder, but a program is a .hwx or .mil file; compile a network with ane.compile")
    with open(path, "rb") as file:
        return Program(file.read(), path, mil_root, function)


class Event:
    """A counter that runs wait for and raise, of one program or of several: `submit(..., wait=(event, 1))`."""

    def __init__(self, device: Optional[str] = None) -> None:
        """For all devices, through this process; one of "apple" is raised by its daemon where runs of it use it."""
        self._library, self._event = _library(), 0
        error = ctypes.c_void_p()
        event = self._library.aneEventCreate(None if device is None else device.encode(), ctypes.byref(error))
        if not event:
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        self._event = int(event)

    def __del__(self) -> None:
        if self._event:
            self._library.aneEventDestroy(self._event)

    @property
    def value(self) -> int:
        return int(self._library.aneEventValue(self._event))

    def signal(self, value: int) -> None:
        """Raises it; never lowers it."""
        self._library.aneEventSignal(self._event, _counter(value))

    def wait(self, value: int, timeout: Optional[float] = None) -> None:
        """Returns when it has reached the value; RunError after the time, or if the run that was to raise it failed."""
        error = ctypes.c_void_p()
        if self._library.aneEventWait(self._event, _counter(value), _seconds(timeout), ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))


class Request:
    """A run in the background, of Program.submit."""

    def __init__(self, program: "Program", device: str, request: int):
        self._program, self._device, self._request = program, device, request

    def __del__(self) -> None:
        self._program._library.aneRequestDestroy(self._request)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Whether it has ended, at the latest after the time."""
        return bool(self._program._library.aneRequestWait(self._request, _seconds(timeout)))

    def done(self) -> bool:
        return self.wait(0)

    def cancel(self) -> bool:
        """Ends it if it has not begun; whether it has ended so."""
        return bool(self._program._library.aneRequestCancel(self._request))

    def result(self) -> Dict[str, Numbers]:
        """Waits; a dict of the outputs. Raises RunError. `stats` and `values` of the program are of this run then."""
        program = self._program
        outputs, pointers = program._addresses({})
        stats, error = _Stats(), ctypes.c_void_p()
        if program._library.aneRequestFinish(self._request, pointers, ctypes.byref(stats), ctypes.byref(error)):
            raise RunError(take_text(error.value, program._library.aneRuntimeFree))
        program._note(program._executables[self._device], stats)
        return outputs


class Program:
    """A register program. `stats` has the figures of the last run, `values` what became of its numbers: a Values for
    each tensor, then, from the simulator, one for the result of each task, `hardware_ms` what the engine took, where the
    device tells it ("apple:stats")."""

    def __init__(self, data: Union[bytes, bytearray, memoryview], path: Optional[PathLike] = None,
                 mil_root: Optional[PathLike] = None, function: str = ""):
        """Of the bytes of a .hwx file, and the file that they are from: device "apple" wants whole files."""
        self._program: Optional[int] = None
        self._executables: Dict[str, int] = {}
        self._kept: Dict[str, List[str]] = {}  # of a device: names of kept tensors
        self.stats: Optional[Stats] = None
        self.hardware_ms: Optional[float] = None
        self.values: List[Values] = []
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"a program is bytes, not {type(data).__name__}; ane.load reads a file")
        library = self._library = _library()
        self.data = bytes(data)
        error = ctypes.c_void_p()
        if path is None:
            self._program = library.aneProgramRead(self.data, len(self.data), ctypes.byref(error))
        else:
            root = None if mil_root is None else os.fsencode(mil_root)
            self._program = library.aneProgramReadFunction(os.fsencode(path), root, function.encode(),
                                                           ctypes.byref(error))
        if not self._program:
            raise RunError(take_text(error.value, library.aneRuntimeFree))
        self.tensors: List[Tensor] = []
        found = [library.aneProgramTensor(self._program, index)
                 for index in range(library.aneProgramTensorCount(self._program))]
        for tensor, after in zip(found, found[1:] + [None]):
            dtype = np.float32 if after and after.isLow else _TYPES[tensor.type]
            if not tensor.isLow:
                self.tensors.append(Tensor(tensor.name.decode(), tuple(tensor.sizes[:tensor.rank]), np.dtype(dtype),
                                           bool(tensor.isOutput)))

    def __del__(self) -> None:
        for executable in self._executables.values():
            self._library.aneExecutableDestroy(executable)
        if self._program:
            self._library.aneProgramDestroy(self._program)

    @property
    def inputs(self) -> List[Tensor]:
        return [tensor for tensor in self.tensors if not tensor.is_output]

    @property
    def outputs(self) -> List[Tensor]:
        return [tensor for tensor in self.tensors if tensor.is_output]

    def verify(self) -> None:
        """Proves from its words that the program stays in its memory, as every device but "sim" does before it runs;
        RunError has a line for each fault."""
        error = ctypes.c_void_p()
        if self._library.aneProgramVerify(self._program, ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))

    def save(self, path: PathLike) -> None:
        """Writes the program to a file; ane.load reads it."""
        with open(path, "wb") as file:
            file.write(self.data)

    def __call__(self, *arrays: Array, device: str = "sim", mode: str = "exact", threads: int = 0,
                 **named: Array) -> Union[Numbers, Dict[str, Numbers]]:
        """Runs with arrays in the order of the inputs, or by name: `program(x, mask=m)`.

        Gives the array of the only output, or a dict if there are several; run() always gives a dict, and takes inputs
        whose names are those of options.
        """
        outputs = self.run(arguments([tensor.name for tensor in self.inputs], arrays, named), device, mode, threads)
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    def profile(self) -> Profile:
        """The predicted time and traffic of each task, by the cost model; nothing is computed."""
        with tempfile.TemporaryDirectory() as scratch:
            program, stats = os.path.join(scratch, "program.hwx"), os.path.join(scratch, "stats.json")
            self.save(program)
            done = run_tool("ane-run", [program, "--mode=count", f"--stats={stats}"])
            if done.code:
                raise RunError(done.said.replace(scratch + os.sep, ""))
            with open(stats, encoding="utf-8") as file:
                return Profile(json.load(file))

    def explain(self, field: Optional[str] = None, task: int = 0) -> str:
        """Every register of the program by name; with a field, such as "Common.Cfg", why it has its value in a task:
        the evidence for its place and meaning, and the rule that computed it."""
        flags = ["--dump-hwx"] + ([] if field is None else [f"--explain={field}:{task}"])
        with tempfile.TemporaryDirectory() as scratch:
            program = os.path.join(scratch, "program.hwx")
            self.save(program)
            done = run_tool("ane-translate", [*flags, program])
            if done.code:
                raise RunError(done.said.replace(scratch + os.sep, ""))
            return _html.Text(done.output)

    def _sides(self) -> str:
        sides = (", ".join(f"{t.name} {'x'.join(map(str, t.shape))} {t.dtype}" for t in side)
                 for side in (self.inputs, self.outputs))
        return " -> ".join(sides)

    def __repr__(self) -> str:
        return f"<ane.{type(self).__name__} {self._sides()}>"

    def _repr_html_(self) -> str:
        rows = [["output" if t.is_output else "input", _html.cell(t.name), "x".join(map(str, t.shape)), str(t.dtype)]
                for t in self.tensors]
        title = f"{type(self).__name__}, {len(self.data) / 1024:.0f} KiB"
        if self.stats and self.stats.tasks:
            title += f", {self.stats.tasks} tasks, {self.stats.predicted_ms:.3f} ms predicted"
        return _html.table(title, ("", "name", "shape", "type"), rows)

    def run(self, inputs: Inputs, device: str = "sim", mode: str = "exact", threads: int = 0,
            timeout: Optional[float] = None) -> Dict[str, Numbers]:
        """Runs with an array for each input, in their order or by name; a dict of the outputs.

        Arrays of floating point are converted to float16 (of an input of float32 to two of it), integers too where that is
        exact; dimensions may differ as long as the elements are as many in the same order. Raises RunError.
        """
        executable = self._load(device)
        outputs, pointers = self._arrays(inputs, device)
        stats, error = _Stats(), ctypes.c_void_p()
        options = _options(mode, threads, timeout, None, None)
        if self._library.aneExecutableRun(executable, pointers, ctypes.byref(options), ctypes.byref(stats),
                                          ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        self._note(executable, stats)
        return outputs

    def submit(self, inputs: Inputs, device: str = "sim", mode: str = "exact", threads: int = 0,
               timeout: Optional[float] = None, wait: Optional[Tuple[Event, int]] = None,
               signal: Optional[Tuple[Event, int]] = None) -> Request:
        """The same in the background, when what was submitted before has ended, and the event of `wait` has its value;
        `signal` is raised to its value after it."""
        executable = self._load(device)
        _, pointers = self._arrays(inputs, device)
        error = ctypes.c_void_p()
        options = _options(mode, threads, timeout, wait, signal)
        request = self._library.aneExecutableSubmit(executable, pointers, ctypes.byref(options), ctypes.byref(error))
        if not request:
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        return Request(self, device, request)

    def share(self, other: "Program", device: str) -> None:
        """`other`, a function of the same MIL text, runs on the device from what is loaded there for this one."""
        error = ctypes.c_void_p()
        executable = self._library.aneExecutableProcedure(self._load(device), other._program, ctypes.byref(error))
        if not executable:
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        if device in other._executables:
            self._library.aneExecutableDestroy(other._executables[device])
        other._executables[device] = executable

    def keep(self, input: str, output: str, device: str = "sim", alias: bool = False) -> None:
        """A state: what a run on the device leaves in `output` the next one finds in `input`, without the host. Runs
        need no array for it then. With `alias` both are in the same memory, if it is proved that nothing reads what
        is overwritten."""
        error = ctypes.c_void_p()
        if self._library.aneExecutableKeep(self._load(device), input.encode(), output.encode(), int(alias),
                                           ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        self._kept.setdefault(device, []).extend((input, output))

    def state(self, name: str, device: str = "sim") -> Numbers:
        """What the next run finds in a kept input."""
        tensor = self._input(name)
        error, array = ctypes.c_void_p(), np.zeros(tensor.shape, tensor.dtype)
        if self._library.aneExecutableReadState(self._load(device), name.encode(), array.ctypes.data,
                                                ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        return array

    def set_state(self, name: str, value: Array, device: str = "sim") -> None:
        """The next run finds this in a kept input; before the first run it is zero."""
        tensor, error = self._input(name), ctypes.c_void_p()
        before = self.tensors[:self.tensors.index(tensor)]
        number = len(before) + sum(not each.is_output and each.dtype == np.float32 for each in before)
        array = self._fit(number, tensor, value)[0]
        if self._library.aneExecutableWriteState(self._load(device), name.encode(), array.ctypes.data,
                                                 ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))

    def _input(self, name: str) -> Tensor:
        for tensor in self.inputs:
            if tensor.name == name:
                return tensor
        raise RunError(f"no input '{name}'; there are: {', '.join(tensor.name for tensor in self.inputs)}")

    def _arrays(self, inputs: Inputs, device: str) -> Tuple[Dict[str, Numbers], Any]:
        """Those of the outputs, and the addresses of all; none for inputs that are kept and not given."""
        kept = self._kept.get(device, [])
        return self._addresses(self._by_name(inputs, [tensor.name for tensor in self.inputs if tensor.name in kept]))

    def _addresses(self, given: Mapping[str, Array]) -> Tuple[Dict[str, Numbers], Any]:
        arrays: List[Optional[Numbers]] = []
        outputs: Dict[str, Numbers] = {}
        for tensor in self.tensors:
            if tensor.is_output:
                outputs[tensor.name] = np.zeros(tensor.shape, tensor.dtype)
                arrays.append(outputs[tensor.name])
            elif tensor.name in given:
                arrays += self._fit(len(arrays), tensor, given[tensor.name])
            else:
                arrays += [None, None] if tensor.dtype == np.float32 else [None]
        pointers = (ctypes.c_void_p * len(arrays))(*[None if array is None else array.ctypes.data for array in arrays])
        pointers.arrays = arrays  # which have to live as long
        return outputs, pointers

    def _note(self, executable: int, stats: _Stats) -> None:
        self.values = [_values(self._library.aneExecutableValues(executable, index))
                       for index in range(self._library.aneExecutableValueCount(executable))]
        self.hardware_ms = self._library.aneExecutableHardwareMs(executable) or None
        self.stats = Stats(*(getattr(stats, name) for name, _ in _Stats._fields_))

    def _load(self, device: str) -> int:
        """The program on a device, where it stays for the next run."""
        if not isinstance(device, str):
            raise TypeError(f"device is {device!r}; it is a kind, such as 'sim'")
        if device not in self._executables:
            error = ctypes.c_void_p()
            executable = self._library.aneProgramLoad(self._program, device.encode(), ctypes.byref(error))
            if not executable:
                raise RunError(take_text(error.value, self._library.aneRuntimeFree))
            self._executables[device] = executable
        return self._executables[device]

    def _fit(self, index: int, tensor: Tensor, array: Array) -> List[Numbers]:
        """The array of an input as its elements; of float32 as halves and what these lack."""
        array = np.asarray(array)
        whole = np.issubdtype(array.dtype, np.integer)
        kinds = (np.integer, np.floating) if np.issubdtype(tensor.dtype, np.floating) else (np.integer,)
        if not any(np.issubdtype(array.dtype, kind) for kind in kinds):
            raise RunError(f"input '{tensor.name}' holds {tensor.dtype}, the array {array.dtype}; "
                           f"give array.astype('{tensor.dtype}')")
        if array.size != np.prod(tensor.shape, dtype=np.int64):
            raise RunError(f"input '{tensor.name}' has shape {tensor.shape}, the array {array.shape}")
        if array.dtype == tensor.dtype and array.dtype != np.float32:
            return [np.ascontiguousarray(array)]
        with np.errstate(over="ignore"):
            numbers = np.ascontiguousarray(array, np.float32)
        parts = [np.empty(tensor.shape, np.float16 if tensor.dtype == np.float32 else tensor.dtype)
                 for _ in range(2 if tensor.dtype == np.float32 else 1)]
        error = ctypes.c_void_p()
        if self._library.aneProgramConvert(self._program, index, numbers.ctypes.data, parts[0].ctypes.data,
                                           parts[1].ctypes.data if parts[1:] else None, ctypes.byref(error)):
            raise RunError(take_text(error.value, self._library.aneRuntimeFree))
        held = sum(part.astype(np.float64) for part in parts).reshape(-1)
        if whole and array.size and not np.array_equal(held, array.astype(np.float64).reshape(-1)):
            raise RunError(f"input '{tensor.name}' holds {tensor.dtype}, which is not exact for some numbers of the array "
                           f"({array.min()} to {array.max()}); give array.astype('float32') to have them rounded")
        return parts

    def _by_name(self, inputs: Inputs, kept: Sequence[str]) -> Mapping[str, Array]:
        """`kept` need no array, and have none in a sequence."""
        names = [tensor.name for tensor in self.inputs if tensor.name not in kept]
        if not isinstance(inputs, Mapping):
            inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
            if len(inputs) != len(names):
                raise RunError(f"{len(inputs)} arrays for {len(names)} inputs: {', '.join(names)}")
            return dict(zip(names, inputs))
        if set(inputs) - set(kept) != set(names):
            raise RunError(f"arrays are given for {', '.join(map(str, inputs))}; the inputs are {', '.join(names)}")
        return inputs


def arguments(names: Sequence[str], arrays: Iterable[Array], named: Mapping[str, Array]) -> Dict[str, Array]:
    """The arguments of a call, by name."""
    arrays = list(arrays)
    if len(arrays) > len(names):
        raise RunError(f"{len(arrays)} arrays for {len(names)} inputs: {', '.join(names)}")
    result = dict(zip(names, arrays))
    twice = [name for name in named if name in result]
    if twice:
        raise RunError(f"input '{twice[0]}' is given twice, in order and by name")
    return {**result, **named}


def _seconds(timeout: Optional[float]) -> float:
    """-1: as long as it takes."""
    if timeout is None:
        return -1
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout >= 0:
        raise ValueError(f"timeout is {timeout!r}; it is seconds, None for as long as it takes")
    return float(timeout)


def _counter(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 64:
        raise ValueError(f"the value of an event is {value!r}; it is a number from 0 on")
    return value


def _options(mode: str, threads: int, timeout: Optional[float], wait: Optional[Tuple[Event, int]],
             signal: Optional[Tuple[Event, int]]) -> _RunOptions:
    if isinstance(threads, bool) or not isinstance(threads, int) or not 0 <= threads < 1 << 16:
        raise ValueError(f"threads is {threads!r}; it is a number, 0 for all")
    if timeout is not None and not _seconds(timeout):
        raise ValueError("timeout is 0; a run takes longer")
    options = _RunOptions(mode_number(mode), threads, max(_seconds(timeout), 0))
    if wait is not None:
        options.waitEvent, options.waitValue = wait[0]._event, _counter(wait[1])
    if signal is not None:
        options.signalEvent, options.signalValue = signal[0]._event, _counter(signal[1])
    return options


def _values(values: _Values) -> Values:
    return Values(values.name.decode(errors="replace"), values.task if values.task >= 0 else None, values.elements,
                  values.infinities, values.nans, values.underflows, values.subnormals, values.largest,
                  bool(values.inheritsSpecial))
