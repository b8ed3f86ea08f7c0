# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the shared libraries are, and strings that they give."""
import ctypes
import os
import sys
from typing import Any, Optional

SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"


def open_library(name: str) -> ctypes.CDLL:
    """libNAME: from $ANE_LIBRARY_DIR, beside an installed package, from a build folder, or
    from where the loader of the system looks."""
    here = os.path.dirname(os.path.abspath(__file__))
    given = os.environ.get("ANE_LIBRARY_DIR")
    folders = [given] if given else [
        os.path.join(here, "..", ".."),  # PREFIX/lib/python/ane
        os.path.join(here, "..", "..", ".."),  # PREFIX/lib/python3/dist-packages/ane
        os.path.join(here, "..", "..", "build", "lib"),  # the source tree
    ]
    file = "lib" + name + SUFFIX
    for folder in folders:
        path = os.path.normpath(os.path.join(folder, file))
        if os.path.exists(path):
            return ctypes.CDLL(path)
    if given:
        raise OSError(f"$ANE_LIBRARY_DIR ({given}) has no {file}")
    try:
        return ctypes.CDLL(file)
    except OSError as error:
        raise OSError(f"{error}; set ANE_LIBRARY_DIR to the folder that has {file}") from None


def take_text(pointer: Optional[int], free: Any) -> str:
    """The text behind a char * that the library gave, which is freed."""
    if not pointer:
        return ""
    text = (ctypes.cast(pointer, ctypes.c_char_p).value or b"").decode(errors="replace")
    free(pointer)
    return text
