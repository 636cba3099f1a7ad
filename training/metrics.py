"""The numbers of a run, for people and programs: ``metrics.jsonl`` and TensorBoard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from torch.utils.tensorboard import SummaryWriter

from carnival_envs.core.files import replacing
from training.run_directory import RunDirectory

STEPS = "steps"


class Metrics:
    """Writes a line of numbers at a time. What an interrupted run wrote after its checkpoint is dropped."""

    def __init__(self, run: RunDirectory, steps: int) -> None:
        """
        Args:
            run: where to write.
            steps: how many steps the run has done already.
        """
        keep_lines(run.metrics_file, steps)
        self._file = run.metrics_file.open("a", encoding="utf-8")
        self._tensorboard = SummaryWriter(str(run.tensorboard_folder), purge_step=steps + 1)

    def write(self, steps: int, numbers: Mapping[str, float]) -> None:
        """Write numbers by name (``group/name``), as they stand after so many steps."""
        self._file.write(json.dumps({STEPS: steps, **numbers}) + "\n")
        self._file.flush()
        for name, number in numbers.items():
            self._tensorboard.add_scalar(name, number, steps)

    def __enter__(self) -> Metrics:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._tensorboard.close()


def keep_lines(path: Path, steps: int) -> None:
    """Drop the lines of a metrics file that speak of more than so many steps, and a last one cut short."""
    if not path.is_file():
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.endswith("\n") and json.loads(line)[STEPS] <= steps]
    with replacing(path) as temporary:
        temporary.write_text("".join(kept), encoding="utf-8")
