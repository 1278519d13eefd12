package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnFakeCuda;

/** Strings chosen among columns on the CUDA back end over the fake driver. */
class TestFakeCudaChosenStrings extends AbstractTestChosenStrings implements OnFakeCuda {}
