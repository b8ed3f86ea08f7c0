"""Where tensors lie in a memory, and who wrote it last."""
import numpy as np


class Box:
    """Bytes of a tensor in a memory: runs of `run` bytes at base + the steps of `dims`."""

    def __init__(self, base, dims, run):
        self.base, self.run = base, run
        self.dims = [(count, step) for count, step in dims if count != 1]

    def end(self):
        return self.base + sum((count - 1) * step for count, step in self.dims) + self.run

    def view(self, memory):
        shape = [count for count, _ in self.dims] + [self.run]
        strides = [step * memory.itemsize for _, step in self.dims] + [memory.itemsize]
        return np.lib.stride_tricks.as_strided(memory[self.base:], shape, strides)

    def has_distinct_bytes(self):
        reach, apart = self.run, True
        for count, step in sorted(self.dims, key=lambda dim: dim[1]):
            apart &= step >= reach
            reach += (count - 1) * step
        if apart:
            return True
        hits = np.zeros(reach, np.uint8)
        view = Box(0, self.dims, self.run).view(hits)
        view[...] = 1
        return int(np.count_nonzero(hits)) == view.size

    def merged(self):
        """The same bytes with as few steps as possible."""
        dims, run = [], self.run
        for count, step in sorted(self.dims, key=lambda dim: dim[1]):
            if not dims and step == run:
                run *= count
            elif dims and step == dims[-1][0] * dims[-1][1]:
                dims[-1] = (dims[-1][0] * count, dims[-1][1])
            elif step or count == 1:
                dims.append((count, step))
        return Box(self.base, dims[::-1], run)


class Place:
    """A tensor in one memory. Shapes are groups, depth, channels, rows, columns."""

    def __init__(self, role, shape, size, base, strides, interleave=1, exchange=False):
        self.role, self.shape, self.size, self.base = role, shape, size, base
        self.strides, self.interleave, self.exchange = strides, max(interleave, 1), exchange

    def boxes(self):
        groups, depth, planes, rows, columns = self.shape
        by_group, by_depth, by_plane, by_row = self.strides
        if self.exchange:
            planes, columns = columns, planes
        outer = [(groups, by_group), (depth, by_depth)]
        side = self.interleave
        boxes = []
        if planes >= side:
            boxes.append(Box(self.base, outer + [(planes // side, by_plane), (rows, by_row)], columns * side * self.size))
        if planes % side:
            boxes.append(Box(self.base + planes // side * by_plane, outer + [(rows, by_row), (columns, side * self.size)],
                             planes % side * self.size))
        return boxes

    def end(self):
        return max(box.end() for box in self.boxes())

    def text(self):
        g, d, c, h, w = self.shape
        return f"{self.role} (G{g} D{d} C{c} H{h} W{w})"

    def part(self, **changes):
        """The same place with another shape."""
        result = Place(self.role, list(self.shape), self.size, self.base, self.strides, self.interleave, self.exchange)
        for name, value in changes.items():
            result.shape["groups depth channels rows columns".split().index(name)] = value
        return result


class Memory:
    """Who wrote each byte: task + 1, 0 nobody, -(task + 1) a tile that was streamed over it.

    What a task writes over without having read it is lost for later readers of the rest. `first`
    and `last` have the owners that lost a byte first and last, `reader` who read it last.
    """

    def __init__(self, name, size):
        self.name, self.size = name, size
        self.owner, self.first, self.last, self.reader = (np.zeros(size, np.int32) for _ in range(4))

    def write(self, place, task):
        for box in place.boxes():
            box = box.merged()
            owner = box.view(self.owner)
            lost = np.where((owner > 0) & (box.view(self.reader) != task + 1), owner, 0)
            if lost.any():
                first, last = box.view(self.first), box.view(self.last)
                np.copyto(first, lost, where=first == 0)
                np.copyto(last, lost, where=lost != 0)
            owner[...] = task + 1

    def stream(self, first, end, task):
        self.owner[first:end] = -(task + 1)

    def owners(self, place):
        found = set()
        for box in place.boxes():
            view = box.merged().view(self.owner)
            first = view.flat[0]
            found |= {int(first)} if (view == first).all() else {int(one) for one in np.unique(view)}
        return found

    def first_of(self, place, what):
        """Where a byte with that owner is, for a message."""
        for box in place.boxes():
            hits = np.argwhere(box.view(self.owner) == what)
            if len(hits):
                return box.base + int(np.dot(hits[0], [step for _, step in box.dims] + [1]))
        return None

    def read(self, place, task, report):
        """Reports what is not there. Returns the owners of what is."""
        owners = self.owners(place)
        for box in place.boxes():
            box.merged().view(self.reader)[...] = task + 1
        if 0 in owners:
            report(f"{place.text()} reads byte {self.first_of(place, 0):#x} of {self.name}, which no task wrote")
        for one in sorted(owners):
            if one < 0:
                report(f"{place.text()} reads byte {self.first_of(place, one):#x} of {self.name}, over which "
                       f"a tile of task {-one - 1} was streamed")
        owners = {one for one in owners if one > 0}
        if len(owners) > 1:
            for one, by in sorted(self.losses(place, owners)):
                report(f"{place.text()} reads what task {one - 1} left in {self.name}, but task {by - 1} wrote over a part of it")
        return owners

    def losses(self, place, owners):
        """(owner, who has its bytes now) of owners that have a part of the place only."""
        found = set()
        for box in place.boxes():
            now = box.view(self.owner)
            for memory in (self.first, self.last):
                lost = box.view(memory)
                for one in owners.intersection(int(value) for value in np.unique(lost)):
                    # It may have written the byte again.
                    found |= {(one, int(by)) for by in np.unique(now[lost == one]) if by != one}
        return found
