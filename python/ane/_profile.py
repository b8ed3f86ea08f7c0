# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tools predict of a program, and why ops stay on the host."""
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ane import _html


class TaskProfile(NamedTuple):
    """One task: one pass of an engine."""
    number: int
    op: str  # what it computes, such as "conv 5x5, bias, relu"
    unit: str  # "NE", "PE"
    bound: str  # what it waits for: "compute", "weights", "tiles", ...
    ms: float  # predicted
    share: float  # of the time of the program, from 0 to 1
    macs: int
    dram_bytes: int
    l2_bytes: int
    sources: Tuple[str, ...]  # places of the network, "net.mlir:4:8: text", where they are known


class Profile:
    """Predicted times and traffic of a program, task by task: a sequence of TaskProfile."""

    def __init__(self, stats: Dict[str, Any], sources: Optional[List[Tuple[str, ...]]] = None):
        self.data = stats  # the object of `ane-run --stats`
        self.predicted_ms: float = stats["predicted_ms"]
        self.dispatch_ms: float = stats["dispatch_ms"]
        self.macs: int = stats["macs"]
        self.dram_bytes: int = stats["dram_bytes"]
        self.compulsory_bytes: int = stats["compulsory_bytes"]
        self.l2_peak_bytes: int = stats["l2_peak_bytes"]
        self.chip: str = stats["chip"]
        self.tasks = [
            TaskProfile(task["index"], task["op"], task["unit"], task["bound"], task["predicted_ms"],
                        task["predicted_ms"] / self.predicted_ms if self.predicted_ms else 0.0, task["macs"],
                        task["dram_bytes"], task["l2_bytes"], sources[i] if sources else ())
            for i, task in enumerate(stats["per_task"])]

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[TaskProfile]:
        return iter(self.tasks)

    def __getitem__(self, index: int) -> TaskProfile:
        return self.tasks[index]

    def slowest(self, count: int = 10) -> List[TaskProfile]:
        """The tasks that take the most time."""
        return sorted(self.tasks, key=lambda task: -task.ms)[:count]

    @property
    def title(self) -> str:
        traffic = self.dram_bytes / self.compulsory_bytes if self.compulsory_bytes else 1.0
        return (f"{self.chip}: {self.predicted_ms:.3f} ms predicted = dispatch {self.dispatch_ms:.3f} + {len(self)} tasks "
                f"{self.predicted_ms - self.dispatch_ms:.3f}; {self.dram_bytes / 1024:.1f} KiB of DRAM, {traffic:.2f} times "
                "what no plan can avoid")

    def __str__(self) -> str:
        lines = [self.title, f"{'task':>4}  {'unit':4}  {'bound':8}  {'ms':>8}  {'share':>6}  {'DRAM KiB':>9}  op"]
        for task in self.tasks:
            lines.append(f"{task.number:4}  {task.unit:4}  {task.bound:8}  {task.ms:8.4f}  {100 * task.share:5.1f}%  "
                         f"{task.dram_bytes / 1024:9.1f}  {task.op}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<ane.Profile {self.title}>"

    def _repr_html_(self) -> str:
        longest = max((task.ms for task in self.tasks), default=0.0)
        rows = ([str(task.number), _html.cell(task.op), _html.cell(task.unit), _html.cell(task.bound), f"{task.ms:.4f}",
                 _html.bar(task.ms / longest if longest else 0.0), f"{task.dram_bytes / 1024:.1f}",
                 "<br>".join(_html.cell(source[:100]) for source in task.sources)] for task in self.tasks)
        return _html.table(self.title, ("task", "op", "unit", "bound", "ms", "", "DRAM KiB", "source"), rows)


class Reason(NamedTuple):
    """Why an op is not done by the engine."""
    op: str
    location: str
    reason: str
    macs: int
    constraint: Optional[str]  # its id in docs/SupportedOps.md
    way_out: Optional[str]
    evidence: Optional[str]  # "seen", "deduced" or "guess"
    source: Optional[str]  # of the evidence

    def __str__(self) -> str:
        return f"{self.location}: {self.op}: {self.reason}"


class Reasons(List[Reason]):
    """A list of Reason, one for each op that stays on the host."""

    def __init__(self, data: Optional[Dict[str, Any]] = None):
        """Of the object that --ane-why=json prints; without it none."""
        data = data or {"host": [], "programs": [None]}
        super().__init__(Reason(entry["op"], entry["location"], entry["reason"], entry["macs"], entry.get("constraint"),
                                entry.get("way_out"), entry.get("evidence"), entry.get("source")) for entry in data["host"])
        self.engine_macs: Optional[int] = data.get("engine_macs")
        self.host_macs: Optional[int] = data.get("host_macs")
        self.programs: int = len(data["programs"])

    def _repr_html_(self) -> str:
        rows = ([_html.cell(item.op), _html.cell(item.location), _html.cell(item.reason), _html.cell(item.way_out or "")]
                for item in self)
        return _html.table(f"ops on the host: {len(self)}, programs: {self.programs}", ("op", "place", "reason", "way out"), rows)


class Report(Dict[str, Any]):
    """The report of a compilation: the object of docs/Formats/Report.md. Notebooks show its page."""

    def __init__(self, data: Dict[str, Any], document: str):
        super().__init__(data)
        self.html = document

    def _repr_html_(self) -> str:
        return _html.page(self.html)


def profile_of_report(data: Dict[str, Any]) -> Profile:
    """Of the first program of a report."""
    program, places = data["programs"][0], data.get("sources", [])
    return Profile(program["stats"], [tuple(_place(places[i]) for i in found) for found in program.get("task_sources", [])])


def _place(source: Dict[str, Any]) -> str:
    if "line" in source:
        return f"{source.get('file', '')}:{source['line']}:{source.get('column', 0)}: {source.get('text', source.get('name', ''))}"
    # A package has no lines.
    return "/".join(source[key] for key in ("function", "operation", "output") if key in source) or source.get("name", "")
