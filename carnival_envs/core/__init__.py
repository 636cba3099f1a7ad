"""What all games share: compilation, chance, the Python face of a game, positions, batches."""
