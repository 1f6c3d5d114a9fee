// native
