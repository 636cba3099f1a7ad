"""What the tests of training share."""

from __future__ import annotations

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Small networks gain nothing from threads, and tests run side by side."""
    torch.set_num_threads(1)
