package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnCuda;

/** Strings chosen among columns on a GPU. */
class TestCudaChosenStrings extends AbstractTestChosenStrings implements OnCuda {}
