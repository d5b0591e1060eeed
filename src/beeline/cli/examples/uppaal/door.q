A[] not (One.inside and Two.inside)
