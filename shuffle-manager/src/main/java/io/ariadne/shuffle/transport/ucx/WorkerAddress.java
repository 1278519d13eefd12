package io.ariadne.shuffle.transport.ucx;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where a worker of UCX is reached. Equal for the same worker. Bytes, big endian: length (4),
 * CRC-32C of the address (4), address.
 *
 * <p>UCX trusts an address, and aborts the process for some damaged ones: the checksum refuses
 * those that are damaged by chance. Only Spark's authentication refuses others.
 *
 * @param bytes as UCX has made them, 1 to {@link #MAX_BYTES}
 */
record WorkerAddress(ByteBuffer bytes) {
  /** UCX packs up to 128 devices in some tens of bytes each; one network takes about 200. */
  static final int MAX_BYTES = 16 << 10;

  /** Bytes of the longest address, its length and its checksum. */
  static final int MAX_ENCODED_BYTES = 2 * Integer.BYTES + MAX_BYTES;

  /** Bits of the first byte that tell the version of UCX's addresses. */
  private static final int VERSION_MASK = 0xF;

  /** Copies the bytes. */
  WorkerAddress {
    if (!isLength(bytes.remaining())) {
      throw new IllegalArgumentException(
          "UCX's address of a worker has "
              + bytes.remaining()
              + " bytes: it uses too many devices (UCX_NET_DEVICES)");
    }
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate());
    bytes = copy.flip().asReadOnlyBuffer();
  }

  private static boolean isLength(int length) {
    return length > 0 && length <= MAX_BYTES;
  }

  /**
   * Reads an address that is not trusted.
   *
   * @throws BufferUnderflowException when the bytes have none, or a damaged one
   */
  static WorkerAddress read(ByteBuffer from) {
    int length = from.getInt();
    int checksum = from.getInt();
    if (!isLength(length) || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    WorkerAddress read = new WorkerAddress(from.slice(from.position(), length));
    if (read.checksum() != checksum) {
      throw new BufferUnderflowException();
    }
    from.position(from.position() + length);
    return read;
  }

  private int checksum() {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }

  int encodedBytes() {
    return 2 * Integer.BYTES + bytes.remaining();
  }

  void write(ByteBuffer target) {
    target.putInt(bytes.remaining()).putInt(checksum()).put(bytes.duplicate());
  }

  /** Returns whether UCX's addresses have the same version; UCX aborts for one it does not know. */
  boolean isLike(WorkerAddress other) {
    return ((bytes.get(0) ^ other.bytes.get(0)) & VERSION_MASK) == 0;
  }

  /** Returns the address in memory of its own that UCX can read. */
  ByteBuffer forUcx() {
    return OutgoingMessage.direct(bytes);
  }
}
