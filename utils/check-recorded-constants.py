#!/usr/bin/python3
"""Holds packed constants against the digests of the sections that compiler 9.509 wrote.

usage: check-recorded-constants.py --bin DIR [TABLE.csv] [--case GLOB]

A row of the table (default: recorded-constants.csv beside this script) is a program of one
operation, the values of its weights, and the size and SHA-256 of the constants in the
recorded program (research/oracles of joshuaswarren/mil-hwx-compiler). There is a row for each
kind of stream: dense, depthwise, grouped, stride 2 with small and with large images, matrix
product, table. A simulator that shares a wrong belief with the packer passes every other test.

weights: index  weight after weight, then the bias: the bits 1, 2, 3, ...
         half   the header of a weight file, then 0.5, anew for each constant

Exit 0 when something was compared and every digest is equal.
"""
import argparse
import csv
import fnmatch
import os
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import records  # noqa: E402
from recorded_programs import program_of  # noqa: E402


def payloads(kind, sizes):
    """The bytes of each constant; sizes in elements."""
    if kind != 'index':
        return records.recorded_payloads({}, sizes)
    stream = b''.join(struct.pack('<H', (i + 1) & 0xffff) for i in range(sum(sizes)))
    starts = [2 * sum(sizes[:i]) for i in range(len(sizes))]
    return [stream[start:start + 2 * size] for start, size in zip(starts, sizes)]


def compare(tools, row):
    """What differs in the row, None when nothing does."""
    program = program_of(row['case'], row if row['Kh'] else {})
    case = {'target': row['target'], 'mil': program, 'weights': row['weights']}
    with tempfile.TemporaryDirectory() as folder:
        compiled, error = records.compile_case(tools, case, folder, payloads)
    if error:
        return error
    ours, size = (compiled.constant_size, compiled.constant_digest), int(row['size'])
    if ours == (size, row['sha256']):
        return None
    return f"constants of {ours[0]} bytes, {ours[1]}; recorded {size} bytes, {row['sha256']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', required=True, help='folder of the tools')
    parser.add_argument('table', nargs='?', default=os.path.join(HERE, 'recorded-constants.csv'))
    parser.add_argument('--case', default='*', help='only cases whose names match')
    args = parser.parse_args()
    with open(args.table, newline='') as file:
        table = [row for row in csv.DictReader(file) if fnmatch.fnmatch(row['case'], args.case)]
    equal = 0
    for row in table:
        difference = compare(args.bin, row)
        equal += difference is None
        if difference:
            print(f"{row['case']} ({row['target']}): {difference}")
    print(f'{equal} of {len(table)} sections are equal')
    return 0 if table and equal == len(table) else 1


if __name__ == '__main__':
    sys.exit(main())
