package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.SmallFiles;
import io.ariadne.benchmark.table.TableFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scan benchmark: lineitem of TPC-H, and the same rows in small files.
 *
 * @param scale scale factor of lineitem; the size of the small files is fixed
 * @param cases the cases to run
 */
public record ScanWorkload(double scale, List<ScanCase> cases) implements Workload {
  @Override
  public String title() {
    return "Scan of lineitem, SF" + scale;
  }

  @Override
  public void generate(TableFolders folders) throws IOException {
    if (readsLineitem()) {
      folders.generateTpch(scale);
    }
    if (cases.contains(ScanCase.SMALL_FILES)) {
      SmallFiles.generate(folders);
    }
  }

  @Override
  public Map<String, Path> tables(TableFolders folders) {
    Map<String, Path> tables = new LinkedHashMap<>();
    if (readsLineitem()) {
      tables.put(ScanCase.TABLE, folders.tpch(scale).resolve(ScanCase.TABLE));
    }
    if (cases.contains(ScanCase.SMALL_FILES)) {
      tables.put(SmallFiles.TABLE, SmallFiles.folder(folders));
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
