package io.ariadne.memory;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Divides one range of addresses into blocks by two-level segregated fit (Masmano and others,
 * "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004): free blocks are listed
 * by size classes, of which a power of two has {@value #CLASSES_PER_POWER}, and a freed block is
 * merged with its free neighbours at once. Its records are outside of the range, which may be the
 * memory of a device. Not thread-safe.
 */
final class RegionAllocator {
  /** Sizes and distances of blocks are multiples of this, the alignment of memory of CUDA. */
  static final int GRANULE_BYTES = 256;

  private static final int CLASS_BITS = 4;
  private static final int CLASSES_PER_POWER = 1 << CLASS_BITS;
  private static final int CLASSES = (Long.SIZE - CLASS_BITS) * CLASSES_PER_POWER;

  private final long start;
  private final long sizeInBytes;

  /** The first free block of each class; null for none. */
  private final Block[] free = new Block[CLASSES];

  /** Classes that have free blocks. */
  private final BitSet filled = new BitSet(CLASSES);

  /** Blocks in use by address. */
  private final Map<Long, Block> used = new HashMap<>();

  private long usedBytes;

  /** A part of the range, in the list of neighbours and, when it is free, in that of its class. */
  private static final class Block {
    final long address;
    long bytes;
    boolean isFree;
    Block before;
    Block after;
    Block previousFree;
    Block nextFree;

    Block(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
    }
  }

  /**
   * Creates an allocator whose whole range is free.
   *
   * @param start its first address
   * @param sizeInBytes a positive multiple of {@link #GRANULE_BYTES}
   */
  RegionAllocator(long start, long sizeInBytes) {
    if (sizeInBytes <= 0 || sizeInBytes % GRANULE_BYTES != 0) {
      throw new IllegalArgumentException("region of " + sizeInBytes + " bytes");
    }
    this.start = start;
    this.sizeInBytes = sizeInBytes;
    addFree(new Block(start, sizeInBytes));
  }

  /** Returns the bytes that a block of some length takes. */
  static long rounded(long lengthInBytes) {
    return (lengthInBytes + GRANULE_BYTES - 1) & -GRANULE_BYTES;
  }

  long start() {
    return start;
  }

  long sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns the bytes of blocks in use. */
  long usedBytes() {
    return usedBytes;
  }

  /** Returns the bytes of the largest free block. */
  long largestFreeBytes() {
    int last = filled.length() - 1;
    long largest = 0;
    for (Block block = last < 0 ? null : free[last]; block != null; block = block.nextFree) {
      largest = Math.max(largest, block.bytes);
    }
    return largest;
  }

  /**
   * Takes a block.
   *
   * @param lengthInBytes at least 1
   * @return its address, or 0 when no free block is long enough
   */
  long allocate(long lengthInBytes) {
    long bytes = rounded(lengthInBytes);
    Block block = find(bytes);
    if (block == null) {
      return 0;
    }
    removeFree(block);
    if (block.bytes > bytes) {
      addFree(splitAfter(block, bytes));
    }
    used.put(block.address, block);
    usedBytes += bytes;
    return block.address;
  }

  /**
   * Gives a block back.
   *
   * @param address from {@link #allocate}
   * @return the bytes that the block had
   * @throws IllegalArgumentException when no block in use begins there
   */
  long free(long address) {
    Block block = used.remove(address);
    if (block == null) {
      throw new IllegalArgumentException(
          "no block in use begins at 0x" + Long.toHexString(address));
    }
    long bytes = block.bytes;
    usedBytes -= bytes;
    if (isFree(block.after)) {
      removeFree(block.after);
      absorbNext(block);
    }
    if (isFree(block.before)) {
      block = block.before;
      removeFree(block);
      absorbNext(block);
    }
    addFree(block);
    return bytes;
  }

  private static boolean isFree(Block block) {
    return block != null && block.isFree;
  }

  /**
   * Returns a free block of at least so many bytes: the first one of the next class, every block of
   * which is long enough. When larger classes are empty, that of the size itself may have one.
   */
  private Block find(long bytes) {
    int whole = filled.nextSetBit(classOf(upToNextClass(bytes)));
    if (whole >= 0) {
      return free[whole];
    }
    Block block = free[classOf(bytes)];
    while (block != null && block.bytes < bytes) {
      block = block.nextFree;
    }
    return block;
  }

  /** Returns the least size from which on each block of its class has so many bytes. */
  private static long upToNextClass(long bytes) {
    long granules = bytes / GRANULE_BYTES;
    int shift = shift(granules);
    return ((granules + (1L << shift) - 1) >>> shift << shift) * GRANULE_BYTES;
  }

  /** Returns by how many bits sizes of one class may differ. */
  private static int shift(long granules) {
    return Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(granules) - CLASS_BITS);
  }

  /** Returns the class of a size: sizes of fewer than 32 granules have one each. */
  private static int classOf(long bytes) {
    long granules = bytes / GRANULE_BYTES;
    int shift = shift(granules);
    return shift * CLASSES_PER_POWER + (int) (granules >>> shift);
  }

  private Block splitAfter(Block block, long bytes) {
    Block rest = new Block(block.address + bytes, block.bytes - bytes);
    block.bytes = bytes;
    rest.before = block;
    rest.after = block.after;
    block.after = rest;
    if (rest.after != null) {
      rest.after.before = rest;
    }
    return rest;
  }

  private static void absorbNext(Block block) {
    Block next = block.after;
    block.bytes += next.bytes;
    block.after = next.after;
    if (block.after != null) {
      block.after.before = block;
    }
  }

  private void addFree(Block block) {
    int list = classOf(block.bytes);
    block.isFree = true;
    block.previousFree = null;
    block.nextFree = free[list];
    if (block.nextFree != null) {
      block.nextFree.previousFree = block;
    }
    free[list] = block;
    filled.set(list);
  }

  private void removeFree(Block block) {
    int list = classOf(block.bytes);
    block.isFree = false;
    if (block.nextFree != null) {
      block.nextFree.previousFree = block.previousFree;
    }
    if (block.previousFree == null) {
      free[list] = block.nextFree;
    } else {
      block.previousFree.nextFree = block.nextFree;
    }
    block.previousFree = null;
    block.nextFree = null;
    filled.set(list, free[list] != null);
  }

  /** Returns the addresses of blocks in use, in order. */
  long[] usedAddresses() {
    long[] addresses = used.keySet().stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(addresses);
    return addresses;
  }
}
