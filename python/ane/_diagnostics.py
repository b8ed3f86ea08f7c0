# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler said, as data."""
import dataclasses
import re
from typing import List, Optional, Tuple, Union

_LINE = re.compile(r"(?:<unknown>:0: |(?P<file>[^\n]*?):(?:(?P<line>\d+):(?P<column>\d+):)? )?(?P<severity>error|warning|remark|note): (?P<message>.*)")
_NUMBER = r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
# The first form is that of every limit of the constraint table (describeExcess in lib/HW/Constraints.cpp).
_LIMITS = [re.compile(form) for form in (
    rf"\b{_NUMBER} exceeds the limit of {_NUMBER}\b",
    rf"\b{_NUMBER}(?: [\w ]+)?, but must be at most {_NUMBER}\b",
    rf"\b{_NUMBER}(?: [\w ]+)?, at most {_NUMBER}\b",
)]


class Error(Exception):
    """The base of CompileError and RunError."""


def _number(text: str) -> Union[int, float]:
    return float(text) if re.search(r"[.e]", text) else int(text)


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
    def location(self) -> Optional[str]:
        """file:line:column, as far as it is known."""
        if self.line is None:
            return self.file
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def op(self) -> Optional[str]:
        """The op that the message is about, such as "ane.conv"; None where it names none."""
        found = re.search(r"'((?:ane|hwx|mil|tosa|linalg|func|arith|math)\.[\w.]+)'", self.message)
        return found[1] if found else None

    @property
    def constraint(self) -> Optional[str]:
        """The id of the limit or rule in docs/SupportedOps.md, such as "conv_l3", or in docs/Formats/MILRules.md."""
        found = re.search(r"\(([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[),]", self.message)
        return found[1] if found else None

    @property
    def value(self) -> Optional[Union[int, float]]:
        """What exceeds a limit; None where the message is about none."""
        return self._excess()[0]

    @property
    def limit(self) -> Optional[Union[int, float]]:
        """The limit that is exceeded."""
        return self._excess()[1]

    def _excess(self) -> Tuple[Optional[Union[int, float]], Optional[Union[int, float]]]:
        for form in _LIMITS:
            found = form.search(self.message)
            if found:
                return _number(found[1]), _number(found[2])
        return None, None

    @property
    def hint(self) -> Optional[str]:
        """The way out that the message ends with, after its last semicolon; None where it has none."""
        head, semicolon, tail = self.message.rpartition("; ")
        return tail if semicolon and head else None

    def __str__(self) -> str:
        place = f"{self.file}:" if self.file else ""
        if self.line is not None:
            place += f"{self.line}:{self.column}:"
        return f"{place} {self.severity}: {self.message}".lstrip()


def parse_diagnostics(text: str) -> List[Diagnostic]:
    """The messages of what a compiler prints. Lines of source and carets below them are left out."""
    result: List[Diagnostic] = []
    for printed in text.splitlines():
        found = _LINE.fullmatch(printed)
        if not found:
            continue
        if found["severity"] == "note":
            if result:
                result[-1] = dataclasses.replace(result[-1], notes=result[-1].notes + (found["message"],))
            continue
        # A file without lines, such as a package, has line 0.
        line, column = int(found["line"] or 0) or None, int(found["column"] or 0) or None
        result.append(Diagnostic(found["severity"], found["message"], found["file"] or None, line, column))
    return result
