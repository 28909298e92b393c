#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ONNX Runtime and PyTorch make of exported networks, beside Lockstep's own logits.

usage: networks.py onnx MODEL.onnx TEST_BATCH.bin LOGITS.csv
       networks.py torchvision NAME CLASSES WEIGHTS.safetensors TEST_BATCH.bin LOGITS.csv
       networks.py save NAME CLASSES WEIGHTS.safetensors
       networks.py pretrain FOLDER WEIGHTS.safetensors
LOGITS.csv is what `lockstep-train evaluate --logits` wrote of CIFAR-10's test images. `onnx` runs the model
checker and ONNX Runtime, `torchvision` loads the weights strictly into the model of that name; both fail if a
logit differs by more than 1e-4 of the largest. `save` writes random weights of PyTorch's own, with running
moments that some passes have moved. `pretrain` trains PyTorch's ResNet-18 with ten outputs on
FOLDER/train/CLASS and FOLDER/val/CLASS.
"""
import sys

import numpy as np


def read_images(path, height, width):
    records = np.fromfile(path, np.uint8).reshape(-1, 1 + 3 * 32 * 32)
    images = records[:64, 1:].reshape(-1, 3, 32, 32)
    pad = max(0, (max(height, width) - 31) // 2)  # input.pad: the mean colour of the image, to the nearest whole number
    padded = np.empty((len(images), 3, 32 + 2 * pad, 32 + 2 * pad))
    padded[:] = (images.sum((2, 3), keepdims=True, dtype=np.int64) + 512) // 1024
    padded[:, :, pad:pad + 32, pad:pad + 32] = images
    top, left = (32 + 2 * pad - height) // 2, (32 + 2 * pad - width) // 2
    images = padded[:, :, top:top + height, left:left + width]
    mean, deviation = images.mean((1, 2, 3), keepdims=True), images.std((1, 2, 3), keepdims=True)
    return ((images - mean) / np.maximum(deviation, images[0].size**-0.5)).astype(np.float32)


def compare(what, ours, csv):
    theirs = np.loadtxt(csv, delimiter=",", skiprows=1, ndmin=2)
    logits = theirs[:, 2:]
    difference, largest = np.abs(ours[theirs[:, 0].astype(int)] - logits).max(), np.abs(logits).max()
    print(f"{what}: logits of {len(theirs)} images, largest difference {difference:.1e}, largest logit {largest:.2g}")
    assert difference < 1e-4 * largest, f"the logits differ by {difference}"


def run_onnx(model, batch, csv):
    import onnx
    import onnxruntime

    loaded = onnx.load(model)
    onnx.checker.check_model(loaded, full_check=True)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    (logits,) = session.run(["logits"], {"image": read_images(batch, *session.get_inputs()[0].shape[2:])})
    compare(loaded.graph.name, logits, csv)


def size_of(name):
    return 75 if name == "inception_v3" else 32


def torch_model(name, classes):
    import torchvision

    options = {"aux_logits": True, "init_weights": True} if name == "inception_v3" else {}
    return torchvision.models.get_model(name, weights=None, num_classes=int(classes), **options)


def run_torchvision(name, classes, weights, batch, csv):
    import safetensors.torch
    import torch

    model = torch_model(name, classes)
    model.load_state_dict(safetensors.torch.load_file(weights), strict=True)
    model.eval()
    with torch.no_grad():
        logits = model(torch.from_numpy(read_images(batch, size_of(name), size_of(name)))).numpy()
    compare(name, logits, csv)


def write_weights(model, path):
    import safetensors.torch
    import torch

    state = {key: value for key, value in model.state_dict().items() if value.dtype == torch.float32}
    safetensors.torch.save_file(state, path)
    print(f"{type(model).__name__}: {len(state)} tensors of PyTorch's written")


def save(name, classes, weights):
    import torch

    torch.manual_seed(1)
    model = torch_model(name, classes)
    model.train()
    size = 299 if name == "inception_v3" else size_of(name)  # the auxiliary head, part of training, needs its cells
    with torch.no_grad():
        for _ in range(3):
            model(torch.randn(8, 3, size, size))
    write_weights(model, weights)


def pretrain(folder, weights):
    import torch
    import torchvision
    from torchvision import transforms

    torch.manual_seed(1)
    distort = transforms.Compose([
        transforms.RandomResizedCrop(96, (0.3, 1.0)), transforms.RandomHorizontalFlip(), transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])
    parts = [torchvision.datasets.ImageFolder(f"{folder}/{part}", distort) for part in ("train", "val")]
    images = torch.utils.data.ConcatDataset(parts)
    batches = torch.utils.data.DataLoader(images, 32, shuffle=True, drop_last=True)
    model = torch_model("resnet18", 10).to(memory_format=torch.channels_last)
    epochs = 40
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, epochs * len(batches))
    for epoch in range(epochs):
        right = 0
        for pixels, labels in batches:
            logits = model(pixels.to(memory_format=torch.channels_last))
            torch.nn.functional.cross_entropy(logits, labels).backward()
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            right += (logits.argmax(1) == labels).sum().item()
    print(f"PyTorch's ResNet-18: {right / len(batches) / 32:.1%} of the training images right in the last pass")
    write_weights(model.to(memory_format=torch.contiguous_format), weights)


{"onnx": run_onnx, "torchvision": run_torchvision, "save": save, "pretrain": pretrain}[sys.argv[1]](*sys.argv[2:])
