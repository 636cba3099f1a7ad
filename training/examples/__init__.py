"""How other libraries take the environments as they are: one short script for each."""
