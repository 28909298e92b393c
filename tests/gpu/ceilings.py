#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures through PyTorch what a GPU reaches at best: a product of two large random matrices in each precision
(TFLOP/s) and a large copy (TB/s, bytes read and bytes written). Prints one JSON object; "ceilings" in it is for
`lockstep-train bench --ceilings`.

  ceilings.py [--device cuda:0] [--size 8192] [--copy-bytes 4e9]
"""
import argparse
import json
import statistics
import sys
import time

import torch


def median_seconds(action, device):
    """Of ten, after three to warm up."""
    seconds = []
    for number in range(13):
        if device.type == "cuda":
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            action()
            end.record()
            end.synchronize()
            taken = 1e-3 * begin.elapsed_time(end)
        else:
            start = time.perf_counter()
            action()
            taken = time.perf_counter() - start
        if number >= 3:
            seconds.append(taken)
    return statistics.median(seconds)


def product_rate(precision, size, device):
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
    a, b = (torch.randn(size, size, device=device).to(dtype) for _ in range(2))
    out = torch.empty_like(a)
    return 2 * size**3 / median_seconds(lambda: torch.mm(a, b, out=out), device) / 1e12


def copy_rate(bytes_in_all, device):
    src = torch.randn(int(bytes_in_all) // 8, device=device)
    dst = torch.empty_like(src)
    return 2 * src.nbytes / median_seconds(lambda: dst.copy_(src), device) / 1e12


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--copy-bytes", type=float, default=4e9, help="read and written together")
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    if device.type == "cuda" and not torch.cuda.is_available():
        sys.exit("ceilings.py: PyTorch finds no GPU")
    precisions = ["float32", "tf32", "bfloat16"] if device.type == "cuda" else ["float32"]
    rates = {precision: product_rate(precision, arguments.size, device) for precision in precisions}
    rates["copy"] = copy_rate(arguments.copy_bytes, device)
    print(json.dumps({
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        "framework": f"PyTorch {torch.__version__}", "teraflops_and_terabytes_per_second": rates,
        "ceilings": ",".join(f"{name}={rate:.4g}" for name, rate in rates.items())}))


if __name__ == "__main__":
    main()
