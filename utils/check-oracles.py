#!/usr/bin/env python3
"""Compares our register programs with recorded decisions of Apple's compiler.

usage: check-oracles.py --bin DIR RECORDS.jsonl... [--case GLOB]... [--allow GLOB]...

A line of a record holds a MIL program and what compiler 9.509 made of it: the
words of each task, addresses, surfaces and the digest of the constants. This
script compiles the program in the flavour `zin-9.509` with the tools in DIR,
lets ane-translate decode the result, and prints for each case that differs
what does. Cases that the compiler refused are not compared.

Exit 0 when every case that --case selects is equal, or matches --allow. A case
that is allowed to differ but does not is an error too, so that the list stays
true; so is a pattern that selects nothing.
"""
import argparse
import fnmatch
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

CONSTANT = re.compile(
    r'tensor<fp16, \[(?P<shape>[\d, ]*)\]>\(BLOBFILE\(path = string\("@model_path/(?P<file>[^"]+)"\), '
    r'offset = uint64\((?P<offset>\d+)\)\)')
BLOB_MAGIC, FP16, ALIGN = 0xDEADBEEF, 1, 64


def align(size):
    return (size + ALIGN - 1) // ALIGN * ALIGN


class WeightFile:
    """A weight file: a header, then blobs with a descriptor each."""

    def __init__(self):
        self.body = bytearray()
        self.count = 0

    def add(self, payload):
        """Appends a blob; returns the offset that MIL names it by."""
        at = ALIGN + len(self.body)
        descriptor = struct.pack('<IIQQ', BLOB_MAGIC, FP16, len(payload), at + ALIGN)
        self.body += descriptor.ljust(ALIGN, b'\0') + payload.ljust(align(len(payload)), b'\0')
        self.count += 1
        return at

    def write(self, path):
        with open(path, 'wb') as file:
            file.write(struct.pack('<II', self.count, 2).ljust(ALIGN, b'\0') + self.body)


def recorded_payloads(weights, sizes):
    """What the compiler took for the constants of a case, sizes in elements.

    In the first campaign it read from the start of a file with one blob, so the
    file's own 128 bytes of header come first; in the second, constant i is full
    of the value with the bits 0x3400 + i."""
    if 'index' in str(weights.get('value')):
        return [struct.pack('<H', 0x3400 + i) * size for i, size in enumerate(sizes)]
    largest = 2 * max(sizes, default=0)
    header = struct.pack('<II', 1, 2).ljust(ALIGN, b'\0')
    header += struct.pack('<IQQ', BLOB_MAGIC, largest, 128).ljust(ALIGN, b'\0')
    half = struct.pack('<e', 0.5)
    stream = header + half * (largest // 2)
    return [stream[:2 * size] for size in sizes]


def write_inputs(case, folder, payloads_of=recorded_payloads):
    """Writes the program and its weights; returns the path of the program."""
    matches = list(CONSTANT.finditer(case['mil']))
    sizes = []
    for match in matches:
        size = 1
        for extent in re.findall(r'\d+', match['shape']):
            size *= int(extent)
        sizes.append(size)
    files, offsets = {}, []
    for match, payload in zip(matches, payloads_of(case['weights'], sizes)):
        offsets.append(files.setdefault(match['file'], WeightFile()).add(payload))
    text, end = '', 0
    for match, offset in zip(matches, offsets):
        text += case['mil'][end:match.start('offset')] + str(offset)
        end = match.end('offset')
    text += case['mil'][end:]
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        content.write(path)
    path = os.path.join(folder, 'program.mil')
    with open(path, 'w') as file:
        file.write(text)
    return path


def compile_case(tools, case, folder, payloads_of=recorded_payloads):
    """The dump of our program, or the error."""
    program = write_inputs(case, folder, payloads_of)
    output = os.path.join(folder, 'program.hwx')
    done = subprocess.run([os.path.join(tools, 'ane-compile'), program, '--target=' + case['target'],
                           '--hwx-flavour=zin-9.509', '--mil-root=' + folder, '-o', output],
                          capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip().splitlines()[0]
    done = subprocess.run([os.path.join(tools, 'ane-translate'), '--dump-hwx', '--dump-format=json', output],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout), None


def our_words(task):
    """Words by address, and the runs that they are written in."""
    words = {'header %d' % i: int(word, 16) for i, word in enumerate(task['header'])}
    runs = []
    for record in task['records']:
        address = int(record['address'], 16)
        follow, base = record.get('follow'), record.get('base')
        runs.append((address, len(record['words']), int(follow, 16) if follow else None, base))
        for i, word in enumerate(record['words']):
            words['%05x' % (address + 4 * i)] = int(word, 16)
    return words, runs


def recorded_run(address, count, first=None):
    """Where a record writes: address, words, which others it names, base. Of H14 its first word is recorded."""
    follow = base = None
    if first:
        first = int(first, 16)
        if first >> 31:
            follow = first >> 15 & 0xffff
        elif first >> 29 & 1:
            base = first >> 23 & 0x3f
    return int(address, 16), count, follow, base


def recorded_words(task):
    header = [int(word, 16) for word in task['header']]
    if task.get('extra'):
        header.append(int(task['extra'], 16))
    words = {'header %d' % i: word for i, word in enumerate(header)}
    runs = [recorded_run(*record) for record in task['records']]
    for name, block in task['blocks'].items():
        for i, word in enumerate(block.split()):
            words['%05x' % (int(name, 16) + 4 * i)] = int(word, 16)
    return words, runs


def show(word):
    return 'nothing' if word is None else '0x%x' % word


def show_run(address, count, follow, base):
    return '%05x+%d' % (address, count) + (':%x' % follow if follow else '') + ('@%d' % base if base else '')


def show_runs(runs):
    return ' '.join(show_run(*run) for run in runs)


def compare_tasks(ours, theirs):
    if len(ours) != len(theirs):
        yield '%d tasks, recorded %d' % (len(ours), len(theirs))
    for index, (our, their) in enumerate(zip(ours, theirs)):
        our, our_runs = our_words(our)
        their, their_runs = recorded_words(their)
        if our_runs != their_runs:
            yield 'task %d writes %s, recorded %s' % (index, show_runs(our_runs), show_runs(their_runs))
        for address in sorted(our.keys() | their.keys()):
            if our.get(address) != their.get(address):
                yield 'task %d %s %s, recorded %s' % (index, address, show(our.get(address)), show(their.get(address)))


def compare_program(dump, case):
    sections = {section['name']: int(section['address'], 16)
                for segment in dump['container']['segments'] if segment['name'] == '__TEXT'
                for section in segment['sections']}
    program = case['program']
    for name, key in (('__text', 'text_address'), ('__const', 'constant_address')):
        if sections[name] != int(program[key], 16):
            yield '%s at 0x%x, recorded %s' % (name, sections[name], program[key])
    for kind, binding in (('input', 1), ('output', 2)):
        ours = [(t['shape'][:4], t['strides'][:4]) for t in dump['tensors'] if t['kind'] == kind]
        theirs = [(t['shape'], t['strides']) for t in case['tensors'] if t['binding'] == binding]
        if sorted(ours) != sorted(theirs):
            yield '%ss %s, recorded %s' % (kind, ours, theirs)


def differences(tools, case):
    with tempfile.TemporaryDirectory() as folder:
        dump, error = compile_case(tools, case, folder)
    if error:
        return ['refused: ' + error]
    found = list(compare_tasks(dump['tasks'], case['tasks']))
    found += compare_program(dump, case)
    constants = case['const']
    if constants and dump['constants']['sha256'] != constants['sha256']:
        found.append('other constants: %d bytes, recorded %d' % (dump['constants']['size'], constants['size']))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='folder of ane-compile and ane-translate')
    parser.add_argument('records', nargs='+')
    parser.add_argument('--case', action='append', help='compare these only; may be repeated')
    parser.add_argument('--allow', action='append', default=[], help='these differ; may be repeated')
    parser.add_argument('--words', type=int, default=4, help='differences to print of a case')
    options = parser.parse_args()
    patterns = options.case or ['*']
    unused = set(patterns) | set(options.allow)
    equal = total = 0
    failed = False
    for path in options.records:
        with open(path) as file:
            cases = [json.loads(line) for line in file]
        for case in cases:
            name = case['case']
            if case['error'] or not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                continue
            unused -= {pattern for pattern in unused if fnmatch.fnmatchcase(name, pattern)}
            total += 1
            found = differences(options.bin, case)
            allowed = any(fnmatch.fnmatchcase(name, pattern) for pattern in options.allow)
            equal += not found
            if found:
                print('%s: %d differences%s: %s' % (name, len(found), ' (allowed)' if allowed else '',
                                                    '; '.join(found[:options.words])))
            elif allowed:
                print('%s: equal, but --allow says that it differs' % name)
            failed |= bool(found) != allowed
    for pattern in sorted(unused):
        print("no case is called '%s'" % pattern)
    print('%d of %d cases are equal' % (equal, total))
    return 1 if failed or unused else 0


if __name__ == '__main__':
    sys.exit(main())
