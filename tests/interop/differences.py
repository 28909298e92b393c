#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds every row of resources/help/pytorch.md against PyTorch.

usage: differences.py rows HELP_FOLDER
       differences.py train LOCKSTEP_TRAIN WORK_FOLDER
`rows` checks that the page, in every language, has exactly the rows that are held here; it needs no PyTorch.
`train` trains twenty steps for each row, all examples in every batch, here and in PyTorch (in float64, from the same
weights): the losses are the same with the settings that the page gives, and where the page says that something is
another thing in PyTorch, that other thing gives other losses.
"""
import csv
import pathlib
import re
import subprocess
import sys

STEPS, EXAMPLES, CLASSES = 20, 20, 10
# Float32 against float64, as a share of the loss; what differs by rule differs by ten times as much or more.
SAME, OTHER = 1e-6, 1e-5

CONV = 'type = "conv2d"\nname = "conv"\nchannels = 6\nstride = [2, 2]\npadding = "half"\ninitializer = "he_normal"\nbias = 0.1'
RELU = 'type = "elementwise"\nname = "relu"\nactivation = "relu"'
POOL = 'type = "max_pool"\nname = "pool"'
DENSE = f'type = "dense"\nname = "logits"\nunits = {CLASSES}'
ROWS = {}


def row(title):
    """Registers what holds a row: its title is that in the page."""
    def registered(function):
        ROWS[title] = function
        return function
    return registered


def sgd(parameters, **options):
    import torch
    return torch.optim.SGD(parameters, 0.1, **options)


class Case:
    """What one row trains: layers and settings here, the same in PyTorch, and what PyTorch would do otherwise."""

    def __init__(self, settings=(), layers=(CONV, RELU, POOL, DENSE), objective="", net=None, optimizer=sgd, loss=None,
                 schedule=None, clip=0.0, reported=None, after=None, same=SAME, others=()):
        self.settings, self.layers, self.objective, self.after, self.same = settings, layers, objective, after, same
        self.torch = {"net": net or plain, "optimizer": optimizer, "loss": loss or cross_entropy, "schedule": schedule,
                      "clip": clip, "reported": reported or (lambda loss, parameters: loss)}
        self.others = others


def cross_entropy(logits, labels, parameters):
    import torch
    return torch.nn.functional.cross_entropy(logits, labels)


def convolution(p, x):
    import torch.nn.functional as F
    return F.conv2d(x, p["conv.weight"], p["conv.bias"], stride=2, padding=1)


def ended(p, x):
    """ReLU, pooling and the logits."""
    import torch.nn.functional as F
    return F.linear(F.max_pool2d(F.relu(x), 2, ceil_mode=True).flatten(1), p["logits.weight"], p["logits.bias"])


def plain(p, x, state):
    return ended(p, convolution(p, x))


def with_decay(decay, biases=True):
    """The loss as it is told here: with that of the weight decay."""
    def reported(loss, parameters):
        return loss + decay / 2 * sum((t**2).sum() for t in parameters.values() if biases or t.dim() > 1)
    return reported


@row("Momentum")
def sgd_momentum():
    optimizer = lambda p: sgd(p, momentum=0.9)
    return Case(["optimizer.name=momentum", "optimizer.momentum=0.9"], optimizer=optimizer,
                others=[{"optimizer": sgd}])


@row("Dampening")
def dampening():
    return Case(["optimizer.name=momentum", "optimizer.momentum=0.9"],
                optimizer=lambda p: sgd(p, momentum=0.9, dampening=0.0),
                others=[{"optimizer": lambda p: sgd(p, momentum=0.9, dampening=0.5)}])


@row("Nesterov")
def nesterov():
    return Case(["optimizer.name=momentum", "optimizer.momentum=0.9", "optimizer.nesterov=true"],
                optimizer=lambda p: sgd(p, momentum=0.9, nesterov=True),
                others=[{"optimizer": lambda p: sgd(p, momentum=0.9)}])


def tf_rmsprop(root_inside=True, initial=1.0, rate_inside=True):
    """TensorFlow's rule, or one of PyTorch's parts in its place."""
    import torch

    class Rule(torch.optim.Optimizer):
        def __init__(self, parameters):
            super().__init__(parameters, {"lr": 0.01})

        @torch.no_grad()
        def step(self):
            (group,) = self.param_groups
            for p in group["params"]:
                state = self.state[p]
                s = state.setdefault("s", torch.full_like(p, initial))
                m = state.setdefault("m", torch.zeros_like(p))
                s.mul_(0.9).add_(0.1 * p.grad**2)
                root = torch.sqrt(s + 1e-3) if root_inside else torch.sqrt(s) + 1e-3
                m.mul_(0.5).add_(p.grad / root * (group["lr"] if rate_inside else 1.0))
                p.sub_(m if rate_inside else group["lr"] * m)

    return Rule


RMSPROP = ["optimizer.name=rmsprop", "optimizer.decay=0.9", "optimizer.momentum=0.5", "optimizer.epsilon=1e-3",
           "learning_rate.initial=0.01"]


@row("RMSProp: root")
def rmsprop_root():
    import torch
    torchs = lambda p: torch.optim.RMSprop(p, 0.01, alpha=0.9, eps=1e-3, momentum=0.5)
    return Case(RMSPROP, optimizer=tf_rmsprop(),
                others=[{"optimizer": tf_rmsprop(root_inside=False)}, {"optimizer": torchs}])


@row("RMSProp: start")
def rmsprop_start():
    return Case(RMSPROP, optimizer=tf_rmsprop(), others=[{"optimizer": tf_rmsprop(initial=0.0)}])


@row("RMSProp: momentum")
def rmsprop_momentum():
    import torch
    halve = lambda o: torch.optim.lr_scheduler.MultiStepLR(o, [5, 12], 0.5)
    steps = ["learning_rate.schedule=step", "learning_rate.unit=steps", "learning_rate.milestones=5, 12",
             "learning_rate.decay_factor=0.5"]
    check("rmsprop_momentum, one rate", Case(RMSPROP, optimizer=tf_rmsprop(rate_inside=False)))
    return Case(RMSPROP + steps, optimizer=tf_rmsprop(), schedule=halve,
                others=[{"optimizer": tf_rmsprop(rate_inside=False)}])


def tf_adam(weight_decay=0.0):
    import torch

    class Rule(torch.optim.Optimizer):
        def __init__(self, parameters):
            super().__init__(parameters, {"lr": 0.01})

        @torch.no_grad()
        def step(self):
            (group,) = self.param_groups
            for p in group["params"]:
                state = self.state[p]
                t = state["t"] = state.get("t", 0) + 1
                m = state.setdefault("m", torch.zeros_like(p))
                s = state.setdefault("s", torch.zeros_like(p))
                p.mul_(1.0 - group["lr"] * weight_decay)
                m.mul_(0.9).add_(0.1 * p.grad)
                s.mul_(0.999).add_(0.001 * p.grad**2)
                rate = group["lr"] * (1 - 0.999**t)**0.5 / (1 - 0.9**t)
                p.sub_(rate * m / (torch.sqrt(s) + 1e-3))

    return Rule


def adam(**options):
    import torch
    return lambda p: torch.optim.Adam(p, 0.01, **{"eps": 1e-3, **options})


def adamw(**options):
    import torch
    return lambda p: torch.optim.AdamW(p, 0.01, **{"eps": 1e-3, **options})


ADAM = ["optimizer.name=adam", "optimizer.epsilon=1e-3", "learning_rate.initial=0.01"]


@row("Adam, AdamW: epsilon")
def adam_epsilon():
    """With epsilon_as = tensorflow first, then as the row's own case PyTorch's, the default."""
    case = Case(ADAM + ["optimizer.epsilon_as=tensorflow"], optimizer=tf_adam(), others=[{"optimizer": adam()}])
    check("adam_epsilon, as TensorFlow", case)
    usual = Case(["optimizer.name=adam", "learning_rate.initial=0.01"], optimizer=adam(eps=1e-8))
    check("adam_epsilon, the usual 1e-8", usual)
    return Case(ADAM, optimizer=adam(), others=[{"optimizer": tf_adam()}])


@row("Adam: weight decay")
def adam_decay():
    decayed = adam(weight_decay=0.05)
    return Case(ADAM + ["optimizer.weight_decay=0.05", "optimizer.decay_all=true"], optimizer=decayed,
                others=[{"optimizer": adamw(weight_decay=0.05)}], reported=with_decay(0.05))


@row("AdamW: weight decay")
def adamw_decay():
    settings = ["optimizer.name=adamw", "optimizer.epsilon=1e-3", "learning_rate.initial=0.01",
                "optimizer.weight_decay=0.5", "optimizer.decay_all=true"]
    case = Case(settings + ["optimizer.epsilon_as=tensorflow"], optimizer=tf_adam(0.5))
    check("adamw_decay, epsilon as TensorFlow", case)
    return Case(settings, optimizer=adamw(weight_decay=0.5), others=[{"optimizer": adam(weight_decay=0.5)}])


def decayed_groups(p):
    """Weights alone, as most recipes for PyTorch set it up."""
    import torch
    weights, rest = [t for t in p if t.dim() > 1], [t for t in p if t.dim() == 1]
    return torch.optim.SGD([{"params": weights, "weight_decay": 0.05}, {"params": rest}], 0.1)


@row("Weight decay: biases")
def decay_of_biases():
    every = ["optimizer.weight_decay=0.05", "optimizer.decay_all=true"]
    all_decayed = lambda p: sgd(p, weight_decay=0.05)
    check("decay_of_biases, all", Case(every, optimizer=all_decayed, reported=with_decay(0.05)))
    return Case(every[:1], optimizer=decayed_groups, others=[{"optimizer": all_decayed}],
                reported=with_decay(0.05, biases=False))


@row("Weight decay: loss")
def decay_in_loss():
    return Case(["optimizer.weight_decay=0.05"], optimizer=decayed_groups, reported=with_decay(0.05, biases=False),
                others=[{"reported": lambda loss, parameters: loss}])


@row("Clip norm")
def clipping():
    settings = ["optimizer.name=momentum", "optimizer.momentum=0.9", "optimizer.clip_norm=0.25"]
    optimizer = lambda p: sgd(p, momentum=0.9)
    return Case(settings, optimizer=optimizer, clip=0.25, others=[{"clip": 0.0}])


@row("Label smoothing")
def label_smoothing():
    import torch
    smooth = lambda logits, labels, p: torch.nn.functional.cross_entropy(logits, labels, label_smoothing=0.2)
    return Case(objective="label_smoothing = 0.2", loss=smooth, others=[{"loss": cross_entropy}])


@row("Class weights")
def class_weights():
    import torch
    weights = [1, 2, 1, 1, 0.5, 1, 1, 3, 1, 1]

    def weighted(reduction):
        def loss(logits, labels, p):
            each = torch.nn.functional.cross_entropy(logits, labels, torch.tensor(weights, dtype=torch.float64),
                                                     reduction=reduction)
            return each if reduction == "mean" else each / len(labels)
        return loss

    return Case(objective=f"class_weights = {weights}", loss=weighted("sum"), others=[{"loss": weighted("mean")}])


def normalization(**keys):
    values = {"decay": 0.9, **keys}
    return 'type = "normalization"\nname = "norm"\n' + "\n".join(f"{k} = {v}" for k, v in values.items())


def batch_norm(momentum=0.1, eps=1e-3, unbiased=False):
    """PyTorch's, with the moments that it keeps; or the variance of n that follows, where it has that of n - 1."""
    import torch

    def net(p, x, state):
        x = convolution(p, x)
        mean = state.setdefault("norm.moving_mean", torch.zeros(6, dtype=torch.float64))
        variance = state.setdefault("norm.moving_variance", torch.ones(6, dtype=torch.float64))
        if unbiased:
            x = torch.nn.functional.batch_norm(x, mean, variance, p["norm.weight"], p["norm.bias"], True, momentum, eps)
        else:
            with torch.no_grad():
                mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))
                variance.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3), unbiased=False))
            x = torch.nn.functional.batch_norm(x, None, None, p["norm.weight"], p["norm.bias"], True, momentum, eps)
        return ended(p, x)

    return net


def with_norm(**keys):
    return (CONV, normalization(**keys), RELU, POOL, DENSE)


def kept(name):
    """Compares a statistic at the end; what PyTorch does otherwise has another one there."""
    return lambda weights, state: (weights[name], state[name])


@row("Normalization: momentum")
def norm_momentum():
    check("norm_momentum, mean", Case(layers=with_norm(), net=batch_norm(), after=kept("norm.moving_mean"),
                                      others=[{"net": batch_norm(momentum=0.3)}]))
    return Case(layers=with_norm(decay=0.7, unbiased="true"), net=batch_norm(momentum=0.3, unbiased=True),
                after=kept("norm.moving_variance"), others=[{"net": batch_norm(momentum=0.1, unbiased=True)}])


@row("Normalization: variance")
def norm_variance():
    check("norm_variance, unbiased = true", Case(layers=with_norm(unbiased="true"), net=batch_norm(unbiased=True),
                                                 after=kept("norm.moving_variance")))
    return Case(layers=with_norm(), net=batch_norm(), after=kept("norm.moving_variance"),
                others=[{"net": batch_norm(unbiased=True)}])


@row("Normalization: epsilon")
def norm_epsilon():
    check("norm_epsilon, PyTorch's", Case(layers=with_norm(epsilon=1e-5), net=batch_norm(eps=1e-5)))
    return Case(layers=with_norm(), net=batch_norm(eps=1e-3), others=[{"net": batch_norm(eps=1e-5)}])


@row("Padding: convolutions")
def padding():
    """A stride of 2 and "same" on an even size: one row and column more at the bottom and right, none before."""
    import torch.nn.functional as F
    same = lambda p, x, state: ended(p, F.conv2d(F.pad(x, (0, 1, 0, 1)), p["conv.weight"], p["conv.bias"], stride=2))
    check("padding = half", Case())
    return Case(layers=(CONV.replace('"half"', '"same"'), RELU, POOL, DENSE), net=same, others=[{"net": plain}])


@row("Padding: average pooling")
def mean_at_the_edge():
    import torch.nn.functional as F
    pool = 'type = "average_pool"\nname = "mean"\nwindow = [3, 3]\nstride = [2, 2]\npadding = "half"\n'

    def net(counts):
        return lambda p, x, state: F.linear(
            F.avg_pool2d(F.relu(convolution(p, x)), 3, 2, 1, count_include_pad=counts).flatten(1), p["logits.weight"],
            p["logits.bias"])

    check("mean_at_the_edge, counts_padding = true", Case(layers=(CONV, RELU, pool + "counts_padding = true", DENSE),
                                                          net=net(True)))
    return Case(layers=(CONV, RELU, pool, DENSE), net=net(False), others=[{"net": net(True)}])


@row("Response: alpha")
def response_alpha():
    import torch.nn.functional as F
    layer = 'type = "lrn"\nname = "response"\ndepth_radius = 2\nalpha = 0.02\nbeta = 0.75'
    net = lambda alpha: lambda p, x, state: ended(p, F.local_response_norm(convolution(p, x), 5, alpha, 0.75, 1.0))
    return Case(layers=(CONV, layer, RELU, POOL, DENSE), net=net(5 * 0.02), others=[{"net": net(0.02)}],
                same=5e-6)  # its powers are of float32


@row("Padding: transposed")
def transposed_padding():
    import torch.nn.functional as F
    up = lambda padding: (f'type = "conv_transpose2d"\nname = "up"\nchannels = 3\nkernel = [3, 3]\nstride = [2, 2]\n'
                          f'padding = "{padding}"\ninitializer = "he_normal"')
    start = CONV.replace("[2, 2]", "[4, 4]")

    def net(transposed):
        return lambda p, x, state: ended(p, transposed(
            F.conv2d(x, p["conv.weight"], p["conv.bias"], stride=4, padding=1), p["up.weight"], p["up.bias"]))

    check("transposed_padding = valid", Case(layers=(start, up("valid"), RELU, POOL, DENSE),
                                             net=net(lambda x, w, b: F.conv_transpose2d(x, w, b, 2))))
    return Case(layers=(start, up("same"), RELU, POOL, DENSE),
                net=net(lambda x, w, b: F.conv_transpose2d(x, w, b, 2)[:, :, :-1, :-1]),
                others=[{"net": net(lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1))}])


@row("GELU")
def gelu():
    import torch.nn.functional as F
    net = lambda kind: lambda p, x, state: F.linear(
        F.max_pool2d(F.gelu(convolution(p, x), approximate=kind), 2).flatten(1), p["logits.weight"], p["logits.bias"])
    return Case(layers=(CONV, RELU.replace('activation = "relu"', 'activation = "gelu"'), POOL, DENSE), net=net("none"),
                others=[{"net": net("tanh")}])


@row("Dense after a map")
def flattening():
    """Exported weights read the values channel by channel."""
    import torch.nn.functional as F
    rows = lambda p, x, state: F.linear(F.max_pool2d(F.relu(convolution(p, x)), 2).permute(0, 2, 3, 1).flatten(1),
                                        p["logits.weight"], p["logits.bias"])
    return Case(others=[{"net": rows}])


def scheduled(settings, schedule, other):
    return Case(settings, schedule=schedule, others=[{"schedule": other}])


@row("Cosine")
def cosine():
    import torch.optim.lr_scheduler as S
    return scheduled(["learning_rate.schedule=cosine", "learning_rate.final_share=0.1"],
                     lambda o: S.CosineAnnealingLR(o, STEPS, 0.01), lambda o: S.CosineAnnealingLR(o, STEPS, 0.0))


@row("Polynomial")
def polynomial():
    import torch.optim.lr_scheduler as S
    return scheduled(["learning_rate.schedule=polynomial", "learning_rate.power=2"],
                     lambda o: S.PolynomialLR(o, STEPS, 2.0), lambda o: S.PolynomialLR(o, STEPS, 1.0))


@row("Milestones")
def milestones():
    import torch.optim.lr_scheduler as S
    return scheduled(["learning_rate.schedule=step", "learning_rate.unit=steps", "learning_rate.milestones=4, 9",
                      "learning_rate.decay_factor=0.5"],
                     lambda o: S.MultiStepLR(o, [4, 9], 0.5), lambda o: S.MultiStepLR(o, [5, 10], 0.5))


@row("Exponential")
def exponential():
    """One batch is an epoch here."""
    import torch.optim.lr_scheduler as S
    return scheduled(["learning_rate.epochs_per_decay=3", "learning_rate.decay_factor=0.7"],
                     lambda o: S.StepLR(o, 3, 0.7), lambda o: S.ExponentialLR(o, 0.7**(1 / 3)))


@row("Warm-up")
def warmup():
    import torch.optim.lr_scheduler as S
    return scheduled(["learning_rate.unit=steps", "learning_rate.warmup=8"],
                     lambda o: S.LinearLR(o, 1 / 8, 1.0, 7), lambda o: S.LinearLR(o, 1 / 3, 1.0, 5))


@row("Accumulation")
def accumulation():
    """The losses of one pass, to the rounding of sums of other rows."""
    return Case(["accumulate_passes=4"])


@row("Moving average")
def moving_average():
    import torch

    def follow(decay_at):
        def after(weights, state):
            return weights["average"]["conv.weight"], state["average"](decay_at)
        return after

    tensorflow = lambda n: min(0.99, (1 + n) / (10 + n))
    check("moving_average, small", Case(["moving_average.decay=0.1"], after=follow(lambda n: 0.1)))
    return Case(["moving_average.decay=0.99"], after=follow(tensorflow), others=[{"after": follow(lambda n: 0.99)}])


@row("Initial weights")
def initial_weights():
    """Compares deviations, of many weights: here those of a normal distribution without its tails."""
    import torch
    layers = ('type = "conv2d"\nname = "conv"\nchannels = 256\nkernel = [5, 5]\nstride = [4, 4]\npadding = "half"',
              RELU, POOL, DENSE)
    folder = lockstep("initial_weights", layers, "", ["steps=1"])
    weights = exported(folder, 0)["conv.weight"]
    ours, theirs = weights.std().item(), torch.nn.Conv2d(3, 256, 5).weight.std().item()
    assert abs(ours / (0.05 * 0.87963) - 1) < 0.02, f"a deviation of {ours}"
    assert abs(weights).max() <= 0.1
    assert abs(theirs / 75**-0.5 * 3**0.5 - 1) < 0.02 and abs(theirs / ours - 1) > 0.1, f"a deviation of {theirs}"
    print(f"initial_weights: deviations {ours:.4f} and {theirs:.4f}")


@row("Pixels")
def pixels():
    """What enters is each image less its own mean, by its own deviation; not all less those of a data set."""
    fixed = lambda p, x, state: plain(p, IMAGES_AS_TORCHVISION, state)
    return Case(others=[{"net": fixed}])


# What runs them.

def lockstep(name, layers, objective, settings):
    """Trains and returns the run's folder."""
    model = pathlib.Path(WORK, "model.toml")
    model.write_text(f'name = "small"\nclasses = {CLASSES}\ninput = {{ height = 32, width = 32, channels = 3 }}\n'
                     + "".join(f"[[layer]]\n{layer}\n" for layer in layers)
                     + f'[[objective]]\nname = "cross_entropy"\nlogits = "logits"\n{objective}\n')
    folder = pathlib.Path(WORK, "runs", re.sub(r"\W+", "_", name))
    usual = [f"steps={STEPS}", f"batch_per_tower={EXAMPLES}", "learning_rate.initial=0.1", "input.crop=false",
             "input.flip=false", "input.brightness=false", "input.contrast=false", "evaluate.at_end=false",
             "checkpoint.every_steps=0"]
    command = [PROGRAM, "train", "--device", "cpu", "--towers", "1", "--model", str(model), "--run", str(folder),
               "--dataset", "cifar10", "--data", f"{WORK}/data"]
    for setting in usual + list(settings):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{name}: {' '.join(command)}\n{done.stderr}"
    return folder


def exported(folder, step, kind="raw"):
    """The weights of a checkpoint, in PyTorch's layout."""
    import safetensors.torch
    file = f"{WORK}/weights.safetensors"
    checkpoint = folder / "checkpoints" / f"step-{step:09}.safetensors"
    done = subprocess.run([PROGRAM, "export", str(checkpoint), "--safetensors", file, "--weights", kind],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return safetensors.torch.load_file(file)


def losses_there(settings, weights):
    """The losses before each step in PyTorch, and what is left at the end."""
    import torch
    images, labels = IMAGES, LABELS
    parameters = {name: tensor.double().clone().requires_grad_() for name, tensor in weights.items()
                  if not re.search(r"running_|moving_", name)}
    optimizer = settings["optimizer"](list(parameters.values()))
    schedule = settings["schedule"](optimizer) if settings["schedule"] else None
    losses, state, averages = [], {}, [parameters["conv.weight"].detach().clone()]
    for _ in range(STEPS):
        loss = settings["loss"](settings["net"](parameters, images, state), labels, parameters)
        losses.append(settings["reported"](loss, parameters).item())
        optimizer.zero_grad()
        loss.backward()
        if settings["clip"]:
            torch.nn.utils.clip_grad_norm_(parameters.values(), settings["clip"])
        optimizer.step()
        if schedule:
            schedule.step()
        averages.append(parameters["conv.weight"].detach().clone())

    def average(decay_at):
        value = averages[0]
        for n, weight in enumerate(averages[1:]):
            value = decay_at(n) * value + (1 - decay_at(n)) * weight
        return value

    return losses, {**state, "average": average}


def distance(ours, theirs):
    """The largest difference, as a share of the largest value."""
    import torch
    ours, theirs = torch.as_tensor(ours).double(), torch.as_tensor(theirs).double()
    assert torch.isfinite(ours).all() and torch.isfinite(theirs).all()
    return ((ours - theirs).abs().max() / theirs.abs().max()).item()


def check(name, case):
    folder = lockstep(name, case.layers, case.objective, case.settings)
    csv_file = f"{WORK}/losses.csv"
    subprocess.run([PROGRAM, "export", str(folder), "--csv", csv_file], check=True, capture_output=True)
    ours = [float(line["loss_mean"]) for line in csv.DictReader(open(csv_file))]
    assert len(ours) == STEPS
    first, last = exported(folder, 0), exported(folder, STEPS)

    def apart(changes):
        settings = {**case.torch, **changes}
        theirs, state = losses_there(settings, first)
        after = changes.get("after", case.after)
        if not after:
            return distance(ours, theirs)
        last["average"] = exported(folder, STEPS, "average")
        return max(distance(ours, theirs) * ("after" not in changes), distance(*after(last, state)))

    same, others = apart({}), [apart(changes) for changes in case.others]
    print(f"{name}: {same:.1e} of the loss apart" + "".join(f"; otherwise {other:.1e}" for other in others))
    assert same < case.same, f"{name}: the losses differ by {same:.1e}"
    for other in others:
        assert other > OTHER, f"{name}: what should differ does not, {other:.1e}"


def made_up_data():
    """Files as CIFAR-10's, four images in each, and what the network sees of them."""
    import numpy as np
    import torch
    global IMAGES, IMAGES_AS_TORCHVISION, LABELS
    random = np.random.default_rng(1)
    folder = pathlib.Path(WORK, "data", "cifar-10-batches-bin")
    folder.mkdir(parents=True)
    records = random.integers(0, 256, (EXAMPLES + 4, 1 + 3 * 32 * 32), dtype=np.uint8)
    records[:, 0] %= CLASSES
    for i, name in enumerate([f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]):
        records[4 * i:4 * i + 4].tofile(folder / f"{name}.bin")
    images = records[:EXAMPLES, 1:].reshape(-1, 3, 32, 32).astype(np.float64)
    mean, deviation = images.mean((1, 2, 3), keepdims=True), images.std((1, 2, 3), keepdims=True)
    IMAGES = torch.from_numpy((images - mean) / np.maximum(deviation, images[0].size**-0.5))
    IMAGES_AS_TORCHVISION = torch.from_numpy((images / 255 - 0.45) / 0.225)
    LABELS = torch.from_numpy(records[:EXAMPLES, 0].astype(np.int64))


def rows_of(page):
    """First cells, without those of headings and of the lines below them."""
    cells = re.findall(r"^\| *([^|]*?) *\|.*\n(?!\|[ :-]+\|)", page.read_text(), re.MULTILINE)
    return [cell for cell in cells if not re.fullmatch(r":?-+:?", cell)]


def main(what, *arguments):
    global PROGRAM, WORK
    if what == "rows":
        page, translated = (pathlib.Path(arguments[0], name) for name in ("pytorch.md", "de/pytorch.md"))
        assert sorted(rows_of(page)) == sorted(ROWS), f"{page}: {set(rows_of(page)) ^ set(ROWS)} is not held, or no row"
        assert len(rows_of(translated)) == len(ROWS), f"{translated} has {len(rows_of(translated))} rows"
        return
    PROGRAM, WORK = arguments
    made_up_data()
    for name, make in ROWS.items():
        case = make()
        if case:
            check(name, case)
    print(f"ok: {len(ROWS)} rows of the guide's page hold")


main(*sys.argv[1:])
