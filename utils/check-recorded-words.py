#!/usr/bin/python3
"""Runs recorded task words in the simulator and compares with what their MIL program
computes.

usage: check-recorded-words.py --bin DIR RECORDS.jsonl... [--case GLOB]... [--weights random] [--work DIR]

A line of a record holds a MIL program and the words of the tasks that compiler 9.509 made
of it. This script writes these words as a program of the hwx dialect, record for record,
with constants that our compiler packs and whose digest must be the recorded one, lets
ane-run simulate it on random inputs, and compares with mil-eval.

The recorded weights are nearly all equal and do not tell channels apart. With --weights
random others take their place, of which there is no digest.

It prints a line for each case and exits with 0 when all compute the same. Needs numpy.
"""
import argparse
import fnmatch
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace('-', '_'), os.path.join(HERE, name + '.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


oracles, compare = load('records'), load('compare-npy')
compare.use_numpy()
recorded_payloads = oracles.recorded_payloads

# The base of the first tensor, and bytes of the frame in front of packed tasks.
FIRST_BASE, FRAME = 4, 16
ELEMENTS = {5: ('f16', 2), 3: ('ui8', 1)}
IMAGE_START = 0x30000000


class Failure(Exception):
    pass


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure('%s: %s' % (os.path.basename(command[0]), (done.stderr.strip() or 'no message').splitlines()[0]))
    return done.stdout


# ---------------------------------------------------------------- constants
def random_payloads(weights, sizes):
    """Zero where the recorded ones are, since streams without zeros have other places."""
    random = np.random.default_rng(31415)
    result = []
    for payload in recorded_payloads(weights, sizes):
        bits = np.frombuffer(payload, '<u2')
        values = random.uniform(0.01, 0.1, bits.size) * random.choice([-1, 1], bits.size)
        result.append(np.where(bits & 0x7fff, values, 0).astype('<f2').tobytes())
    return result


def constants_of(tools, case, source, folder, is_recorded):
    """The constant section of the case, as we pack it."""
    program = os.path.join(folder, 'compiled.hwx')
    run([os.path.join(tools, 'ane-compile'), source, '--target=' + case['target'], '--hwx-flavour=zin-9.509',
         '--mil-root=' + folder, '-o', program])
    text = run([os.path.join(tools, 'ane-translate'), '--from-hwx', program])
    blob = re.search(r'constants: "0x([0-9A-F]+)"', text)
    # Four bytes in front are the alignment. A section of zeros is a splat.
    section = bytes.fromhex(blob.group(1))[4:] if blob else bytes(case['const']['size'])
    if is_recorded and hashlib.sha256(section).hexdigest() != case['const']['sha256']:
        raise Failure('our constants are not the recorded ones')
    return section


# ---------------------------------------------------------------- the program as text
def raw(words):
    return 'raw {%s}' % ', '.join('0x%x = 0x%x' % item for item in words)


def record_text(record, words):
    """One record; what the first word of it says stands behind address and count on h14."""
    address = int(record[0], 16)
    if len(record) < 3:
        return 'at 0x%x words %d %s' % (address, len(words), raw(enumerate_bytes(words)))
    head = int(record[2], 16)
    if head >> 31:
        places = [0] + [4 * (i + 1) for i in range(16) if head >> 15 + i & 1]
        return 'at 0x%x scatter %s' % (address, raw(zip(places, words)))
    base = ' base %d' % (head >> 23 & 63) if head >> 29 & 1 else ''
    return 'at 0x%x words %d%s %s' % (address, len(words), base, raw(enumerate_bytes(words)))


def enumerate_bytes(words):
    return [(4 * i, word) for i, word in enumerate(words)]


def task_text(case, task, index, offset):
    header = [int(word, 16) for word in task['header']]
    if task.get('extra') is not None:
        header.append(int(task['extra'], 16))
    lines = [record_text(record, [int(word, 16) for word in task['blocks'][record[0]].split()])
             for record in task['records']]
    return 'hwx.task @td%d target = %s at 0x%x words %d {} %s [\n      %s\n    ]' % (
        index, case['target'], offset, len(header), raw(enumerate_bytes(header)), ',\n      '.join(lines))


def tensors_of(case):
    """(name, recorded tensor, base) of each: bases follow the order of the names."""
    head = re.search(r'func main<\w+>\((.*?)\) \{', case['mil'], re.S).group(1)
    names = sorted(re.findall(r'> (\w+)(?:,|$)', head)), sorted(re.search(r'-> \((.*?)\)', case['mil']).group(1).split(', '))
    order = sorted(names[0] + names[1])
    for binding in (1, 2):
        tensors = [tensor for tensor in case['tensors'] if tensor['binding'] == binding]
        for name, tensor in zip(names[binding - 1], tensors):
            yield name, tensor, FIRST_BASE + order.index(name)


def scratch_of(case):
    """Bytes of scratch memory: it lies in front of the first surface."""
    addresses = [int(address, 16) for address in case['program']['resource_addresses']]
    if case['target'] == 'h13':
        return addresses[0] - IMAGE_START
    return addresses[4] - IMAGE_START  # entries of 16 bytes, seen in steps of 8


def program_text(case, constants):
    lines = []
    for name, tensor, base in tensors_of(case):
        kind = 'input' if tensor['binding'] == 1 else 'output'
        element, size = ELEMENTS[tensor['element_code']]
        bytes_ = tensor['shape'][0] * tensor['strides'][0]
        lines.append('hwx.tensor %s "%s" base %d shape %s strides %s type %s bytes %d' % (
            kind, name, base, tensor['shape'] + [1], tensor['strides'] + [tensor['strides'][0]], element, bytes_))
    data = '0' if not any(constants) else '"0x%s"' % constants.hex().upper()
    lines.append('hwx.constants dense<%s> : tensor<%dxui8>' % (data, len(constants)))
    offset, align = (0, 0x100) if case['target'] == 'h13' else (FRAME, FRAME)
    for index, task in enumerate(case['tasks']):
        lines.append(task_text(case, task, index, offset))
        end = offset + task['size_bytes']
        offset = (end + align - 1) // align * align
    scratch = scratch_of(case)
    return 'hwx.program @net target = %s text = 0x%x%s {\n    %s\n}\n' % (
        case['target'], end, ' scratch = 0x%x' % scratch if scratch else '', '\n    '.join(lines))


# ---------------------------------------------------------------- one case
def check(tools, case, folder, options):
    source = oracles.write_inputs(case, folder)
    program = os.path.join(folder, 'recorded.mlir')
    with open(program, 'w') as file:
        file.write(program_text(case, constants_of(tools, case, source, folder, options.weights == 'recorded')))
    shapes = {name: [int(size) for size in shape.split(',')]
              for shape, name in re.findall(r'tensor<\w+, \[([\d, ]*)\]> (\w+)[,)]', case['mil'])}
    random = np.random.default_rng(zlib.crc32(case['case'].encode()))
    inputs, ours, theirs, outputs = [], [], [], []
    for name, tensor, _ in tensors_of(case):
        if tensor['binding'] == 1:
            path = os.path.join(folder, 'in-%s.npy' % name)
            np.save(path, random.uniform(-1, 1, shapes[name]).astype(np.float16).astype(np.float32))
            inputs += ['--input', '%s=%s' % (name, path)]
        else:
            outputs.append(name)
            ours += ['--output', '%s=%s/got-%s.npy' % (name, folder, name)]
            theirs += ['--output', '%s=%s/want-%s.npy' % (name, folder, name)]
    run([os.path.join(tools, 'ane-run'), program, '--device=sim', '--threads=1', *inputs, *ours])
    run([os.path.join(tools, 'mil-eval'), source, '--mil-root=' + folder, *inputs, *theirs])
    cosine, error = 1.0, 0.0
    for name in outputs:
        _, got = compare.read('%s/got-%s.npy' % (folder, name))
        _, want = compare.read('%s/want-%s.npy' % (folder, name))
        if not np.isfinite(got).all():
            raise Failure('%s has values that are not finite' % name)
        c, e = compare.measure(got, want)
        cosine, error = min(cosine, c), max(error, e)
    if cosine < options.min_cos or error > options.max_err:
        raise Failure('computes something else: cosine %.6f, largest error %.5f' % (cosine, error))
    return 'cosine %.6f, largest error %.5f' % (cosine, error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='folder of ane-compile, ane-run, ane-translate and mil-eval')
    parser.add_argument('records', nargs='+')
    parser.add_argument('--case', action='append', help='run these only; may be repeated')
    parser.add_argument('--weights', choices=['recorded', 'random'], default='recorded')
    parser.add_argument('--work', help='keep what is made of each case in this folder')
    parser.add_argument('--min-cos', type=float, default=0.9999)
    parser.add_argument('--max-err', type=float, default=0.01, help='largest error, by the largest value')
    options = parser.parse_args()
    if options.weights == 'random':
        oracles.recorded_payloads = random_payloads
    same = total = 0
    for path in options.records:
        with open(path) as file:
            cases = [json.loads(line) for line in file]
        for case in cases:
            if case['error'] or not any(fnmatch.fnmatchcase(case['case'], glob) for glob in options.case or ['*']):
                continue
            total += 1
            with tempfile.TemporaryDirectory() as temporary:
                folder = os.path.join(options.work, case['case']) if options.work else temporary
                os.makedirs(folder, exist_ok=True)
                try:
                    print('%s: %s' % (case['case'], check(options.bin, case, folder, options)))
                    same += 1
                except Failure as failure:
                    print('%s: %s' % (case['case'], failure))
    print('%d of %d recorded programs compute the same' % (same, total))
    return 0 if total and same == total else 1


if __name__ == '__main__':
    sys.exit(main())
