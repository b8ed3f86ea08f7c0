#!/usr/bin/python3
"""Compares our register programs with recorded decisions of Apple's compiler, field by field.

usage: check-record.py --bin DIR RECORDS... [--case GLOB]... [--target T] [--allow GLOB]... [--expect LIST] [--explain]

RECORDS are files in one of three forms (utils/records.py): a record as it is published, one written
out in a line, or facts of test/Golden/Records. The program is written anew in MIL from its name, with
the weights that its campaign used, and compiled in the flavour `zin-9.509`; words of tasks, what they
are written in, addresses, surfaces and the digest of the constants are compared. All stays in one
process. Cases that the compiler refused are not compared.

--expect LIST   lines of `differs [TARGET/]CASE: reason`: exactly these may differ
--explain       says below each word that differs what it is and by which rule we chose it
--table PAGE    writes the table of docs/Evidence.md

Exit 0 when every case that --case selects is equal, or is allowed or expected to differ. A case that
may differ but does not is an error too, so that the lists stay true; so is a pattern that selects
nothing. Needs numpy.
"""
import argparse
import fnmatch
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import records  # noqa: E402


class Result:
    """What differs in a record: `found` in sentences, and whether each part is equal."""

    def __init__(self, record, found, program):
        self.record, self.found = record, found
        refused = program is None
        self.words = not refused and not list(records.compare_tasks(program.tasks, record.tasks, record.device))
        self.tasks = 0 if refused else len(program.tasks)
        self.constants = not refused and not list(records.compare_constants(program, record))


def judge(tools, record):
    if record.program is None:
        return Result(record, ['the name says too little to write its program'], None)
    with tempfile.TemporaryDirectory() as folder:
        case = {'mil': record.program, 'target': record.target, 'weights': record.weights}
        program, error = records.compile_case(tools, case, folder)
    found = ['refused: ' + error] if error else list(records.compare_program(program, record))
    return Result(record, found, program)


def explanations(tools, record, found):
    """Of words that differ: the register, and why we wrote what we did."""
    import ane
    with tempfile.TemporaryDirectory() as folder:
        case = {'mil': record.program, 'target': record.target, 'weights': record.weights}
        program = ane.compile(records.write_inputs(case, folder), target=record.target, flavour='zin-9.509',
                              mil_root=folder, allow_unproven=True)
    for line in found:
        match = re.match(r'task (\d+) ([0-9a-f]{5}) ', line)
        if match:
            yield line, program.explain(match[2].lstrip('0').rjust(1, '0'), int(match[1]))


def read_list(path):
    expected = {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith('#'):
                match = re.match(r'differs (\S+): (.+)', line)
                if not match:
                    sys.exit(f"{path}:{number}: expected 'differs CASE: reason'")
                expected[match[1]] = match[2]
    return expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument('--bin', required=True, help='folder of the tools; the libraries are in ../lib')
    parser.add_argument('records', nargs='+')
    parser.add_argument('--case', action='append', help='compare these only; may be repeated')
    parser.add_argument('--target')
    parser.add_argument('--allow', action='append', default=[], help='these differ; may be repeated')
    parser.add_argument('--expect', help='list of those that differ, and why')
    parser.add_argument('--words', type=int, default=4, help='differences to print of a case')
    parser.add_argument('--explain', action='store_true')
    parser.add_argument('--table')
    options = parser.parse_args()
    patterns = options.case or ['*']
    unused = set(patterns) | set(options.allow)
    expected = read_list(options.expect) if options.expect else {}
    seen, results, failed = set(), [], False
    for path in options.records:
        for record in records.read_file(path):
            name = record.name
            if record.error or options.target not in (None, record.target):
                continue
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                continue
            unused -= {pattern for pattern in unused if fnmatch.fnmatchcase(name, pattern)}
            result = judge(options.bin, record)
            results.append(result)
            found = result.found
            key = next((key for key in (f'{record.target}/{name}', name) if key in expected), None)
            seen.add(key)
            allowed = key or any(fnmatch.fnmatchcase(name, pattern) for pattern in options.allow)
            known = f' (known: {expected[key]})' if key else ' (allowed)' if allowed else ''
            if found:
                print('%s: %d differences%s: %s' % (name, len(found), known, '; '.join(found[:options.words])), flush=True)
                if options.explain and result.tasks:
                    for line, text in explanations(options.bin, record, found[:options.words]):
                        print('  ' + line + '\n' + '\n'.join('    ' + part for part in text.splitlines()))
            elif allowed:
                print(f'{name}: equal, but is said to differ: take it out')
            failed |= bool(found) != bool(allowed)
    if not options.case:
        for name in sorted(set(expected) - seen):
            failed = True
            print(f'{name}: is in the list, but no record is called so: take it out')
    for pattern in sorted(unused):
        print("no case is called '%s'" % pattern)
    if options.table:
        import evidence
        evidence.write(options.table, results, expected)
    single = [r for r in results if len(r.record.tasks) == 1]
    held = [r for r in results if r.record.const or r.record.kernels]
    print('%d of %d cases are equal; words of %d, of %d of %d single tasks; constants of %d of %d' % (
        sum(not r.found for r in results), len(results), sum(r.words for r in results), sum(r.words for r in single),
        len(single), sum(r.constants for r in held), len(held)))
    return 1 if failed or unused or not results else 0


if __name__ == '__main__':
    sys.exit(main())
