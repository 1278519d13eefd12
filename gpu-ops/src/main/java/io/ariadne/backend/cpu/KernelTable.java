package io.ariadne.backend.cpu;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.abi.KernelRecordLayout;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The kernels of a loaded library by name, read from the records that the linker collected in one
 * section. Immutable and thread-safe; valid while the library is loaded.
 */
public final class KernelTable {

  private static final int MAX_NAME_LENGTH = 256;

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * One kernel.
   *
   * @param name of the kernel, the same on every back end
   * @param address of its function in this library
   * @param blockSize threads per block on a GPU
   * @param itemsPerThread rows that one GPU thread handles per tile
   * @param dynamicSharedInBytes dynamic shared memory of a block on a GPU
   * @param argumentsSizeInBytes size of its argument struct
   * @param argumentsName name of its argument struct
   */
  public record Entry(
      String name,
      long address,
      int blockSize,
      int itemsPerThread,
      int dynamicSharedInBytes,
      int argumentsSizeInBytes,
      String argumentsName) {}

  private KernelTable() {}

  /** Loads the host library and returns its kernels. */
  public static KernelTable ofHost() {
    NativeLibrary.load();
    return read(NativeHost.kernelTableAddress(), NativeHost.kernelTableCount());
  }

  /**
   * Reads a table from memory.
   *
   * @param address of the first record
   * @param count of records, one after the other
   */
  public static KernelTable read(long address, int count) {
    KernelTable table = new KernelTable();
    for (int i = 0; i < count; i++) {
      Entry entry = readEntry(address + (long) i * KernelRecordLayout.SIZE_IN_BYTES);
      if (table.entries.put(entry.name(), entry) != null) {
        throw new IllegalStateException("two kernels are named " + entry.name());
      }
    }
    return table;
  }

  /** Returns the kernel of a name, if the library has it. */
  public Optional<Entry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** Returns all kernels. */
  public Collection<Entry> entries() {
    return Map.copyOf(entries).values();
  }

  private static Entry readEntry(long record) {
    return new Entry(
        text(Memory.getLong(record + KernelRecordLayout.NAME_OFFSET)),
        Memory.getLong(record + KernelRecordLayout.ENTRY_OFFSET),
        Memory.getInt(record + KernelRecordLayout.BLOCK_OFFSET),
        Memory.getInt(record + KernelRecordLayout.ITEMS_OFFSET),
        Memory.getInt(record + KernelRecordLayout.DYNAMIC_SHARED_OFFSET),
        Memory.getInt(record + KernelRecordLayout.ARGS_SIZE_OFFSET),
        text(Memory.getLong(record + KernelRecordLayout.ARGS_NAME_OFFSET)));
  }

  private static String text(long address) {
    int length = 0;
    while (length < MAX_NAME_LENGTH && Memory.getByte(address + length) != 0) {
      length++;
    }
    byte[] bytes = new byte[length];
    Memory.copy(address, bytes, 0, length);
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
