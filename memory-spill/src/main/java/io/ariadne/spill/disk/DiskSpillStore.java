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
import io.ariadne.memory.PagePool;
import io.ariadne.spill.SpillStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Batches in files of local directories.
 *
 * <p>Files have no names while they are used, so nothing is left behind however the process ends.
 * Batches written in one call go out in pages of {@link PagePool#PAGE_BYTES} whatever their sizes.
 * Each piece of up to 256 KiB has a checksum, is compressed when that has lately been faster than
 * not, and encrypted when asked for. A dictionary that several batches have is stored once. A
 * directory that fails is left alone for a while, the next one tried.
 */
public final class DiskSpillStore implements SpillStore {
  private final DiskSpillOptions options;
  private final SpillIo io;
  private final FrameCipher cipher;
  private final List<SpillDirectory> directories = new ArrayList<>();
  private final Map<Long, StoredBatch> batches = new ConcurrentHashMap<>();
  private final Map<Long, StoredDictionary> dictionaries = new ConcurrentHashMap<>();
  private final AtomicLong takenBytes = new AtomicLong();
  private final AtomicLong nextNumber = new AtomicLong();
  private final AtomicInteger nextDirectory = new AtomicInteger();
  private final Entries entries = new Entries();
  private volatile boolean closed;

  /** What is known of a batch on disk. */
  private record StoredBatch(
      Schema schema,
      int rowCount,
      long sequence,
      List<StoredColumn> columns,
      StoredFrames frames,
      List<StoredDictionary> dictionaries) {}

  /** Writes something; called again with another directory's extent when one fails. */
  private interface Writing<T> {
    T write(FrameWriter out) throws IOException;
  }

  /** What came of it, and the bytes that it takes. */
  private record Written<T>(T result, long bytes) {}

  /** A column and where it is. */
  private record StoredEntries(StoredColumn layout, StoredFrames frames) {}

  /** Columns of a batch and where they are. */
  private record StoredColumns(List<StoredColumn> layouts, StoredFrames frames) {}

  /**
   * Opens a store.
   *
   * @param options how it works
   * @param pages through which bytes go, pages of at least {@link PagePool#PAGE_BYTES}, at least
   *     three; stays the caller's, closed after this
   * @throws EngineException CONFIGURATION when a directory cannot be made
   */
  public DiskSpillStore(DiskSpillOptions options, PagePool pages) {
    if (pages.pageBytes() < PagePool.PAGE_BYTES) {
      throw new IllegalArgumentException("pages of " + pages.pageBytes() + " bytes are too small");
    }
    this.options = options;
    this.cipher =
        options.encryptionKeyBits() == 0 ? null : new FrameCipher(options.encryptionKeyBits());
    for (Path path : options.directories()) {
      try {
        directories.add(new SpillDirectory(path, options.direct()));
      } catch (IOException e) {
        throw new EngineException(
            ErrorCode.CONFIGURATION, "cannot make the spill directory " + path, e);
      }
    }
    this.io = new SpillIo(pages, options.threads());
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.DISK;
  }

  @Override
  public List<Block> write(List<RecordBatch> written) {
    checkOpen();
    List<List<StoredDictionary>> used = new ArrayList<>();
    try {
      long bytes = 0;
      for (RecordBatch batch : written) {
        used.add(addUsers(batch));
        bytes += maxBytes(batch);
      }
      List<StoredColumns> stored = store(bytes, out -> writeColumns(written, out));
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < written.size(); i++) {
        blocks.add(register(written.get(i), stored.get(i), used.get(i)));
      }
      return blocks;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      used.forEach(list -> list.forEach(user -> closer.close(() -> removeUser(user))));
      closer.suppressIn(e);
      throw e;
    }
  }

  private Block register(RecordBatch batch, StoredColumns stored, List<StoredDictionary> users) {
    long memoryBytes = 0;
    for (StoredColumn column : stored.layouts()) {
      memoryBytes += column.memoryBytes();
    }
    for (StoredDictionary dictionary : users) {
      memoryBytes += dictionary.memoryBytes();
    }
    long number = nextNumber.getAndIncrement();
    batches.put(
        number,
        new StoredBatch(
            batch.schema(),
            batch.rowCount(),
            batch.sequence(),
            stored.layouts(),
            stored.frames(),
            users));
    long storedBytes = stored.frames().extent().lengthInBytes();
    return new Block(number, storedBytes, memoryBytes, batch.rowCount());
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

  private static List<StoredColumns> writeColumns(List<RecordBatch> written, FrameWriter out)
      throws IOException {
    List<StoredColumns> stored = new ArrayList<>();
    for (RecordBatch batch : written) {
      List<StoredColumn> layouts = new ArrayList<>();
      for (int i = 0; i < batch.columnCount(); i++) {
        layouts.add(StoredColumn.write(batch.column(i), out));
      }
      stored.add(new StoredColumns(List.copyOf(layouts), out.endBlock()));
    }
    return stored;
  }

  /** Makes sure that the batch's dictionaries are on disk, in the order of its columns. */
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
    while (true) {
      StoredDictionary stored =
          dictionaries.computeIfAbsent(dictionary.id(), id -> new StoredDictionary(dictionary));
      boolean added = false;
      try {
        added = stored.addUser(dictionary, entries);
      } finally {
        if (!added && stored.isUnused()) {
          dictionaries.remove(dictionary.id(), stored);
        }
      }
      if (added) {
        return stored;
      }
    }
  }

  private void removeUser(StoredDictionary stored) {
    if (stored.removeUser(entries)) {
      dictionaries.remove(stored.id(), stored);
    }
  }

  private void free(StoredFrames frames) {
    takenBytes.addAndGet(-frames.extent().lengthInBytes());
    frames.extent().free();
  }

  /** Entries of dictionaries on their way. */
  private final class Entries implements StoredDictionary.Entries {
    @Override
    public void free(StoredFrames frames) {
      DiskSpillStore.this.free(frames);
    }

    @Override
    public void write(StoredDictionary target, Dictionary dictionary) {
      ColumnVector column = dictionary.entries();
      StoredEntries stored =
          store(
              aligned(StoredColumn.maxBytes(column)),
              out -> new StoredEntries(StoredColumn.write(column, out), out.endBlock()));
      target.store(stored.layout(), stored.frames());
    }

    @Override
    public Dictionary read(
        StoredColumn layout, StoredFrames frames, Dictionary original, BufferAllocator allocator) {
      try (StoredParts parts = layout.allocate(allocator)) {
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

  /**
   * Writes to the first directory that takes it. What was allocated and is not used is free again
   * afterwards.
   */
  private <T> T store(long maxBytes, Writing<T> writing) {
    charge(maxBytes);
    long unused = maxBytes;
    try {
      Written<T> written = storeAnywhere(maxBytes, writing);
      unused = maxBytes - written.bytes();
      return written.result();
    } finally {
      takenBytes.addAndGet(-unused);
    }
  }

  private <T> Written<T> storeAnywhere(long maxBytes, Writing<T> writing) {
    List<IOException> failures = new ArrayList<>();
    for (SpillDirectory directory : inTurn()) {
      try {
        return store(directory, maxBytes, writing);
      } catch (IOException e) {
        directory.rest();
        failures.add(e);
      }
    }
    throw refusal(maxBytes, failures);
  }

  private <T> Written<T> store(SpillDirectory directory, long maxBytes, Writing<T> writing)
      throws IOException {
    SpillDirectory.Extent extent = directory.allocate(maxBytes);
    boolean done = false;
    try (FrameWriter out = new FrameWriter(io, extent, cipher, compresses())) {
      T result = writing.write(out);
      long bytes = out.finish();
      extent.shrinkTo(bytes);
      done = true;
      return new Written<>(result, bytes);
    } finally {
      if (!done) {
        extent.free();
      }
    }
  }

  private boolean compresses() {
    return switch (options.compression()) {
      case AUTO -> io.rates().compressionPays();
      case ALWAYS -> true;
      case NEVER -> false;
    };
  }

  /** Returns the directories, each first in its turn, those that have failed lately last. */
  private List<SpillDirectory> inTurn() {
    int first = Math.floorMod(nextDirectory.getAndIncrement(), directories.size());
    List<SpillDirectory> turn = new ArrayList<>();
    List<SpillDirectory> resting = new ArrayList<>();
    for (int i = 0; i < directories.size(); i++) {
      SpillDirectory directory = directories.get((first + i) % directories.size());
      (directory.rests() ? resting : turn).add(directory);
    }
    turn.addAll(resting);
    return turn;
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

  private EngineException refusal(long bytes, List<IOException> failures) {
    StringBuilder text = new StringBuilder("cannot spill up to " + bytes + " bytes");
    for (SpillDirectory directory : directories) {
      text.append("\n  ").append(directory.path()).append(": ").append(directory.room());
    }
    for (IOException failure : failures) {
      text.append("\n  ").append(failure.getMessage());
    }
    text.append("\n  ").append(options.advice());
    var refusal = new EngineException(ErrorCode.OUT_OF_MEMORY, text.toString(), failures.get(0));
    failures.stream().skip(1).forEach(refusal::addSuppressed);
    return refusal;
  }

  private static EngineException unreadable(IOException e) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA, "spilled data cannot be read back: " + e.getMessage(), e);
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    checkOpen();
    StoredBatch stored = batches.get(block.number());
    if (stored == null) {
      throw new IllegalStateException("block " + block.number() + " is not in the store");
    }
    List<Dictionary> held = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      stored.dictionaries().forEach(each -> held.add(each.read(entries, allocator)));
      readColumns(stored, allocator, held.iterator(), columns);
      return new RecordBatch(stored.schema(), stored.rowCount(), columns, stored.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      // Columns that were made have let go of theirs.
      long made = columns.stream().filter(column -> column.dictionary() != null).count();
      held.stream().skip(made).forEach(each -> closer.close(each::release));
      closer.suppressIn(e);
      throw e;
    }
  }

  private void readColumns(
      StoredBatch stored,
      BufferAllocator allocator,
      Iterator<Dictionary> held,
      List<ColumnVector> columns) {
    List<StoredParts> parts = new ArrayList<>();
    try {
      stored.columns().forEach(column -> parts.add(column.allocate(allocator)));
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
    try (FrameReader in = new FrameReader(io, frames, cipher)) {
      for (StoredParts each : parts) {
        each.fill(in);
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void delete(Block block) {
    StoredBatch stored = batches.remove(block.number());
    if (stored == null) {
      if (closed) {
        return;
      }
      throw new IllegalStateException("block " + block.number() + " was deleted before");
    }
    Closer closer = new Closer();
    closer.close(() -> free(stored.frames()));
    stored.dictionaries().forEach(each -> closer.close(() -> removeUser(each)));
    closer.rethrow();
  }

  /** Returns where a block's bytes are, for tests that damage them. */
  StoredFrames framesOf(Block block) {
    return batches.get(block.number()).frames();
  }

  @Override
  public long storedBytes() {
    return takenBytes.get();
  }

  @Override
  public long limitInBytes() {
    return options.limitInBytes();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the spill store is closed");
    }
  }

  /** Deletes everything, also while others write or read: they fail then. Idempotent. */
  @Override
  public void close() {
    closed = true;
    Closer closer = new Closer();
    directories.forEach(closer::close);
    closer.close(io);
    batches.clear();
    dictionaries.clear();
    takenBytes.set(0);
    closer.rethrow();
  }
}
