package io.ariadne.bridge.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Tests which failures of a file a scan that ignores corrupt files ignores. */
class TestReadReplay {
  @Test
  void ignoresCorruptFiles() {
    assertTrue(ReadReplay.isPassedOver(new IOException("no column")));
    assertTrue(ReadReplay.isPassedOver(new IllegalStateException("no keys")));
  }

  /** A native codec raises it for damaged bytes; Spark lines differ. */
  @Test
  void ignoresInternalErrorsSinceSpark4() {
    assertEquals(
        FileScanLine.widensTypes(), ReadReplay.isPassedOver(new InternalError("bad block")));
  }

  @Test
  void doesNotIgnoreFilesThatMayBeIntact() {
    assertFalse(ReadReplay.isPassedOver(new FileNotFoundException("gone meanwhile")));
    assertFalse(ReadReplay.isPassedOver(new AccessControlException("no")));
    assertFalse(ReadReplay.isPassedOver(new BlockMissingException("f", "no replica", 0)));
  }

  @Test
  void doesNotIgnoreOtherFailures() {
    assertFalse(ReadReplay.isPassedOver(new AssertionError("no list")));
    assertFalse(ReadReplay.isPassedOver(new Exception("no map")));
  }
}
