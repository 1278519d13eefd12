package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.CopyEngine;

/** Bytes that are to be stored, wherever they are. */
interface ByteSource {
  /**
   * Copies some of them into host memory.
   *
   * @param offset the first one's
   * @param target host address
   * @param lengthInBytes how many
   */
  void copyTo(long offset, long target, int lengthInBytes);

  /** Returns how many are best copied at once. */
  int chunkBytes();

  /** Returns bytes of host memory: copied as they are about to be looked at, while in a cache. */
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

  /** Returns bytes of a device's buffer: every copy costs the way there and back. */
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
