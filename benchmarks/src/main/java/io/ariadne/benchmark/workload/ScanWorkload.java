package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.OneRowGroup;
import io.ariadne.benchmark.table.SmallFiles;
import io.ariadne.benchmark.table.TableFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scan benchmark: lineitem of TPC-H, the same rows in small files, and as one row group.
 *
 * @param scale scale factor of lineitem; the size of the small files is fixed
 * @param cases the cases to run
 * @param smallFiles the small files, written only if a case reads them
 */
public record ScanWorkload(double scale, List<ScanCase> cases, SmallFiles smallFiles)
    implements Workload {
  @Override
  public String title() {
    return "Scan of lineitem, SF" + scale;
  }

  @Override
  public void generate(TableFolders folders) throws IOException {
    if (reads(ScanCase.TABLE)) {
      folders.generateTpch(scale);
    }
    if (reads(SmallFiles.TABLE)) {
      smallFiles.generate(folders);
    }
    if (reads(OneRowGroup.TABLE)) {
      new OneRowGroup(scale).generate(folders);
    }
  }

  @Override
  public Map<String, Path> tables(TableFolders folders) {
    Map<String, Path> tables = new LinkedHashMap<>();
    if (reads(ScanCase.TABLE)) {
      tables.put(ScanCase.TABLE, folders.tpch(scale).resolve(ScanCase.TABLE));
    }
    if (reads(SmallFiles.TABLE)) {
      tables.put(SmallFiles.TABLE, smallFiles.folder(folders));
    }
    if (reads(OneRowGroup.TABLE)) {
      tables.put(OneRowGroup.TABLE, new OneRowGroup(scale).folder(folders));
    }
    return tables;
  }

  private boolean reads(String table) {
    return cases.stream().anyMatch(c -> c.table().equals(table));
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return cases.stream().flatMap(c -> c.queries().stream()).toList();
  }
}
