package io.ariadne.event;

import io.ariadne.columnar.buffer.MemoryTier;

/**
 * An event of a thread.
 *
 * @param kind its kind
 * @param thread the thread's name
 * @param node plan node that the thread worked for, or -1
 * @param startNanos when it began, by {@link System#nanoTime}
 * @param nanos how long it took
 * @param bytes bytes that moved or were waited for, 0 where there are none
 * @param from tier they came from, or null
 * @param to tier they went to, or null
 */
public record Event(
    EventKind kind,
    String thread,
    int node,
    long startNanos,
    long nanos,
    long bytes,
    MemoryTier from,
    MemoryTier to) {}
