/**
 * How much memory the work of a fragment takes: {@link io.ariadne.fragment.memory.TaskMemory}
 * estimates what a batch needs from what earlier batches took, {@link
 * io.ariadne.fragment.memory.SplitMemory} bounds what the started splits of all fragments hold.
 *
 * <p>May depend on {@code pipeline.plan}, {@code memory} and {@code columnar}.
 */
package io.ariadne.fragment.memory;
