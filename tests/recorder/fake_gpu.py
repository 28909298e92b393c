# SPDX-License-Identifier: Apache-2.0
import time


class FakeGpu:
    """Stands for torch.cuda: work that was given to it is done `late` nanoseconds after it was, on a clock that gains."""

    def __init__(self, late, gain):
        self.late, self.gain = late, gain

    def current_stream(self, device):
        return None

    def Event(self, enable_timing):
        gpu = self

        class Event:
            def record(self, stream):
                self.when = time.monotonic_ns() + gpu.late

            def query(self):
                return time.monotonic_ns() >= self.when

            def synchronize(self):
                while not self.query():
                    time.sleep(0.0001)

            def elapsed_time(self, other):
                if not other.query():
                    raise RuntimeError("device not ready")
                return (other.when - self.when) * gpu.gain / 1e6

        return Event()
