/**
 * Accounts for the memory that the work of a fragment takes: {@link
 * io.ariadne.fragment.memory.PipelineMemory} estimates what a batch needs from earlier batches,
 * {@link io.ariadne.fragment.memory.SplitMemory} limits what the started splits of all fragments
 * hold.
 *
 * <p>May depend on {@code fragment.admission}, {@code pipeline.plan}, {@code memory} and {@code
 * columnar}.
 */
package io.ariadne.fragment.memory;
