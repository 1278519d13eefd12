package io.ariadne.shuffle.transport;

import io.ariadne.shuffle.codec.CompressedBytes;

/**
 * A block of a peer.
 *
 * @param index which of the wanted ranges its rows are of
 * @param rows its number of rows, as the peer says
 * @param bytes the block, which is not checked; owned by the holder of this object
 */
public record ReceivedBlock(int index, int rows, CompressedBytes bytes) implements AutoCloseable {
  @Override
  public void close() {
    bytes.close();
  }
}
