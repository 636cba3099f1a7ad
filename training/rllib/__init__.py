"""Self-play on a Ray cluster with RLlib. Needs the ``ray`` extra."""
