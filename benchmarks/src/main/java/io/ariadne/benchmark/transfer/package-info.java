/**
 * Measures how fast blocks move between two processes, by Ariadne's transport and by Spark's block
 * transfer, over links of given rates.
 *
 * <p>{@link io.ariadne.benchmark.transfer.Links} makes the links, {@link
 * io.ariadne.benchmark.transfer.TransferProcess} is one end of a transfer in a JVM of its own.
 */
package io.ariadne.benchmark.transfer;
