# SPDX-License-Identifier: Apache-2.0
"""The bytes of rank files (FORMAT.md): pure functions, no state, no I/O."""

import json
import math
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional, Sequence, Tuple

MAGIC = b"LSKR"
START, STEP, GRADIENTS, EVENT, END = 1, 2, 3, 4, 5
UNKNOWN = -1

_HEAD = struct.Struct("<4sII")
_STEP = struct.Struct("<BB6x10q2d2I")
_SUM = struct.Struct("<2q")
_GRADIENTS = struct.Struct("<BB2xIq")


@dataclass
class Step:
    """One step of one rank. Times are nanoseconds of the rank's clock; -1 (None for `loss`,
    not-a-number for `learning_rate`) stands for what is not known. The fields are those of FORMAT.md."""

    step: int
    begin: int = UNKNOWN
    forward: int = UNKNOWN
    backward: int = UNKNOWN
    arrival: int = UNKNOWN
    done: int = UNKNOWN
    end: int = UNKNOWN
    waited: int = 0
    examples: int = UNKNOWN
    correct: int = UNKNOWN
    loss: Optional[float] = None
    learning_rate: float = math.nan
    sums: List[Tuple[int, int]] = field(default_factory=list)

    def take(self, values: Mapping[str, Any]) -> None:
        """Sets examples, correct, loss and learning_rate from numbers, or from tensors of one element."""
        for name, value in values.items():
            number = value.item() if hasattr(value, "item") else value
            setattr(self, name, float(number) if name in ("loss", "learning_rate") else int(number))

    def put_in_order(self) -> None:
        """Moves known times that lie before the one in front of them to it: clocks are read by several threads."""
        last = UNKNOWN
        for name in ("begin", "forward", "backward", "arrival", "done", "end"):
            if getattr(self, name) != UNKNOWN:
                last = max(last, getattr(self, name))
                setattr(self, name, last)


def frame(payload: bytes) -> bytes:
    """A whole frame around a payload of 1 to 16,777,216 bytes."""
    return _HEAD.pack(MAGIC, len(payload), zlib.crc32(payload)) + payload


def json_frame(kind: int, values: Mapping[str, object]) -> bytes:
    """A frame of a kind that holds a JSON object. What JSON does not know is written as tolist() or str() has it, a number
    that is not finite as null, half a character as a question mark."""
    finite = json.loads(json.dumps(values, default=_plain), parse_constant=lambda name: None)
    return frame(bytes([kind]) + json.dumps(finite, ensure_ascii=False).encode("utf-8", "replace"))


def _plain(value: Any) -> Any:
    try:
        return value.tolist()  # of NumPy or PyTorch
    except Exception:
        return str(value)


def cut(text: str) -> str:
    """As much of a text as an event or end may have."""
    return text.encode("utf-8", "replace")[:65536].decode("utf-8", "ignore")


def step_frame(step: Step) -> bytes:
    """The frame of a step."""
    fixed = _STEP.pack(
        STEP, step.loss is not None, step.step, step.begin, step.forward, step.backward, step.arrival, step.done, step.end, step.waited,
        step.examples, step.correct, step.loss or 0.0, step.learning_rate, len(step.sums), 0,
    )  # fmt: skip
    return frame(fixed + b"".join(_SUM.pack(*times) for times in step.sums))


def gradients_frame(
    step: int, own: Sequence[Tuple[float, float]], mean: Optional[Sequence[Tuple[float, float, float]]]
) -> bytes:
    """The frame of a step's gradients, a row for each parameter: `own` (squares, dot_mean), `mean` (mean_squares,
    weight_squares, update_squares) on ranks that know them."""
    numbers = [number for rows in (own, mean or ()) for row in rows for number in row]
    payload = _GRADIENTS.pack(GRADIENTS, mean is not None, len(own), step)
    return frame(payload + struct.pack(f"<{len(numbers)}d", *numbers))
