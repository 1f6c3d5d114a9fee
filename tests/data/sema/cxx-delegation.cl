// options: -cl-std=CLC++2021
// target: lavapipe
// Constructors that delegate in a cycle.
struct cycle {
    cycle(int) : cycle(1.0f) {}
    cycle(float) : cycle(1) {} //~ 20 error: constructor for 'cycle' creates a delegation cycle
    cycle() : cycle(2.0f) {}
};
struct chain {
    chain(int) {}
    chain(float) : chain(1) {}
    chain() : chain(2.0f) {}
};
