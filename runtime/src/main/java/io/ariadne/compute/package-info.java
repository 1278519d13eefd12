/**
 * Runs work on a fixed number of compute threads, which take the most urgent {@link
 * io.ariadne.compute.WorkItem} of all fragments from one queue.
 *
 * <p>May depend on the JDK and slf4j only. Knows nothing of plans, operators, batches or memory.
 */
package io.ariadne.compute;
