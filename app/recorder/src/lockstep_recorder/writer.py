# SPDX-License-Identifier: Apache-2.0
"""The thread that appends frames to a rank file, so that a training never waits for a disk."""

import errno
import logging
import os
import threading
from collections import deque
from itertools import islice
from pathlib import Path
from typing import Deque, Optional, Tuple

from . import frames

_log = logging.getLogger("lockstep_recorder")


class Writer:
    """Appends whole frames to `path` from a thread of its own, at most every `interval` seconds.

    put() may be called by any thread; it takes microseconds and never raises. While the file can't be written (a full
    disk, a folder that vanished), one warning is logged and frames wait, up to `limit` bytes; more are dropped and
    counted in `lost`. A frame that was half written goes on where it stopped. A process that was forked from this one
    writes nothing."""

    def __init__(self, path: Path, interval: float = 0.5, limit: int = 64 << 20) -> None:
        self._path = path
        self._interval = interval
        self._limit = limit
        self._process = os.getpid()
        self._lock = threading.Lock()  # of the next six
        self._frames: Deque[bytes] = deque()
        self._waiting = 0
        self._untold = 0
        self._closed = False
        self._start = b""
        self.lost = 0
        self._torn = 0  # bytes of the first frame that are in the file already
        self._file = -1
        self._identity: Optional[Tuple[int, int]] = None
        self._failing = ""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="lockstep-recorder", daemon=True)
        self._thread.start()

    def put(self, data: bytes, start: bool = False) -> None:
        """Hands over a frame. `start`: it is the start frame, which a file that is made anew begins with."""
        if os.getpid() != self._process:
            return
        with self._lock:
            if start:
                self._start = data
            if self._closed or self._waiting + len(data) > self._limit:
                self.lost += 1
                self._untold += not self._closed
                return
            self._frames.append(data)
            self._waiting += len(data)

    def close(self, timeout: float = 30) -> None:
        """Writes what waits, syncs and ends the thread; waits for that no longer than `timeout` seconds."""
        if os.getpid() != self._process:
            return
        with self._lock:
            self._closed = True
        self._closing.set()
        self._thread.join(timeout)

    def _work(self) -> None:
        while not self._closing.wait(self._interval):
            self._flush()
        self._flush()
        with self._lock:
            left = len(self._frames)
            self.lost += left
            self._frames.clear()
        if self.lost:
            _log.warning("%s: %d frames were lost", self._path, self.lost)
        if self._file >= 0:
            try:
                os.fsync(self._file)
            except OSError as error:
                if error.errno != errno.EINVAL:  # a pipe or a device
                    _log.warning("%s: not synced: %s", self._path, error.strerror)
            os.close(self._file)

    def _flush(self) -> None:
        if not self._frames:
            return
        try:
            self._open()
            while self._frames or self._recovered():
                with self._lock:
                    batch = list(islice(self._frames, 4096))
                self._release(os.write(self._file, b"".join(batch)[self._torn :]))
        except OSError as error:
            if not self._failing:
                _log.warning("%s: can't be written: %s; the training goes on", self._path, error.strerror)
            self._failing = error.strerror or str(error)
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def _open(self) -> None:
        """Opens the file, or another one that has come in its place."""
        if self._file >= 0:
            if os.path.samestat(os.fstat(self._file), os.stat(self._path)):
                return
            os.close(self._file)
            self._file = -1
        if self._identity is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        status = os.fstat(self._file)
        identity = (status.st_dev, status.st_ino)
        if status.st_size == 0 or self._identity not in (None, identity):
            self._torn = 0
        self._identity = identity
        with self._lock:
            if status.st_size == 0 and self._start and self._frames[0] is not self._start:
                self._frames.appendleft(self._start)
                self._waiting += len(self._start)

    def _release(self, written: int) -> None:
        """Forgets the frames that are wholly in the file, `written` bytes further."""
        self._torn += written
        with self._lock:
            while self._frames and self._torn >= len(self._frames[0]):
                size = len(self._frames.popleft())
                self._torn -= size
                self._waiting -= size

    def _recovered(self) -> bool:
        """Whether frames were lost before all others were written: then the file is told."""
        with self._lock:
            untold, self._untold = self._untold, 0
            if untold:
                text = f"{untold} frames were lost: {self._failing or 'the disk was too slow'}"
                event = frames.json_frame(frames.EVENT, {"level": "warning", "text": text, "step": frames.UNKNOWN})
                self._frames.append(event)
                self._waiting += len(event)
            self._failing = ""
            return bool(self._frames)
