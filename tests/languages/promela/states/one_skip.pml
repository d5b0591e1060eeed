// SPIN stores 3 states.
init { skip }
