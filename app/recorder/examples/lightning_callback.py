#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a tiny classifier with Lightning, and records it.

    python lightning_callback.py runs/a [RANKS]
"""

import sys

import torch
from lightning.pytorch import LightningModule, Trainer
from lockstep_recorder.lightning import LockstepCallback


class Classifier(LightningModule):
    def __init__(self):
        super().__init__()
        self.network = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))

    def training_step(self, batch, number):
        values, labels = batch
        return torch.nn.functional.cross_entropy(self.network(values), labels)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    values = torch.randn(320, 8, generator=torch.Generator().manual_seed(1))
    data = torch.utils.data.TensorDataset(values, (values.sum(1) > 0).long())
    trainer = Trainer(
        accelerator="cpu", devices=int(sys.argv[2]) if len(sys.argv) > 2 else 2, strategy="ddp", max_epochs=2,
        callbacks=[LockstepCallback(sys.argv[1], dataset="signs", training_examples=len(data))],
        logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
    )  # fmt: skip
    trainer.fit(Classifier(), torch.utils.data.DataLoader(data, batch_size=8))
