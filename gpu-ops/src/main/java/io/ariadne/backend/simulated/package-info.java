/**
 * A device that is not there: {@link io.ariadne.backend.simulated.SimulatedBackend}.
 *
 * <p>May depend on {@code backend}, {@code backend.cpu}, {@code memory} and {@code
 * columnar.buffer}. Knows nothing of operators: they see a device as any other.
 */
package io.ariadne.backend.simulated;
