"""Operations of fuzz-mil.py with a memory, and what they compute.

`evaluate` follows the public definitions of rnn, gru and lstm and the numpy code in the public converter's tests of
them (coremltools, converters/mil/mil/ops), not the compiler: gates of a gru are reset, new, update, those of an lstm
input, forget, output, new; a layer in reverse gives its states in the order in which it computes them, and the second
direction of a bidirectional one in the order of x.
"""
import numpy as np

from fuzz_mil_program import op

FUNCTIONS = {"tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "relu": lambda x: np.maximum(x, 0), "linear": lambda x: x,
             "sigmoid_hard": lambda x: np.clip(0.2 * x + 0.5, 0, 1), "hard_sigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
             "scaled_tanh": np.tanh}
GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def run_rnn(x, h, _, k, functions):
    for row in x:
        h = functions["activation"](k["weight_ih"] @ row + k["weight_hh"] @ h + k["bias"])
        yield h, None


def run_gru(x, h, _, k, functions):
    w_r, w_o, w_z = np.split(k["weight_ih"], 3)
    r_r, r_o, r_z = np.split(k["weight_hh"], 3)
    b_r, b_o, b_z = np.split(k["bias"] + k["input_bias"], 3)
    gate = functions["recurrent_activation"]
    for row in x:
        r = gate(w_r @ row + r_r @ h + b_r)
        z = gate(w_z @ row + r_z @ h + b_z)
        seen = r * (r_o @ h) if k["reset_after"] else r_o @ (r * h)
        o = functions["activation"](w_o @ row + seen + b_o)
        h = (1 - z) * o + z * h
        yield h, None


def run_lstm(x, h, c, k, functions):
    w_i, w_f, w_o, w_g = np.split(k["weight_ih"], 4)
    r_i, r_f, r_o, r_g = np.split(k["weight_hh"], 4)
    b_i, b_f, b_o, b_g = np.split(k["bias"], 4)
    p_i, p_f, p_o = np.split(k["peephole"], 3)
    gate = functions["recurrent_activation"]
    for row in x:
        i = gate(w_i @ row + r_i @ h + b_i + p_i * c)
        f = gate(w_f @ row + r_f @ h + b_f + p_f * c)
        g = functions["cell_activation"](w_g @ row + r_g @ h + b_g)
        c = np.clip(f * c + i * g, -k["clip"], k["clip"])
        o = gate(w_o @ row + r_o @ h + b_o + p_o * c)
        h = o * functions["activation"](c)
        yield h, c


RUN = {"rnn": run_rnn, "gru": run_gru, "lstm": run_lstm}


def evaluate(name, x, h, c, words):
    """The results of an operation with the arguments `words`: arrays, and what is not an array by its name."""
    direction = words.get("direction", "forward")
    defaults = {"activation": "tanh", "recurrent_activation": "sigmoid", "cell_activation": "tanh"}
    functions = {what: FUNCTIONS[words.get(what) or otherwise] for what, otherwise in defaults.items()}
    sequences, last_h, last_c = [], [], []
    ends = ["", "_back"] if direction == "bidirectional" else [""]
    for part, end in enumerate(ends):
        units = words["weight_hh" + end].shape[1]
        given = {what: words.get(what + end) for what in ("weight_ih", "weight_hh", "bias", "peephole", "input_bias")}
        k = {what: np.zeros(GATES[name] * units) if value is None else value for what, value in given.items()}
        k["peephole"] = np.zeros(3 * units) if given["peephole"] is None else given["peephole"]
        k.update(clip=words.get("clip", np.inf), reset_after=words.get("reset_after", False))
        backwards = end == "_back" or direction == "reverse"
        at = slice(part * units, (part + 1) * units)
        samples = []
        for b in range(x.shape[1]):
            rows = x[::-1, b] if backwards else x[:, b]
            samples.append(list(RUN[name](rows, h[b, at], c[b, at] if name == "lstm" else None, k, functions)))
        states = np.array([[step[0] for step in sample] for sample in samples]).swapaxes(0, 1)
        last_h.append(states[-1])
        last_c.append(np.array([sample[-1][1] for sample in samples]))
        sequences.append(states[::-1] if end == "_back" else states)
    last = np.concatenate(last_h, -1)
    output = np.concatenate(sequences, -1) if words.get("output_sequence") else last[None]
    return [output, last] + ([np.concatenate(last_c, -1)] if name == "lstm" else [])


def data_of(words):
    return {what: getattr(value, "data", value) for what, value in words.items()}


def constants(g, name, inputs, hidden, ends, **given):
    """Weights of each direction, and what else `given` says it has."""
    words = {}
    for end in ends:
        words["weight_ih" + end] = g.constant([GATES[name] * hidden, inputs])
        words["weight_hh" + end] = g.constant([GATES[name] * hidden, hidden])
        if given.get("bias"):
            words["bias" + end] = g.constant([GATES[name] * hidden])
        if given.get("peephole"):
            words["peephole" + end] = g.constant([3 * hidden])
    if given.get("input_bias"):
        words["input_bias"] = g.constant([GATES[name] * hidden])
    return words


@op
def recurrent(g, x):
    if len(x.shape) != 3 or x.shape[0] > 12 or np.abs(x.data).max() > 8:
        return None
    rng, name = g.rng, g.rng.choice(["rnn", "gru", "lstm", "lstm"])
    hidden, batch = rng.choice([1, 3, 8, 17]), x.shape[1]
    # What grows without bound hides errors: functions with one, but for the last.
    inner = rng.choice(["tanh", "tanh", "sigmoid", "scaled_tanh"])
    words = {"activation": g.maybe(rng.choice(["tanh", "linear", "relu"]) if name == "lstm" else inner, "tanh")}
    if name != "rnn":
        words["recurrent_activation"] = g.maybe(rng.choice(["sigmoid", "sigmoid_hard", "hard_sigmoid"]), "sigmoid")
    if name == "lstm":
        words["cell_activation"] = g.maybe(inner, "tanh")
        if rng.random() < 0.3:
            words["clip"] = 0.5
    direction = rng.choice(["forward", "reverse"] + ["bidirectional"] * (name == "lstm"))
    ends = ["", "_back"] if direction == "bidirectional" else [""]
    bias = rng.random() < 0.6
    after = name == "gru" and not bias and rng.random() < 0.5
    if after:
        words["reset_after"] = True
    words.update(constants(g, name, x.shape[2], hidden, ends, bias=bias, peephole=name == "lstm" and rng.random() < 0.3,
                           input_bias=after and rng.random() < 0.5))
    h = g.operand([batch, hidden * len(ends)])
    c = g.operand([batch, hidden * len(ends)]) if name == "lstm" else None
    keeps = rng.random() < 0.5
    results = evaluate(name, x.data, h.data, c.data if c else None, {**data_of(words), "direction": direction, "output_sequence": keeps})
    return g.add(name, results, x=x, initial_h=h, initial_c=c, direction=g.maybe(direction, "forward"), output_sequence=g.maybe(keeps, False),
                 **words)
