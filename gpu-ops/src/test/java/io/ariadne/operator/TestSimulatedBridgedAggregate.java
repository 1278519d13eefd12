package io.ariadne.operator;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** Spark's aggregates on a simulated device. */
class TestSimulatedBridgedAggregate extends AbstractTestBridgedAggregate
    implements OnSimulatedDevice {}
