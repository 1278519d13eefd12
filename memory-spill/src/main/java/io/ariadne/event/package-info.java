/**
 * Records what the threads of the process do and wait for. {@link io.ariadne.event.ThreadRecord} is
 * the record of one thread, with its latest {@link io.ariadne.event.Event}s, its current {@link
 * io.ariadne.event.Wait} and the {@link io.ariadne.event.WorkOwner} of its work. Recording takes no
 * lock and allocates nothing; readers (a watchdog, a dump) bear the cost.
 *
 * <p>May depend on {@code columnar.buffer} and the JDK. Knows nothing of pools, spill stores, tasks
 * or plans, which record here.
 */
package io.ariadne.event;
