#!/usr/bin/python3
"""Holds the words that we choose against tables of words that compiler 9.509 chose.

usage: check-recorded-rows.py --bin DIR TABLE.csv... [--case GLOB]... [--expect LIST] [--words N]

A row of a table is a task of a program; the program is known by its name and, of
convolutions, by the columns of its sizes. This script writes the MIL program that a name
means, compiles it in the flavour `zin-9.509` with the tools in DIR, and compares each word
that the row has. A program counts as equal when all words of all of its rows do. Names that
this script cannot read are counted as unread.

LIST has the names that are known to differ, and why, in lines of

    differs CASE: reason

With it the exit code is 0 only when exactly those programs differ; without it, always when
anything was compared.
"""
import argparse
import collections
import csv
import fnmatch
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import hwx_file  # noqa: E402
import records  # noqa: E402
from recorded_programs import program_of  # noqa: E402


# Words

GROUPS = {'src(base cs row depth group)': 0x4808, 'src2(base cs row depth)': 0x481c,
          'res(base cs row depth group)': 0x4834, 'dst(row plane)': 0x17808}


def words_of(row):
    """(what, value, mask) of each word that a row has."""
    for column, text in row.items():
        if not text or '?' in text:
            continue
        conv = re.fullmatch(r'[cld]([0-9a-f]{4,5})', column)
        header = re.fullmatch(r'h(?:dr)?(\d)(?:_low)?', column)
        if column in GROUPS:
            for i, part in enumerate(text.split()):
                yield f'{GROUPS[column] + 4 * i:05x}', int(part, 16), 0xffffffff
        elif conv:
            yield conv[1].rjust(5, '0'), int(text, 16), 0xffffffff
        elif re.fullmatch(r'[0-9a-f]{5}', column):
            # Tile heights of tables without sizes are decimal.
            isHeight = column == '00028'
            yield column, int(text, 10 if isHeight else 16), 0xffffffff
        elif header:
            # The upper half of word 1 is the size of the next task, which not all tables have.
            mask = 0xffff if header[1] == '1' else 0xffffffff
            yield 'header ' + header[1], int(text, 16) & mask, mask


def differences(tools, text, rows):
    with tempfile.TemporaryDirectory() as folder:
        case = {'mil': text, 'weights': {}, 'target': 'h13'}
        program, error = records.compile_case(tools, case, folder)
    if error:
        return ['refused: ' + re.sub(r'^\S*?:\d+:\d+: ', '', error)]
    found = []
    number = next((int(r.get('ntasks') or r.get('tasks')) for r in rows if r.get('ntasks') or r.get('tasks')), None)
    if number and number != len(program.tasks):
        found.append(f'{len(program.tasks)} tasks, recorded {number}')
    for row in rows:
        index = int(row['task'])
        if index >= len(program.tasks):
            continue
        ours, _ = hwx_file.words_of(program.tasks[index])
        for what, value, mask in words_of(row):
            mine = ours.get(what)
            # A word that is not written has the value of a reset engine.
            if (mine or 0) & mask != value:
                found.append(f'task {index} {what} {records.show(mine)}, recorded 0x{value:x}')
    return found


def read_tables(paths, patterns):
    """Rows by name; one case may stand in several tables."""
    cases = collections.OrderedDict()
    for path in paths:
        with open(path, newline='') as file:
            for row in csv.DictReader(file):
                if any(fnmatch.fnmatchcase(row['case'], pattern) for pattern in patterns):
                    cases.setdefault(row['case'], []).append(row)
    return cases


def read_list(path):
    expected = {}
    for number, line in enumerate(open(path), 1):
        if not line.strip() or line.startswith('#'):
            continue
        match = re.match(r'differs (\S+): (.+)', line)
        if not match:
            sys.exit(f"{path}:{number}: expected 'differs CASE: reason'")
        expected[match[1]] = match[2]
    return expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument('--bin', required=True)
    parser.add_argument('tables', nargs='+')
    parser.add_argument('--case', action='append')
    parser.add_argument('--expect')
    parser.add_argument('--words', type=int, default=4, help='differences to print of a case')
    options = parser.parse_args()
    cases = read_tables(options.tables, options.case or ['*'])
    expected = read_list(options.expect) if options.expect else {}
    equal = compared = bad = 0
    unread = []
    for name, rows in cases.items():
        text = program_of(name, rows[0])
        if text is None:
            unread.append(name)
            continue
        compared += 1
        found = differences(options.bin, text, rows)
        equal += not found
        if found:
            known = f' (known: {expected[name]})' if name in expected else ''
            print(f'{name}: {len(found)} differences{known}: ' + '; '.join(found[:options.words]), flush=True)
        elif name in expected:
            print(f'{name}: is in the list, but is equal: take it out')
        bad += bool(found) != (name in expected)
    if not options.case:
        for name in sorted(set(expected) - set(cases)):
            bad += 1
            print(f'{name}: is in the list, but no row is called so: take it out')
    print(f'{equal} of {compared} programs are equal, {len(unread)} names are not read, {bad} not as expected')
    return 1 if not compared or (options.expect and bad) else 0


if __name__ == '__main__':
    sys.exit(main())
