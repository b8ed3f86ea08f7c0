"""How the compiler's time and memory grow with the number of images.

usage: growth.py BIN FOLDER

Each network is compiled for a number of images, each of which becomes a task of its own, and for
twice as many. What takes time in proportion to them takes twice as long, what is quadratic four
times; three lies between both. Processor time is measured, not that of the clock.
"""
import os
import subprocess
import sys

BIN, FOLDER = sys.argv[1:]
TIMES, LIMIT, RUNS = 2, 3, 3


def net(n, shape, element, arguments, op):
    t = f"tensor<{n}x{shape}x{element}>"
    arguments = ", ".join(f"%{a}: {t}" for a in arguments)
    return f"func.func @net({arguments}) -> {t} {{\n  %0 = {op.replace('T', t)}\n  return %0 : {t}\n}}\n"


# name, images, network, options
CASES = [
    ("add", 16384, lambda n: net(n, "24x9x37", "f32", "xy", "tosa.add %x, %y : (T, T) -> T"), []),
    ("softmax", 1024, lambda n: net(n, "32x4x16", "f16", "x", "ane.softmax %x {axis = 1 : i64} : T -> T"),
     ["--hwx-flavour=zin-9.509"]),
]


def cost(source, options):
    """Seconds and kilobytes of one compilation."""
    command = [os.path.join(BIN, "ane-compile"), source, "-o", os.path.join(FOLDER, "net.hwx"), *options]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


os.makedirs(FOLDER, exist_ok=True)
for name, images, write, options in CASES:
    sources = {}
    for n in (images, TIMES * images):
        sources[n] = os.path.join(FOLDER, f"{name}-{n}.mlir")
        with open(sources[n], "w", encoding="utf-8") as file:
            file.write(write(n))
    best = {}
    for _ in range(RUNS):
        for n, source in sources.items():
            best[n] = tuple(map(min, zip(cost(source, options), best.get(n, (float("inf"),) * 2))))
        (seconds, kilobytes), (more_seconds, more_kilobytes) = best.values()
        fine = more_seconds <= LIMIT * seconds and more_kilobytes <= LIMIT * kilobytes
        if fine:
            break
    print(f"{name}: {images} images {seconds:.2f} s {kilobytes >> 10} MB, {TIMES * images} images {more_seconds:.2f} s "
          f"{more_kilobytes >> 10} MB: {'in proportion' if fine else 'grows faster'}")
