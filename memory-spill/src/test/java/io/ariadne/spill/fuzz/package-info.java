/**
 * The memory system under load by chance: {@link io.ariadne.spill.fuzz.TestSpillFuzz} runs many
 * small tasks on several threads over a budget that holds a fraction of what they keep, while
 * memory, files and reads fail and threads are interrupted.
 *
 * <p>May depend on {@code memory}, {@code spill}, {@code spill.disk}, {@code columnar} and JUnit.
 * Knows nothing of how spilled bytes are laid out.
 */
package io.ariadne.spill.fuzz;
