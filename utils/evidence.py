"""docs/Evidence.md: how our programs of flavour zin-9.509 compare with recorded ones."""
import collections
import re

HEAD = '''<!-- Made by utils/check-evidence --write. -->
# Evidence

Programs of flavour `zin-9.509` beside those that Apple's compiler 9.509 is recorded with, word by word
([records](../test/Golden/Records/README.md), published by joshuaswarren/mil-hwx-compiler). *Words* are
equal when header, records and all register words of all tasks are; *tasks* when their number is.
`utils/check-evidence --write build` makes this page.

Rules were fitted on all records but those *not fitted*, which were read when the rules were there:
L2 places, work units and waits of softmax, of constants of each channel, of few channels and of products
of one row on the `*-norms`, `*-more` and `h16-device` files, strides and units of convolutions on
`*-convolutions-products`. No record that is kept back was read; words of a device have no names of
records, so that of these it cannot be shown.

'''
FAMILIES = (('binary', 'elementwise'), ('unary', 'function of one tensor'), ('env_bcast', 'broadcast'), ('rrmm_bcast', 'broadcast'),
            ('reduce', 'reduction'), ('h14norm_reduce', 'reduction'), ('norm_softmax', 'softmax'), ('softmax', 'softmax'),
            ('h14norm_softmax', 'softmax'), ('norm_layer', 'layer norm'), ('layer_norm', 'layer norm'),
            ('h14norm_layer', 'layer norm'), ('conv', 'convolution'), ('env_conv', 'convolution'), ('encoder_conv', 'convolution'),
            ('matmul', 'product with constants'), ('linear', 'product with constants'), ('encoder_linear', 'product with constants'),
            ('h16g_conv', 'convolution on a device'), ('h16g_reduce', 'reduction on a device'),
            ('chain', 'chain'), ('env_chain', 'chain'), ('env_mm', 'product'), ('rrmm', 'product'))


def family(name):
    fits = [(len(start), what) for start, what in FAMILIES if name.startswith(start)]
    if re.match(r'(env_mm|rrmm)_r\dr?b', name):
        return 'product with constants'
    return max(fits)[1] if fits else name.split('_')[0]


def share(part, whole):
    return '-' if not whole else f'{part} of {whole}'


def table(results):
    rows = collections.defaultdict(list)
    for result in results:
        form = 'single task' if len(result.record.tasks) == 1 else 'several tasks'
        rows[family(result.record.name), result.record.target, form].append(result)
    yield '| family | generation | form | records | words equal | tasks equal | constants equal |'
    yield '|---|---|---|---|---|---|---|'
    total = collections.defaultdict(list)
    for (kind, target, form), group in sorted(rows.items()):
        yield row(kind, target, form, group)
        total[target, form] += group
        total[target, 'all'] += group
        total[target, 'not fitted'] += [result for result in group if result.record.unfitted]
    for (target, form), group in sorted(((key, group) for key, group in total.items() if group), key=lambda item: item[0]):
        yield row('**all**', target, form, group)


def row(kind, target, form, group):
    held = [result for result in group if result.record.const or result.record.kernels]
    counts = (share(sum(r.words for r in group), len(group)),
              share(sum(r.tasks == len(r.record.tasks) for r in group), len(group)),
              share(sum(r.constants for r in held), len(held)))
    return f'| {kind} | {target} | {form} | {len(group)} | ' + ' | '.join(counts) + ' |'


def page(results, expected):
    lines = list(table(results))
    lines += ['', '## What differs', '', 'Each of these is a choice whose rule is not known yet, unless the reason says more.', '',
              '| record | generation | what differs |', '|---|---|---|']
    for result in sorted(results, key=lambda r: (r.record.target, r.record.name)):
        if result.found:
            name = result.record.name
            reason = expected.get(f'{result.record.target}/{name}') or expected.get(name) or result.found[0]
            lines.append(f'| `{name}` | {result.record.target} | {reason} |')
    return HEAD + '\n'.join(lines) + '\n'


def write(path, results, expected):
    with open(path, 'w') as file:
        file.write(page(results, expected))
