package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.type.Field;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.scan.AncientDateException;
import io.ariadne.parquet.scan.ColumnTypeMismatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Checks the scan of a damaged file. It must return rows, which must be right in columns without
 * damage, or an error that names the file and, for a page, column and offset. Nothing may be left
 * open.
 */
final class FuzzCheck {
  /** The result of a scan. */
  enum PruningOutcome {
    /** The scan returned rows. */
    ROWS,
    /** The scan reported that the file is damaged or not supported. */
    ERROR,
    /** The scan ran out of memory. */
    NO_MEMORY
  }

  private final FuzzScan scan;
  private final GuardedAllocator memory;
  private long columnsCompared;
  private long rowsLeftOut;

  FuzzCheck(FuzzScan scan, GuardedAllocator memory) {
    this.scan = scan;
    this.memory = memory;
  }

  /**
   * Scans a copy of a file.
   *
   * @param file what it is a copy of
   * @param name of the copy
   * @param copy its bytes
   * @param fields the columns read
   * @param predicate which rows are read, null for all
   * @throws AssertionError when a rule is broken
   */
  PruningOutcome check(
      SoundFile file, String name, byte[] copy, List<Field> fields, FuzzPredicate predicate) {
    PruningOutcome outcome = scan(file, name, copy, fields, predicate);
    if (outcome != PruningOutcome.ROWS && file.saysTheSame(copy, memory)) {
      List<Field> untouched = file.untouched(copy, fields);
      FuzzPredicate again = predicate == null ? null : predicate(predicate, fields, untouched);
      boolean mayFail = untouched.isEmpty() || (predicate != null && again == null);
      if (!mayFail && untouched.size() < fields.size()) {
        PruningOutcome other = scan(file, name, copy, untouched, again);
        require(
            other == PruningOutcome.ROWS, "columns without damage cannot be read: " + untouched);
      }
    }
    return outcome;
  }

  /** Returns a predicate for some of the columns, null when its column is not among them. */
  private static FuzzPredicate predicate(
      FuzzPredicate predicate, List<Field> fields, List<Field> some) {
    int place = some.indexOf(fields.get(predicate.column()));
    return place < 0 ? null : predicate.at(place);
  }

  private PruningOutcome scan(
      SoundFile file, String name, byte[] copy, List<Field> fields, FuzzPredicate predicate) {
    FuzzScan.Rows rows;
    try {
      rows = scan.read(name, copy, fields, predicate == null ? null : predicate.expression());
    } catch (EngineException e) {
      checkError(file, name, copy, fields, e);
      checkMemory();
      return e.code() == ErrorCode.OUT_OF_MEMORY ? PruningOutcome.NO_MEMORY : PruningOutcome.ERROR;
    }
    checkMemory();
    if (file.saysTheSame(copy, memory)) {
      checkRows(file, copy, fields, predicate, rows);
    }
    return PruningOutcome.ROWS;
  }

  private static void checkError(
      SoundFile file, String name, byte[] copy, List<Field> fields, EngineException e) {
    boolean isAllowed =
        switch (e.code()) {
          case CORRUPT_DATA, UNSUPPORTED, OUT_OF_MEMORY -> true;
          default -> e instanceof ColumnTypeMismatchException || e instanceof AncientDateException;
        };
    if (!isAllowed) {
      throw new AssertionError("an error of another kind: " + e, e);
    }
    if (e.code() == ErrorCode.OUT_OF_MEMORY) {
      return;
    }
    String text = e.getMessage();
    if (!text.contains(name)) {
      throw new AssertionError("the message does not name the file: " + text, e);
    }
    if (file.hasSameFooter(copy) && e.code() == ErrorCode.CORRUPT_DATA) {
      boolean namesColumn =
          fields.stream()
              .anyMatch(
                  field ->
                      text.contains("column " + field.name() + " ")
                          || text.contains("column " + field.name() + ",")
                          || text.contains("column " + field.name() + "."));
      boolean namesOffset = text.matches("(?s).*\\bbyte \\d+.*");
      if (!namesColumn || !namesOffset) {
        throw new AssertionError("the message names no column or no offset: " + text, e);
      }
    }
  }

  private void checkMemory() {
    require(
        memory.openBufferCount() == 0,
        memory.openBufferCount() + " buffers of " + memory.allocatedBytes() + " bytes are open");
  }

  private void checkRows(
      SoundFile file,
      byte[] copy,
      List<Field> fields,
      FuzzPredicate predicate,
      FuzzScan.Rows rows) {
    List<Field> untouched = file.untouched(copy, fields);
    if (predicate != null
        && (!file.rows().isWhole() || !untouched.contains(fields.get(predicate.column())))) {
      return;
    }
    List<Integer> wanted = wanted(file, fields, predicate);
    require(
        rows.isWhole() == file.rows().isWhole()
            && (!rows.isWhole() || rows.rowCount() == wanted.size()),
        rows.rowCount() + " rows instead of " + wanted.size());
    for (int i = 0; i < fields.size(); i++) {
      if (untouched.contains(fields.get(i))) {
        List<Object> all = file.values(fields.get(i));
        List<Object> expected = wanted.stream().map(all::get).collect(Collectors.toList());
        columnsCompared++;
        rowsLeftOut += predicate == null ? 0 : all.size() - expected.size();
        require(
            expected.equals(rows.columns().get(i)),
            "wrong values in " + fields.get(i) + ", whose pages are not damaged");
      }
    }
  }

  /** Returns the numbers of the rows that a scan of the intact file returns. */
  private static List<Integer> wanted(SoundFile file, List<Field> fields, FuzzPredicate predicate) {
    List<Object> values = file.values(fields.get(predicate == null ? 0 : predicate.column()));
    return IntStream.range(0, values.size())
        .filter(row -> predicate == null || predicate.holds(values.get(row)))
        .boxed()
        .toList();
  }

  /** Returns how many values of right rows a predicate has excluded. */
  long rowsLeftOut() {
    return rowsLeftOut;
  }

  /** Returns how many columns without damage have been compared with the intact file's. */
  long columnsCompared() {
    return columnsCompared;
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new AssertionError(problem);
    }
  }

  /** Returns some columns of a file. */
  static List<Field> some(SoundFile file, SplittableRandom random) {
    List<Field> some = new ArrayList<>();
    int most = 1 + random.nextInt(file.fields().size());
    for (Field field : file.fields()) {
      if (random.nextInt(file.fields().size()) < most) {
        some.add(field);
      }
    }
    return some.isEmpty() ? List.of(file.fields().get(0)) : some;
  }
}
