# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of a network that stays on the host (--host of ane-compile): built by stock MLIR
and clang of LLVM 22, it calls the programs."""
import ctypes
import os
import re
import subprocess
import tempfile
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from ane import _html, _lowering
from ane._runtime import Array, Inputs, Numbers, PathLike, Program, RunError, arguments, load

_TYPES = {"i1": np.bool_, "i8": np.int8, "ui8": np.uint8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
          "f16": np.float16, "f32": np.float32}
# Constants from here on are linked: as text, LLVM would make an object of each number.
_LARGE = 4096


_Types = List[Tuple[Tuple[int, ...], "np.dtype[Any]"]]
_Signature = Tuple[Program, _Types, _Types]


class HostTensor(NamedTuple):
    name: str
    shape: Tuple[int, ...]
    dtype: "np.dtype[Any]"


def load_host(path: PathLike, programs: Optional[PathLike] = None) -> "Host":
    """The network of a file that `ane-compile --host` wrote. Its programs lie in `programs`, a
    folder; without it, beside the file."""
    with open(path) as file:
        return Host(file.read(), os.fspath(programs) if programs else os.path.dirname(os.path.abspath(path)))


class Host:
    """A network that the engine cannot do alone. `programs` has those that it calls."""

    def __init__(self, text: str, folder: str):
        self.inputs, self.outputs, self._name = _signature(text)
        self.programs: List[Program] = []
        signatures: Dict[str, _Signature] = {}
        for name, operands, results, file in re.findall(
                r'func\.func private @([\w.$-]+)\((.*?)\) -> (.*?) attributes \{ane\.program = "([^"]*)"\}', text):
            self.programs.append(load(os.path.join(folder, file)))
            signatures[name] = (self.programs[-1], _tensors(operands), _tensors(results))
        with tempfile.TemporaryDirectory() as scratch:
            self._library = ctypes.CDLL(_build(text, signatures, scratch))
        self._error: Optional[Exception] = None
        self._hooks: List[Any] = []
        for name, signature in signatures.items():
            hook = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))(self._hook(*signature))
            ctypes.c_void_p.in_dll(self._library, f"hook_{_symbol(name)}").value = ctypes.cast(hook, ctypes.c_void_p).value
            self._hooks.append(hook)
        self._device = self._mode = ""

    def __call__(self, *arrays: Array, device: str = "sim", mode: str = "exact",
                 **named: Array) -> Union[Numbers, Dict[str, Numbers]]:
        """Runs with arrays in the order of the inputs, or by name: the array of the only output, or a dict."""
        outputs = self.run(arguments([tensor.name for tensor in self.inputs], arrays, named), device, mode)
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    def __repr__(self) -> str:
        sides = (", ".join(f"{t.name} {'x'.join(map(str, t.shape))} {t.dtype}" for t in side)
                 for side in (self.inputs, self.outputs))
        return f"<ane.{type(self).__name__} {' -> '.join(sides)}, {len(self.programs)} programs>"

    def _repr_html_(self) -> str:
        rows = [[kind, _html.cell(t.name), "x".join(map(str, t.shape)), str(t.dtype)]
                for kind, side in (("input", self.inputs), ("output", self.outputs)) for t in side]
        return _html.table(f"{type(self).__name__}, {len(self.programs)} programs", ("", "name", "shape", "type"), rows)

    def run(self, inputs: Inputs, device: str = "sim", mode: str = "exact") -> Dict[str, Numbers]:
        """Runs with an array for each input, in their order or by name; a dict of the outputs."""
        if not isinstance(inputs, dict):
            inputs = arguments([tensor.name for tensor in self.inputs], inputs, {})
        if set(inputs) != {tensor.name for tensor in self.inputs}:
            raise RunError(f"arrays are given for {', '.join(map(str, inputs))}; the inputs are "
                           f"{', '.join(tensor.name for tensor in self.inputs)}")
        arrays = [_fit(tensor, inputs[tensor.name]) for tensor in self.inputs]
        self._device, self._mode, self._error = device, mode, None
        descriptors = [_descriptor(array) for array in arrays]
        results = (ctypes.c_int64 * sum(_words(tensor.shape) for tensor in self.outputs))()
        run = getattr(self._library, f"_mlir_ciface_{self._name}")
        run.restype = None
        run(ctypes.byref(results), *(ctypes.byref(descriptor) for descriptor in descriptors))
        if self._error:
            raise self._error
        outputs, made, at = {}, set(), 0
        for tensor in self.outputs:
            # An own copy; what the function made is freed.
            outputs[tensor.name] = _array(results, at, tensor.shape, tensor.dtype).copy()
            made.add(results[at])
            at += _words(tensor.shape)
        # What is returned twice is one.
        for memory in made:
            _libc.free(ctypes.c_void_p(memory))
        return outputs

    def _hook(self, program: Program, operands: "_Types", results: "_Types") -> Callable[[Any], None]:
        """What a call of a program does: pointers to its results, then to each operand."""
        def run(pointers: Any) -> None:
            try:
                arrays = []
                for i, (shape, dtype) in enumerate(operands):
                    words = ctypes.cast(pointers[i + 1], ctypes.POINTER(ctypes.c_int64))
                    arrays.append(_array(words, 0, shape, dtype))
                # After an error the rest of the network computes with zeros.
                outputs = {} if self._error else program.run(
                    [_convert(a, t.dtype) for a, t in zip(arrays, program.inputs)], device=self._device, mode=self._mode)
            except Exception as error:  # nothing may pass through the function's frames
                self._error, outputs = error, {}
            found = list(outputs.values()) or [np.zeros(shape, dtype) for shape, dtype in results]
            words, at = ctypes.cast(pointers[0], ctypes.POINTER(ctypes.c_int64)), 0
            for array, (shape, dtype) in zip(found, results):
                array = _contiguous(_convert(array, dtype), shape)
                memory = _libc.malloc(max(array.nbytes, 1))
                ctypes.memmove(memory, array.ctypes.data, array.nbytes)
                for i, word in enumerate(_descriptor(array, memory)):
                    words[at + i] = word
                at += _words(shape)
        return run


_libc = ctypes.CDLL(None)
_libc.malloc.restype, _libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
_libc.free.restype, _libc.free.argtypes = None, [ctypes.c_void_p]


# ---------------------------------------------------------------- arrays
def _words(shape: Tuple[int, ...]) -> int:
    return 3 + 2 * len(shape)


def _descriptor(array: Numbers, memory: Optional[int] = None) -> "ctypes.Array[ctypes.c_int64]":
    """A memref of MLIR: allocated, aligned, offset, sizes, strides."""
    strides = [int(np.prod(array.shape[i + 1:], dtype=np.int64)) for i in range(array.ndim)]
    start = memory if memory is not None else array.ctypes.data
    return (ctypes.c_int64 * _words(array.shape))(start, start, 0, *array.shape, *strides)


def _array(words: Any, at: int, shape: Tuple[int, ...], dtype: "np.dtype[Any]") -> Numbers:
    """The tensor of a memref, as it is laid out."""
    strides = [words[at + 3 + len(shape) + i] * dtype.itemsize for i in range(len(shape))]
    extent = sum((size - 1) * stride for size, stride in zip(shape, strides)) + dtype.itemsize
    memory = (ctypes.c_uint8 * extent).from_address(words[at + 1] + words[at + 2] * dtype.itemsize)
    return np.ndarray(shape, dtype, memory, 0, strides)


def _contiguous(array: Numbers, shape: Tuple[int, ...]) -> Numbers:
    """In this shape last: what numpy makes contiguous has a dimension at least."""
    return np.ascontiguousarray(array).reshape(shape)


def _convert(array: Numbers, dtype: "np.dtype[Any]") -> Numbers:
    """Integers that leave a program are whole numbers there, booleans are bytes."""
    return array if array.dtype == dtype else array.astype(dtype)


def _fit(tensor: HostTensor, array: Array) -> Numbers:
    array = np.asarray(array)
    # Of floating point what is given is rounded, of whole numbers nothing is lost.
    is_float = array.dtype.kind == "f"
    if array.dtype.kind not in "fiub" or (is_float and tensor.dtype.kind != "f"):
        raise RunError(f"input '{tensor.name}' holds {tensor.dtype}, the array {array.dtype}; "
                       f"give array.astype('{tensor.dtype}')")
    if not is_float and not np.array_equal(array.astype(tensor.dtype), array):
        raise RunError(f"input '{tensor.name}' holds {tensor.dtype}, which does not have all numbers of the array "
                       f"({array.min()} to {array.max()})")
    if array.size != np.prod(tensor.shape, dtype=np.int64):
        raise RunError(f"input '{tensor.name}' has shape {tensor.shape}, the array {array.shape}")
    return _contiguous(array.astype(tensor.dtype), tensor.shape)


# ---------------------------------------------------------------- text
def _tensors(text: str) -> "_Types":
    """Shape and type of each tensor that a list of types names."""
    found = []
    for dims, element in re.findall(r"tensor<((?:\d+x)*)(\w+)>", text):
        if element not in _TYPES:
            raise RunError(f"the host computes with {element}, which numpy does not have")
        found.append((tuple(int(d) for d in dims.split("x") if d), np.dtype(_TYPES[element])))
    return found


def _signature(text: str) -> Tuple[List[HostTensor], List[HostTensor], str]:
    """Inputs, outputs and name of the function that is no program."""
    match = re.search(r"func\.func (?:public )?@([\w.$-]+)\((.*?)\) -> (.*?) (?:attributes .*)?\{\n", text)
    if not match:
        raise RunError("there is no function that calls programs; write one with --host of ane-compile")
    sides = []
    for kind, part in (("input", match.group(2)), ("output", match.group(3))):
        # An attribute list behind the type may have a name.
        names = [re.search(r'ane\.name = "((?:[^"\\]|\\.)*)"', piece) for piece in re.split(r"tensor<", part)[1:]]
        sides.append([HostTensor(name.group(1) if name else f"{kind}{i}", *tensor)
                      for i, (name, tensor) in enumerate(zip(names, _tensors(part)))])
    return sides[0], sides[1], match.group(1)


def _symbol(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _link_constants(text: str, scratch: str) -> Tuple[str, str]:
    """The text with its large constants as symbols, and assembly that has their bytes."""
    head, mark, tail = text.partition("{-#")
    assembly: List[str] = []
    taken: Dict[str, str] = {}
    linked: Dict[Tuple[str, str], str] = {}  # the symbol of a resource or of bytes, as a type

    def link(data: str) -> str:
        symbol = f"constant_{len(assembly) // 4}"
        path = os.path.join(scratch, symbol)
        with open(path, "wb") as file:
            file.write(bytes.fromhex(data))
        assembly.extend([f".globl {symbol}", ".p2align 6", f"{symbol}:", f'.incbin "{path}"'])
        return symbol

    for name, data in re.findall(r'([\w.$-]+|"[^"]*"): "0x[0-9A-Fa-f]{8}([0-9A-Fa-f]+)"', tail):
        if len(data) > 2 * _LARGE:
            taken[name] = data
            tail = tail.replace(f'{name}: "0x', f'{name}: "taken', 1)
    # What is left of them is dropped whole, with the comma in front or behind.
    tail = re.sub(r'([\w.$-]+|"[^"]*"): "taken[^"]*",?\s*', "", tail)
    tail = re.sub(r",(\s*\})", r"\1", tail)

    def replace(match: "re.Match[str]") -> str:
        value, name, data, type_text = match.groups()
        memref = type_text.replace("tensor<", "memref<")
        # In an op, booleans are bits.
        if name not in taken and (not data or len(data) <= 2 * _LARGE or type_text.endswith("xi1>")):
            return match.group(0)
        key = (name or data, memref)
        if key not in linked:
            linked[key] = link(data or taken[name])
        symbol = linked[key]
        # A name that begins with a digit has nothing but digits.
        return (f"%memory_{value} = memref.get_global @{symbol} : {memref}\n"
                f"%{value} = bufferization.to_tensor %memory_{value} restrict : {memref} to {type_text}")

    constant = re.compile(r"%(\w+) = (?:arith\.constant|\"tosa\.const\"\(\) <\{values =) "
                          r'dense(?:_resource<([^>]*)>|<"0x([0-9A-Fa-f]+)">)'
                          r"(?:\s*:\s*tensor<[^>]*>\}> : \(\) ->| :) (tensor<[^>]*>)")
    head = constant.sub(replace, head)
    declared = "".join(f"memref.global @{name} : {memref}\n" for (_, memref), name in linked.items())
    head = re.sub(r"^module\b.*\{\n", lambda m: m.group(0) + declared, head, count=1, flags=re.M)
    return head + mark + tail, "\n".join(assembly) + "\n"


# What MLIR calls to copy memrefs with strides; its own is in a library of the packages for developers.
_COPY = """
typedef struct { long long rank; void *descriptor; } Unranked;
typedef struct { char *allocated, *aligned; long long offset, sizes[]; } Descriptor;
void memrefCopy(long long size, Unranked *from, Unranked *to) {
  Descriptor *f = from->descriptor, *t = to->descriptor;
  long long rank = from->rank, *fromStrides = f->sizes + rank, *toStrides = t->sizes + rank, at[64] = {0};
  char *read = f->aligned + f->offset * size, *write = t->aligned + t->offset * size;
  for (long long d = 0; d < rank; ++d)
    if (!f->sizes[d])
      return;
  for (;;) {
    __builtin_memcpy(write, read, size);
    long long d = rank - 1;
    for (; d >= 0; --d) {
      read += fromStrides[d] * size, write += toStrides[d] * size;
      if (++at[d] < f->sizes[d])
        break;
      read -= f->sizes[d] * fromStrides[d] * size, write -= f->sizes[d] * toStrides[d] * size;
      at[d] = 0;
    }
    if (d < 0)
      return;
  }
}
"""


def _stubs(signatures: Dict[str, "_Signature"]) -> str:
    """C for each program: the pointers that it gets, as one list for Python."""
    lines = [_COPY]
    for name, (_, operands, _results) in signatures.items():
        count = len(operands) + 1
        parameters = ", ".join(f"void *p{i}" for i in range(count))
        values = ", ".join(f"p{i}" for i in range(count))
        symbol = _symbol(name)
        lines.append(f'void (*hook_{symbol})(void **);\n'
                     f'void call_{symbol}({parameters}) __asm__("{_prefix()}_mlir_ciface_{name}");\n'
                     f"void call_{symbol}({parameters}) {{ void *list[] = {{{values}}}; hook_{symbol}(list); }}\n")
    return "".join(lines)


def _prefix() -> str:
    """What the linker puts in front of a name of C."""
    return "_" if os.uname().sysname == "Darwin" else ""


def _build(text: str, signatures: Dict[str, "_Signature"], scratch: str) -> str:
    """The shared library of the function."""
    def place(name: str) -> str:
        return os.path.join(scratch, name)

    def tool(name: str) -> str:
        return os.path.join(_lowering.LLVM_BIN, name)

    linked, assembly = _link_constants(text, scratch)
    for name, content in (("host.mlir", linked), ("stubs.c", _stubs(signatures)), ("constants.s", assembly)):
        with open(place(name), "w") as file:
            file.write(content)
    for command in (
        [tool("mlir-opt"), place("host.mlir"), f"--pass-pipeline={_lowering.pipeline(c_wrappers=True)}", "-o", place("llvm.mlir")],
        [tool("mlir-translate"), "--mlir-to-llvmir", place("llvm.mlir"), "-o", place("host.ll")],
        [tool("clang"), "-w", "-O2", "-shared", "-fPIC", place("host.ll"), place("stubs.c"), place("constants.s"), "-lm", "-o", place("host.so")],
    ):
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            raise RunError(f"the part of the host needs mlir-opt, mlir-translate and clang of LLVM 22 (Debian: mlir-22-tools, "
                           f"clang-22) in $LLVM_BIN, now {_lowering.LLVM_BIN}: {error}") from None
        if done.returncode:
            raise RunError(f"{os.path.basename(command[0])} cannot build the part of the host:\n{done.stderr[:2000]}")
    return place("host.so")
