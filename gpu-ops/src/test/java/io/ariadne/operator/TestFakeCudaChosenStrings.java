package io.ariadne.operator;

import io.ariadne.kernel.testing.OnFakeCuda;
import org.junit.jupiter.api.Timeout;

/** Strings chosen among columns on the CUDA back end over the fake driver. */
@Timeout(60)
class TestFakeCudaChosenStrings extends AbstractTestChosenStrings implements OnFakeCuda {}
