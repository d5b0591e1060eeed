A[] forall (a : id_t) forall (b : id_t) (Station(a).cs and Station(b).cs imply a == b)
