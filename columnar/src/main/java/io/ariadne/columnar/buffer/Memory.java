package io.ariadne.columnar.buffer;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Raw access to memory outside the Java heap. The only class that touches {@code Unsafe}.
 *
 * <p>Nothing here checks bounds: use {@link MemoryBuffer} unless the caller has checked them once
 * for a whole loop. Addresses are of host memory; multi-byte values are in native (little-endian)
 * order.
 */
public final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final long BUFFER_ADDRESS = fieldOffset(Buffer.class, "address");
  private static final long BUFFER_CAPACITY = fieldOffset(Buffer.class, "capacity");
  private static final ByteBuffer EMPTY_BUFFER = ByteBuffer.allocateDirect(0);

  private Memory() {}

  private static long fieldOffset(Class<?> type, String field) {
    try {
      return UNSAFE.objectFieldOffset(type.getDeclaredField(field));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Allocates {@code lengthInBytes} bytes, aligned to 16 at least; throws OutOfMemoryError. */
  public static long allocate(long lengthInBytes) {
    return UNSAFE.allocateMemory(lengthInBytes);
  }

  /** Frees an address returned by {@link #allocate}. */
  public static void free(long address) {
    UNSAFE.freeMemory(address);
  }

  /**
   * Allocates memory whose address is a multiple of {@link MemoryBuffer#ALIGNMENT}.
   *
   * <p>The base address is kept in the eight bytes before the returned one.
   *
   * @param lengthInBytes at least 1
   * @return an address for {@link #freeAligned}
   */
  public static long allocateAligned(long lengthInBytes) {
    // The base is 16-byte aligned, so 16 to 64 bytes lie before the next multiple of 64.
    long base = UNSAFE.allocateMemory(Math.addExact(lengthInBytes, MemoryBuffer.ALIGNMENT));
    long aligned = (base + MemoryBuffer.ALIGNMENT) & -MemoryBuffer.ALIGNMENT;
    UNSAFE.putLong(aligned - Long.BYTES, base);
    return aligned;
  }

  /** Frees an address returned by {@link #allocateAligned}. */
  public static void freeAligned(long address) {
    UNSAFE.freeMemory(UNSAFE.getLong(address - Long.BYTES));
  }

  /**
   * Returns a view of host memory for libraries and channels that take direct byte buffers.
   *
   * <p>The view owns nothing: the memory must outlive it.
   *
   * @param address first byte
   * @param lengthInBytes its capacity and limit
   * @return a direct buffer in native order at position 0
   */
  public static ByteBuffer byteBuffer(long address, int lengthInBytes) {
    if (address == 0 || lengthInBytes < 0) {
      throw new IllegalArgumentException(lengthInBytes + " bytes at address " + address);
    }
    ByteBuffer view = EMPTY_BUFFER.duplicate();
    UNSAFE.putLong(view, BUFFER_ADDRESS, address);
    UNSAFE.putInt(view, BUFFER_CAPACITY, lengthInBytes);
    view.limit(lengthInBytes);
    return view.order(ByteOrder.nativeOrder());
  }

  /** Returns the byte at {@code address}. */
  public static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  /** Stores a byte. */
  public static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  /** Returns the short at {@code address}. */
  public static short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  /** Stores a short. */
  public static void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  /** Returns the int at {@code address}. */
  public static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  /** Stores an int. */
  public static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  /** Returns the long at {@code address}. */
  public static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  /** Stores a long. */
  public static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  /** Returns the float at {@code address}. */
  public static float getFloat(long address) {
    return UNSAFE.getFloat(address);
  }

  /** Stores a float. */
  public static void putFloat(long address, float value) {
    UNSAFE.putFloat(address, value);
  }

  /** Returns the double at {@code address}. */
  public static double getDouble(long address) {
    return UNSAFE.getDouble(address);
  }

  /** Stores a double. */
  public static void putDouble(long address, double value) {
    UNSAFE.putDouble(address, value);
  }

  /** Sets bytes to {@code value}. */
  public static void fill(long address, long lengthInBytes, byte value) {
    UNSAFE.setMemory(address, lengthInBytes, value);
  }

  /** Copies bytes between two non-overlapping ranges. */
  public static void copy(long source, long target, long lengthInBytes) {
    UNSAFE.copyMemory(source, target, lengthInBytes);
  }

  /** Copies from a byte array. */
  public static void copy(byte[] source, int offset, long target, int lengthInBytes) {
    checkRange(offset, lengthInBytes, source.length);
    UNSAFE.copyMemory(
        source, Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) offset, null, target, lengthInBytes);
  }

  /** Copies into a byte array. */
  public static void copy(long source, byte[] target, int offset, int lengthInBytes) {
    checkRange(offset, lengthInBytes, target.length);
    UNSAFE.copyMemory(
        null, source, target, Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) offset, lengthInBytes);
  }

  /**
   * Copies {@code count} elements of a primitive array into memory.
   *
   * @param source a {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]}
   *     or {@code double[]}
   * @param offset first element
   * @param target host address
   * @param count elements
   */
  public static void copyElements(Object source, int offset, long target, int count) {
    Class<?> arrayClass = source.getClass();
    long scale = UNSAFE.arrayIndexScale(arrayClass);
    checkRange(offset, count, java.lang.reflect.Array.getLength(source));
    UNSAFE.copyMemory(
        source, UNSAFE.arrayBaseOffset(arrayClass) + offset * scale, null, target, count * scale);
  }

  private static void checkRange(int offset, int count, int length) {
    java.util.Objects.checkFromIndexSize(offset, count, length);
  }
}
