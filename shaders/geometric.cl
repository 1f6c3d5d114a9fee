// geometric
