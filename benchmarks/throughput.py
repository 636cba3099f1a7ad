"""The speed of every path: the same as the command ``carnival-envs bench``, with the same arguments."""

from __future__ import annotations

import sys

from carnival_envs.cli import main

if __name__ == "__main__":
    main(["bench", *sys.argv[1:]])
