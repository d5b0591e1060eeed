A[] not (on[0] > 0 and on[1] > 0)
