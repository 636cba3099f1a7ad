"""Playing and watching games: a person's seat in a game, in the terminal and in the browser."""
