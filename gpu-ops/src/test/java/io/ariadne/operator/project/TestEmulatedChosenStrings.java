package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnEmulator;

/** Strings chosen among columns with the GPU form of the kernels, on the emulator. */
class TestEmulatedChosenStrings extends AbstractTestChosenStrings implements OnEmulator {}
