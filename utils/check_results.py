"""What check-ane.py and check-network.py share: values that nobody has to store, commands that
have to succeed, and the comparison."""
import os
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def values(shape, seed, low, high):
    """As many as a tensor has, between two bounds."""
    count = 1
    for extent in shape:
        count *= extent
    # A linear congruence: no two neighbours are alike, and every run is the same.
    return (low + (high - low) * (((i * 7919 + 104729 * seed + 31) % 1009) / 1008) for i in range(count))


def shape_of(type):
    return [int(extent) for extent in re.findall(r"(\d+)x", type)]


def pack(numbers, element):
    """The bytes of numbers of type f16 or f32."""
    numbers = list(numbers)
    return struct.pack(f"<{len(numbers)}{'e' if element == 'f16' else 'f'}", *numbers)


def with_resources(text, element):
    """A file without resources, with its constants `dense_resource<random_SEED>` or
    `dense_resource<random_SEED_PERCENT>` of that element type defined: values between -1 and
    1, or -PERCENT/100 and so on."""
    blobs = {}

    def define(match):
        seed, percent, type = match.groups()
        bound = int(percent) / 100 if percent else 1.0
        key = f"random_{len(blobs)}"
        blobs[key] = pack(values(shape_of(type), int(seed), -bound, bound), element)
        return f"dense_resource<{key}> : {type}"

    text = re.sub(rf"dense_resource<random_(\d+)(?:_(\d+))?>\s*:\s*(tensor<[\dx]*{element}>)", define, text)
    if not blobs:
        return text
    # Behind the number of bytes to which the data is aligned.
    mark = (int(element[1:]) // 8).to_bytes(4, "little").hex()
    entries = ",\n".join(f'      {key}: "0x{mark}{data.hex()}"' for key, data in blobs.items())
    return text + "\n{-#\n  dialect_resources: {\n    builtin: {\n" + entries + "\n    }\n  }\n#-}\n"


def run(what, command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{what} failed: {' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def add_options(parser):
    """Those of both scripts."""
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"))
    parser.add_argument("--min-cos", default="0.9995")
    parser.add_argument("--max-err", default="0.02")
    parser.add_argument("--low", type=float, default=-1.0)
    parser.add_argument("--high", type=float, default=1.0)
    parser.add_argument("--keep", help="folder for the intermediate files")


def compare(got, want, options):
    print(run("the comparison", [sys.executable, f"{HERE}/compare-npy.py", got, want, "--min-cos", options.min_cos,
                                 "--max-err", options.max_err]), end="")
