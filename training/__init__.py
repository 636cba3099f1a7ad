"""Self-play training of policies for the games of ``carnival_envs``; needs its ``train`` extra."""

import os
from importlib.util import find_spec

# Threads of torch that wait for each other must sleep. By default they spin: where other work shares the cores, two
# threads then learn many times slower than one. It counts only if torch has not been loaded yet.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

for _module in ("pydantic", "rich", "sb3_contrib", "tensorboard", "torch", "yaml"):
    if find_spec(_module) is None:
        raise ImportError(f"training needs {_module}: pip install 'carnival-envs[train]'")
