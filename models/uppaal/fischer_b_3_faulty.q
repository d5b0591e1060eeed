A[] not (P(1).cs and P(2).cs)
