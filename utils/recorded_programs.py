"""MIL programs that compiler 9.509 was recorded with, written anew from what their names say."""
import re


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
    kind = shape if isinstance(shape, str) else tensor(shape)
    return f'{kind} {result} = {operation}({arguments})[name = string("{result}")];'


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


def named_convolution(match):
    """The sizes that a name has; images are square."""
    n = {key: int(value) if (value or '').isdigit() else value for key, value in match.groupdict().items()}
    stride = n.get('s') or 1
    row = {'Cin': n['cin'], 'Cout': n['cout'], 'H': n['size'], 'W': n['size'], 'Kh': n['k'], 'Kw': n['k'], 's': stride,
           'g': n.get('g') or 1, 'bias': n['bias']}
    left = n['size'] - n['k'] if n.get('pad') == 'valid' else n['size'] - 1
    row['Ho'] = row['Wo'] = left // stride + 1
    return convolution(match.string, row)


def first_convolution(match):
    """Of the first campaign: its bias is of zeros, and no blob."""
    text = named_convolution(match).replace(blob('b', [int(match['cout'])]), zeros('b', int(match['cout'])))
    if match['relu']:
        kind = tensor([1] + [int(match[key]) for key in ('cout', 'size', 'size')])
        text = text.replace(f'{kind} y = conv', f'{kind} c = conv').replace('[name = string("y")]', '[name = string("c")]')
        text = text.replace('\n  } ->', f'\n    {statement(kind, "relu", "x = c")}\n  }} ->')
    return text


def zeros(name, count):
    kind = tensor([count])
    return constant(name, kind, '[' + ', '.join(['fp16(0x0p+0)'] * count) + ']')


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


def binary_constant(match):
    shape, kind = [1, int(match['c']), 1, 1], match['kind']
    half = 'fp16(0x1p-1)'
    if kind == 'scalar':
        other = constant('z', 'fp16', '0x1p-1')
    elif kind == 'blob':
        other = blob('z', shape)
    else:
        other = constant('z', tensor(shape), '[' + ', '.join([half] * shape[1]) + ']')
    return program([('x', shape)], [other, statement(shape, match['op'], 'x = x, y = z')])


ATTRIBUTES = {'rsqrt': ', epsilon = fp32(0.000001)', 'gelu': ', mode = string("EXACT")',
              'clip': ', alpha = fp32(-1.0), beta = fp32(1.0)', 'leaky_relu': ', alpha = fp32(0.125)'}


def unary(match):
    shape = [1, int(match['c']), 1, 1] if match['c'] else sizes(match['shape'])
    return program([('x', shape)], [statement(shape, match['op'], 'x = x' + ATTRIBUTES.get(match['op'], ''))])


def softmax(match):
    shape, axis = sizes(match['shape']), (match['axis'] or '-1').replace('n', '-')
    return program([('x', shape)], [constant('axis', 'int32', axis), statement(shape, 'softmax', 'axis = axis, x = x')])


def layer_norm(match):
    shape, axes = sizes(match['shape']), match['axes']
    axes = axes.split('_') if axes else [2] if len(shape) == 3 else [1, 2, 3]
    lines, affine = [numbers('axes', axes)], ''
    if match.groupdict().get('affine'):
        kind = [shape[int(axis)] for axis in axes]
        count = 1
        for size in kind:
            count *= size
        for name, value in (('gamma', 'fp16(0x1p+0)'), ('beta', 'fp16(0x0p+0)')):
            lines.append(constant(name, tensor(kind), '[' + ', '.join([value] * count) + ']'))
        affine = 'beta = beta, gamma = gamma, '
    return program([('x', shape)], lines + [statement(
        shape, 'layer_norm', f'axes = axes, {affine}epsilon = fp32(0.00001), x = x')])


def reduction(match):
    shape, axes = sizes(match['shape']), [int(axis) for axis in match['axes'].split('_')]
    flat = bool(match.groupdict().get('flat'))
    result = [1 if i in axes else size for i, size in enumerate(shape) if not (flat and i in axes)]
    keep = str(not flat).lower()
    return program([('x', shape)], [numbers('axes', axes), statement(
        result, 'reduce_' + match['op'], f'axes = axes, keep_dims = bool({keep}), x = x')])


def first_reduction(match):
    shape, axes = [1, 64, 8, 8], [int(axis) for axis in match['axes'].split('_')]
    result = [1 if i in axes else size for i, size in enumerate(shape)]
    return program([('x', shape)], [numbers('axes', axes), statement(
        result, 'reduce_' + match['op'], 'axes = axes, keep_dims = bool(true), x = x')])


def matmul(match):
    n = {key: int(value or 0) for key, value in match.groupdict().items() if key not in ('rank', 'right', 'relu')}
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


def first_matmul(match):
    """Of the first campaign, where a bias and relu may follow."""
    text = matmul(match)
    if not match['relu']:
        return text
    rows, columns = int(match['m']), int(match['n'])
    lines = [zeros('b', columns), statement([rows, columns], 'add', 'x = product, y = b', 'biased'),
             statement([rows, columns], 'relu', 'x = biased')]
    return text.replace('\n  } -> (product)', ''.join('\n    ' + line for line in lines) + '\n  } -> (y)')


def first_linear(match):
    k, n = int(match['k']), int(match['n'])
    lines = [blob('w', [n, k]), zeros('b', n), statement([1, n], 'linear', 'x = x, weight = w, bias = b')]
    return program([('x', [1, k])], lines)


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
    (r'binary_(?P<op>\w+?)_c(?P<c>\d+)_constant_(?P<kind>inline|blob|scalar)', binary_constant),
    (rf'binary_(?P<op>\w+?)_{SHAPE}', binary),
    (rf'(?:env|rrmm)_bcast_(?P<op>add|mul)_{SHAPE}_(?P<kind>runtime|blob)_(?P<other>\d+(?:x\d+)+)', broadcast),
    (rf'env_bcast_(?P<op>mul|add)_{SHAPE}_scalar', scalar),
    (rf'(?:unary|env_act)_(?P<op>\w+?)_(?:c(?P<c>\d+)|{SHAPE})(?:_exact)?', unary),
    (rf'(?:norm_|h14norm_)?softmax_(?:a(?P<axis>n?\d)_)?{SHAPE}', softmax),
    (rf'(?:norm_|h14norm_)?layer_norm_(?:ax(?P<axes>[\d_]+)_)?{SHAPE}(?P<affine>_affine)?', layer_norm),
    (rf'(?:reduce_probe|h14norm_reduce|h16g_reduce)_(?P<op>sum|max|mean)_ax(?P<axes>\d(?:_\d)*)_{SHAPE}(?P<flat>_flat)?', reduction),
    (r'reduce_(?P<op>sum|max|mean)_axes_(?P<axes>\d(?:_\d)*)', first_reduction),
    (r'matmul_m(?P<m>\d+)_k(?P<k>\d+)_n(?P<n>\d+)(?P<tx>)_ty(?P<ty>\d)(?P<right>)(?P<relu>_bias_relu)?', first_matmul),
    (r'(?:env_mm|rrmm)_r(?P<rank>[23])r(?P<right>[rb])_m(?P<m>\d+)_k(?P<k>\d+)_n(?P<n>\d+)_tx(?P<tx>\d)_ty(?P<ty>\d)(?:_b(?P<b>\d+))?', matmul),
    (r'linear_k(?P<k>\d+)_n(?P<n>\d+)', first_linear),
    (rf'encoder_linear_{SHAPE}_n(?P<n>\d+)', linear),
    (rf'encoder_transpose_r\d_(?P<perm>\d+)_{SHAPE}', transposed),
    (r'conv_k(?P<k>\d+)_c(?P<cin>\d+)_n(?P<cout>\d+)_s(?P<size>\d+)_bias(?P<bias>\d)(?P<relu>_relu)?', first_convolution),
    (r'h16g_conv_k(?P<k>\d+)_c(?P<cin>\d+)_n(?P<cout>\d+)_s(?P<size>\d+)_g(?P<g>\d+)_bias(?P<bias>\d)', named_convolution),
    (r'(?:env_conv|conv_probe)_k(?P<k>\d+)_c(?P<cin>\d+)_n(?P<cout>\d+)_s(?P<size>\d+)_st(?P<s>\d+)_g(?P<g>\d+)_bias(?P<bias>\d)'
     r'(?:_(?P<pad>same|valid))?', named_convolution),
]


def program_of(name, row=None):
    """The MIL program of a case, None when the name is none of these forms. Of convolutions a row may have the sizes."""
    if row and 'Kh' in row:
        return convolution(name, row)
    for pattern, make in FORMS:
        match = re.fullmatch(pattern, name)
        if match:
            return make(match)
    return None
