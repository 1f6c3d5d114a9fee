dir
