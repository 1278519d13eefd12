package io.ariadne.io.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Knows how many bytes all processes have in a directory. Each process has a ledger there, a small
 * file with the bytes that it has published and removed, and is writing and removing now. The bytes
 * in use are those of the last {@link #scan scan}, plus what the ledgers have published since,
 * minus what they have removed, plus what they write.
 *
 * <p>A process notes what it will write before it looks at the others, and the scan counts what is
 * published while it runs twice rather than never. So two processes cannot both find space for
 * which only one of them has bytes left. Ledgers that have not been written for {@value
 * #DEAD_MINUTES} minutes belong to processes that have ended. Used by one thread.
 */
final class UsageLedger {
  private static final int DEAD_MINUTES = 10;
  private static final long MAGIC = 0x4152494C45444731L;
  private static final int BYTES = 6 * Long.BYTES;

  private final Path folder;
  private final Path own;
  private final String ownName;
  private final Map<String, Entry> current = new HashMap<>();
  private final Map<String, Entry> atScan = new HashMap<>();
  private Entry mine = Entry.NONE;
  private long scannedBytes;
  private boolean needsScan = true;

  /**
   * The contents of a ledger.
   *
   * @param published bytes that the process has published, ever
   * @param removed bytes that it has removed, ever
   * @param writing bytes that it is writing
   * @param removing bytes that it is removing
   */
  private record Entry(long published, long removed, long writing, long removing) {
    static final Entry NONE = new Entry(0, 0, 0, 0);

    ByteBuffer encoded() {
      ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(MAGIC);
      bytes.putLong(published).putLong(removed).putLong(writing).putLong(removing);
      return bytes.putLong(FileLayout.crc(bytes.duplicate().flip())).flip();
    }

    /** Returns the contents of a ledger, or null when they are no whole ledger. */
    static Entry decoded(ByteBuffer bytes) {
      if (bytes.remaining() != BYTES || bytes.getLong(0) != MAGIC) {
        return null;
      }
      int end = BYTES - Long.BYTES;
      if (bytes.getLong(end) != FileLayout.crc(bytes.duplicate().limit(end))) {
        return null;
      }
      return new Entry(bytes.getLong(8), bytes.getLong(16), bytes.getLong(24), bytes.getLong(32));
    }
  }

  /**
   * Describes a process's ledger; {@link #beat} creates it.
   *
   * @param folder where the ledgers of a directory are
   * @param process name of this process, unlike that of any other, ever
   */
  UsageLedger(Path folder, String process) {
    this.folder = folder;
    this.own = folder.resolve(process);
    this.ownName = process;
  }

  /** Notes that this process is alive. */
  void beat() throws IOException {
    write(mine);
  }

  private void write(Entry next) throws IOException {
    mine = next;
    try (FileChannel channel =
        FileChannel.open(own, CacheFolders.OVERWRITE, CacheFolders.FILE_PERMISSIONS)) {
      ByteBuffer bytes = next.encoded();
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
    }
  }

  /** Notes bytes that this process is going to write. */
  void begin(long bytes) throws IOException {
    write(new Entry(mine.published, mine.removed, mine.writing + bytes, mine.removing));
  }

  /** Notes that bytes begun before are published. */
  void publish(long bytes) throws IOException {
    write(new Entry(mine.published + bytes, mine.removed, mine.writing - bytes, mine.removing));
  }

  /** Notes that bytes begun before are not published. */
  void abandon(long bytes) throws IOException {
    write(new Entry(mine.published, mine.removed, mine.writing - bytes, mine.removing));
  }

  /** Notes bytes that this process is going to delete. */
  void beginRemoval(long bytes) throws IOException {
    write(new Entry(mine.published, mine.removed, mine.writing, mine.removing + bytes));
  }

  /** Notes that bytes begun before are deleted, or were not there to be deleted. */
  void endRemoval(long bytes, boolean isDone) throws IOException {
    long removed = mine.removed + (isDone ? bytes : 0);
    write(new Entry(mine.published, removed, mine.writing, mine.removing - bytes));
  }

  /** Returns whether the bytes in use are known only after another scan. */
  boolean needsScan() {
    return needsScan;
  }

  /**
   * Returns the bytes in use, those that this process is going to write included; too few when
   * {@link #needsScan} is true afterwards.
   */
  long usedBytes() throws IOException {
    readOthers();
    long used = scannedBytes;
    for (Map.Entry<String, Entry> ledger : current.entrySet()) {
      Entry now = ledger.getValue();
      Entry then = atScan.getOrDefault(ledger.getKey(), Entry.NONE);
      used += now.published - then.published - (now.removed - then.removed) + now.writing;
    }
    return Math.max(0, used);
  }

  /** Counts the bytes of the files that are in a directory now. */
  interface Scan {
    /** Returns the bytes of all published files. */
    long run() throws IOException;
  }

  /** Counts all files anew. */
  void scan(Scan scan) throws IOException {
    readOthers();
    Map<String, Entry> before = new HashMap<>(current);
    long bytes = scan.run();
    readOthers();
    atScan.clear();
    for (Map.Entry<String, Entry> ledger : current.entrySet()) {
      Entry then = before.getOrDefault(ledger.getKey(), Entry.NONE);
      // What was published during the scan was perhaps not seen, so it is added. What was removed
      // during it, or is being removed, was perhaps not seen either, so it is not subtracted.
      Entry now = ledger.getValue();
      Entry base = new Entry(then.published, now.removed + now.removing, 0, 0);
      atScan.put(ledger.getKey(), base);
    }
    scannedBytes = bytes;
    needsScan = false;
  }

  private void readOthers() throws IOException {
    Set<String> gone = new HashSet<>(current.keySet());
    CacheFolders.forEach(
        folder,
        ledger -> {
          String name = ledger.getFileName().toString();
          gone.remove(name);
          if (!name.equals(ownName)) {
            Entry read = read(ledger);
            current.merge(name, read == null ? Entry.NONE : read, (o, n) -> read == null ? o : n);
          }
        });
    gone.remove(ownName);
    for (String name : gone) {
      current.remove(name);
      // What it has published since the scan is known to no ledger any more.
      needsScan = true;
    }
    current.put(ownName, mine);
  }

  private static Entry read(Path ledger) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    try (FileChannel channel = FileChannel.open(ledger, CacheFile.OPTIONS)) {
      while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
        // A read may be short.
      }
    } catch (NoSuchFileException e) {
      return null;
    }
    return Entry.decoded(bytes.flip());
  }

  /**
   * Deletes the ledgers of processes that have ended.
   *
   * @return names of the processes that live
   */
  Set<String> deleteDead() throws IOException {
    Set<String> alive = new HashSet<>();
    CacheFolders.forEach(
        folder,
        ledger -> {
          String name = ledger.getFileName().toString();
          if (!name.equals(ownName) && isOld(ledger)) {
            Files.deleteIfExists(ledger);
          } else {
            alive.add(name);
          }
        });
    return alive;
  }

  /** Returns whether a file has not been written for so long that its process has ended. */
  static boolean isOld(Path file) throws IOException {
    try {
      long written =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .lastModifiedTime()
              .toMillis();
      long age = System.currentTimeMillis() - written;
      return age > TimeUnit.MINUTES.toMillis(DEAD_MINUTES);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Deletes this process's ledger.
   *
   * @return whether no other process has one
   */
  boolean end() throws IOException {
    Files.deleteIfExists(own);
    Set<String> alive = deleteDead();
    return alive.isEmpty();
  }
}
