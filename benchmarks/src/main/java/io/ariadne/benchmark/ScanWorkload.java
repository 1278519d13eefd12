package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scan benchmark: lineitem of TPC-H, and the same rows in small files.
 *
 * @param scale scale factor of lineitem; the small files have a size of their own
 * @param cases what to run
 */
record ScanWorkload(double scale, List<ScanCase> cases) implements Workload {
  @Override
  public String title() {
    return "Scan of lineitem, SF" + scale;
  }

  @Override
  public void generate(CommonOptions options) throws IOException {
    if (readsLineitem()) {
      GenerateCommand.generate(options, scale);
    }
    if (cases.contains(ScanCase.SMALL_FILES)) {
      SmallFiles.generate(options);
    }
  }

  @Override
  public Map<String, Path> tables(CommonOptions options) {
    Map<String, Path> tables = new LinkedHashMap<>();
    if (readsLineitem()) {
      tables.put(ScanCase.TABLE, options.tpch(scale).resolve(ScanCase.TABLE));
    }
    if (cases.contains(ScanCase.SMALL_FILES)) {
      tables.put(SmallFiles.TABLE, SmallFiles.folder(options));
    }
    return tables;
  }

  private boolean readsLineitem() {
    return cases.stream().anyMatch(c -> c != ScanCase.SMALL_FILES);
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return cases.stream().flatMap(c -> c.queries().stream()).toList();
  }
}
