/**
 * Compilation of expressions to tile programs, per batch signature: {@link
 * io.ariadne.expression.compiler.TileProgramCompiler}.
 *
 * <p>Lowering writes operations over virtual registers ({@code TileBuilder}); dead ones are
 * dropped, long programs are split, registers assigned. May depend on {@code expression}, {@code
 * kernel} and {@code columnar}. Knows nothing of operators, memory or launches.
 */
package io.ariadne.expression.compiler;
