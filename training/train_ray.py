"""Train a policy by self-play on a Ray cluster.

``python -m training.train_ray CONFIG [--set key=value ...] [--resume RUN_DIR]``; needs the ``ray`` extra.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from training.rllib.config import RayTrainConfig
from training.train import Command
from training.train import main as run_command

try:
    from training.rllib.trainer import RayTrainer
except ImportError as error:
    raise SystemExit(f'error: a cluster needs the extra "ray": pip install -e ".[ray]" ({error})') from None

ON_RAY = Command("training.train_ray", "Train a policy by self-play on a Ray cluster.", RayTrainConfig, RayTrainer)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    return run_command(arguments, ON_RAY)


if __name__ == "__main__":
    sys.exit(main())
