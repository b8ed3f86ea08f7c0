"""Probes that the builder of kits refuses; which one, the environment says."""
import os

import device_kit_probes as kit


def all_probes():
    name, line = os.environ["CONFUSED"], (1, 8, 1, 8)
    if name == "same":  # 1 + 1 is exact: it says nothing of rounding
        probe = kit.pair("same", "one and one", "add", line)
        probe.inputs, probe.fact = [[1.0] * 64, [1.0] * 64], "rounding"
    elif name == "rung":  # 2049 is no rung: its result depends on the rounding
        probe = kit.pair("rung", "2049", "add", line)
        probe.inputs = [[2048.0] * 64, [1.0] * 64]
    elif name == "needs":
        probe = kit.pair("needs", "a sum", "add", line)
        probe.needs = ("order",)
    else:
        probe = kit.Probe("net", "no network", "func.func @net() {", [])
    yield probe
