# SPDX-License-Identifier: Apache-2.0
"""Records trainings of transformers.Trainer: trainer.add_callback(LockstepCallback(trainer, "runs/a"))."""

import os
from typing import Any, List, Optional, Union

import torch
from torch.nn.parallel import DistributedDataParallel
from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from . import attach
from .run import Run


class LockstepCallback(TrainerCallback):
    """Records each step of a Trainer, with all times where it trains with DistributedDataParallel. `facts` are those of
    Run. The loss is the one that the model gives (`outputs["loss"]`), of this rank's own examples of the whole step."""

    def __init__(self, trainer: Trainer, folder: Union[str, "os.PathLike[str]"], **facts: object) -> None:
        self._trainer, self._folder, self._facts = trainer, folder, facts
        self._run: Optional[Run] = None
        self._hook: Any = None
        self._losses: List[Any] = []
        self._scale: float = 1
        self._examples = 0
        self._rate: Any = None

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        batch = args.train_batch_size * args.gradient_accumulation_steps
        facts = {"model": type(kwargs["model"]).__name__, "batch": batch, "trainer": "transformers.Trainer", **self._facts}
        self._run = Run(
            self._folder, rank=args.process_index, ranks=args.world_size, first_step=state.global_step, **facts
        )
        self._hook = kwargs["model"].register_forward_hook(self._note, with_kwargs=True)
        if isinstance(self._trainer.model_wrapped, DistributedDataParallel):
            attach(self._trainer.model_wrapped, self._run)

    def _note(self, module: Any, inputs: Any, named: Any, outputs: Any) -> None:
        if not torch.is_grad_enabled() or self._run is None:
            return
        loss = outputs.get("loss") if hasattr(outputs, "get") else None
        if loss is not None:
            self._losses.append(loss.detach())
        self._examples += next((len(value) for value in named.values() if isinstance(value, torch.Tensor)), 0)
        # Where the Trainer counts the labels of all ranks, each loss is a sum divided by their number: a part of the mean.
        is_part = named.get("num_items_in_batch") is not None
        args = self._trainer.args
        self._scale = args.world_size if is_part and args.average_tokens_across_devices else 1
        if not is_part:
            self._scale = 1 / args.gradient_accumulation_steps

    def on_pre_optimizer_step(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        self._rate = kwargs["optimizer"].param_groups[0]["lr"]

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        if self._run is not None:
            loss = torch.stack(self._losses).sum() * self._scale if self._losses else None
            self._run.step(loss=loss, examples=self._examples or None, learning_rate=self._rate)
        self._losses, self._examples = [], 0

    def on_train_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        if self._run is not None:
            self._hook.remove()
            self._run.close("finished" if state.global_step >= state.max_steps else "stopped")
