/**
 * Tile programs: their instructions ({@link io.ariadne.kernel.tile.TileProgram}) and their launch
 * ({@link io.ariadne.kernel.tile.TileProgramKernel}).
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code columnar} and {@code error}. Knows
 * nothing of expressions or operators. {@code tile/opcodes.def}, among the kernels, defines the
 * instructions.
 */
package io.ariadne.kernel.tile;
