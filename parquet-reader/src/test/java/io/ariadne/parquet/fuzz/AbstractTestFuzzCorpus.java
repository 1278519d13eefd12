package io.ariadne.parquet.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.operator.OperatorContext;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the files that once failed, and some newly damaged ones, on one back end. */
abstract class AbstractTestFuzzCorpus {
  private static final long SEED = 20_000;

  @TempDir Path folder;

  private final KernelTestTarget target;
  private final int cases;

  AbstractTestFuzzCorpus(KernelTestTarget target, int cases) {
    this.target = target;
    this.cases = cases;
  }

  @Test
  void readsFilesThatOnceFailed() throws IOException, URISyntaxException {
    Path corpus = Path.of(AbstractTestFuzzCorpus.class.getResource("corpus").toURI());
    GuardedAllocator memory = new GuardedAllocator(FuzzProcess.MAX_BYTES);
    try (Backend host = HostBackend.open();
        Backend backend = target.open(SEED)) {
      FuzzScan scan = scan(backend, memory);
      List<Corpus.Entry> entries = Corpus.read(corpus);
      assertFalse(entries.isEmpty(), "no files in " + corpus);
      for (Corpus.Entry entry : entries) {
        SoundFile sound =
            SoundFiles.read(entry.sound(), sound(host, memory), memory, new ArrayList<>());
        new FuzzCheck(scan, memory)
            .check(sound, entry.name(), entry.damaged(), sound.fields(), null);
      }
    }
  }

  @Test
  void readsSomeDamagedFiles() throws IOException {
    GuardedAllocator memory = new GuardedAllocator(FuzzProcess.MAX_BYTES);
    try (Backend host = HostBackend.open();
        Backend backend = target.open(SEED)) {
      FuzzScan scan = scan(backend, memory);
      List<SoundFile> files = new SoundFiles(sound(host, memory), memory, folder, null).files();
      for (int i = 0; i < cases; i++) {
        FuzzCase fuzzed = FuzzCase.of(SEED + i, files);
        new FuzzCheck(scan, memory)
            .check(
                fuzzed.file(), fuzzed.name(), fuzzed.copy(), fuzzed.fields(), fuzzed.predicate());
      }
    }
  }

  /**
   * Returns the scan for intact files. It uses the host, so that back ends are compared as well.
   */
  private static FuzzScan sound(Backend host, GuardedAllocator memory) {
    return new FuzzScan(new OperatorContext(memory, host, () -> false));
  }

  private FuzzScan scan(Backend backend, GuardedAllocator memory) {
    return new FuzzScan(target.context(backend, memory));
  }
}
