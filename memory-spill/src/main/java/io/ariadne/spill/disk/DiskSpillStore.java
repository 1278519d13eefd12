package io.ariadne.spill.disk;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.StoredBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Stores batches in files of local directories.
 *
 * <p>Files have no names while they are used, so nothing is left behind however the process ends.
 * Batches of one call are written in pages of {@link PagePool#PAGE_BYTES}, whatever their sizes, to
 * all directories at the same time, and are read back in the same way. Each piece of up to 256 KiB
 * has a checksum, is compressed when that has lately been faster than writing the raw bytes, and is
 * encrypted on request. A dictionary that several batches use is stored once. A page that a
 * directory refuses goes to another one; the store is full when all directories have refused a
 * page.
 */
public final class DiskSpillStore implements SpillStore {
  private final DiskSpillOptions options;
  private final CopyEngine device;
  private final FrameCipher cipher;
  private final SpillDirectories directories;
  private final StoredBlocks<StoredBatch> batches = new StoredBlocks<>();
  private final Map<StoredDictionary.Key, StoredDictionary> dictionaries =
      new ConcurrentHashMap<>();
  private final AtomicLong takenBytes = new AtomicLong();
  private final Entries entries = new Entries();

  /** A batch on disk. */
  private record StoredBatch(
      Schema schema,
      int rowCount,
      long sequence,
      List<StoredColumn> columns,
      StoredFrames frames,
      List<StoredDictionary> dictionaries) {}

  /** The layouts of written blocks, and where their bytes are. */
  private record Written(List<List<StoredColumn>> layouts, List<StoredFrames> frames) {}

  /**
   * Opens a store.
   *
   * @param options directories and settings
   * @param pages for transfers, pages of at least {@link PagePool#PAGE_BYTES}, at least three; the
   *     caller owns it and closes it after this store
   * @throws EngineException CONFIGURATION when a directory cannot be created
   */
  public DiskSpillStore(DiskSpillOptions options, PagePool pages) {
    this(options, pages, null);
  }

  /**
   * Opens a store that accepts batches of a device as well ({@link #ofDevice}).
   *
   * @param options directories and settings
   * @param pages for transfers, as in the other constructor
   * @param device copies between pages and the device; null for none
   * @throws EngineException CONFIGURATION when a directory cannot be created
   */
  public DiskSpillStore(DiskSpillOptions options, PagePool pages, CopyEngine device) {
    if (pages.pageBytes() < PagePool.PAGE_BYTES) {
      throw new IllegalArgumentException("pages of " + pages.pageBytes() + " bytes are too small");
    }
    this.options = options;
    this.device = device;
    this.cipher =
        options.encryptionKeyBits() == 0 ? null : new FrameCipher(options.encryptionKeyBits());
    this.directories = new SpillDirectories(options, pages);
  }

  /**
   * Returns this store as the tier directly below a device, for batches for which host memory has
   * no space. Their bytes are copied from the device to disk and back through pages, and take no
   * other host memory.
   *
   * @param host memory for the parts of the batches that were in host memory; the caller keeps
   *     ownership
   * @return a store that may be used while this one is open; closing it does nothing
   */
  public SpillStore ofDevice(MemoryPool host) {
    return new DeviceDiskStore(this, host);
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.DISK;
  }

  @Override
  public List<Block> write(List<RecordBatch> written) {
    batches.checkOpen();
    List<List<StoredDictionary>> used = new ArrayList<>();
    try {
      long bytes = 0;
      for (RecordBatch batch : written) {
        used.add(addUsers(batch));
        bytes += maxBytes(batch);
      }
      Written stored = store(bytes, written.stream().map(DiskSpillStore::columns).toList());
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < written.size(); i++) {
        List<StoredColumn> layouts = stored.layouts().get(i);
        blocks.add(register(written.get(i), layouts, stored.frames().get(i), used.get(i)));
      }
      return blocks;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      used.forEach(list -> list.forEach(user -> closer.close(() -> removeUser(user))));
      closer.suppressIn(e);
      throw e;
    }
  }

  private static List<ColumnVector> columns(RecordBatch batch) {
    return IntStream.range(0, batch.columnCount()).mapToObj(batch::column).toList();
  }

  private Block register(
      RecordBatch batch,
      List<StoredColumn> layouts,
      StoredFrames frames,
      List<StoredDictionary> users) {
    var stored =
        new StoredBatch(batch.schema(), batch.rowCount(), batch.sequence(), layouts, frames, users);
    boolean onDevice = memoryBytes(stored, true) > 0;
    long number = batches.add(stored);
    return new Block(number, frames.bytes(), memoryBytes(stored, onDevice), batch.rowCount());
  }

  private static long memoryBytes(StoredBatch stored, boolean onDevice) {
    return stored.columns().stream().mapToLong(each -> each.memoryBytes(onDevice)).sum()
        + stored.dictionaries().stream().mapToLong(each -> each.memoryBytes(onDevice)).sum();
  }

  private static long maxBytes(RecordBatch batch) {
    long bytes = 0;
    for (int i = 0; i < batch.columnCount(); i++) {
      bytes += StoredColumn.maxBytes(batch.column(i));
    }
    return aligned(bytes);
  }

  private static long aligned(long bytes) {
    long unit = PagePool.PAGE_ALIGNMENT;
    return Math.max(unit, (bytes + unit - 1) & -unit);
  }

  /**
   * Ensures that the batch's dictionaries are on disk; returns them in the order of its columns.
   */
  private List<StoredDictionary> addUsers(RecordBatch batch) {
    List<StoredDictionary> used = new ArrayList<>();
    try {
      for (int i = 0; i < batch.columnCount(); i++) {
        Dictionary dictionary = batch.column(i).dictionary();
        if (dictionary != null) {
          used.add(addUser(dictionary));
        }
      }
      return used;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      used.forEach(user -> closer.close(() -> removeUser(user)));
      closer.suppressIn(e);
      throw e;
    }
  }

  private StoredDictionary addUser(Dictionary dictionary) {
    StoredDictionary.Key key = StoredDictionary.Key.of(dictionary);
    while (true) {
      StoredDictionary stored =
          dictionaries.computeIfAbsent(key, unknown -> new StoredDictionary(dictionary));
      boolean added = false;
      try {
        added = stored.addUser(dictionary, entries);
      } finally {
        if (!added && stored.isUnused()) {
          dictionaries.remove(key, stored);
        }
      }
      if (added) {
        return stored;
      }
    }
  }

  private void removeUser(StoredDictionary stored) {
    if (stored.removeUser(entries)) {
      dictionaries.remove(stored.key(), stored);
    }
  }

  private void free(StoredFrames frames) {
    takenBytes.addAndGet(-frames.bytes());
    frames.free();
  }

  /** Moves entries of dictionaries. */
  private final class Entries implements StoredDictionary.Entries {
    @Override
    public void free(StoredFrames frames) {
      DiskSpillStore.this.free(frames);
    }

    @Override
    public void write(StoredDictionary target, Dictionary dictionary) {
      ColumnVector column = dictionary.entries();
      Written stored = store(aligned(StoredColumn.maxBytes(column)), List.of(List.of(column)));
      target.store(stored.layouts().get(0).get(0), stored.frames().get(0));
    }

    @Override
    public Dictionary read(
        StoredColumn layout, StoredFrames frames, Dictionary original, PartMemory memory) {
      try (StoredParts parts = layout.allocate(memory)) {
        fill(List.of(parts), frames);
        return withEntries(original, parts.toColumn(Collections.emptyIterator()));
      }
    }
  }

  private static Dictionary withEntries(Dictionary original, ColumnVector column) {
    try {
      return original.withEntries(column);
    } catch (RuntimeException | Error e) {
      column.close();
      throw e;
    }
  }

  /** Writes blocks of columns, which take at most {@code maxBytes}. */
  private Written store(long maxBytes, List<List<ColumnVector>> blocks) {
    charge(maxBytes);
    long unused = maxBytes;
    try (FrameWriter out = new FrameWriter(directories, cipher, device, compresses(), maxBytes)) {
      List<List<StoredColumn>> layouts = new ArrayList<>();
      for (List<ColumnVector> columns : blocks) {
        layouts.add(columns.stream().map(column -> StoredColumn.write(column, out)).toList());
        out.endBlock();
      }
      List<StoredFrames> frames = out.finish();
      unused -= frames.stream().mapToLong(StoredFrames::bytes).sum();
      return new Written(layouts, frames);
    } finally {
      takenBytes.addAndGet(-unused);
    }
  }

  private boolean compresses() {
    return switch (options.compression()) {
      case AUTO -> directories.rates().compressionPays();
      case ALWAYS -> true;
      case NEVER -> false;
    };
  }

  private void charge(long bytes) {
    long limit = options.limitInBytes();
    long before = takenBytes.getAndUpdate(taken -> bytes > limit - taken ? taken : taken + bytes);
    if (bytes > limit - before) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          "cannot spill "
              + bytes
              + " bytes: "
              + before
              + " of "
              + limit
              + " bytes on disk are taken; "
              + options.advice());
    }
  }

  private static EngineException unreadable(IOException e) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA, "spilled data cannot be read back: " + e.getMessage(), e);
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    return read(block, new PartMemory(allocator, null));
  }

  /** Returns bytes of host memory that a block takes when it is read back; 0 once deleted. */
  long hostBytes(Block block) {
    StoredBatch stored = batches.find(block);
    return stored == null ? 0 : memoryBytes(stored, false);
  }

  /** Reads a block as {@link #read} does, with parts on the host and on a device. */
  RecordBatch read(Block block, PartMemory memory) {
    StoredBatch stored = batches.get(block);
    List<Dictionary> held = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      stored.dictionaries().forEach(each -> held.add(each.read(entries, memory)));
      readColumns(stored, memory, held.iterator(), columns);
      return new RecordBatch(stored.schema(), stored.rowCount(), columns, stored.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      // Created columns have released their references.
      long made = columns.stream().filter(column -> column.dictionary() != null).count();
      held.stream().skip(made).forEach(each -> closer.close(each::release));
      closer.suppressIn(e);
      throw e;
    }
  }

  private void readColumns(
      StoredBatch stored,
      PartMemory memory,
      Iterator<Dictionary> held,
      List<ColumnVector> columns) {
    List<StoredParts> parts = new ArrayList<>();
    try {
      stored.columns().forEach(column -> parts.add(column.allocate(memory)));
      fill(parts, stored.frames());
      parts.forEach(each -> columns.add(each.toColumn(held)));
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      parts.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void fill(List<StoredParts> parts, StoredFrames frames) {
    try (FrameReader in = new FrameReader(directories, frames, cipher, device)) {
      for (StoredParts each : parts) {
        each.fill(in);
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void delete(Block block) {
    StoredBatch stored = batches.remove(block);
    if (stored == null) {
      return;
    }
    Closer closer = new Closer();
    closer.close(() -> free(stored.frames()));
    stored.dictionaries().forEach(each -> closer.close(() -> removeUser(each)));
    closer.rethrow();
  }

  /** Returns where a block's bytes are, for tests that damage them. */
  StoredFrames framesOf(Block block) {
    return batches.get(block).frames();
  }

  @Override
  public long storedBytes() {
    return takenBytes.get();
  }

  @Override
  public long limitInBytes() {
    return options.limitInBytes();
  }

  /** Deletes everything; reads and writes of other threads fail then. Idempotent. */
  @Override
  public void close() {
    batches.close();
    Closer closer = new Closer();
    closer.close(directories);
    dictionaries.clear();
    takenBytes.set(0);
    closer.rethrow();
  }
}
