"""The speed of every path, alone and beside that of other libraries."""
