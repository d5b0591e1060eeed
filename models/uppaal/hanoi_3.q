E<> D0.idle2 and D1.idle2 and D2.idle2
