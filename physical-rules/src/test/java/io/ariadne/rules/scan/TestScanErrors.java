package io.ariadne.rules.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.scan.FileOpener;
import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.parquet.scan.ParquetScanOptions;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ParquetSplitSource;
import io.ariadne.parquet.scan.ReferenceReader;
import io.ariadne.parquet.scan.ReferenceReader.Failure;
import io.ariadne.parquet.scan.ScanColumn;
import io.ariadne.parquet.scan.ScanException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.security.AccessControlException;
import org.apache.parquet.io.ParquetDecodingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a scan's failures where Spark's reader fails, and where it does not. */
class TestScanErrors {
  private static final FileSlice SLICE = new FileSlice("file:/some.parquet", 0, 100, List.of());

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void raisesSparksFailure() {
    IllegalStateException sparks = new IllegalStateException("no keys");
    ScanException failure =
        failure(
            slice -> {
              throw new IOException("cut off");
            },
            slice -> new Failure(sparks, true, true));
    assertRaised(failure, sparks);
  }

  @Test
  void raisesAReadFailure() {
    IOException reset = new IOException("connection reset");
    assertRaised(failure(reset), reset);
  }

  @Test
  void raisesHadoopsRefusal() {
    AccessControlException hadoops = new AccessControlException("no");
    AccessDeniedException refusal = new AccessDeniedException(SLICE.path());
    refusal.initCause(hadoops);
    assertRaised(failure(refusal), hadoops);
  }

  @Test
  void doesNotRepeatALateRead() {
    FileSystemException late = new FileSystemException(SLICE.path(), null, "no answer");
    late.initCause(new TimeoutException());
    ScanException failure =
        failure(
            slice -> {
              throw late;
            },
            slice -> fail("read again"));
    assertRaised(failure, late);
  }

  @Test
  void unsupportedFileNamesTheSettingToUse() {
    ScanException failure =
        failure(
            slice -> {
              throw new EngineException(ErrorCode.UNSUPPORTED, "a new codec");
            },
            ReferenceReader.NONE);
    Throwable cause = SparkScanErrors.toSpark(failure).getCause();
    assertEquals(ParquetDecodingException.class, cause.getClass());
    assertTrue(cause.getMessage().contains("a new codec; spark.ariadne.disable="), cause::toString);
  }

  @Test
  void failureWithoutAFileStaysAsItIs() {
    RuntimeException other = new EngineException(ErrorCode.OUT_OF_MEMORY, "no memory");
    assertSame(other, SparkScanErrors.toSpark(other));
  }

  private static void assertRaised(ScanException failure, Throwable cause) {
    Throwable raised = SparkScanErrors.toSpark(failure);
    assertSame(cause, raised.getCause());
    assertTrue(raised.getMessage().contains(SLICE.path()), raised::toString);
    assertArrayEquals(new Throwable[] {failure}, raised.getSuppressed());
  }

  private ScanException failure(IOException e) {
    return failure(
        slice -> {
          throw e;
        },
        ReferenceReader.NONE);
  }

  private ScanException failure(FileOpener opener, ReferenceReader reference) {
    Field field = new Field("value", PrimitiveType.INT32, true);
    ParquetScanSpec spec =
        new ParquetScanSpec(List.of(ScanColumn.ofFile(field)), null, ParquetScanOptions.DEFAULT);
    try (Backend backend = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      try (SplitSource source =
          ParquetSplitSource.factory(spec, List.of(SLICE), opener, reference, true, null)
              .create(context, name -> new LongAdder())) {
        return assertThrows(ScanException.class, source::next);
      }
    }
  }
}
