package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.CopyEngine;

/** Bytes of the host or a device that are to be stored. */
interface ByteSource {
  /**
   * Copies some of the bytes into host memory.
   *
   * @param offset offset of the first byte
   * @param target host address
   * @param lengthInBytes bytes to copy
   */
  void copyTo(long offset, long target, int lengthInBytes);

  /** Returns how many bytes are best copied at once. */
  int chunkBytes();

  /** Returns bytes of host memory: small copies, which stay in the cache until they are read. */
  static ByteSource ofHost(long address) {
    return new ByteSource() {
      @Override
      public void copyTo(long offset, long target, int lengthInBytes) {
        Memory.copy(address + offset, target, lengthInBytes);
      }

      @Override
      public int chunkBytes() {
        return Frame.MAX_RAW_BYTES;
      }
    };
  }

  /** Returns bytes of a device's buffer: large copies, since each costs a round trip. */
  static ByteSource ofDevice(MemoryBuffer buffer, CopyEngine device) {
    return new ByteSource() {
      @Override
      public void copyTo(long offset, long target, int lengthInBytes) {
        device.read(buffer, offset, target, lengthInBytes);
      }

      @Override
      public int chunkBytes() {
        return Integer.MAX_VALUE;
      }
    };
  }
}
