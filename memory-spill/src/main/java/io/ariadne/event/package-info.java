/**
 * What the threads of the process do and wait for: {@link io.ariadne.event.ThreadRecord} is the
 * diary of one thread, with its latest {@link io.ariadne.event.Event}s, the {@link
 * io.ariadne.event.Wait} it is in and the {@link io.ariadne.event.WorkOwner} it works for.
 * Recording takes no lock and allocates nothing; whoever looks (a watchdog, a dump) bears the cost.
 *
 * <p>May depend on {@code columnar.buffer} and the JDK. Knows nothing of pools, spill stores, tasks
 * or plans, which record here.
 */
package io.ariadne.event;
