"""Operations of fuzz-mil.py with a memory."""
import numpy as np

from fuzz_mil_program import op

FUNCTIONS = {"tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "relu": lambda x: np.maximum(x, 0), "linear": lambda x: x,
             "sigmoid_hard": lambda x: np.clip(0.2 * x + 0.5, 0, 1)}


class Cell:
    """One direction: its constants, and a step of it."""

    def __init__(self, g, name, x, hidden, functions, suffix=""):
        gates = {"rnn": 1, "gru": 3, "lstm": 4}[name]
        self.step, self.hidden, self.after = getattr(self, name), hidden, False
        self.gate, self.inner, self.outer = functions
        self.constants, self.clip = {}, np.inf

        def constant(what, shape):
            self.constants[what + suffix] = value = g.constant(shape)
            return value.data

        self.weight = constant("weight_ih", [gates * hidden, x.shape[2]]) / 1.0
        self.memory = constant("weight_hh", [gates * hidden, hidden])
        self.bias = constant("bias", [gates * hidden]) if g.rng.random() < 0.6 else np.zeros(gates * hidden)
        peeks = name == "lstm" and g.rng.random() < 0.3
        self.peephole = np.split(constant("peephole", [3 * hidden]), 3) if peeks else [0, 0, 0]

    def parts(self, values):
        return np.split(values, values.shape[-1] // self.hidden, -1)

    def rnn(self, x, h, c):
        return self.inner(x @ self.weight.T + h @ self.memory.T + self.bias), c

    def gru(self, x, h, c):
        seen, (weight_r, weight_z, weight_n) = self.parts(x @ self.weight.T + self.bias), np.split(self.memory, 3)
        reset, update = self.gate(seen[0] + h @ weight_r.T), self.gate(seen[1] + h @ weight_z.T)
        inner = reset * (h @ weight_n.T) if self.after else (reset * h) @ weight_n.T
        fresh = self.inner(seen[2] + inner)
        return (1 - update) * fresh + update * h, c

    def lstm(self, x, h, c):
        i, f, o, n = self.parts(x @ self.weight.T + h @ self.memory.T + self.bias)
        c_new = self.gate(f + self.peephole[1] * c) * c + self.gate(i + self.peephole[0] * c) * self.inner(n)
        c_new = np.clip(c_new, -self.clip, self.clip)
        return self.gate(o + self.peephole[2] * c_new) * self.outer(c_new), c_new

    def run(self, x, h, c):
        states = []
        for row in x:
            h, c = self.step(row, h, c)
            states.append(h)
        return np.stack(states), h, c


@op
def recurrent(g, x):
    if len(x.shape) != 3 or x.shape[0] > 12 or np.abs(x.data).max() > 8:
        return None
    rng, name = g.rng, g.rng.choice(["rnn", "gru", "lstm", "lstm"])
    hidden, batch = rng.choice([1, 3, 8, 17]), x.shape[1]
    # What grows without bound hides errors: functions with one, but for the last.
    names = [rng.choice(["sigmoid", "sigmoid_hard"]), rng.choice(["tanh", "tanh", "sigmoid"]), rng.choice(["tanh", "linear", "relu"])]
    if name != "lstm":
        names[2] = names[1]
    functions = [FUNCTIONS[word] for word in names]
    direction = rng.choice(["forward", "reverse"] + ["bidirectional"] * (name == "lstm"))
    cells = [Cell(g, name, x, hidden, functions)]
    if direction == "bidirectional":
        cells.append(Cell(g, name, x, hidden, functions, "_back"))
    words = {"activation": g.maybe(names[2], "tanh")}
    if name != "rnn":
        words["recurrent_activation"] = g.maybe(names[0], "sigmoid")
    if name == "lstm":
        words["cell_activation"] = g.maybe(names[1], "tanh")
        if rng.random() < 0.3:
            words["clip"] = 0.5
            for cell in cells:
                cell.clip = 0.5
    if name == "gru" and rng.random() < 0.3 and "bias" not in cells[0].constants:
        words["reset_after"] = cells[0].after = True
    width = hidden * len(cells)
    h = g.operand([batch, width])
    c = g.operand([batch, width]) if name == "lstm" else None
    runs = []
    for part, cell in enumerate(cells):
        at = slice(part * hidden, (part + 1) * hidden)
        isReverse = part or direction == "reverse"
        states, last, last_c = cell.run(x.data[::-1] if isReverse else x.data, h.data[:, at], c.data[:, at] if c else None)
        runs.append((states[::-1] if isReverse else states, last, last_c))
    keeps = rng.random() < 0.5
    states, last = (np.concatenate([run[i] for run in runs], -1) for i in (0, 1))
    results = [states if keeps else last[None], last]
    if c:
        results.append(np.concatenate([run[2] for run in runs], -1))
    constants = {what: value for cell in cells for what, value in cell.constants.items()}
    return g.add(name, results, x=x, initial_h=h, initial_c=c, direction=g.maybe(direction, "forward"), output_sequence=g.maybe(keeps, False),
                 **constants, **words)
