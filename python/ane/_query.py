# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include/ane-c/Query.h"""
import ctypes
import functools
import os
from typing import List, NamedTuple, Optional, Union

from ane._compiler import CompileError, _COptions, _library as _compiler_library
from ane._library import take_text


class Answer(NamedTuple):
    """What a query says of a function: bool(answer) is whether it runs."""
    name: str  # of the function
    runs: bool
    seconds: float  # predicted, of a call with nothing else in it, with its dispatch
    dispatch_seconds: float
    tasks: int
    bytes: int  # that cross the DRAM interface
    macs: int
    is_direct: bool  # the engine does the op as it is; nothing was compiled
    reason: str  # why it does not run, as the compiler says it
    constraint: Optional[str]  # the row of the table of limits (docs/SupportedOps.md) that the reason names
    hint: Optional[str]
    limit: Optional[int]  # of a limit: what it is
    value: Optional[int]  # ... and what the op has

    def __bool__(self) -> bool:
        return self.runs


class _Answer(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("runs", ctypes.c_int), ("seconds", ctypes.c_double),
                ("dispatchSeconds", ctypes.c_double), ("tasks", ctypes.c_uint64), ("bytes", ctypes.c_uint64),
                ("macs", ctypes.c_uint64), ("isDirect", ctypes.c_int), ("reason", ctypes.c_char_p),
                ("constraint", ctypes.c_char_p), ("hint", ctypes.c_char_p), ("hasLimit", ctypes.c_int),
                ("limit", ctypes.c_uint64), ("value", ctypes.c_uint64)]


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    library = _compiler_library()
    said = ctypes.POINTER(ctypes.c_void_p)
    for name, result, arguments in (
        ("aneQueryCreate", ctypes.c_void_p, [ctypes.POINTER(_COptions), said]),
        ("aneQueryDestroy", None, [ctypes.c_void_p]),
        ("aneQueryAsk", ctypes.c_int64, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, said]),
        ("aneQueryAnswer", _Answer, [ctypes.c_void_p, ctypes.c_size_t]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _text(chars: bytes) -> str:
    return chars.decode(errors="replace")


class Query:
    """Asks what the engine can run; keeps what it has learned for the next question. Not for several threads at once."""

    def __init__(self, target: Optional[str] = None, *, flavour: Optional[str] = None,
                 mil_root: Optional[Union[str, "os.PathLike[str]"]] = None, allow_unproven: bool = False,
                 accuracy_goal: Optional[str] = None):
        self._query: Optional[int] = None
        self._library = _library()
        options = _COptions(allowUnproven=allow_unproven)
        for field, value in (("target", target), ("flavour", flavour), ("milRoot", mil_root),
                             ("accuracyGoal", accuracy_goal)):
            if value is not None:
                setattr(options, field, os.fsencode(value))
        said = ctypes.c_void_p()
        self._query = self._library.aneQueryCreate(ctypes.byref(options), ctypes.byref(said))
        message = take_text(said.value, self._library.aneCompilerFree)
        if not self._query:
            raise CompileError(message.rstrip())

    def __del__(self) -> None:
        if self._query:
            self._library.aneQueryDestroy(self._query)

    def ask(self, network: Union[str, bytes], name: str = "network") -> List[Answer]:
        """An Answer for each function of a network (MLIR or MIL, text or bytes), each as a program by itself.

        Raises CompileError for text that is no network; that an op does not run is an answer.
        """
        if isinstance(network, str):
            network = network.encode()
        said = ctypes.c_void_p()
        count = self._library.aneQueryAsk(self._query, network, len(network), name.encode(), ctypes.byref(said))
        message = take_text(said.value, self._library.aneCompilerFree)
        if count < 0:
            raise CompileError(message.rstrip())
        return [self._answer(index) for index in range(count)]

    def _answer(self, index: int) -> Answer:
        answer = self._library.aneQueryAnswer(self._query, index)
        return Answer(_text(answer.name), bool(answer.runs), answer.seconds, answer.dispatchSeconds, answer.tasks,
                      answer.bytes, answer.macs, bool(answer.isDirect), _text(answer.reason),
                      _text(answer.constraint) or None, _text(answer.hint) or None,
                      answer.limit if answer.hasLimit else None, answer.value if answer.hasLimit else None)


@functools.lru_cache(maxsize=None)
def _kept(target: Optional[str]) -> Query:
    return Query(target)


def query(network: Union[str, bytes], target: Optional[str] = None) -> List[Answer]:
    """An Answer for each function of a network: does it run on the target, at what cost, why not. To ask with other
    options, or from several threads, make a Query."""
    return _kept(target).ask(network)


def can_run(network: Union[str, bytes], target: Optional[str] = None) -> bool:
    """Whether every function of a network runs on the target."""
    return all(query(network, target))
