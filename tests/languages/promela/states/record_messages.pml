// SPIN stores 14 states.
typedef M { byte k; bool f; short v[2] }; chan q=[2] of {M}; chan r=[1] of {byte,M}; M m;
active proctype A() { M z; z.k=2; z.v[1]=-5; q!z; z.f=1; q!z; r!7,z }
active proctype B() { M y; byte n; q?y; q?m; r?n,y; q?[_,1,2,3] }
