package io.ariadne.io.cache;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A remote file in memory, which counts requests and may be replaced. Thread-safe. */
final class TestingStorage {
  final URI address;
  final AtomicInteger requests = new AtomicInteger();
  final AtomicLong bytes = new AtomicLong();
  private volatile byte[] content;
  private volatile String version;
  private volatile long time = ByteRangeReader.UNKNOWN_TIME;

  /** Whether a reader knows the version only after its first request. */
  private volatile boolean versionIsLate;

  TestingStorage(String name, int length, long seed) {
    this.address = URI.create("mem://bucket/" + name);
    replace(length, seed, "v" + seed);
  }

  void replace(int length, long seed, String newVersion) {
    byte[] next = new byte[length];
    new Random(seed).nextBytes(next);
    content = next;
    version = newVersion;
  }

  TestingStorage identifiedByTime(long millis, boolean hasLateVersion) {
    time = millis;
    versionIsLate = hasLateVersion;
    version = hasLateVersion ? version : "";
    return this;
  }

  TestingStorage withoutVersion() {
    version = "";
    return this;
  }

  byte[] content() {
    return content;
  }

  ByteRangeReader reader() {
    return new Reader();
  }

  private final class Reader implements ByteRangeReader {
    private final byte[] opened = content;
    private volatile String known = versionIsLate ? "" : version;

    @Override
    public long lengthInBytes() {
      return opened.length;
    }

    @Override
    public long modificationTimeMillis() {
      return time;
    }

    @Override
    public String version() {
      return known;
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length)
        throws IOException {
      byte[] now = content;
      if (position < 0 || length < 0 || position > now.length - length) {
        throw new IOException("outside " + address);
      }
      requests.incrementAndGet();
      bytes.addAndGet(length);
      known = version;
      Memory.copy(now, (int) position, target.address() + targetOffset, (int) length);
    }

    @Override
    public void readAll(List<ByteRange> ranges) throws IOException {
      for (ByteRange range : ranges) {
        read(range.position(), range.target(), range.targetOffset(), range.length());
      }
    }

    @Override
    public void close() {
      // Nothing is open.
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }
}
