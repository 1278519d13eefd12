/**
 * Which blocks this process has and in which tier they are: {@link
 * io.ariadne.shuffle.catalog.BlockCatalog}.
 *
 * <p>May depend on {@code columnar}, {@code memory}, {@code spill} and {@code shuffle}. Knows
 * nothing of transports or of who asks.
 */
package io.ariadne.shuffle.catalog;
