package io.ariadne.operator.aggregate.bridged;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** Spark's aggregates on a simulated device. */
class TestSimulatedBridgedAggregate extends AbstractTestBridgedAggregate
    implements OnSimulatedDevice {}
