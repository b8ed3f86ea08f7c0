# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler said, as data."""
import dataclasses
import re
from typing import List, Optional, Tuple

_LINE = re.compile(r"(?:(?P<file>[^\n]*?):(?:(?P<line>\d+):(?P<column>\d+):)? )?(?P<severity>error|warning|remark|note): (?P<message>.*)")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One message: where it is, about which op, and what was said after it as notes."""
    severity: str  # "error", "warning" or "remark"
    message: str  # without place and severity
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    notes: Tuple[str, ...] = ()

    @property
    def op(self) -> Optional[str]:
        """The op that the message is about, such as "ane.conv"; None where it names none."""
        found = re.search(r"'((?:ane|hwx|mil|tosa|linalg|func|arith|math)\.[\w.]+)'", self.message)
        return found[1] if found else None

    @property
    def hint(self) -> Optional[str]:
        """The way out that the message ends with, after its last semicolon; None where it has none."""
        head, semicolon, tail = self.message.rpartition("; ")
        return tail if semicolon and head else None

    def __str__(self):
        place = f"{self.file}:" if self.file else ""
        if self.line is not None:
            place += f"{self.line}:{self.column}:"
        return f"{place} {self.severity}: {self.message}".lstrip()


def parse_diagnostics(text) -> List[Diagnostic]:
    """The messages of what a compiler prints. Lines of source and carets below them are left out."""
    result = []
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if not found:
            continue
        if found["severity"] == "note":
            if result:
                result[-1] = dataclasses.replace(result[-1], notes=result[-1].notes + (found["message"],))
            continue
        number = lambda name: int(found[name]) if found[name] else None
        result.append(Diagnostic(found["severity"], found["message"], found["file"] or None, number("line"), number("column")))
    return result
