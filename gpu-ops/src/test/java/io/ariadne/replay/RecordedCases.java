package io.ariadne.replay;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.testing.TestShare;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Launches of the suites under the emulator as replay cases, so that there is one of every kernel.
 * The suites compare what the kernels do; a case holds a GPU to the bytes that this determines.
 */
final class RecordedCases {
  private static final String SEED_PROPERTY = "ariadne.test.seed";

  /** Suites, or tests of them, that launch all kernels and are quick. */
  private static final List<String> SUITES =
      List.of(
          "kernel.column.TestEmulatedEntryMaskKernels",
          "kernel.column.TestEmulatedGatherKernels",
          "kernel.column.TestEmulatedSelectRowsKernels",
          "kernel.column.TestEmulatedStringChoiceKernels",
          "kernel.column.TestEmulatedStringOffsetsKernels",
          "kernel.hash.TestEmulatedDenseGroupsKernels",
          "kernel.hash.TestEmulatedGroupAssignKernels",
          "kernel.hash.TestEmulatedGroupCodesKernels",
          "kernel.hash.TestEmulatedGroupMergeKernels",
          "kernel.hash.TestEmulatedGroupPickKernels",
          "kernel.join.TestEmulatedJoinRowsKernels",
          "kernel.parquet.TestEmulatedParquetBinaryKernels",
          "kernel.parquet.TestEmulatedParquetBinaryDecimalKernels",
          "kernel.parquet.TestEmulatedParquetByteStreamSplitKernels",
          "kernel.parquet.TestEmulatedParquetConvertKernels",
          "kernel.parquet.TestEmulatedParquetDeltaKernels",
          "kernel.parquet.TestEmulatedParquetDeltaStringKernels",
          "kernel.parquet.TestEmulatedParquetDenseKernels",
          "kernel.parquet.TestEmulatedParquetLevelKernels",
          "kernel.parquet.TestEmulatedParquetNestedKernels",
          "kernel.parquet.TestEmulatedParquetSnappyKernels",
          "kernel.parquet.TestEmulatedParquetSpreadKernels",
          "kernel.unpack.TestEmulatedUnpackKernels",
          "operator.aggregate.TestEmulatedHashAggregate#partialMergeAndFinalStepsEqualReference",
          "operator.project.TestEmulatedProducedStrings",
          "operator.project.TestEmulatedStringCasts",
          "operator.exchange.TestEmulatedRanges",
          "operator.join.TestEmulatedHashJoin#joinsEveryKindOverOneNumber",
          "operator.sort.TestEmulatedSort#keepsTheFirstRows",
          "operator.sort.TestEmulatedSort#sortsRowsThatAreInOrder");

  private RecordedCases() {}

  /**
   * Runs the suites and returns their cases.
   *
   * @param allocator memory for the runs that find out what a case determines
   * @param seed of the suites' data
   * @throws IllegalStateException when a test of a suite fails
   */
  static List<ReplayCase> record(BufferAllocator allocator, long seed) {
    LaunchRecorder recorder = new LaunchRecorder();
    EmulatedBackend.observe(recorder, () -> runSuites(seed));
    BufferAllocator regions = EmulatedBackend.allocator(allocator);
    List<ReplayCase> determined = new ArrayList<>();
    for (ReplayCase each : recorder.cases()) {
      if (StableBytes.expect(each, regions, seed)) {
        determined.add(each);
      }
    }
    return determined;
  }

  private static DiscoverySelector selector(String suite) {
    String name = "io.ariadne." + suite;
    return suite.contains("#") ? selectMethod(name) : selectClass(name);
  }

  private static void runSuites(long seed) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(SUITES.stream().map(RecordedCases::selector).toList())
            .configurationParameter(TestShare.DETECTION, "false")
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    String before = System.setProperty(SEED_PROPERTY, String.valueOf(seed));
    try {
      LauncherFactory.create().execute(request, summary);
    } finally {
      if (before == null) {
        System.clearProperty(SEED_PROPERTY);
      } else {
        System.setProperty(SEED_PROPERTY, before);
      }
    }
    if (summary.getSummary().getTotalFailureCount() > 0) {
      StringWriter failures = new StringWriter();
      summary.getSummary().printFailuresTo(new PrintWriter(failures, true));
      throw new IllegalStateException("suites of recorded cases failed:" + failures);
    }
  }
}
