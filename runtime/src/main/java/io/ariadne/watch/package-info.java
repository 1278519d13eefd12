/**
 * Observes a running runtime: {@link io.ariadne.watch.Watchdog} reports work that makes no progress
 * and breaks waits; {@link io.ariadne.watch.TraceFile} writes what threads did to a file.
 *
 * <p>May depend on {@code event} and slf4j. Knows nothing of plans, tasks or pools: it only sees
 * {@link io.ariadne.watch.Watched}.
 */
package io.ariadne.watch;
