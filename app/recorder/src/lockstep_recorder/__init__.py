# SPDX-License-Identifier: Apache-2.0
"""Records a training of several ranks for Lockstep: see Run, attach() and README.md."""

from typing import TYPE_CHECKING, Any, Callable, Optional

from .run import PHASES, Run
from .version import __version__

if TYPE_CHECKING:
    from torch.nn.parallel import DistributedDataParallel

__all__ = ["PHASES", "Run", "attach", "__version__"]


def attach(
    ddp_model: "DistributedDataParallel",
    run: Run,
    optimizer: Any = None,
    gradients_every: int = 10,
    hook: Optional[Callable[..., Any]] = None,
    hook_state: Any = None,
) -> None:
    """Lets `run` take the times of each step from a model of torch.nn.parallel.DistributedDataParallel.

    To be called once, after the model and before the run's first step or event; run.step() still ends each step. What the
    model computes stays the same in every bit: the sum over the ranks is that of DistributedDataParallel, or `hook`, a
    communication hook that would otherwise be given to register_comm_hook() with the state `hook_state`.

    `optimizer`: its `param_groups[0]["lr"]` is noted where run.step() is given no learning rate. `gradients_every`: in
    each such step the gradients are measured by parameter, on one rank after the other weights and update, too; 0: never.

    Raises TypeError for another kind of model, ImportError without PyTorch, RuntimeError where the model has a
    communication hook already, or the run has begun."""
    from .ddp import Attachment

    Attachment(ddp_model, run, optimizer, gradients_every, hook, hook_state)
