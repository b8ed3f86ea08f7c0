"""Registers of a task: where their fields are, from docs/Registers, and what is in them."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Wrong(Exception):
    """A finding that leaves nothing to read of the task."""


class Map:
    """Fields of a generation, from its page in docs/Registers."""

    def __init__(self, generation):
        self.fields, self.resets, self.names = {}, {}, {}
        block, register, address, count = None, None, None, 1
        with open(os.path.join(ROOT, "docs", "Registers", f"{generation.upper()}.md")) as page:
            for line in page:
                if line.startswith("## "):
                    block = line[3:].strip()
                cells = [cell.strip() for cell in line.split("|")[1:-1]]
                if block == "Header" and len(cells) == 6 and re.fullmatch(r"[\d:]+", cells[1]):
                    if cells[0]:
                        address = int(cells[0].split()[1])
                    self.add(f"Header.{cells[2].strip('`')}", "header", address, 1, cells[1], "")
                if len(cells) != 7 or not re.fullmatch(r"[\d:]+", cells[2]):
                    continue
                if cells[0]:
                    address = int(cells[0], 16)
                    name, count = re.fullmatch(r"`(\w+)(?:\[(\d+)\])?`.*", cells[1]).groups()
                    register, count = f"{block}.{name}", int(count or 1)
                    reset = re.search(r"reset (0x[0-9a-f]+)", cells[1])
                    for i in range(count):
                        self.resets[address + 4 * i] = int(reset[1], 16) if reset else 0
                        self.names[address + 4 * i] = register
                self.add(f"{register}.{cells[3].strip('`')}", "register", address, count, cells[2], cells[4])

    def add(self, name, kind, address, count, bits, value):
        high, low = (int(bit) for bit in (bits.split(":") * 2)[:2])
        # What counts bytes is kept in place: the low bits, which are not stored, are zero.
        in_place = low if "bytes, multiple" in value else 0
        self.fields[name] = (kind, address, count, low, (1 << high - low + 1) - 1, in_place)


class Words:
    """The words that are in force when a task runs."""

    def __init__(self, map, target):
        self.map, self.keeps = map, target == "h13"
        self.written, self.header, self.bases = {}, [], {}

    def next(self, task):
        # On H13 a register keeps what an earlier task wrote; later, it is reset for each task.
        if not self.keeps:
            self.written = {}
        self.header = [int(word, 16) for word in task["header"]]
        self.bases = {}
        for record in task["records"]:
            address, words = int(record["address"], 16), [int(word, 16) for word in record["words"]]
            if "follow" in record:
                mask = int(record["follow"], 16)
                places = [address] + [address + 4 * (bit + 1) for bit in range(16) if mask >> bit & 1]
            else:
                places = [address + 4 * i for i in range(len(words))]
            if len(places) != len(words):
                raise Wrong(f"the record at {address:#x} has {len(words)} words, but names {len(places)} registers")
            self.written.update(zip(places, words))
            if "base" in record:
                self.bases[self.map.names.get(address, hex(address))] = record["base"]

    def has(self, name):
        return name in self.map.fields

    def __call__(self, name, index=0):
        kind, address, count, low, mask, in_place = self.map.fields[name]
        if kind == "header":
            word = self.header[address] if address < len(self.header) else 0
        else:
            word = self.written.get(address + 4 * index)
            if word is None:
                if self.keeps:
                    raise Wrong(f"{name} is read, but no task wrote it")
                word = self.map.resets[address + 4 * index]
        return (word >> low & mask) << in_place
