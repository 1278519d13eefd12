#include "litmus/litmus.cuh"

ARIADNE_LITMUS_ARGUMENTS(litmus_message_passing);
ARIADNE_LITMUS_ARGUMENTS(litmus_look_back);
ARIADNE_LITMUS_ARGUMENTS(litmus_insert_then_probe);

ARIADNE_KERNEL(litmus_message_passing, 256, 1, 0) { litmus::message_passing(args); }

ARIADNE_KERNEL(litmus_look_back, 256, 4, 0) { litmus::look_back(args); }

ARIADNE_KERNEL(litmus_insert_then_probe, 256, 1, 0) { litmus::insert_then_probe(args); }
