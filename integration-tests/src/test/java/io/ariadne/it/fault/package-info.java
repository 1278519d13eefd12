/**
 * Queries that are compared with Spark while memory is refused and spill files fail.
 *
 * <p>Entry types: {@link io.ariadne.it.fault.InjectedFaults}.
 */
package io.ariadne.it.fault;
