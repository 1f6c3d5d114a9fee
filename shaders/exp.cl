// exp
