# SPDX-License-Identifier: Apache-2.0
"""Where the times of a rank come from. A mark is a moment that was noted; it may be readable only later."""

import os
import platform
import time
from pathlib import Path
from typing import Any, Tuple

OFFSET_VARIABLE = "LOCKSTEP_RECORDER_CLOCK_OFFSET"


class HostClock:
    """The monotonic clock of this machine, in nanoseconds. Processes on one machine read the same one, so its name is
    that of the machine's boot. The variable LOCKSTEP_RECORDER_CLOCK_OFFSET adds nanoseconds to it and gives it a name of
    its own: so tests pretend that a rank runs elsewhere. Any thread may use it."""

    def __init__(self, rank: int) -> None:
        try:
            self.name = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        except OSError:
            self.name = platform.node()
        offset = os.environ.get(OFFSET_VARIABLE)
        self._offset = int(offset or 0)
        if offset:
            self.name += f"+rank{rank}"

    def now(self) -> int:
        """The time, in nanoseconds."""
        return time.monotonic_ns() + self._offset

    mark = now

    def passed(self, mark: int) -> bool:
        """Whether read() can tell the time of the mark."""
        return True

    def read(self, mark: int) -> int:
        """The time of the mark, in nanoseconds of the host's clock."""
        return mark

    def rebase(self, mark: int) -> None:
        """Says that no earlier mark will be read."""

    def synchronize(self, mark: int) -> None:
        """Waits until the mark has passed."""


class CudaClock:
    """The same of a GPU: a mark passes when the work before it on the current stream is done, and nobody waits for it.

    `cuda` is torch.cuda. One event that was waited for ties the GPU's time to the host's; after that each step is
    measured from the end of the one before, as the milliseconds between events are a float. What both clocks know bounds
    their drift: an event does not pass before it was recorded, nor after it was seen to have passed."""

    def __init__(self, host: HostClock, device: Any, cuda: Any) -> None:
        self._host, self._device, self._cuda = host, device, cuda
        self._base = self.mark()[0]
        self._base.synchronize()
        self._base_time = host.now()

    def mark(self) -> Tuple[Any, int]:
        """Records an event; the host's time is kept with it."""
        event = self._cuda.Event(enable_timing=True)
        now = self._host.now()
        event.record(self._cuda.current_stream(self._device))
        return event, now

    def passed(self, mark: Tuple[Any, int]) -> bool:
        """Whether the GPU has come to it; never waits."""
        return bool(mark[0].query())

    def read(self, mark: Tuple[Any, int]) -> int:
        """Its time in nanoseconds of the host's clock, once it has passed."""
        milliseconds: float = self._base.elapsed_time(mark[0])
        time = self._base_time + round(milliseconds * 1e6)
        right: int = min(max(time, mark[1]), self._host.now())
        self._base_time += right - time
        return right

    def rebase(self, mark: Tuple[Any, int]) -> None:
        """Measures from this mark from now on."""
        self._base_time = self.read(mark)
        self._base = mark[0]

    def synchronize(self, mark: Tuple[Any, int]) -> None:
        """Waits for the GPU to come to it."""
        mark[0].synchronize()
