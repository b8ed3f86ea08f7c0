#!/usr/bin/env python3
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
import importlib.util
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location('oracles', os.path.join(HERE, 'check-oracles.py'))
oracles = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracles)


# Programs

def sizes(text):
    return [int(size) for size in text.split('x')]


def tensor(shape, element='fp16'):
    return f'tensor<{element}, [{", ".join(map(str, shape))}]>'


def constant(name, type_, value):
    return f'{type_} {name} = const()[name = string("{name}"), val = {type_}({value})];'


def numbers(name, values):
    return constant(name, f'tensor<int32, [{len(values)}]>', '[' + ', '.join(map(str, values)) + ']')


def blob(name, shape):
    at = 'BLOBFILE(path = string("@model_path/weights.bin"), offset = uint64(64))'
    return constant(name, tensor(shape), at)


def program(arguments, statements, result='y'):
    header = ', '.join(f'{tensor(shape)} {name}' for name, shape in arguments)
    body = '\n'.join('    ' + line for line in statements)
    return ('program(1.3)\n[buildInfo = dict<string, string>({})]\n{\n'
            f'  func main<ios18>({header}) {{\n{body}\n  }} -> ({result});\n}}\n')


def statement(shape, operation, arguments, result='y'):
    return f'{tensor(shape)} {result} = {operation}({arguments})[name = string("{result}")];'


def convolution(name, row):
    n = {key: int(row[key]) for key in ('Cin', 'Cout', 'H', 'W', 'Ho', 'Wo', 'Kh', 'Kw', 's', 'g', 'bias')}
    pads = re.search(r'_p(\d)(\d)(\d)(\d)(?:_|$)', name)
    kind = 'custom' if pads else 'valid' if '_valid' in name else 'same'
    lines = [constant('pt', 'string', f'"{kind}"'),
             numbers('st', [n['s']] * 2), numbers('pd', pads.groups() if pads else [0] * 4), numbers('dl', [1, 1]),
             constant('gp', 'int32', n['g']), blob('w', [n['Cout'], n['Cin'] // n['g'], n['Kh'], n['Kw']])]
    if n['bias']:
        lines.append(blob('b', [n['Cout']]))
    bias = 'bias = b, ' if n['bias'] else ''
    lines.append(statement([1, n['Cout'], n['Ho'], n['Wo']], 'conv',
                           bias + 'dilations = dl, groups = gp, pad = pd, pad_type = pt, strides = st, weight = w, x = x'))
    return program([('x', [1, n['Cin'], n['H'], n['W']])], lines)


def binary(match):
    shape = sizes(match['shape'])
    return program([('x', shape), ('z', shape)], [statement(shape, match['op'], 'x = x, y = z')])


def broadcast(match):
    shape, other = sizes(match['shape']), sizes(match['other'])
    arguments, lines = [('x', shape)], []
    if match['kind'] == 'blob':
        lines.append(blob('z', other))
    else:
        arguments.append(('z', other))
    result = [max(pair) for pair in zip(shape, other)]
    return program(arguments, lines + [statement(result, match['op'], 'x = x, y = z')])


def scalar(match):
    shape = sizes(match['shape'])
    return program([('x', shape)], [constant('z', 'fp16', '0x1p-1'), statement(shape, match['op'], 'x = x, y = z')])


def unary(match):
    shape = [1, int(match['c']), 1, 1] if match['c'] else sizes(match['shape'])
    epsilon = {'rsqrt': ', epsilon = fp16(0x1p-10)'}.get(match['op'], '')
    return program([('x', shape)], [statement(shape, match['op'], 'x = x' + epsilon)])


def softmax(match):
    shape, axis = sizes(match['shape']), match['axis'] or '-1'
    return program([('x', shape)], [constant('axis', 'int32', axis), statement(shape, 'softmax', 'axis = axis, x = x')])


def layer_norm(match):
    shape, axes = sizes(match['shape']), match['axes']
    axes = axes.split('_') if axes else [2] if len(shape) == 3 else [1, 2, 3]
    return program([('x', shape)], [numbers('axes', axes), statement(
        shape, 'layer_norm', 'axes = axes, epsilon = fp32(0.00001), x = x')])


def reduction(match):
    shape, axes = sizes(match['shape']), [int(axis) for axis in match['axes'].split('_')]
    flat = bool(match.groupdict().get('flat'))
    result = [1 if i in axes else size for i, size in enumerate(shape) if not (flat and i in axes)]
    keep = str(not flat).lower()
    return program([('x', shape)], [numbers('axes', axes), statement(
        result, 'reduce_' + match['op'], f'axes = axes, keep_dims = bool({keep}), x = x')])


def matmul(match):
    n = {key: int(value or 0) for key, value in match.groupdict().items() if key not in ('rank', 'right')}
    lead = [n['b']] if match.groupdict().get('rank') == '3' else []
    left = lead + ([n['k'], n['m']] if n['tx'] else [n['m'], n['k']])
    right = lead + ([n['n'], n['k']] if n['ty'] else [n['k'], n['n']])
    arguments = [('x', left)]
    lines = [constant('tx', 'bool', f'{str(bool(n["tx"])).lower()}'), constant('ty', 'bool', f'{str(bool(n["ty"])).lower()}')]
    if match['right'] == 'r':
        arguments.append(('w', right))
    else:
        lines.append(blob('w', right))
    lines.append(statement(lead + [n['m'], n['n']], 'matmul', 'transpose_x = tx, transpose_y = ty, x = x, y = w', 'product'))
    return program(arguments, lines, 'product')


def linear(match):
    shape, n = sizes(match['shape']), int(match['n'])
    lines = [blob('w', [n, shape[-1]]), statement(shape[:-1] + [n], 'linear', 'weight = w, x = x')]
    return program([('x', shape)], lines)


def transposed(match):
    perm = [int(axis) for axis in match['perm']]
    shape = [1] * (len(perm) - len(sizes(match['shape']))) + sizes(match['shape'])
    return program([('x', shape)], [numbers('perm', perm), statement([shape[i] for i in perm], 'transpose', 'perm = perm, x = x')])


SHAPE = r'(?P<shape>\d+(?:x\d+)+)'
FORMS = [
    (rf'binary_(?P<op>\w+?)_{SHAPE}', binary),
    (rf'(?:env|rrmm)_bcast_(?P<op>add|mul)_{SHAPE}_(?P<kind>runtime|blob)_(?P<other>\d+(?:x\d+)+)', broadcast),
    (rf'env_bcast_(?P<op>mul)_{SHAPE}_scalar', scalar),
    (rf'unary_(?P<op>\w+?)_(?:c(?P<c>\d+)|{SHAPE})', unary),
    (rf'(?:norm_)?softmax_(?:a(?P<axis>\d)_)?{SHAPE}', softmax),
    (rf'(?:norm_)?layer_norm_(?:ax(?P<axes>[\d_]+)_)?{SHAPE}', layer_norm),
    (rf'reduce_probe_(?P<op>sum)_ax(?P<axes>\d(?:_\d)*)_{SHAPE}(?P<flat>_flat)?', reduction),
    (r'matmul_m(?P<m>\d+)_k(?P<k>\d+)_n(?P<n>\d+)(?P<tx>)_ty(?P<ty>\d)(?P<right>)', matmul),
    (r'(?:env_mm|rrmm)_r(?P<rank>[23])r(?P<right>[rb])_m(?P<m>\d+)_k(?P<k>\d+)_n(?P<n>\d+)_tx(?P<tx>\d)_ty(?P<ty>\d)(?:_b(?P<b>\d+))?', matmul),
    (rf'encoder_linear_{SHAPE}_n(?P<n>\d+)', linear),
    (rf'encoder_transpose_r\d_(?P<perm>\d+)_{SHAPE}', transposed),
]


def program_of(name, row):
    """The MIL program of a case, None when the name is none of these forms."""
    if 'Kh' in row:
        return convolution(name, row)
    for pattern, make in FORMS:
        match = re.fullmatch(pattern, name)
        if match:
            return make(match)
    return None


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
        dump, error = oracles.compile_case(tools, case, folder)
    if error:
        return ['refused: ' + re.sub(r'^\S*?:\d+:\d+: ', '', error)]
    found = []
    number = next((int(r.get('ntasks') or r.get('tasks')) for r in rows if r.get('ntasks') or r.get('tasks')), None)
    if number and number != len(dump['tasks']):
        found.append(f'{len(dump["tasks"])} tasks, recorded {number}')
    for row in rows:
        index = int(row['task'])
        if index >= len(dump['tasks']):
            continue
        ours, _ = oracles.our_words(dump['tasks'][index])
        for what, value, mask in words_of(row):
            mine = ours.get(what)
            # A word that is not written has the value of a reset engine.
            if (mine or 0) & mask != value:
                found.append(f'task {index} {what} {oracles.show(mine)}, recorded 0x{value:x}')
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
