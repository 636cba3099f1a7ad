"""The environments: PettingZoo, Gymnasium (one seat, and vectors of it), Stable-Baselines3."""
