// SPIN stores 30 states.
chan g = [0] of {chan};
proctype P() { chan c = [1] of {byte}; byte v; g!c; c?v }
init { chan d; byte r; run P(); run P(); g?d; d!5; g?d; d!6 }
