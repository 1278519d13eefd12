/**
 * Who looks after a runtime while it works: {@link io.ariadne.watch.Watchdog} says who waits for
 * what when nothing moves any more, and breaks what can be broken; {@link
 * io.ariadne.watch.TraceFile} writes down what threads did.
 *
 * <p>May depend on {@code event} and slf4j. Knows nothing of plans, tasks or pools: what it looks
 * at is {@link io.ariadne.watch.Watched}.
 */
package io.ariadne.watch;
