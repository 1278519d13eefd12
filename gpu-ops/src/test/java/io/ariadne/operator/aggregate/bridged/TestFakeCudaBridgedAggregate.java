package io.ariadne.operator.aggregate.bridged;

import io.ariadne.kernel.testing.OnFakeCuda;

/** The aggregation by functions of the JVM on the CUDA back end over the fake driver. */
class TestFakeCudaBridgedAggregate extends AbstractTestBridgedAggregate implements OnFakeCuda {}
