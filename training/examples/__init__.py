"""Other libraries at work on the games; each example finishes in about a minute."""
