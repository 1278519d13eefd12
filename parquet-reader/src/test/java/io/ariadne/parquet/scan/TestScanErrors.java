package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which failures a scan ignores. */
class TestScanErrors {
  private static final String FILE = "some.parquet";

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  static ParquetScanOptions options(boolean ignoresCorrupt, boolean ignoresMissing) {
    ParquetScanOptions d = ParquetScanOptions.DEFAULT;
    return new ParquetScanOptions(
        d.isCaseSensitive(),
        d.isBinaryAsString(),
        d.isInt96AsTimestamp(),
        d.isNanosAsLong(),
        d.datetimeRebase(),
        d.int96Rebase(),
        d.int96Zone(),
        d.sessionZone(),
        d.widening(),
        d.requiresFieldIds(),
        d.nullsEmptyStructs(),
        d.readsVariantsAsStructs(),
        ignoresCorrupt,
        ignoresMissing,
        d.verifiesChecksums(),
        d.pushdown(),
        d.batchRows(),
        d.keepsDictionaries(),
        d.partBytes());
  }

  private static boolean isIgnored(RuntimeException e, boolean corrupt, boolean missing) {
    return isIgnored(e, ReferenceReader.NONE, corrupt, missing);
  }

  private static boolean isIgnored(
      RuntimeException e, ReferenceReader reference, boolean corrupt, boolean missing) {
    ScanSite site = new ScanSite(new FileSlice(FILE, 0, 100, List.of()), reference);
    return ScanErrors.isIgnored(ScanErrors.located(site, e), options(corrupt, missing));
  }

  private static RuntimeException engine(ErrorCode code, Throwable cause) {
    return new EngineException(code, "page 3", cause);
  }

  @Test
  void ignoresDamageIfRequested() {
    assertTrue(isIgnored(engine(ErrorCode.CORRUPT_DATA, null), true, false));
    assertFalse(isIgnored(engine(ErrorCode.CORRUPT_DATA, null), false, true));
    assertTrue(isIgnored(new UncheckedIOException(new IOException("cut off")), true, false));
  }

  @Test
  void neverIgnoresFilesThatSparkCanRead() {
    for (ErrorCode code : List.of(ErrorCode.UNSUPPORTED, ErrorCode.USER, ErrorCode.OUT_OF_MEMORY)) {
      assertFalse(isIgnored(engine(code, null), true, true));
    }
  }

  @Test
  void ignoresIntactFilesAsTheReferenceReaderDoes() {
    for (ErrorCode code : List.of(ErrorCode.UNSUPPORTED, ErrorCode.USER)) {
      assertTrue(isPassedOver(code, true));
      assertFalse(isPassedOver(code, false));
    }
  }

  private static boolean isPassedOver(ErrorCode code, boolean byTheReferenceReader) {
    RuntimeException e = engine(code, null);
    ReferenceReader.Failure failure =
        new ReferenceReader.Failure(new IOException("no column"), true, byTheReferenceReader);
    assertFalse(isIgnored(e, slice -> failure, false, true));
    return isIgnored(e, slice -> failure, true, false);
  }

  /**
   * Several parts of a slice fail; the scan asks whether to continue, the task which error to
   * throw.
   */
  @Test
  void referenceReaderReadsASliceOnce() {
    AtomicInteger reads = new AtomicInteger();
    ReferenceReader.Failure failure =
        new ReferenceReader.Failure(new IOException("no column"), true, false);
    ScanSite site =
        new ScanSite(
            new FileSlice(FILE, 0, 100, List.of()),
            slice -> {
              reads.incrementAndGet();
              return failure;
            });
    for (int i = 0; i < 2; i++) {
      RuntimeException located = ScanErrors.located(site, engine(ErrorCode.UNSUPPORTED, null));
      assertFalse(ScanErrors.isIgnored(located, options(true, false)));
      assertSame(failure, ((ScanException) located).referenceFailure());
    }
    assertEquals(1, reads.get());
  }

  @Test
  void missingFilesHaveTheirOwnSetting() {
    for (IOException gone :
        List.of(new FileNotFoundException(FILE), new NoSuchFileException(FILE))) {
      assertTrue(isIgnored(new UncheckedIOException(gone), false, true));
      assertFalse(isIgnored(new UncheckedIOException(gone), true, false));
      assertTrue(isIgnored(engine(ErrorCode.CORRUPT_DATA, gone), false, true));
    }
  }

  @Test
  void neverIgnoresRefusalsOfTheFileSystem() {
    for (IOException refused :
        List.of(
            new AccessDeniedException(FILE),
            new FileSystemException(FILE, null, "Too many open files"))) {
      assertFalse(isIgnored(new UncheckedIOException(refused), true, true));
      assertFalse(isIgnored(engine(ErrorCode.CORRUPT_DATA, refused), true, true));
    }
  }

  @Test
  void filesThatMayNotBeOpenedFailTheScan() {
    AccessDeniedException refused = new AccessDeniedException(FILE);
    ParquetScanSpec spec =
        new ParquetScanSpec(
            List.of(ScanColumn.ofFile(new Field("value", PrimitiveType.INT32, true))),
            null,
            options(true, true));
    List<FileSlice> slices = List.of(new FileSlice(FILE, 0, 100, List.of()));
    FileOpener opener =
        slice -> {
          throw refused;
        };
    try (Backend backend = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      try (SplitSource source =
          ParquetSplitSource.factory(spec, slices, opener)
              .create(context, name -> new LongAdder())) {
        ScanException e = assertThrows(ScanException.class, source::next);
        assertEquals(FILE, e.file());
        assertSame(refused, e.getCause());
      }
    }
  }
}
