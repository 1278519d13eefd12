package io.ariadne.backend;

import io.ariadne.kernel.testing.OnCuda;

/** Spilling from a GPU, skipped where there is none. */
class TestCudaDeviceSpill extends AbstractTestDeviceSpill implements OnCuda {}
