"""The parts of a .hwx file that a recorded program is compared by: the words of its tasks, its sections and its
surfaces, by docs/Formats/HWX.md. It reads a thousand files in one process; `ane-translate --dump-hwx` shows more."""
import collections
import hashlib
import struct

MAGIC, SEGMENT, THREAD, PROGRAMS, TENSOR = 0xBEEFFACE, 0x19, 4, (1, 4), 3
# Of a program whose tasks are linked: words of the first one less one, and how many there are.
FIRST_WORDS, TASK_COUNT = 0x818, 0x81C
FRAME = 16
H16 = 7  # subtype from which headers have a word more

# Words of a record in the order that they are written; `follow` are the words behind the first that a scattered
# record names, `base` is the tensor whose address is added (both of packed streams).
Record = collections.namedtuple('Record', 'address words follow base')
Task = collections.namedtuple('Task', 'header records')


class Program:
    def __init__(self, data):
        magic, _, subtype, _, commands, _, _, _ = struct.unpack_from('<8I', data)
        if magic != MAGIC:
            raise ValueError('not a .hwx file')
        self.sections, self.tensors = {}, []
        thread, at = None, 32
        for _ in range(commands):
            command, size, kind = struct.unpack_from('<3I', data, at)
            if command == SEGMENT:
                self._read_sections(data, at)
            elif command == THREAD and kind in PROGRAMS:
                thread = at
            elif command == THREAD and kind == TENSOR:
                self._read_tensor(data, at)
            at += size
        _, size, offset = self.sections['__text']
        text = data[offset:offset + size]
        self.tasks = list(linked_tasks(text, *struct.unpack_from('<2I', data, thread + FIRST_WORDS))
                          if subtype <= 4 else packed_tasks(text, 9 if subtype >= H16 else 8))
        self.text_address, self.constant_address = self.sections['__text'][0], self.sections['__const'][0]
        _, self.constant_size, offset = self.sections['__const']
        self.constant_digest = hashlib.sha256(data[offset:offset + self.constant_size]).hexdigest()
        # Coefficients and tables since H16.
        _, self.kernel_size, offset = self.sections.get('__kern_0', (0, 0, 0))
        self.kernel_digest = hashlib.sha256(data[offset:offset + self.kernel_size]).hexdigest()

    def _read_sections(self, data, at):
        count, = struct.unpack_from('<I', data, at + 64)
        for start in range(at + 72, at + 72 + 80 * count, 80):
            section, segment, address, size, offset = struct.unpack_from('<16s16sQQI', data, start)
            if segment.rstrip(b'\0') in (b'__TEXT', b'__KERN_0'):
                self.sections[section.rstrip(b'\0').decode()] = address, size, offset

    def _read_tensor(self, data, at):
        binding, = struct.unpack_from('<I', data, at + 0x14)
        shape = list(struct.unpack_from('<4I', data, at + 0x28))
        strides = list(struct.unpack_from('<4Q', data, at + 0x50))
        self.tensors.append({'binding': binding, 'shape': shape, 'strides': strides})


def linked_tasks(text, first, count):
    """Tasks of H13: each says how long the next one is and where."""
    at, size = 0, first + 1
    for _ in range(count):
        words = struct.unpack_from('<%dI' % size, text, at)
        header = 11 if words[9] & 3 == 3 else 10
        records, i = [], header
        while i < size:
            end = i + 2 + (words[i] >> 26)
            records.append(Record(words[i] & 0x3FFFFFF, list(words[i + 1:end]), None, None))
            i = end
        yield Task(list(words[:header]), records)
        at, size = words[7], (words[1] >> 16 & 0x1FF) + 1


def packed_head(word):
    """(address, words, follow, base) that the first word of a record means since H14."""
    if word >> 31:
        follow = word >> 15 & 0xFFFF
        return 4 * (word & 0x7FFF), 1 + bin(follow).count('1'), follow, None
    base = word >> 23 & 0x3F if word >> 29 & 1 else None
    return 4 * (word & 0x7FFF), (word >> 15 & 0x3F) + 1, None, base


def packed_tasks(text, header_words):
    at = FRAME
    while at + 4 <= len(text):
        size = struct.unpack_from('<I', text, at)[0] >> 16 & 0x7FF
        if not size:
            break
        words = struct.unpack_from('<%dI' % size, text, at)
        header = header_words + (words[header_words - 1] & 3 == 3)
        records, i = [], header
        while i < size:
            address, count, follow, base = packed_head(words[i])
            records.append(Record(address, list(words[i + 1:i + 1 + count]), follow, base))
            i += 1 + count
        yield Task(list(words[:header]), records)
        at += (4 * size + FRAME - 1) // FRAME * FRAME


def words_of(task):
    """Words by where they go, and the runs that they are written in."""
    words = {'header %d' % i: word for i, word in enumerate(task.header)}
    for record in task.records:
        for i, word in enumerate(record.words):
            words['%05x' % (record.address + 4 * place(record, i))] = word
    return words, [(r.address, len(r.words), r.follow, r.base) for r in task.records]


def place(record, i):
    """How many words behind the first one word i of a record goes."""
    if not i or record.follow is None:
        return i
    return [bit + 1 for bit in range(16) if record.follow >> bit & 1][i - 1]
