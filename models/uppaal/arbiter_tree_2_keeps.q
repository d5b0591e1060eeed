A[] not ((C0.cs or C0.still) and C3.cs)
