#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a tiny language model, made from its configuration, with transformers.Trainer, and records it. Nothing is
downloaded.

    torchrun --nproc-per-node 2 -- hugging_face.py runs/a [STEPS]
"""

import sys
import tempfile

import torch
from lockstep_recorder.hugging_face import LockstepCallback
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class Counting(torch.utils.data.Dataset):
    """Numbers that go up by one."""

    def __len__(self):
        return 1000

    def __getitem__(self, number):
        tokens = torch.arange(number, number + 16) % 50
        return {"input_ids": tokens, "labels": tokens}


with tempfile.TemporaryDirectory() as folder:
    # Without the last option all ranks wait for each other while they count their labels, which is not seen as such.
    arguments = TrainingArguments(
        folder, max_steps=int(sys.argv[2]) if len(sys.argv) > 2 else 20, per_device_train_batch_size=4,
        gradient_accumulation_steps=2, use_cpu=not torch.cuda.is_available(), report_to=[], save_strategy="no",
        disable_tqdm=True, average_tokens_across_devices=False,
    )  # fmt: skip
    config = GPT2Config(vocab_size=50, n_positions=16, n_embd=32, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(config)
    trainer = Trainer(model, arguments, train_dataset=Counting())
    trainer.add_callback(LockstepCallback(trainer, sys.argv[1], dataset="counting", training_examples=1000))
    trainer.train()
