# SPDX-License-Identifier: Apache-2.0
"""Records trainings of Lightning: Trainer(callbacks=[LockstepCallback("runs/a")])."""

import os
from typing import Any, Optional, Union

import torch
from lightning.pytorch import Callback, LightningModule, Trainer
from torch.nn.parallel import DistributedDataParallel

from . import attach
from .run import Run


class LockstepCallback(Callback):
    """Records each step of a Trainer, with all times where its strategy is ddp. `facts` are those of Run. The loss is the
    one that training_step() returns; of several passes, that of the last."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"], **facts: object) -> None:
        self._folder, self._facts = folder, facts
        self._run: Optional[Run] = None
        self._steps = 0
        self._examples = 0
        self._rate: Any = None

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        facts = {"model": type(pl_module).__name__, "trainer": "Lightning", **self._facts}
        self._steps = trainer.global_step
        self._run = Run(
            self._folder, rank=trainer.global_rank, ranks=trainer.world_size, first_step=self._steps, **facts
        )
        model = trainer.strategy.model
        if isinstance(model, DistributedDataParallel):
            attach(model, self._run)

    def on_before_optimizer_step(self, trainer: Trainer, pl_module: LightningModule, optimizer: Any) -> None:
        self._rate = optimizer.param_groups[0]["lr"]

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        leaves = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (list, tuple)) else [batch]
        self._examples += next((len(leaf) for leaf in leaves if isinstance(leaf, torch.Tensor)), 0)
        if self._run is None or trainer.global_step == self._steps:
            return  # a pass that the next ones are added to
        self._steps = trainer.global_step
        loss = outputs.get("loss") if isinstance(outputs, dict) else outputs
        if loss is not None and pl_module.automatic_optimization:
            loss = loss * trainer.accumulate_grad_batches  # Lightning has divided it
        self._run.step(loss=loss, examples=self._examples or None, learning_rate=self._rate)
        self._examples = 0

    def on_exception(self, trainer: Trainer, pl_module: LightningModule, exception: BaseException) -> None:
        if self._run is not None:
            self._run.__exit__(type(exception), exception, None)

    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if self._run is not None:
            self._run.close()
