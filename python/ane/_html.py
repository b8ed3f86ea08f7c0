# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show. Text of a network is text there, never markup."""
import html
from typing import Iterable, Sequence


class Text(str):
    """Text of several lines, shown as it is."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self)}</pre>"


def cell(value: object) -> str:
    return html.escape(str(value))


def bar(share: float) -> str:
    """A bar of a share from 0 to 1."""
    width = 100 * min(max(share, 0.0), 1.0)
    return (f'<div style="width:8em" title="{100 * share:.1f} %">'
            f'<div style="background:#4a90d9;height:0.7em;width:{width:.1f}%;min-width:1px"></div></div>')


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """`rows` are markup: cell() makes it of text."""
    lines = [f"<div><b>{cell(title)}</b><table><thead><tr>", *(f"<th>{cell(name)}</th>" for name in head), "</tr></thead><tbody>"]
    for row in rows:
        lines.append("<tr>" + "".join(f'<td style="text-align:left">{item}</td>' for item in row) + "</tr>")
    return "".join(lines) + "</tbody></table></div>"


def page(document: str) -> str:
    """A page of its own, in a frame."""
    return (f'<iframe srcdoc="{html.escape(document, quote=True)}" sandbox="allow-scripts" '
            'style="width:100%;height:700px;border:0"></iframe>')
