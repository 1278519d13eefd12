/**
 * Launches of the kernels over whole columns: {@link io.ariadne.kernel.column.SelectRowsKernel}
 * turns a mask into row numbers, {@link io.ariadne.kernel.column.GatherKernel} copies rows by their
 * numbers, {@link io.ariadne.kernel.column.RowGather} those of nested columns with them, {@link
 * io.ariadne.kernel.column.EntryMaskKernel} gives rows what was worked out for their entries,
 * {@link io.ariadne.kernel.column.StringProducerKernel} makes strings, {@link
 * io.ariadne.kernel.column.StringChoiceKernel} takes one of several, {@link
 * io.ariadne.kernel.column.StringParserKernel} reads values out of them and {@link
 * io.ariadne.kernel.column.StringFormatterKernel} writes values as them.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi} and {@code columnar}. Knows nothing of
 * expressions or operators.
 */
package io.ariadne.kernel.column;
