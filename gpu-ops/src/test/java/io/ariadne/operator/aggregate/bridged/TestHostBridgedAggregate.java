package io.ariadne.operator.aggregate.bridged;

import io.ariadne.kernel.testing.OnHost;

/** The aggregation by functions of the JVM on the host. */
class TestHostBridgedAggregate extends AbstractTestBridgedAggregate implements OnHost {}
