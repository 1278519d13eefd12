/**
 * Executes parts of a query in a session of their own: {@link io.ariadne.bridge.query.QuerySession}
 * plans and runs them, {@link io.ariadne.bridge.query.InputPartitions} chooses partitions. Of
 * Ariadne it may depend on {@code bridge} and {@code bridge.file}.
 */
package io.ariadne.bridge.query;
