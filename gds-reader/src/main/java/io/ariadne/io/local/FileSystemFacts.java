package io.ariadne.io.local;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one file system has turned out not to support. Thread-safe. */
final class FileSystemFacts {
  private static final Logger LOG = LoggerFactory.getLogger(FileSystemFacts.class);

  private final ConcurrentMap<String, String> refusals = new ConcurrentHashMap<>();

  /** Returns whether reads around the page cache may work. */
  boolean supportsDirect() {
    return !refusals.containsKey("direct I/O");
  }

  /** Returns whether reads that do not wait may work. */
  boolean supportsSamples() {
    return !refusals.containsKey("reads that do not wait");
  }

  /** Remembers that direct I/O does not work, and logs that once. */
  void refuseDirect(String file, String reason) {
    refuse("direct I/O", file, reason, "reads go through the page cache");
  }

  /** Remembers that reads that do not wait do not work, and logs that once. */
  void refuseSamples(String file, String reason) {
    refuse("reads that do not wait", file, reason, "files count as if they were in memory");
  }

  private void refuse(String what, String file, String reason, String consequence) {
    if (refusals.putIfAbsent(what, reason) == null) {
      LOG.info("the file system of {} has no {}: {}; {}", file, what, reason, consequence);
    }
  }
}
