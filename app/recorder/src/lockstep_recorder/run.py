# SPDX-License-Identifier: Apache-2.0
"""Run: what one rank tells of its training."""

import atexit
import math
import os
import platform
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple, Type, Union

from . import frames
from .clocks import HostClock
from .version import __version__
from .writer import Writer

PHASES = ("data", "forward", "backward", "averaging", "update")


class Attached:
    """What takes the times of steps in the place of Run.step(): see ddp.Attachment."""

    def step(self, values: Dict[str, Any]) -> None:
        """Ends a step; `values` are the arguments of Run.step() that were given."""

    def finish(self) -> None:
        """Hands over what is not yet in the file."""


class Run:
    """The record of one rank: the file `folder`/ranks/rank-0000.lsr, which `lockstep-train gather` and Lockstep's window
    read. To be used in a `with` block, by each rank for itself:

        with Run("runs/a", model="ResNet-18", training_examples=50000) as run:
            for batch in loader:
                ...
                run.step(loss=loss, examples=len(batch))

    `rank` and `ranks` are those of torchrun (RANK, WORLD_SIZE) if not given, else 0 of 1. `first_step` is the number of
    the first step, where a training was resumed. `facts` are keys of the start frame: model, dataset, training_examples,
    batch, device, device_name, trainer, backend, or others. A file that is there is appended to.

    Nothing here waits for a disk, and what goes wrong with files is logged, not raised; `lost` counts frames that could
    not be kept. step() and phase() belong to the thread that trains, event() to any. A forked process records nothing.
    Raises ValueError for a rank that is not one of `ranks`."""

    def __init__(
        self,
        folder: Union[str, "os.PathLike[str]"],
        *,
        rank: Optional[int] = None,
        ranks: Optional[int] = None,
        first_step: int = 0,
        **facts: object,
    ) -> None:
        self.rank = int(os.environ.get("RANK", 0)) if rank is None else rank
        self.ranks = int(os.environ.get("WORLD_SIZE", 1)) if ranks is None else ranks
        if not 0 <= self.rank < self.ranks:
            raise ValueError(f"rank {self.rank} is not one of {self.ranks} ranks")
        self.facts: Dict[str, object] = {"host": platform.node(), "recorder": f"lockstep-recorder {__version__}", **facts}
        self.next_step = first_step
        self.clock = HostClock(self.rank)
        self.attached: Optional[Attached] = None
        self._spans: Dict[str, Tuple[int, int]] = {}
        self._end = frames.UNKNOWN
        self._lock = threading.Lock()
        self.started = False
        self._closed = False
        self._writer = Writer(Path(folder) / "ranks" / f"rank-{self.rank:04d}.lsr")
        atexit.register(self._close_at_exit)

    @property
    def lost(self) -> int:
        """Frames that could not be kept, so far."""
        return self._writer.lost

    def start(self) -> None:
        """Writes the start frame, if it isn't: `facts` are complete. The first step or event does so, too."""
        with self._lock:
            if self.started:
                return
            self.started = True
            facts = {
                **self.facts, "format": 1, "rank": self.rank, "ranks": self.ranks, "clock": self.clock.name,
                "process": os.getpid(), "time": time.time(), "nanoseconds": self.clock.now(),
            }  # fmt: skip
            self._writer.put(frames.json_frame(frames.START, facts), start=True)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Times a phase of this step: data, forward, backward, averaging or update. Entered several times, it lasts from
        the first time to the last."""
        if name not in PHASES:
            raise ValueError(f"{name} is not a phase: {', '.join(PHASES)}")
        began = self.clock.now()
        try:
            yield
        finally:
            self._spans[name] = (self._spans.get(name, (began, 0))[0], self.clock.now())

    def step(
        self,
        *,
        loss: Any = None,
        examples: Any = None,
        correct: Any = None,
        learning_rate: Any = None,
        phases: Optional[Mapping[str, float]] = None,
    ) -> None:
        """Ends a step: to be called after the update. All numbers are this rank's own, of this step's batch: the loss
        before the update, the examples, how many were classified correctly, and the learning rate of the update. Numbers
        or tensors of one element; those on a GPU are read later if a model is attached.

        `phases` are durations in seconds, one after the other from the end of the step before; phase() times them
        instead, and where a model is attached, neither is needed nor used."""
        values = {"loss": loss, "examples": examples, "correct": correct, "learning_rate": learning_rate}
        values = {name: value for name, value in values.items() if value is not None}
        if self.attached is not None:
            self.attached.step(values)
            return
        now = self.clock.now()
        record = frames.Step(self.next_step, end=now)
        self._place(record, now, phases or {})
        record.take(values)
        self.emit(record)
        self._spans = {}
        self._end = record.end
        self.next_step += 1

    def event(self, text: str, level: str = "info") -> None:
        """Notes something for people, at the current step; `level` is info, warning or error. A model is attached before."""
        if level not in ("info", "warning", "error"):
            raise ValueError(f"{level} is not a level: info, warning, error")
        self.start()
        event = {"level": level, "text": frames.cut(text), "step": self.next_step}
        self._writer.put(frames.json_frame(frames.EVENT, event))

    def emit(self, record: frames.Step, gradients: bytes = b"") -> None:
        """Hands a step, and the frame of its gradients if there is one, to the file."""
        self.start()
        record.put_in_order()
        self._writer.put(frames.step_frame(record))
        if gradients:
            self._writer.put(gradients)

    def stop(self, text: str = "") -> None:
        """Ends the record of a training that was stopped before its end."""
        self.close("stopped", text)

    def close(self, state: str = "finished", text: str = "") -> None:
        """Ends the record: `state` is finished, stopped or failed, `text` the error. Waits until all is on the disk, half
        a minute at most. Only the first call does something."""
        if self._closed:
            return
        self._closed = True
        if self.attached is not None:
            self.attached.finish()
        self.start()
        self._writer.put(frames.json_frame(frames.END, {"state": state, "text": frames.cut(text)}))
        self._writer.close()
        atexit.unregister(self._close_at_exit)

    def __enter__(self) -> "Run":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if error is None or (isinstance(error, SystemExit) and not error.code):
            self.close()
        elif isinstance(error, KeyboardInterrupt):
            self.close("stopped", "interrupted")
        else:
            self.close("failed", f"{type(error).__name__}: {error}")

    def _close_at_exit(self) -> None:
        error = getattr(sys, "last_value", None)
        self.__exit__(type(error) if error else None, error, None)

    def _place(self, record: frames.Step, now: int, phases: Mapping[str, float]) -> None:
        """Sets the times of a step from durations and from what phase() has seen."""
        unknown = set(phases) - set(PHASES)
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))}: not a phase: {', '.join(PHASES)}")
        spans = dict(self._spans)
        lasted = {name: round(seconds * 1e9) for name, seconds in phases.items() if math.isfinite(seconds)}
        first = min([now - sum(lasted.values()), *(start for start, _ in spans.values())])
        record.begin = cursor = first if self._end == frames.UNKNOWN else self._end
        for name in PHASES:
            if name in lasted:
                spans[name] = (cursor, min(cursor + max(lasted[name], 0), now))
                cursor = spans[name][1]

        def edge(first: str, first_edge: int, second: str, second_edge: int) -> int:
            if first in spans:
                return spans[first][first_edge]
            return spans[second][second_edge] if second in spans else frames.UNKNOWN

        record.forward = edge("forward", 0, "data", 1)
        record.backward = edge("backward", 0, "forward", 1)
        record.arrival = edge("backward", 1, "averaging", 0)
        record.done = edge("averaging", 1, "update", 0)
        if "averaging" in self._spans:
            record.sums = [(record.arrival, record.done)]
