package io.ariadne.operator.aggregate;

/** The groups of a table to read, in order: consecutive groups or chosen ones. Immutable. */
public final class GroupSelection {
  private final int firstGroup;
  private final int[] groups;
  private final int rowCount;

  private GroupSelection(int firstGroup, int[] groups, int rowCount) {
    this.firstGroup = firstGroup;
    this.groups = groups;
    this.rowCount = rowCount;
  }

  /** Returns a selection of consecutive groups. */
  public static GroupSelection range(int firstGroup, int rowCount) {
    return new GroupSelection(firstGroup, null, rowCount);
  }

  /**
   * Returns a selection of the groups of a range that have rows.
   *
   * @param records the accumulators
   * @param liveRows reads the number of rows of a group
   * @param firstGroup first group of the range
   * @param count groups of the range
   */
  static GroupSelection live(
      AccumulatorTable records, CountReader liveRows, int firstGroup, int count) {
    int[] groups = new int[count];
    int rowCount = 0;
    for (int group = firstGroup; group < firstGroup + count; group++) {
      if (liveRows.read(records.address(group)) != 0) {
        groups[rowCount++] = group;
      }
    }
    return rowCount == count ? range(firstGroup, count) : new GroupSelection(0, groups, rowCount);
  }

  /** Returns the group of a row of the result. */
  int group(int row) {
    return groups == null ? firstGroup + row : groups[row];
  }

  /** Returns how many groups are selected. */
  int rowCount() {
    return rowCount;
  }
}
