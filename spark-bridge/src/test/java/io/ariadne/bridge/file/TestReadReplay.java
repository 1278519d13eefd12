package io.ariadne.bridge.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Which failures of a file make a scan that ignores corrupt files leave it out. */
class TestReadReplay {
  @Test
  void testCorruptFilesArePassedOver() {
    assertTrue(ReadReplay.isPassedOver(new IOException("no column")));
    assertTrue(ReadReplay.isPassedOver(new IllegalStateException("no keys")));
  }

  /** A native codec raises it for damaged bytes; the lines differ. */
  @Test
  void testInternalErrorsArePassedOverSinceSpark4() {
    assertEquals(
        FileScanLine.widensTypes(), ReadReplay.isPassedOver(new InternalError("bad block")));
  }

  @Test
  void testFilesThatMayBeWholeAreNot() {
    assertFalse(ReadReplay.isPassedOver(new FileNotFoundException("gone meanwhile")));
    assertFalse(ReadReplay.isPassedOver(new AccessControlException("no")));
    assertFalse(ReadReplay.isPassedOver(new BlockMissingException("f", "no replica", 0)));
  }

  @Test
  void testOtherFailuresAreNot() {
    assertFalse(ReadReplay.isPassedOver(new AssertionError("no list")));
    assertFalse(ReadReplay.isPassedOver(new Exception("no map")));
  }
}
