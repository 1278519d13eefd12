/**
 * How blocks travel between executors: {@link io.ariadne.shuffle.transport.BlockTransport} fetches,
 * {@link io.ariadne.shuffle.transport.BlockServer} serves, over TCP or UCX with one contract.
 *
 * <p>Both ends prove that they know the application's secret before a block moves, and bytes are
 * encrypted when the application asks for it, on every transport. May depend on {@code
 * columnar.buffer} and {@code memory}. Knows nothing of batches: a block is bytes.
 */
package io.ariadne.shuffle.transport;
