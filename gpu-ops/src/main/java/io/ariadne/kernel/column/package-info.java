/**
 * Kernels over whole columns and transfers of columns to their memory. {@link
 * io.ariadne.kernel.column.SelectRowsKernel} converts a mask to row numbers. {@link
 * io.ariadne.kernel.column.GatherKernel} gathers rows of flat columns, and {@link
 * io.ariadne.kernel.column.RowGather} also of nested ones. {@link
 * io.ariadne.kernel.column.EntryMaskKernel} maps the results for dictionary entries to rows. {@link
 * io.ariadne.kernel.column.StringProducerKernel}, {@link
 * io.ariadne.kernel.column.StringChoiceKernel}, {@link io.ariadne.kernel.column.StringParserKernel}
 * and {@link io.ariadne.kernel.column.StringFormatterKernel} compute, choose, parse and format
 * strings. {@link io.ariadne.kernel.column.ColumnTransfer} copies columns between host memory and
 * kernel memory.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi} and {@code columnar}. Knows nothing of
 * expressions or operators.
 */
package io.ariadne.kernel.column;
