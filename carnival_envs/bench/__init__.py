"""How fast every path is: the rows behind ``carnival-envs bench``."""
