/**
 * A simulated device: {@link io.ariadne.backend.simulated.SimulatedBackend}.
 *
 * <p>May depend on {@code backend}, {@code backend.cpu}, {@code memory} and {@code
 * columnar.buffer}. Knows nothing of operators, which use it as any other device.
 */
package io.ariadne.backend.simulated;
