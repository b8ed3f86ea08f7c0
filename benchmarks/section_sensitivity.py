"""decisions that a wrong guess would change: sensitivity RATE FACTOR FLIPPED OURS OTHER

Each rate of the chip that is a guess (lib/HW/Chip.cpp) is halved and doubled, and the networks
are compiled with it. FLIPPED is how many of their programs change. If our guess is right, the
program for the other rate is slower by OURS; if the other rate is right, ours is slower by OTHER:
the largest of all networks, as a share of the time without the dispatch. A mechanism that gains
less than the decisions lose that a wrong guess makes is not worth its code. Notes name the
networks whose programs change, and what changes in them: groups of tiles, tasks, or only order and
places.
"""
import concurrent.futures
import hashlib
import json
import os
import tempfile

import networks

FACTORS = (0.5, 2.0)


def guesses(context, chip):
    """Name and value of each guessed rate of a chip."""
    lines = context.run([context.program("ane-bench-cost"), chip, "--rates"]).splitlines()
    return [(name, float(value)) for name, value, *grade in map(str.split, lines) if grade == ["guess"]]


class Program:
    """A network compiled with some rates, and its time with any."""

    def __init__(self, context, source, path, rates):
        self.context, self.path, self.times = context, path, {}
        context.compile(source, "-o", path, "--dump-ane-tile", path + ".json", *rates)
        with open(path, "rb") as file:
            self.digest = hashlib.sha256(file.read()).digest()
        with open(path + ".json", encoding="utf-8") as file:
            self.groups = json.load(file)["groups"]
        self.milliseconds(rates)

    def milliseconds(self, rates):
        if rates not in self.times:
            self.context.run([self.context.tool("ane-run"), self.path, "--mode=count", "--stats", self.path + ".json", *rates])
            with open(self.path + ".json", encoding="utf-8") as file:
                stats = json.load(file)
            self.chip, self.tasks = stats["chip"], stats["tasks"]
            self.times[rates] = stats["predicted_ms"] - stats["dispatch_ms"]
        return self.times[rates]

    def difference(self, other):
        """What a person would call it, or None."""
        if self.digest == other.digest:
            return None
        if self.tasks != other.tasks:
            return f"{other.tasks} tasks instead of {self.tasks}"
        return "other tiles" if self.groups != other.groups else "order or places"


def compare(context, folder, name):
    """For each rate and factor, what changes in the program of a network and the two losses."""
    source = os.path.join(folder, name + ".mlir")
    net, result = networks.build(name)
    with open(source, "w", encoding="utf-8") as file:
        net.write(file, result)
    ours = Program(context, source, os.path.join(folder, name + ".ours.hwx"), ())
    for rate, value in context.some(guesses(context, ours.chip)):
        for factor in FACTORS:
            wrong = (f"--rate={rate}={value * factor!r}",)
            path = os.path.join(folder, name + ".hwx")
            other = Program(context, source, path, wrong)
            yield rate, factor, (ours.difference(other), other.milliseconds(()) / ours.milliseconds(()) - 1,
                                 ours.milliseconds(wrong) / other.milliseconds(wrong) - 1)
            os.remove(path)  # weights are large
    os.remove(ours.path)


def run(context):
    names = context.some(networks.NETWORKS)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip(names, pool.map(lambda name: list(compare(context, folder, name)), names)))
    for index, (rate, factor, _) in enumerate(found[names[0]]):
        changed = {name: found[name][index][2] for name in names if found[name][index][2][0]}
        losses = [max(losses, default=0.0) for losses in zip(*(values[1:] for values in changed.values()))] or [0.0, 0.0]
        context.figure("sensitivity", rate, f"{factor:g}", len(changed), *(f"{loss:.4f}" for loss in losses))
        for name, (what, ours, other) in changed.items():
            context.note(f"  {rate} x {factor:g}, {name}: {what}, {ours:+.2%} if ours is right, {other:+.2%} if not")
