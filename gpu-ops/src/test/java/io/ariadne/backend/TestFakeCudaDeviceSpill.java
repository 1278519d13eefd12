package io.ariadne.backend;

import io.ariadne.kernel.testing.OnFakeCuda;

/** Spilling from the CUDA back end over the fake driver. */
class TestFakeCudaDeviceSpill extends AbstractTestDeviceSpill implements OnFakeCuda {}
