package io.ariadne.backend;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** Spilling from a simulated device. */
class TestSimulatedDeviceSpill extends AbstractTestDeviceSpill implements OnSimulatedDevice {}
