#!/usr/bin/python3
"""Read register programs independently of the compiler and the simulator, and say what is wrong.

  check-programs.py [--bin DIR] [--target T,T] [--flavour F,F] [--option=O]... [--stats] [--work DIR] [-v] FILE...

Allocator, verifier and simulator ask the same functions of lib/HW: what one of them believes
wrongly, all do. This reader shares nothing with them. It has the words of the tasks and the
tensors from `ane-translate --dump-hwx=json`, the places of fields and their reset values from
the tables of docs/Registers, and its rules from docs/Formats/HWX.md and docs/Simulator.md.

A FILE is a register program (.hwx, .anec of the Linux driver, or hwx dialect) or a network,
which is compiled for each target in each flavour. --option is one more for ane-compile.

Of each task it computes the bytes that each DMA and each access to L2 covers and the length of
each coefficient stream, and of the program what was written when it is read. Findings are

  FILE: task N: what is wrong, with value and limit

With --stats, ane-run counts the same program, and whatever it understands in another way is a
finding, too: that it refuses the program, other bytes from and to DRAM, other ranges in L2.
Exits with 1 if there are findings. Needs numpy.
"""
import argparse
import collections
import hashlib
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from check_results import with_resources
from program_memory import Memory, Place
from program_tasks import (ALIGNMENT, CHAINED, CONSTANTS, KEPT_OR_STAGED, Kernel, L2_BYTES, RESIDENT, SCRATCH, STREAMED,
                           TABLE_BYTES, Task, align)
from program_words import Map, ROOT, Words, Wrong


def text_of(numbers):
    """0, 1, 2, 5 as "0 to 2, 5"."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in runs)


class Program:
    def __init__(self, path, dump, report):
        self.path, self.dump, self.report_to = path, dump, report
        self.target = dump["target"]
        self.map = Map(self.target)
        self.words = Words(self.map, self.target)
        self.count = len(dump["tasks"])
        self.l2 = Memory("L2", L2_BYTES)
        self.task = None
        self.findings = 0
        self.traffic, self.ranges = [], []
        self.chain = None
        self.read_constants()
        self.surfaces = {SCRATCH: Memory("the scratch memory", dump["container"]["scratchBytes"])}
        self.kinds = {CONSTANTS: "weights", SCRATCH: "intermediate"}
        self.inputs = {}
        for tensor in dump["tensors"]:
            n, c, h, w, d = tensor["shape"]
            by_n, by_c, by_h, by_w, by_d = tensor["strides"]
            side = max(tensor["interleave"], 1)
            size = by_w // side if side > 1 else by_w
            place = Place(f"surface '{tensor['name']}'", [n, d, c, h, w], size, 0, [by_n, by_d, by_c, by_h], side)
            tensor["place"] = place
            memory = Memory(f"surface '{tensor['name']}'", max(tensor["bytes"], place.end()))
            if tensor["kind"] == "input":
                self.inputs[tensor["base"]] = memory
            else:
                self.surfaces[tensor["base"]] = memory
            self.kinds[tensor["base"]] = tensor["kind"]

    def report(self, text):
        self.findings += 1
        where = f"task {self.task}: " if self.task is not None else ""
        self.report_to(f"{self.path}: {where}{text}")

    def read_constants(self):
        self.constants = b""
        for segment in self.dump["container"]["segments"]:
            for section in segment["sections"]:
                if segment["name"] == "__TEXT" and section["name"] == "__const":
                    with open(self.dump["file"], "rb") as file:
                        file.seek(section["offset"])
                        self.constants = file.read(section["bytes"])
        said = self.dump["constants"]
        if len(self.constants) != said["size"] or hashlib.sha256(self.constants).hexdigest() != said["sha256"]:
            self.report(f"the constants are {len(self.constants)} bytes of the file, the dump has {said['size']} others")

    # DRAM ---

    def limit_of(self, base):
        if base == CONSTANTS:
            return len(self.constants), "the constants"
        memory = self.inputs.get(base) or self.surfaces.get(base)
        if memory is None:
            return None, None
        return memory.size, f"{memory.name} (base {base})"

    def dram(self, task, place):
        """The base that a DMA uses, or None where it leaves the memory there."""
        base = task.base_of(place.role)
        size, name = self.limit_of(base)
        if size is None:
            raise Wrong(f"DMA of {place.text()} uses base {base}, which is bound to nothing")
        if place.end() > size:
            self.report(f"DMA of {place.text()} covers bytes {place.base:#x} to {place.end():#x} of {name}, which has {size:#x}")
            return None
        return base

    def count_bytes(self, base, bytes, direction):
        kind = self.kinds[base]
        # What is read of an output is what passes between tasks.
        self.traffic[-1][direction, "intermediate" if (direction, kind) == ("read", "output") else kind] += bytes

    # L2 ---

    def check_l2(self, place):
        if place.end() > L2_BYTES:
            raise Wrong(f"{place.text()} covers L2 bytes {place.base:#x} to {place.end():#x}, but L2 has {L2_BYTES:#x}")

    def run(self):
        for index, task in enumerate(self.dump["tasks"]):
            self.task = index
            self.traffic.append(collections.Counter())
            self.ranges.append({})
            try:
                self.words.next(task)
                self.check_links(index, task)
                self.run_task(index, Task(self.words, self.target))
            except Wrong as wrong:
                self.report(str(wrong))
        self.finish()
        return self.findings

    def check_links(self, index, task):
        get, last = self.words, index + 1 == self.count
        if get("Header.TID") != index:
            self.report(f"Header.TID is {get('Header.TID')}, expected {index}")
        if self.target == "h13":
            if bool(get("Header.EON")) != last:
                self.report(f"Header.EON is {get('Header.EON')}, expected {int(last)}: it ends a program of {self.count} tasks")
            following = 0 if last else self.dump["tasks"][index + 1]["offset"]
            if get("Header.NextPointer") != following:
                self.report(f"Header.NextPointer is {get('Header.NextPointer'):#x}, but the next task is at {following:#x}")
        elif bool(get("KernelDMASrc.MasterConfig.LastTask")) != last and get.has("KernelDMASrc.MasterConfig.LastTask"):
            self.report(f"KernelDMASrc.MasterConfig.LastTask is {int(not last)}, expected {int(last)} in a program of {self.count} tasks")

    def run_task(self, index, task):
        ranges = self.ranges[-1]
        stored = task.result_type in (KEPT_OR_STAGED, STREAMED)
        if bool(task.get("TileDMADst.DMAConfig.En")) != stored:
            self.report(f"TileDMADst.DMAConfig.En is {int(not stored)}, but L2.ResultCfg.ResultType is {task.result_type}")
        if bool(task.get("Common.Cfg.Src2En")) != task.source2_by_dma:
            self.report(f"Common.Cfg.Src2En is {task.get('Common.Cfg.Src2En')}, but L2.SourceCfg.Src2Dma is {int(task.source2_by_dma)}")
        # What the task reads.
        kept, streams = [], []
        if (task.source_type == CHAINED) != (self.chain is not None):
            self.report("source 1 is chained, but the task before passes nothing on" if task.source_type == CHAINED else
                        "the task before passes its result on, but source 1 is not chained")
        elif self.chain is not None and self.chain != (task.shape_in, task.size_in):
            self.report(f"source 1 is chained with the shape {task.shape_in} of {task.size_in} bytes, but the task before makes "
                        f"{self.chain[0]} of {self.chain[1]}")
        for place, in_dram in ((task.source, task.dram_source), (task.source2, task.dram_source2)):
            if place is None:
                continue
            if in_dram is None:
                self.check_l2(place)
                ranges[place.role] = [place.base, place.end()]
                self.l2.read(place, index, self.report)
                continue
            base = self.dram(task, in_dram)
            if base is not None:
                self.count_bytes(base, task.dma_bytes(in_dram), "read")
            if base in self.surfaces:
                self.surfaces[base].read(in_dram, index, self.report)
            if place is task.source and task.source_type == KEPT_OR_STAGED:
                self.check_l2(place)
                ranges[place.role] = [place.base, place.end()]
                kept.append(place)
            else:
                first, end = task.range_of(task.tile_of(place))
                ranges[place.role] = [first, end]
                if end > L2_BYTES:
                    self.report(f"a tile of {place.text()} covers L2 bytes {first:#x} to {end:#x}, but L2 has {L2_BYTES:#x}")
                streams.append((place.role, first, end))
        self.streamed = []
        try:
            self.kernel_streams(index, task)
        except Wrong as wrong:
            self.report(str(wrong))
        # Bytes that several engines read, as a table, are counted once.
        reached = {}
        for base, first, end in sorted(self.streamed):
            self.count_bytes(base, max(0, end - max(first, reached.get(base, 0))), "read")
            reached[base] = max(end, reached.get(base, 0))
        # What it takes in L2.
        result = task.result
        if result is not None and task.result_type == RESIDENT:
            self.check_l2(result)
            ranges["result"] = [result.base, result.end()]
            if not all(box.has_distinct_bytes() for box in result.boxes()):
                self.report(f"{result.text()} writes some bytes of L2 twice")
        elif result is not None:
            first, end = task.result_range()
            ranges["result"] = [first, end]
            if end > L2_BYTES:
                self.report(f"the tiles of {result.text()} cover L2 bytes {first:#x} to {end:#x}, but L2 has {L2_BYTES:#x}")
            streams.append(("result", first, end))
        self.check_apart(task, ranges, streams)
        for place in kept:
            self.l2.write(place, index)
        for _, first, end in streams:
            self.l2.stream(first, end, index)
        if result is not None and task.result_type == RESIDENT:
            self.l2.write(result, index)
        self.chain = None
        if task.result_type == CHAINED:
            self.chain = task.shape_out, task.size_out
            if index + 1 == self.count:
                self.report("the result is passed on, but this is the last task")
        if task.dram_result is not None:
            base = self.dram(task, task.dram_result)
            if base is None:
                return
            if base not in self.surfaces:
                raise Wrong(f"the result goes to {self.limit_of(base)[1]}, which tasks only read")
            if not all(box.has_distinct_bytes() for box in task.dram_result.boxes()):
                self.report(f"{task.dram_result.text()} writes some bytes of {self.surfaces[base].name} twice")
            self.surfaces[base].write(task.dram_result, index)
            self.count_bytes(base, task.dma_bytes(task.dram_result), "written")

    def check_apart(self, task, ranges, streams):
        """Tiles of one task stay apart. A result that stays may lie over a source that does, where
        the task reads each element right before it writes there."""
        places = {"source 1": task.source, "source 2": task.source2, "result": task.result}
        moving = {role for role, _, _ in streams}
        roles = sorted(ranges)
        for number, one in enumerate(roles):
            for other in roles[number + 1:]:
                a, b = ranges[one], ranges[other]
                if a[0] >= b[1] or b[0] >= a[1]:
                    continue
                if not moving & {one, other}:
                    if {one, other} == {"source 1", "source 2"} or not self.share_bytes(places[one], places[other]):
                        continue
                    if task.in_place(places["source 1" if "source 1" in (one, other) else "source 2"]):
                        continue
                self.report(f"L2 bytes {a[0]:#x} to {a[1]:#x} of {one} overlap {b[0]:#x} to {b[1]:#x} of {other}")

    def share_bytes(self, one, other):
        """Whether two places have a byte in common, not only their ranges."""
        hits = np.zeros(max(one.end(), other.end()), bool)
        for box in one.boxes():
            box.view(hits)[...] = True
        return any(box.view(hits).any() for box in other.boxes())

    # Coefficients ---

    def kernel_streams(self, index, task):
        get = task.get
        count = 16
        enabled = [i for i in range(count) if get("KernelDMASrc.CoeffDMAConfig.En", i)]
        table_stream = self.target != "h13" and get("KernelDMASrc.NonlinearLutDMAConfig.En")
        for other in ("Bias", "PostScale", "Palette") + (() if self.target != "h13" else ("NonlinearLut",)):
            if get(f"KernelDMASrc.{other}DMAConfig.En"):
                self.report(f"KernelDMASrc.{other}DMAConfig.En is set: what such a stream holds is not known")
        needs_kernel = task.neural and not get("NE.MACCfg.KernelMode")
        needs_table = task.neural and get("NE.MACCfg.NonlinearMode") == 2
        if bool(get("KernelDMASrc.MasterConfig.MasterEnable")) != bool(enabled or table_stream):
            self.report(f"KernelDMASrc.MasterConfig.MasterEnable is {get('KernelDMASrc.MasterConfig.MasterEnable')}, "
                        f"but {len(enabled)} coefficient streams are enabled")
        if not needs_kernel and not needs_table:
            if enabled or table_stream:
                self.report(f"{len(enabled)} coefficient streams are enabled, but the task has no coefficients and no table")
            return
        kernel = Kernel(get)
        if table_stream:
            # From H14 on a table without coefficients has a stream of its own.
            if enabled:
                self.report(f"{len(enabled)} coefficient streams are enabled beside a table of its own")
            base = task.base_of("table")
            self.stream("the table", base, get("KernelDMASrc.NonlinearLutBaseAddr.Addr"),
                        get("KernelDMASrc.NonlinearLutBfrSize.MemBfrSize"), TABLE_BYTES)
            return
        if enabled != list(range(len(enabled))) or not enabled:
            self.report(f"coefficient streams {enabled} are enabled, expected the first ones")
            return
        base = task.base_of("coefficients")
        if needs_kernel:
            if bool(kernel.zero_skipping) != bool(get("KernelDMASrc.MasterConfig.ZeroSkipEn")):
                self.report(f"NE.KernelCfg.SparseFmt is {kernel.zero_skipping}, but "
                            f"KernelDMASrc.MasterConfig.ZeroSkipEn is {get('KernelDMASrc.MasterConfig.ZeroSkipEn')}")
            if len(enabled) != kernel.used_engines():
                self.report(f"{len(enabled)} coefficient streams are enabled, but {kernel.used_engines()} engines have channels")
            if base not in (CONSTANTS, SCRATCH) and base not in self.inputs:
                self.report(f"coefficients come from {self.limit_of(base)[1]}: nothing makes the task wait for who writes there")
        # On later generations all streams lie after one offset.
        first = 0 if self.target == "h13" else get("KernelDMASrc.CoeffBase.Addr")
        lengths = collections.defaultdict(list)
        writers = set()
        for engine in enabled:
            what = f"the stream of engine {engine}"
            offset = first + get("KernelDMASrc.CoeffBaseAddr.Addr", engine)
            size = get("KernelDMASrc.CoeffBfrSize.MemBfrSize", engine)
            needed = TABLE_BYTES
            if needs_kernel:
                part = self.constants[offset:offset + size] if base == CONSTANTS else b""
                needed = kernel.length(engine, kernel.unit_reader(part, 1 if self.target == "h13" else 2))
            if needs_kernel and base != CONSTANTS:
                needed = self.tensor_stream(index, task, what, base, offset, kernel, engine, writers)
            self.stream(what, base, offset, size)
            if size != align(needed, ALIGNMENT):
                lengths[size, align(needed, ALIGNMENT)].append(engine)
        for (size, needed), engines in lengths.items():
            self.report(f"the stream{'s' * (len(engines) > 1)} of engine{'s' * (len(engines) > 1)} {text_of(engines)} "
                        f"{'have' if len(engines) > 1 else 'has'} {size:#x} bytes, but the kernel takes {needed:#x}")
        # The task waits for the one that DTID names, which may be a later one that stores to scratch.
        if needs_kernel and base == SCRATCH and writers and not max(writers) - 1 <= get("Header.DTID") < index:
            self.report(f"Header.DTID is {get('Header.DTID')}, expected {max(writers) - 1}, which stored the coefficients")

    def stream(self, what, base, offset, size, needed=None):
        limit, name = self.limit_of(base)
        if limit is None:
            raise Wrong(f"{what} uses base {base}, which is bound to nothing")
        if needed is not None and size != align(needed, ALIGNMENT):
            self.report(f"{what} has {size:#x} bytes, expected {align(needed, ALIGNMENT):#x}")
        if offset + size > limit:
            self.report(f"{what} covers bytes {offset:#x} to {offset + size:#x} of {name}, which has {limit:#x}")
        self.streamed.append((base, offset, offset + size))

    def tensor_stream(self, index, task, what, base, offset, kernel, engine, writers):
        """Coefficients that a tensor or an earlier task has. Returns the bytes of the stream."""
        if kernel.zero_skipping or kernel.bias or kernel.table or kernel.groups > 1:
            raise Wrong(f"coefficients come from base {base}, but the task has a bias, a table, groups or leaves out zeros")
        limit, name = self.limit_of(base)
        # With a stride, each pass has streams of its own.
        stride = task.get("KernelDMASrc.OCGStride.Stride") if task.get.has("KernelDMASrc.OCGStride.Stride") else 0
        start, length = offset, 0
        for number, (first, lanes) in enumerate(kernel.passes()):
            size = align(kernel.dense_bytes(lanes), ALIGNMENT)
            if stride:
                start = offset + number * stride
                if number:
                    self.stream(what, base, start, size)
            channels = kernel.channels(engine, first, lanes)
            if channels:
                place = Place(what, [1, 1, 1, kernel.inputs * kernel.rows * kernel.columns, channels], kernel.size, start,
                              [0, 0, 0, lanes * kernel.size])
                if base in self.surfaces and place.end() <= limit:
                    writers |= self.surfaces[base].read(place, index, self.report)
            start += size
            length = size if stride else length + size
        return length

    # The end ---

    def finish(self):
        self.task = None
        for tensor in self.dump["tensors"]:
            if tensor["kind"] != "output":
                continue
            memory = self.surfaces[tensor["base"]]
            owners = memory.owners(tensor["place"])
            if 0 in owners:
                self.report(f"byte {memory.first_of(tensor['place'], 0):#x} of {memory.name} is an output that no task wrote")


# Commands --------------------------------------------------------------------


def tool(options, name):
    return os.path.join(options.bin, name)


def call(command):
    return subprocess.run(command, capture_output=True, text=True)


def translate(options, *arguments):
    result = call([tool(options, "ane-translate"), *arguments])
    if result.returncode:
        raise Wrong(f"not read: {result.stderr.strip()}")
    return result.stdout


def load(options, path):
    """The dump of a program in any form."""
    file = path
    if not path.endswith(".hwx"):
        text = path
        if path.endswith(".anec"):
            text = os.path.join(options.work, "program.mlir")
            translate(options, "--from-anec", path, "-o", text)
        file = os.path.join(options.work, "program.hwx")
        translate(options, "--to-hwx", text, "-o", file)
    dump = json.loads(translate(options, "--dump-hwx=json", file))
    dump["file"] = file
    return dump


def compare(options, program):
    """What ane-run counts of the same program."""
    stats = os.path.join(options.work, "stats.json")
    result = call([tool(options, "ane-run"), program.dump["file"], "--mode=count", f"--stats={stats}", "--memory-limit=65536"])
    program.task = None
    if result.returncode:
        if not program.findings:
            program.report(f"ane-run refuses what has no finding here: {result.stderr.strip()}")
        return
    if program.findings:
        program.report("ane-run accepts what has findings here")
    with open(stats) as file:
        theirs = json.load(file)
    for index, task in enumerate(theirs["per_task"]):
        program.task = index
        for direction in ("read", "written"):
            for kind, bytes in task["dram_traffic"][direction].items():
                ours = program.traffic[index][direction, kind]
                if ours != bytes:
                    program.report(f"{direction} {ours} bytes of {kind}, ane-run counts {bytes}")
        for operand in task["operands"]:
            role = operand["role"]
            if "l2" in operand and program.ranges[index].get(role) != operand["l2"]:
                program.report(f"{role} has L2 range {program.ranges[index].get(role)}, in ane-run {operand['l2']}")
    program.task = None


def programs(options, path):
    """(name, program file) of each program that a file is or becomes."""
    source, text = path, ""
    if path.endswith(".mlir"):
        with open(path) as file:
            text = file.read()
    if path.endswith((".hwx", ".anec")) or "hwx.program" in text:
        yield path, path
        return
    if text:
        source = os.path.join(options.work, "network.mlir")
        for element in ("f16", "f32"):
            text = with_resources(text, element)
        with open(source, "w") as file:
            file.write(text)
    for target in options.target.split(","):
        for flavour in options.flavour.split(","):
            name = f"{path} ({target}, {flavour})"
            file = os.path.join(options.work, "network.hwx")
            result = call([tool(options, "ane-compile"), source, f"--target={target}", f"--hwx-flavour={flavour}", "-o", file] + options.option)
            if result.returncode:
                yield name, None
                if options.verbose:
                    print(f"{name}: not compiled: {result.stderr.strip()[:400]}")
                continue
            yield name, file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="programs and networks; all that a folder has")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--target", default="h13,h14")
    parser.add_argument("--flavour", default="clean,zin-9.509")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--stats", action="store_true")
    parser.add_argument("--work")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        options.work = options.work or folder
        os.makedirs(options.work, exist_ok=True)
        files = []
        for path in options.files:
            if os.path.isdir(path):
                files += [os.path.join(where, name) for where, _, names in sorted(os.walk(path)) for name in sorted(names)
                          if name.endswith((".hwx", ".anec", ".mlir"))]
            else:
                files.append(path)
        for path in files:
            for name, file in programs(options, path):
                if file is None:
                    counts["not compiled"] += 1
                    continue
                try:
                    dump = load(options, file)
                except Wrong as wrong:
                    print(f"{name}: {wrong}")
                    counts["findings"] += 1
                    continue
                program = Program(name, dump, print)
                program.run()
                if options.stats:
                    compare(options, program)
                counts["programs"] += 1
                counts["tasks"] += program.count
                counts["findings"] += program.findings
    print(f"{counts['programs']} programs, {counts['tasks']} tasks, {counts['findings']} findings"
          + (f", {counts['not compiled']} not compiled" if counts["not compiled"] else ""))
    sys.exit(1 if counts["findings"] or not counts["programs"] else 0)


if __name__ == "__main__":
    main()
