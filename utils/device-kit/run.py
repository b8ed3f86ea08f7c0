#!/usr/bin/env python3
"""Runs the programs of a kit on a Neural Engine, from the safest on, and writes what they show.

usage: run.py [--library libane-runtime.so] [--device asahi|apple|sim] [--report report.json]

Needs Python 3.8 and libane-runtime of mlir-ane (cmake -DANE_RUNTIME_ONLY=ON), nothing else. Before a
program is sent to the engine, the library proves that it stays in its memory, and report.json says which
program comes next: after a reset of the machine it is known, and not run again. At the first program that
fails, hangs, or computes what it must not, the run ends.

The report has results, times, chip, driver and versions; no names of users, hosts or folders.
"""
import argparse
import base64
import ctypes
import hashlib
import json
import os
import platform
import struct
import subprocess
import sys
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("libane-runtime.so", "libane-runtime.dylib")
ENGINE_MODE = 3  # ANE_MODE_ENGINE
TIMED_RUNS, TIMED_SECONDS = 50, 2.0
TIMEOUT_SECONDS = 60


class KitError(Exception):
    """What a person can mend."""


#===----------------------------------------------------------------------===#
# The library (include/ane-c/Runtime.h)
#===----------------------------------------------------------------------===#


class _Device(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("kind", "name", "generation", "state")] + [("ready", ctypes.c_int)]


class _Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("isOutput", ctypes.c_int), ("type", ctypes.c_int),
                ("shape", ctypes.c_uint32 * 5), ("denseBytes", ctypes.c_uint64), ("sizes", ctypes.c_void_p),
                ("rank", ctypes.c_size_t), ("isLow", ctypes.c_int)]


class _RunOptions(ctypes.Structure):
    _fields_ = [("mode", ctypes.c_int), ("threads", ctypes.c_uint), ("timeoutSeconds", ctypes.c_double),
                ("waitEvent", ctypes.c_void_p), ("waitValue", ctypes.c_uint64),
                ("signalEvent", ctypes.c_void_p), ("signalValue", ctypes.c_uint64)]


class _Assumption(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("fact", "question", "value", "meaning")]


class Library:
    """libane-runtime, with errors as exceptions."""

    def __init__(self, path):
        try:
            self.c = ctypes.CDLL(path)
            for name, result, arguments in (
                ("aneRuntimeFree", None, [ctypes.c_void_p]),
                ("aneRuntimeVersion", ctypes.c_char_p, []),
                ("aneDeviceCount", ctypes.c_size_t, []),
                ("aneDeviceGet", _Device, [ctypes.c_size_t]),
                ("aneProgramReadFile", ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p]),
                ("aneProgramDestroy", None, [ctypes.c_void_p]),
                ("aneProgramTensorCount", ctypes.c_size_t, [ctypes.c_void_p]),
                ("aneProgramTensor", _Tensor, [ctypes.c_void_p, ctypes.c_size_t]),
                ("aneProgramVerify", ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p]),
                ("aneProgramLoad", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]),
                ("aneExecutableDestroy", None, [ctypes.c_void_p]),
                ("aneExecutableRun", ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                                                    ctypes.c_void_p, ctypes.c_void_p]),
                ("aneAssumptionGet", _Assumption, [ctypes.c_size_t]),
                ("aneExecutableAssume", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]),
            ):
                function = getattr(self.c, name)
                function.restype, function.argtypes = result, arguments
        except (OSError, AttributeError) as error:
            raise KitError(f"cannot use the library: {error}; build mlir-ane with -DANE_RUNTIME_ONLY=ON and give "
                           "--library=build/lib/libane-runtime.so") from None
        self._error = ctypes.c_void_p()

    def error(self):
        return ctypes.byref(self._error)

    def check(self, failed):
        if failed:
            text = ctypes.string_at(self._error.value).decode(errors="replace")
            self.c.aneRuntimeFree(self._error)
            raise KitError(text)

    def version(self):
        return self.c.aneRuntimeVersion().decode()

    def device(self, kind):
        for index in range(self.c.aneDeviceCount()):
            device = self.c.aneDeviceGet(index)
            if device.kind.decode() == kind:
                return {"kind": kind, "name": device.name.decode(), "generation": device.generation.decode(),
                        "state": device.state.decode(), "ready": bool(device.ready)}
        raise KitError(f"the library has no device '{kind}'")

    def facts(self):
        """{fact: [question, {value: meaning}]}, in their order."""
        facts = {}
        index = 0
        while True:
            entry = self.c.aneAssumptionGet(index)
            if not entry.fact:
                return facts
            fact = facts.setdefault(entry.fact.decode(), [entry.question.decode(), {}])
            fact[1][entry.value.decode()] = entry.meaning.decode()
            index += 1


class Program:
    """A program on a device; arrays are the bytes of dense tensors."""

    def __init__(self, library, path, device=None):
        self.library, self.executable = library, None
        self.program = library.c.aneProgramReadFile(os.fsencode(path), None, library.error())
        library.check(not self.program)
        self.inputs, self.outputs = [], []
        for index in range(library.c.aneProgramTensorCount(self.program)):
            tensor = library.c.aneProgramTensor(self.program, index)
            (self.outputs if tensor.isOutput else self.inputs).append(tensor.denseBytes)
        if device:
            self.load(device)

    def verify(self):
        self.library.check(self.library.c.aneProgramVerify(self.program, self.library.error()))

    def load(self, device):
        self.executable = self.library.c.aneProgramLoad(self.program, device.encode(), self.library.error())
        self.library.check(not self.executable)

    def assume(self, text):
        self.library.check(self.library.c.aneExecutableAssume(self.executable, text.encode(), self.library.error()))

    def run(self, inputs):
        sizes = [len(data) for data in inputs]
        if sizes != self.inputs:
            raise KitError(f"the inputs have {sizes} bytes, but the program takes {self.inputs}")
        arrays = [ctypes.create_string_buffer(data, len(data)) for data in inputs]
        arrays += [ctypes.create_string_buffer(size) for size in self.outputs]
        pointers = (ctypes.c_void_p * len(arrays))(*[ctypes.addressof(array) for array in arrays])
        options = _RunOptions(ENGINE_MODE, 1)
        self.library.check(self.library.c.aneExecutableRun(self.executable, pointers, ctypes.byref(options), None,
                                                           self.library.error()))
        return b"".join(array.raw for array in arrays[len(inputs):])

    def close(self):
        if self.executable:
            self.library.c.aneExecutableDestroy(self.executable)
        self.library.c.aneProgramDestroy(self.program)


#===----------------------------------------------------------------------===#
# Comparing
#===----------------------------------------------------------------------===#


def to_text(data):
    return base64.b64encode(zlib.compress(data, 9)).decode()


def from_text(text):
    return zlib.decompress(base64.b64decode(text))


def differences(data, other):
    """Of as many bytes; twice gives the first again."""
    return (int.from_bytes(data, "little") ^ int.from_bytes(other, "little")).to_bytes(len(data), "little")


def pack_expected(expected):
    """{value: outputs} as text: those of the first value, and how the others differ from them."""
    first = next(iter(expected.values()))
    return {value: to_text(data if data is first else differences(data, first)) for value, data in expected.items()}


def unpack_expected(texts):
    expected = {}
    for value, text in texts.items():
        data = from_text(text)
        expected[value] = differences(data, next(iter(expected.values()))) if expected else data
    return expected


def halves(data):
    return struct.unpack(f"<{len(data) // 2}e", data)


def differing(data, expected, ignored, tolerance=0.0):
    """How many of the halves are not as expected. All NaN are equal, all zeros, too."""
    if len(data) != len(expected):
        return max(len(data), len(expected)) // 2
    if data == expected:
        return 0
    values, wanted = halves(data), halves(expected)
    largest = max((abs(value) for value in wanted if value == value and abs(value) != float("inf")), default=0.0)
    count = 0
    for index, (value, want) in enumerate(zip(values, wanted)):
        same = value == want or (value != value and want != want) or abs(value - want) <= tolerance * largest
        count += not same and index not in ignored
    return count


def judge(probe, outputs):
    """(value, or None; {value: elements that differ}) of the outputs of all runs, one after the other."""
    ignored = set(probe["ignored"])
    counts = {value: differing(outputs, expected, ignored, probe["tolerance"])
              for value, expected in unpack_expected(probe["expected"]).items()}
    matches = [value for value, count in counts.items() if count == 0]
    return (matches[0] if len(matches) == 1 else None), counts


def percentiles(times):
    times = sorted(times)

    def at(part):
        return times[min(len(times) - 1, int(part * len(times)))]

    return {"runs": len(times), "min_ms": times[0], "median_ms": at(0.5), "p90_ms": at(0.9), "p99_ms": at(0.99)}


#===----------------------------------------------------------------------===#
# One program
#===----------------------------------------------------------------------===#


def outcome(arguments, probe, path):
    """Outputs and times of one program, or what went wrong."""
    program = Program(Library(arguments.library), path)
    try:
        if not path.endswith(".mil"):
            program.verify()
        program.load(arguments.device)
        if arguments.assume is not None:
            program.assume(arguments.assume)
        runs = [[from_text(data) for data in inputs] for inputs in probe["inputs"]]
        outputs = [program.run(inputs) for inputs in runs]
        again = program.run(runs[-1])
        times, start = [], time.perf_counter()
        while len(times) < arguments.timed_runs and time.perf_counter() - start < TIMED_SECONDS:
            before = time.perf_counter()
            program.run(runs[-1])
            times.append((time.perf_counter() - before) * 1e3)
    except KitError as error:
        return {"error": str(error)}
    finally:
        program.close()
    return {"outputs": to_text(b"".join(outputs)), "stable": again == outputs[-1],
            "times": percentiles(times) if times else None}


def run_apart(arguments, probe):
    """The same, in a process of its own; an error where it dies or does not answer."""
    command = [sys.executable, os.path.abspath(__file__), "--worker", probe["name"], "--library", arguments.library,
               "--device", arguments.device, "--kit", arguments.kit, "--timed-runs", str(arguments.timed_runs)]
    if arguments.assume is not None:
        command += ["--assume", arguments.assume]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        output, _ = process.communicate(timeout=arguments.timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        # A process that waits for the driver may not end; nobody waits for it.
        return {"error": f"no answer in {arguments.timeout:g} seconds"}
    if process.returncode:
        return {"error": f"the process ended with {process.returncode}"}
    return json.loads(output)


#===----------------------------------------------------------------------===#
# The report
#===----------------------------------------------------------------------===#


def without_names(text):
    """Text without folders of this machine."""
    for folder, name in ((HERE, "KIT"), (os.path.expanduser("~"), "HOME"), (os.getcwd(), "HERE")):
        if len(folder) > 1:
            text = text.replace(folder, name)
    return text


def read_text(path):
    try:
        with open(path, "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def sysctl(name):
    try:
        return subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, timeout=10).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def describe_machine(library, device):
    machine = {"system": platform.system(), "release": platform.release(), "architecture": platform.machine(),
               "library": library.version(), "device": library.device(device)}
    machine["device"]["state"] = without_names(machine["device"]["state"])
    if platform.system() == "Darwin":
        machine["release"] = f"macOS {platform.mac_ver()[0]}"
        machine["chip"] = sysctl("machdep.cpu.brand_string")
    else:
        machine["chip"] = read_text("/proc/device-tree/compatible")
        machine["driver"] = {name: read_text(f"/sys/module/{name}/version") for name in ("ane", "ane_t6021")
                             if os.path.isdir(f"/sys/module/{name}")}
    return machine


def write_report(path, report):
    """All of it reaches the disk before a program reaches the engine."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def facts_of(report):
    """{fact: {value: [probes]}} of what the probes have told so far."""
    facts = {}
    for result in report["results"]:
        if result.get("fact") and result.get("verdict"):
            facts.setdefault(result["fact"], {}).setdefault(result["verdict"], []).append(result["probe"])
    return facts


def unmet(probe, report):
    """Why a probe cannot be judged after what others have told, or None."""
    for fact, value in probe["needs"].items():
        for result in report["results"]:
            if result["fact"] == fact and result.get("verdict") != value:
                return f"'{fact}' is not known to be '{value}' ({result['probe']}), which this program needs"
    return None


def run_probe(arguments, probe, path):
    """(result for the report, why all ends here or None)."""
    result = {"probe": probe["name"], "fact": probe["fact"]}
    answer = run_apart(arguments, probe)
    if "error" in answer:
        result["error"] = without_names(answer["error"])
        return result, result["error"]
    outputs = from_text(answer["outputs"])
    verdict, counts = judge(probe, outputs)
    result.update(verdict=verdict, differing=counts, elements=len(outputs) // 2 - len(probe["ignored"]),
                  times=answer["times"], measures=probe["measures"])
    if verdict is None:
        result["outputs"] = answer["outputs"]
    if not answer["stable"] and not probe["fact"] == "rerun":
        return result, "the second run has another result than the first"
    if verdict is None and not probe["fact"]:
        return result, "the result is wrong"
    return result, None


def climb(arguments, manifest, report):
    """Runs the probes in their order until one fails."""
    for probe in manifest["probes"]:
        if arguments.only and probe["name"] not in arguments.only:
            continue
        if any(result["probe"] == probe["name"] for result in report["results"]):
            continue
        path = os.path.join(arguments.kit, probe["program"])
        if reason := unmet(probe, report):
            report["results"].append({"probe": probe["name"], "fact": probe["fact"], "skipped": reason})
            print(f"skipped  {probe['name']}: {reason}")
            continue
        report["next"] = probe["name"]
        write_report(arguments.report, report)
        result, trouble = run_probe(arguments, probe, path)
        report["results"].append(result)
        report["next"], report["facts"] = None, facts_of(report)
        if trouble:
            report["stopped"] = {"probe": probe["name"], "reason": trouble}
        write_report(arguments.report, report)
        said = f"{probe['fact']} = {result.get('verdict') or 'none of the known'}" if probe["fact"] else "as it should be"
        print(f"{'STOPPED' if trouble else 'ok':8s} {probe['name']}: {trouble or said}", flush=True)
        if trouble:
            return 1
    write_report(arguments.report, report)
    return 0


def start_report(arguments, manifest, digest):
    """A new report, or the one of an earlier run that ended early."""
    library = Library(arguments.library)
    fresh = {"kit": {"digest": digest, "target": manifest["target"], "form": manifest["form"],
                     "made_by": manifest["made_by"]},
             "machine": describe_machine(library, arguments.device), "results": [], "facts": {}, "next": None,
             "stopped": None}
    if not os.path.exists(arguments.report):
        return fresh
    with open(arguments.report, encoding="utf-8") as file:
        report = json.load(file)
    if report["kit"]["digest"] != digest:
        raise KitError(f"{arguments.report} is of another kit; move it away")
    if report["stopped"]:
        raise KitError(f"the last run stopped at '{report['stopped']['probe']}': {report['stopped']['reason']}. Please "
                       f"send {arguments.report}; to run again, move it away")
    if report["next"]:
        report["stopped"] = {"probe": report["next"], "reason": "the machine, or this script, ended during the run"}
        report["next"] = None
        write_report(arguments.report, report)
        raise KitError(f"the last run ended during '{report['stopped']['probe']}', perhaps with a reset; it is not run "
                       f"again. Please send {arguments.report}")
    return report


def find_library(given):
    folders = (HERE, os.path.join(HERE, "lib"))
    for path in [given] if given else [os.path.join(folder, name) for folder in folders for name in NAMES]:
        if os.path.exists(path):
            return os.path.abspath(path)
    raise KitError(f"{given or 'libane-runtime'} does not exist; build mlir-ane with -DANE_RUNTIME_ONLY=ON and give "
                   "--library=build/lib/libane-runtime.so")


def choose_kit(arguments, library):
    """The folder of the programs for this machine."""
    if arguments.kit:
        return arguments.kit
    form = {"asahi": "anec", "apple": "mil"}.get(arguments.device, "hwx")
    target = arguments.target
    if not target:
        generation = library.device(arguments.device)["generation"].split(",")
        if len(generation) > 1:
            raise KitError(f"device {arguments.device} runs {', '.join(generation)}; give one of them with --target")
        target = generation[0]
    return os.path.join(HERE, "mil" if form == "mil" else f"{target}-{form}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="libane-runtime.so (default: beside this script)")
    parser.add_argument("--device", default="apple" if platform.system() == "Darwin" else "asahi",
                        choices=("asahi", "apple", "sim"))
    parser.add_argument("--target", choices=("h13", "h14"), help="the generation, where the device does not tell")
    parser.add_argument("--kit", help="the folder of programs (default: the one for the device)")
    parser.add_argument("--report", default="report.json")
    parser.add_argument("--only", action="append", help="run this program alone; may be repeated")
    parser.add_argument("--timed-runs", type=int, default=TIMED_RUNS)
    parser.add_argument("--timeout", type=float, default=TIMEOUT_SECONDS, help="seconds for one program")
    parser.add_argument("--assume", help="for tests, with --device=sim: what the simulator plays")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        arguments.library = find_library(arguments.library)
        library = None if arguments.worker else Library(arguments.library)
        arguments.kit = choose_kit(arguments, library)
        path = os.path.join(arguments.kit, "kit.json")
        if not os.path.exists(path):
            raise KitError(f"there are no programs for this device: {without_names(path)} does not exist")
        with open(path, "rb") as file:
            data = file.read()
        manifest = json.loads(data)
        if arguments.worker:
            probe = next(probe for probe in manifest["probes"] if probe["name"] == arguments.worker)
            print(json.dumps(outcome(arguments, probe, os.path.join(arguments.kit, probe["program"]))))
            return 0
        state = library.device(arguments.device)
        if not state["ready"]:
            raise KitError(f"device {arguments.device} is not ready: {state['state']}; ane-run --doctor says the next step")
        return climb(arguments, manifest, start_report(arguments, manifest, hashlib.sha256(data).hexdigest()))
    except KitError as error:
        print(f"run.py: error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
