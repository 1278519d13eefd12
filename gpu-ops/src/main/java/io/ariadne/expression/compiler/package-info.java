/**
 * Compiles expressions to tile programs for a batch signature: {@link
 * io.ariadne.expression.compiler.TileProgramCompiler}.
 *
 * <p>Lowering writes operations over virtual registers ({@code TileBuilder}). Dead operations are
 * dropped, long programs are split, and registers are assigned. May depend on {@code expression},
 * {@code kernel} and {@code columnar}. Knows nothing of operators, memory or launches.
 */
package io.ariadne.expression.compiler;
