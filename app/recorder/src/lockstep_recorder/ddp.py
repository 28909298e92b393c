# SPDX-License-Identifier: Apache-2.0
"""How the times of DistributedDataParallel are taken: see attach()."""

# No "from __future__ import annotations": DistributedDataParallel looks at those of its communication hooks.
import logging
import math
import platform
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Iterator, List, Optional, Tuple

import torch
import torch.distributed
from torch.nn.parallel import DistributedDataParallel

from . import frames
from .clocks import CudaClock
from .run import Attached, Run

if TYPE_CHECKING:
    GradBucket = Any
else:
    from torch.distributed import GradBucket

_log = logging.getLogger("lockstep_recorder")

Slices = List[Tuple[int, int, int]]  # index of a parameter, where it begins and ends in its bucket


@dataclass
class _Sum:
    """The sum of a bucket over all ranks."""

    ready: Any
    done: Any = None


@dataclass
class _Step:
    """A step while it goes on, and after it until its marks can be read."""

    number: int
    begin: Any
    measured: bool
    forward: Any = None
    backward: Any = None
    end: Any = None
    waits: List[Tuple[Any, Any]] = field(default_factory=list)
    sums: List[_Sum] = field(default_factory=list)
    is_last: bool = False
    values: Dict[str, Any] = field(default_factory=dict)
    parts: List[Tuple[Slices, torch.Tensor, torch.Tensor]] = field(default_factory=list)
    before: List[torch.Tensor] = field(default_factory=list)
    rows: List[Tuple[List[int], torch.Tensor]] = field(default_factory=list)
    weights: Optional[torch.Tensor] = None


class _Hook:
    """A hook of a module. Copies of the module, and those that are pickled, have one that does nothing."""

    def __init__(self, call: Optional[Callable[..., None]] = None) -> None:
        self._call = call

    def __call__(self, *arguments: Any) -> None:
        if self._call is not None:
            self._call(*arguments)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_Hook, ())


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors that require a gradient in an output: a tensor, or lists, dictionaries and dataclasses of some."""
    if isinstance(value, torch.Tensor):
        if value.requires_grad:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif is_dataclass(value):
        for item in fields(value):
            yield from _tensors(getattr(value, item.name))


class _Products:
    """Sums of squares and dot products in float64, through buffers that stay in a processor's cache."""

    def __init__(self, device: torch.device) -> None:
        self._size = 1 << (22 if device.type == "cuda" else 18)
        self._first = torch.empty(self._size, dtype=torch.float64, device=device)
        self._second = torch.empty_like(self._first)

    def of(self, first: torch.Tensor, second: torch.Tensor, is_difference: bool = False) -> torch.Tensor:
        """first·first, first·second and second·second; where `is_difference`, of second − first in the place of second."""
        parts = []
        for own, other in zip(torch.split(first.reshape(-1), self._size), torch.split(second.reshape(-1), self._size)):
            a = self._first[: own.numel()].copy_(own)
            b = self._second[: own.numel()].copy_(other)
            if is_difference:
                b.sub_(a)
            parts.append(torch.stack([a.dot(a), a.dot(b), b.dot(b)]))
        return parts[0] if len(parts) == 1 else torch.stack(parts).sum(0)


class Attachment(Attached):
    """Takes the times of a model's steps and hands them to a run: see attach(). `clock` is for tests.

    Hooks of the model run in the thread that trains or, where a sum is done, in one of torch.distributed's."""

    def __init__(
        self,
        model: DistributedDataParallel,
        run: Run,
        optimizer: Any,
        gradients_every: int,
        hook: Optional[Callable[..., Any]],
        hook_state: Any,
        clock: Any = None,
    ) -> None:
        if not isinstance(model, DistributedDataParallel):
            raise TypeError(f"a DistributedDataParallel is needed, this is a {type(model).__name__}")
        if run.started:
            raise RuntimeError("attach() is needed before the first step and the first event of its run")
        self._model: Any = model
        self._run, self._optimizer, self._every = run, optimizer, gradients_every
        self._hook, self._hook_state = hook, hook_state
        self._group = model.process_group
        self._world = torch.distributed.get_world_size(self._group)
        named = [(name, weight) for name, weight in model.module.named_parameters() if weight.requires_grad]
        self._weights = [weight for _, weight in named]
        self._index = {id(weight): index for index, weight in enumerate(self._weights)}
        self._is_over = False
        self._grads: Dict[int, int] = {}  # where the gradients were before the backward pass, if they matter
        self._copies: Dict[Tuple[str, int], torch.Tensor] = {}
        self._lock = threading.Lock()
        self._pending: Deque[_Step] = deque()
        device = self._weights[0].device
        is_cuda = device.type == "cuda"
        self._products = _Products(device)
        self._clock = clock or (CudaClock(run.clock, device, torch.cuda) if is_cuda else run.clock)
        model.register_comm_hook(None, self._bucket_ready)
        model.register_forward_pre_hook(_Hook(self._forward_begins), prepend=True)
        model.module.register_forward_pre_hook(_Hook(self._module_begins), prepend=True)
        model.register_forward_hook(_Hook(self._forward_ends))
        defaults = {
            "device": str(device),
            "device_name": torch.cuda.get_device_name(device) if is_cuda else platform.processor() or platform.machine(),
            "trainer": f"PyTorch {torch.__version__}, DistributedDataParallel",
            "backend": torch.distributed.get_backend(self._group),
            "model": type(model.module).__name__,
            "parameters": [name for name, _ in named],
        }
        run.facts = {**defaults, **run.facts}
        run.attached = self
        run.start()
        self._step = self._next(self._clock.mark())

    def _next(self, begin: Any) -> _Step:
        number = self._run.next_step
        return _Step(number, begin, self._every > 0 and number % self._every == 0)

    @property
    def _current(self) -> _Step:
        """The step that goes on; one that nobody will look at when the run has ended and the model trains on."""
        return _Step(0, None, False) if self._is_over else self._step

    # While the step goes on.

    def _forward_begins(self, module: torch.nn.Module, inputs: Any) -> None:
        """Between this and the forward pass of the module itself the ranks agree on buffers, and once on the buckets."""
        if torch.is_grad_enabled():
            step, mark = self._current, self._clock.mark()
            if step.forward is None:
                step.forward = mark
            if self._model.will_sync_module_buffers() or not getattr(self._model, "_has_rebuilt_buckets", True):
                step.waits.append((mark, None))

    def _module_begins(self, module: torch.nn.Module, inputs: Any) -> None:
        waits = self._current.waits
        if waits and waits[-1][1] is None:
            waits[-1] = (waits[-1][0], self._clock.mark())

    def _forward_ends(self, module: torch.nn.Module, inputs: Any, output: Any) -> None:
        if torch.is_grad_enabled():
            for tensor in _tensors(output):
                tensor.register_hook(self._backward_begins)  # type: ignore[no-untyped-call]

    def _backward_begins(self, gradient: torch.Tensor) -> None:
        step = self._current
        if step.backward is None:
            step.backward = self._clock.mark()
        if self._model.gradient_as_bucket_view:
            self._grads = {id(w): w.grad.data_ptr() for w in self._weights if w.grad is not None}

    def _bucket_ready(self, state: Any, bucket: GradBucket) -> torch.futures.Future[torch.Tensor]:
        step = self._current
        own: Optional[torch.Tensor] = None
        slices: Slices = []
        if step.measured and not bucket.buffer().is_sparse:
            with self._measuring(step):
                own, slices = self._copy("gradients", len(step.sums), bucket.buffer()), self._slices(bucket)
        if self._hook is None:
            self._divide(bucket)
        total = _Sum(self._clock.mark())
        with self._lock:
            step.sums.append(total)
            step.is_last = step.is_last or bucket.is_last()
        if bucket.is_last() and self._optimizer is not None:
            step.values["learning_rate"] = self._later(self._optimizer.param_groups[0]["lr"])

        future: Any
        if self._hook is None:
            future = torch.distributed.all_reduce(bucket.buffer(), group=self._group, async_op=True).get_future()
        else:
            future = self._hook(self._hook_state, bucket)

        def done(finished: Any) -> Any:
            value = finished.value()
            mean = value[0] if isinstance(value, (list, tuple)) else value
            with self._lock:
                total.done = self._clock.mark()
                if own is not None:
                    step.parts.append((slices, own, mean))
                is_complete = step.is_last and all(other.done is not None for other in step.sums)
            if step.measured and is_complete:
                with self._measuring(step):
                    self._measure(step)
            return mean

        result: torch.futures.Future[torch.Tensor] = future.then(done)
        return result

    def _divide(self, bucket: GradBucket) -> None:
        """What DistributedDataParallel does before its sum when it has no hook: it multiplies by the reciprocal while
        it copies into the bucket, and divides gradients that are there already, whose last bits differ."""
        buffer = bucket.buffer()
        if buffer.is_sparse:
            buffer.div_(self._world)
        elif not self._grads:
            buffer.mul_(1.0 / self._world)
        else:
            for weight, gradient in zip(bucket.parameters(), bucket.gradients()):
                if self._grads.get(id(weight)) == gradient.data_ptr():
                    gradient.div_(self._world)
                else:
                    gradient.mul_(1.0 / self._world)

    def _slices(self, bucket: GradBucket) -> Slices:
        first = bucket.buffer().storage_offset()
        return [
            (self._index[id(weight)], view.storage_offset() - first, view.storage_offset() - first + view.numel())
            for weight, view in zip(bucket.parameters(), bucket.gradients())
            if id(weight) in self._index
        ]

    @contextmanager
    def _measuring(self, step: _Step) -> Iterator[None]:
        """What fails here costs the numbers, not the training."""
        try:
            with torch.no_grad():
                yield
        except Exception:
            _log.warning("step %d: gradients can't be measured, and no longer will be", step.number, exc_info=True)
            self._every, step.measured, step.before = 0, False, []

    def _measure(self, step: _Step) -> None:
        """Compares the gradients with their mean, before the optimizer can change them."""
        for slices, own, mean in step.parts:
            if own.is_cuda:  # this is another stream than the one that it was made on
                own.record_stream(torch.cuda.current_stream(own.device))
            flat = mean.reshape(-1)
            table = torch.stack([self._products.of(own[begin:end], flat[begin:end]) for _, begin, end in slices])
            step.rows.append(([index for index, _, _ in slices], table.to("cpu", non_blocking=True)))
        step.parts = []
        # Each rank in its turn: the time that it costs must not make one of them the slow one.
        if step.number // self._every % self._run.ranks == self._run.rank:
            step.before = [self._copy("weights", index, weight) for index, weight in enumerate(self._weights)]

    def _copy(self, kind: str, index: int, tensor: torch.Tensor) -> torch.Tensor:
        """A copy; on the host, where new memory is slow, in the memory of the one before."""
        if tensor.is_cuda:
            return tensor.detach().clone()
        copy = self._copies.get((kind, index))
        if copy is None or copy.shape != tensor.shape:
            copy = self._copies[kind, index] = torch.empty_like(tensor.detach())
        return copy.copy_(tensor.detach())

    # At its end, and after.

    def _later(self, value: Any) -> Any:
        """A number, or a tensor that holds it when the step has ended."""
        if isinstance(value, torch.Tensor):
            value = value.detach()
            return value.to("cpu", non_blocking=True) if value.is_cuda else value.item()
        return value

    def step(self, values: Dict[str, Any]) -> None:
        step = self._step
        step.values.update({name: self._later(value) for name, value in values.items()})
        if step.before:
            with self._measuring(step):
                pairs = zip(step.before, self._weights)
                table = torch.stack([self._products.of(before, after.detach(), True) for before, after in pairs])
                step.weights = table.to("cpu", non_blocking=True)
            step.before = []
        step.end = self._clock.mark()
        self._run.next_step += 1
        self._grads = {}
        self._step = self._next(step.end)
        self._pending.append(step)
        while self._pending and self._clock.passed(self._pending[0].end):
            self._emit(self._pending.popleft())

    def finish(self) -> None:
        self._is_over = True
        try:
            for step in self._pending:
                self._clock.synchronize(step.end)
                self._emit(step)
        except RuntimeError as error:  # of a GPU that failed
            _log.warning("the last steps are not recorded: %s", error)
        self._pending.clear()

    def _emit(self, step: _Step) -> None:
        read = self._clock.read
        record = frames.Step(step.number, begin=read(step.begin))
        if step.forward is not None:
            record.forward = read(step.forward)
        if step.backward is not None:
            record.backward = read(step.backward)
        record.sums = [(read(total.ready), read(total.done)) for total in step.sums if total.done is not None]
        if record.sums:
            record.arrival = record.sums[-1][0]
            record.done = max(done for _, done in record.sums)
        record.waited = sum(read(after) - read(before) for before, after in step.waits if after is not None)
        record.end = read(step.end)
        self._clock.rebase(step.end)
        record.take(step.values)
        self._run.emit(record, self._gradients(step) if step.rows else b"")

    def _gradients(self, step: _Step) -> bytes:
        """The frame of its gradients. Those that were in no bucket are unknown, and add nothing to a sum."""
        unknown = (0.0, 0.0, math.nan)
        gradients = dict.fromkeys(range(len(self._weights)), unknown)
        for indices, table in step.rows:
            gradients.update(zip(indices, map(tuple, table.tolist())))
        own = [(squares, dot) for squares, dot, _ in gradients.values()]
        if step.weights is None:
            return frames.gradients_frame(step.number, own, None)
        weights = step.weights.tolist()
        mean = [(row[2], before, update) for row, (before, _, update) in zip(gradients.values(), weights)]
        return frames.gradients_frame(step.number, own, mean)
