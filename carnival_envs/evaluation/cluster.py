"""Matches spread over a Ray cluster. Needs the ``ray`` extra; nothing else in ``evaluation`` does."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from carnival_envs.core.game import Game
from carnival_envs.evaluation.matches import OnFinished, Results
from carnival_envs.evaluation.tournament import Part, play_part
from carnival_envs.policies.base import AnyPolicy

LOCAL = "local"
"""In place of an address: a Ray of one's own, on this machine."""

MAX_RETRIES = 8
"""How often a part is played again whose worker died; it gives the same results."""


def play_on_cluster(
    game: Game, policies: Sequence[AnyPolicy], parts: Sequence[Part], on_finished: OnFinished
) -> list[Results]:
    """Play the parts of an evaluation on the cluster of ``connected``: what ``evaluate`` takes as ``play``.

    Each part is a task of its own. Game, policies and what these have loaded are sent to the workers; the package must
    be installed there. A part whose worker or machine dies is played again.

    Raises:
        IllegalActionError: a policy chose an action that is not legal.
        RuntimeError: the cluster is gone, or a part ended every worker that played it.
    """
    ray = ray_module()
    play = ray.remote(max_retries=MAX_RETRIES)(play_part)
    shared = ray.put(game), ray.put(list(policies))
    tasks = [play.remote(*shared, part) for part in parts]
    sizes = {task: len(part.seeds) for task, part in zip(tasks, parts, strict=True)}
    waiting, over = tasks, 0
    try:
        while waiting:
            (done,), waiting = ray.wait(waiting)
            ray.get(done)
            over += sizes[done]
            on_finished(over)
        return list(ray.get(tasks))
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise RuntimeError(f"the Ray cluster gave no result: {error}") from None


@contextmanager
def connected(address: str | None, cpus: float = 0) -> Iterator[None]:
    """A connection to a Ray cluster, which ends with the block; one that is there already is used and left.

    Args:
        address: ``auto``, ``HOST:PORT``; ``None`` or ``local`` starts a Ray of one's own on this machine.
        cpus: how many processors that one is to offer at least.

    Raises:
        ConnectionError: no cluster answers there, or none could be started.
        ImportError: Ray is not installed.
    """
    ray = ray_module()
    if ray.is_initialized():
        yield
        return
    own = {"num_cpus": max(math.ceil(cpus), os.cpu_count() or 1), "include_dashboard": False}
    try:
        if address in (None, LOCAL):
            ray.init(LOCAL, **own, logging_level=logging.ERROR, log_to_driver=False)
        else:
            ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
    except Exception as error:  # Ray raises errors of no class of their own
        ray.shutdown()
        raise ConnectionError(f"Ray at {address or LOCAL}: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


def ray_module() -> Any:
    """Ray.

    Raises:
        ImportError: it is not installed.
    """
    try:
        import ray
    except ImportError:
        raise ImportError("a cluster needs Ray: pip install carnival-envs[ray]") from None
    return ray
