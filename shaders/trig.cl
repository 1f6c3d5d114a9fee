// trig
