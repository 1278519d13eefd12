package io.ariadne.rules.filter;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;

/**
 * What an exchange does for runtime filters.
 *
 * @param builds the filters for which its tasks collect hashes
 * @param tested number of the filter that its rows must pass, or {@link #NONE}. The filter has the
 *     hashes by which the exchange places rows
 */
public record FilterRoles(List<Build> builds, long tested) implements Serializable {
  /** The number of no filter. */
  public static final long NONE = 0;

  /** The roles of an exchange without filters. */
  public static final FilterRoles EMPTY = new FilterRoles(List.of(), NONE);

  /** Copies the list. */
  public FilterRoles {
    builds = List.copyOf(builds);
  }

  /**
   * A filter that an exchange's tasks make together.
   *
   * @param id the filter's number, which no other filter of the application has
   * @param keys columns of the exchange that are hashed, as {@code HashPartitioning} does
   */
  public record Build(long id, List<Attribute> keys) implements Serializable {
    /** Copies the list. */
    public Build {
      keys = List.copyOf(keys);
    }

    /** Returns whether the keys are these columns, in this order. */
    public boolean hasKeys(List<Attribute> columns) {
      return keys.stream()
          .map(Attribute::exprId)
          .toList()
          .equals(columns.stream().map(Attribute::exprId).toList());
    }
  }

  /** Returns whether the exchange has nothing to do. */
  public boolean isEmpty() {
    return builds.isEmpty() && tested == NONE;
  }
}
