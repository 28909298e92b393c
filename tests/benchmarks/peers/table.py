# SPDX-License-Identifier: Apache-2.0
"""What compare.py makes of its measurements: medians, paired ratios, the table."""
import statistics

GOALS = {"float32": 2.0, "bfloat16": 3.0}  # Lockstep against the best peer, cifar10
GOAL_OF_OTHERS = 1.2
CEILINGS = {"float32": ("float32_gflops", "float32 FMA"), "bfloat16": ("bfloat16_gflops", "bfloat16")}


def rates(rounds, name):
    """Round -> examples/s of a runner, where it has them."""
    return {number: part["results"][name]["examples_per_second"] for number, part in enumerate(rounds)
            if "error" not in part["results"].get(name, {"error": ""})}


def spread(values):
    values = list(values)
    return {"median": statistics.median(values), "minimum": min(values), "maximum": max(values)} if values else None


def ratio(rounds, ours, theirs):
    """Ratio of the medians; least and largest of the ratios of each round."""
    a, b = rates(rounds, ours), rates(rounds, theirs)
    paired = [a[number] / b[number] for number in a if number in b]
    if not paired:
        return None
    return {"of_medians": statistics.median(a.values()) / statistics.median(b.values()),
            "minimum": min(paired), "maximum": max(paired)}


def ceilings_of(rounds):
    names = {name for part in rounds for name in part["ceilings"]}
    return {name: spread(part["ceilings"][name] for part in rounds if name in part["ceilings"])
            for name in sorted(names)}


def summary(rounds):
    """Of one precision: the rates of all runners, ours against each peer, and against the best of them."""
    names = list(dict.fromkeys(name for part in rounds for name in part["results"]))
    ours = [name for name in names if name.startswith("Lockstep")]
    peers = [name for name in names if name not in ours and rates(rounds, name)]
    rows = {name: spread(rates(rounds, name).values()) for name in names}
    best = max(peers, key=lambda name: rows[name]["median"], default=None)
    return {"examples_per_second": rows, "best_peer": best,
            "ratios": {our: {peer: ratio(rounds, our, peer) for peer in peers} for our in ours},
            "errors": {name: error for name in names if (error := first_error(rounds, name))},
            "neighbour_cores": spread(result.get("neighbour_cores", 0.0)
                                      for part in rounds for result in part["results"].values()),
            "gigaflops_per_example": work_of(rounds, ours), "ceilings": ceilings_of(rounds)}


def first_error(rounds, name):
    return next((part["results"][name]["error"] for part in rounds if "error" in part["results"].get(name, {})), None)


def work_of(rounds, ours):
    """GFLOP of an example, as lockstep-train counts them; None where it was never timed."""
    return next((result["gigaflops_per_second"] / result["examples_per_second"]
                 for part in rounds for name, result in part["results"].items()
                 if name in ours and "gigaflops_per_second" in result), None)


def variant_text(variant):
    if variant is None:
        return ""
    layout = {"contiguous_format": "NCHW", "channels_last": "NHWC"}.get(variant["layout"], variant["layout"])
    text = f"{variant['mode']}, {layout}, {variant['norm']} norm"
    if variant["precision"] == "bfloat16":
        kind = {"float32": "automatic", "cast": "cast by hand", "bfloat16": "float32 masters"}[variant["weights"]]
        text += f", {kind}"
    return text


def ratio_text(found):
    return "" if found is None else f"{found['of_medians']:.2f} ({found['minimum']:.2f} to {found['maximum']:.2f})"


def verdict(precision, found, ours, model):
    """Lines on the goal: Lockstep against the best peer, and the ceiling."""
    best = found["best_peer"]
    if best is None or not any(found["ratios"][our].get(best) for our in ours):
        return ["no ratio: " + ("no peer was timed" if best is None else "Lockstep was not timed")]
    lines = []
    goal = GOALS[precision] if model == "cifar10" else GOAL_OF_OTHERS
    key, label = CEILINGS[precision]
    ceiling = found["ceilings"].get(key)
    for our in ours:
        text = (f"{our} against the best peer, {best}: {ratio_text(found['ratios'][our][best])}; "
                f"goal {goal:.1f}")
        if ceiling and found["gigaflops_per_example"] and found["examples_per_second"][our]:
            reached = found["examples_per_second"][our]["median"] * found["gigaflops_per_example"]
            text += f"; {100 * reached / ceiling['median']:.0f} % of the {label} ceiling"
        lines.append(text)
    return lines


def part_text(precision, part, report):
    found = part["summary"]
    ours = list(found["ratios"])
    lines = [f"{report['model']} · {precision} · batch {report['batch']} (of all towers) · {report['seconds']:g} s each · "
             f"rounds: {len(part['rounds'])} · other programs took "
             f"{found['neighbour_cores']['median']:.2f} cores ({found['neighbour_cores']['maximum']:.2f} at most)",
             f"{'examples/s':<28} {'median':>7} {'min':>7} {'max':>7}   "
             + "   ".join(f"{our + ' / it':<22}" for our in ours) + "   variant"]
    for name, row in found["examples_per_second"].items():
        if row is None:
            lines.append(f"{name:<28} {'-':>7} {'-':>7} {'-':>7}   {found['errors'].get(name, '')}")
            continue
        ratios = "   ".join(f"{ratio_text(found['ratios'][our].get(name)):<22}" for our in ours)
        lines.append(f"{name:<28} {row['median']:>7.4g} {row['minimum']:>7.4g} {row['maximum']:>7.4g}   {ratios}   "
                     f"{variant_text(part['best_variants'].get(name))}".rstrip())
    for name, values in found["ceilings"].items():
        lines.append(f"ceiling {name}: {values['median']:.0f} ({values['minimum']:.0f} to {values['maximum']:.0f})")
    return lines + verdict(precision, found, ours, report["model"]) + [""]


def text(report):
    machine = report["machine"]
    lines = [f"{report['date']} · {machine['model']}, {machine['threads']} threads, "
             f"{' '.join(machine['vector']) or 'no AVX-512'}", ""]
    for precision, part in report["precisions"].items():
        lines += part_text(precision, part, report)
    return "\n".join(lines)
