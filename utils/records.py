"""Recorded decisions of Apple's compiler: their forms, and our program beside each.

Three forms are read, and told apart by their keys:
  - published: research/oracles/TARGET/NAME.json of joshuaswarren/mil-hwx-compiler, one object a file
  - written out: one object a line, with the MIL program and the words of each record by its address
  - facts: one object a line of test/Golden/Records (its README.md says what is in it); the program follows from the name
"""
import json
import os
import re
import struct
import sys

import hwx_file
from recorded_programs import program_of

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'python'))

CONSTANT = re.compile(
    r'tensor<fp16, \[(?P<shape>[\d, ]*)\]>\(BLOBFILE\(path = string\("@model_path/(?P<file>[^"]+)"\), '
    r'offset = uint64\((?P<offset>\d+)\)\)')
BLOB_MAGIC, FP16, ALIGN = 0xDEADBEEF, 1, 64
ESTIMATE = 'header 1'


# Forms of records

class Recorded:
    """A program and what compiler 9.509 made of it. What a form does not have is None."""

    def __init__(self, name, target, error=None):
        self.name, self.target, self.error = name, target, error
        self.family = self.source = self.mil = self.const = self.text_address = self.constant_address = None
        self.kernels = self.device = None
        self.unfitted = False
        self.weights, self.tasks, self.tensors = {}, [], None

    @property
    def program(self):
        """Our MIL of the record: written from the name, or that of the record for a name that says too little."""
        return program_of(self.name) or self.mil


def number(word):
    return int(word, 16)


def expand(words):
    """Numbers of `0 80*16 40`."""
    result = []
    for word in words.split():
        value, _, times = word.partition('*')
        result += [int(value, 16)] * int(times or 1)
    return result


def record_of(target, first, words):
    """A record by its first word: on H13 the address counts bytes, later words."""
    if target == 'h13':
        return hwx_file.Record(first & 0x3ffffff, words, None, None)
    address, count, follow, base = hwx_file.packed_head(first)
    assert count == len(words), 'a record of %d words has %d' % (count, len(words))
    return hwx_file.Record(address, words, follow, base)


def read_published(data):
    record = Recorded(data['case'], data['target'], data.get('error'))
    record.family, record.mil, record.weights = data.get('family'), data.get('mil'), data.get('weights') or {}
    if record.error:
        return record
    for task in data['task_descriptors']:
        written = {number(at): number(word) for block in task['blocks'].values() for at, word in block['words'].items()}
        records = []
        for item in task['records']:
            head = number(item['header'])
            follow = head >> 15 & 0xffff if record.target != 'h13' and head >> 31 else None
            probe = hwx_file.Record(number(item['address']), [0] * item['count'], follow, None)
            places = [probe.address + 4 * hwx_file.place(probe, i) for i in range(item['count'])]
            records.append(record_of(record.target, head, [written[at] for at in places]))
        record.tasks.append(hwx_file.Task([number(word) for word in task['header_words']], records))
    program, constants = data['program_descriptor'], data.get('constant_section')
    record.text_address, record.constant_address = number(program['text_address']), number(program['constant_address'])
    record.tensors = data['tensor_descriptors']
    record.const = constants and (constants['size'], constants['sha256'])
    kernels = data.get('kernel_section')
    record.kernels = kernels and (kernels['size'], kernels['sha256'])
    return record


def read_written_out(data):
    record = Recorded(data['case'], data['target'], data.get('error'))
    record.family, record.mil, record.weights = data.get('family'), data['mil'], data['weights']
    if record.error:
        return record
    for task in data['tasks']:
        header = [number(word) for word in task['header']] + ([number(task['extra'])] if task.get('extra') else [])
        records = []
        for item in task['records']:
            words = [number(word) for word in task['blocks'][item[0]].split()]
            records.append(record_of(record.target, number(item[2] if len(item) > 2 else item[0]), words))
        record.tasks.append(hwx_file.Task(header, records))
    program, constants = data['program'], data['const']
    record.text_address, record.constant_address = number(program['text_address']), number(program['constant_address'])
    record.tensors = data['tensors']
    record.const = constants and (constants['size'], constants['sha256'])
    return record


def read_facts(data):
    record = Recorded(data['case'], data['target'], data.get('refused'))
    record.source, record.weights = data['source'], {'value': 'index' if data.get('weights') == 'each' else None}
    record.device, record.unfitted = data.get('device'), bool(data.get('unfitted'))
    if record.error:
        return record
    for key in ('text', 'constants'):
        if key in data:
            setattr(record, {'text': 'text_address', 'constants': 'constant_address'}[key], number(data[key]))
    for key, name in (('digest', 'const'), ('kernels', 'kernels')):
        if data.get(key):
            size, digest = data[key].split()
            setattr(record, name, (int(size), digest))
    for task in data['tasks']:
        records = [record_of(record.target, number(first), expand(words)) for first, words in task[1:]]
        record.tasks.append(hwx_file.Task(expand(task[0]), records))
    return record


def read(data):
    if 'task_descriptors' in data or 'program_descriptor' in data:
        return read_published(data)
    return read_facts(data) if 'source' in data and 'program' not in data else read_written_out(data)


def read_file(path):
    """The records of a file: one object, or one a line."""
    with open(path) as file:
        text = file.read()
    try:
        return [read(json.loads(text))]
    except json.JSONDecodeError:
        return [read(json.loads(line)) for line in text.splitlines() if line.strip()]


# Our program

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
    """Our program in the flavour zin-9.509, or the error. The compiler stays in this process."""
    os.environ['ANE_LIBRARY_DIR'] = os.path.join(os.path.dirname(os.path.abspath(tools)), 'lib')
    import warnings
    import ane
    path = write_inputs(case, folder, payloads_of)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            program = ane.compile(path, target=case['target'], flavour='zin-9.509', mil_root=folder, allow_unproven=True)
    except ane.CompileError as error:
        return None, str(error).replace(folder + os.sep, '').splitlines()[0]
    return hwx_file.Program(program.data), None


# What differs

def show(word):
    return 'nothing' if word is None else '0x%x' % word


def show_run(address, count, follow, base):
    return '%05x+%d' % (address, count) + (':%x' % follow if follow else '') + ('@%d' % base if base else '')


def show_runs(runs):
    return ' '.join(show_run(*run) for run in runs)


def compare_tasks(ours, theirs, device=None):
    if len(ours) != len(theirs):
        yield '%d tasks, recorded %d' % (len(ours), len(theirs))
    for index, (our, their) in enumerate(zip(ours, theirs)):
        our, our_runs = hwx_file.words_of(our)
        their, their_runs = hwx_file.words_of(their)
        if our_runs != their_runs:
            yield 'task %d writes %s, recorded %s' % (index, show_runs(our_runs), show_runs(their_runs))
        for address in sorted(our.keys() | their.keys()):
            # Another class of chip has other rates.
            if our.get(address) != their.get(address) and not (device and address == ESTIMATE):
                yield 'task %d %s %s, recorded %s' % (index, address, show(our.get(address)), show(their.get(address)))


def compare_places(program, record):
    """Addresses of the image and surfaces."""
    for name, ours, theirs in (('__text', program.text_address, record.text_address),
                               ('__const', program.constant_address, record.constant_address)):
        if theirs is not None and ours != theirs:
            yield '%s at 0x%x, recorded 0x%x' % (name, ours, theirs)
    for kind, binding in (('input', 1), ('output', 2)):
        ours = [(t['shape'], t['strides']) for t in program.tensors if t['binding'] == binding]
        theirs = [(t['shape'], t['strides']) for t in record.tensors or [] if t['binding'] == binding]
        if record.tensors and sorted(ours) != sorted(theirs):
            yield '%ss %s, recorded %s' % (kind, ours, theirs)


def compare_constants(program, record):
    if record.const and program.constant_digest != record.const[1]:
        yield 'other constants: %d bytes, recorded %d' % (program.constant_size, record.const[0])
    if record.kernels and program.kernel_digest != record.kernels[1]:
        yield 'other kernels: %d bytes, recorded %d' % (program.kernel_size, record.kernels[0])


def compare_program(program, record):
    yield from compare_tasks(program.tasks, record.tasks, record.device)
    yield from compare_places(program, record)
    yield from compare_constants(program, record)
