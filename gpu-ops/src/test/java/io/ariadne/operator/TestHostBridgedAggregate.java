package io.ariadne.operator;

import io.ariadne.kernel.testing.OnHost;

/** The aggregation by functions of the JVM on the host. */
class TestHostBridgedAggregate extends AbstractTestBridgedAggregate implements OnHost {}
