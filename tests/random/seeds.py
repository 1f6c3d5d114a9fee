"""The loop over seeds of testers that know what is right."""

import argparse
from pathlib import Path


def parser():
    """The options that all have."""
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--keep")
    return options


def run(args, differences, suffix="cl", good="equal"):
    """Prints what differs, and how many do; returns the exit status. `differences` gives for a seed a heading, lines that say what
    differs, of which the first few are printed, and the text that goes to --keep; nothing if there is no program of that seed."""
    counts = {good: 0, "differ": 0}
    for seed in range(args.seed, args.seed + args.count):
        made = differences(seed)
        if not made:
            continue
        heading, found, text = made
        counts["differ" if found else good] += 1
        if found:
            print(seed, *([heading] if heading else []), "; ".join(found[:3]), flush=True)
            if args.keep and text:
                Path(args.keep).mkdir(parents=True, exist_ok=True)
                Path(args.keep, f"{seed}.{suffix}").write_text(text)
    print(", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["differ"] else 0
