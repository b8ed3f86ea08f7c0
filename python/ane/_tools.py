# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line tools, for what the C interface does not have. They are processes of their own, so that an input
that takes one down is an exception here."""
import os
import shutil
import signal
import subprocess
from typing import List, NamedTuple


class ToolResult(NamedTuple):
    code: int
    output: str
    said: str  # on standard error, and how the process ended where a signal ended it


def tool_path(name: str) -> str:
    """A tool: from $ANE_BIN_DIR, of the prefix that the package is installed in, of a build folder, or on PATH."""
    here = os.path.dirname(os.path.abspath(__file__))
    given = os.environ.get("ANE_BIN_DIR")
    folders = [given] if given else [
        os.path.join(here, "..", "..", "..", "bin"),  # PREFIX/lib/python/ane
        os.path.join(here, "..", "..", "..", "..", "bin"),  # PREFIX/lib/python3/dist-packages/ane
        os.path.join(here, "..", "..", "build", "bin"),  # the source tree
    ]
    for folder in folders:
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    if given:
        raise OSError(f"$ANE_BIN_DIR ({given}) has no {name}")
    found = shutil.which(name)
    if not found:
        raise OSError(f"{name} is not on PATH; set ANE_BIN_DIR to the folder that has it")
    return found


def run_tool(name: str, arguments: List[str]) -> ToolResult:
    done = subprocess.run([tool_path(name), *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace").rstrip()
    if done.returncode < 0:
        ending = f"{name}: error: ended by {signal.Signals(-done.returncode).name}"
        said = f"{said}\n{ending}" if said else ending
    elif done.returncode and not said:
        said = f"{name}: error: exit code {done.returncode}"
    return ToolResult(done.returncode, done.stdout.decode(errors="replace"), said)
