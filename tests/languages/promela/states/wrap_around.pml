// SPIN stores 12 states.
byte b=250; bit t; short s=32760; int i=2147483640; unsigned u:3 = 5; bool w[2];
active proctype A() { do :: atomic { b<5 || b>=250 -> b++; t=t+3; s++; i++; u++; w[0]=b; w[1]=2 } od }
