package io.ariadne.operator.join;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * A complete build side, a hash table or rows in the spill space, that several executions of joins
 * over the same rows and keys read at once. Closed after the operators of these executions.
 */
public final class SharedBuild implements AutoCloseable {
  private final JoinBuild built;
  private final long sizeInBytes;

  /**
   * Everything besides the rows that a table depends on: joins of equal shape can share a table.
   *
   * @param schema columns of the build side
   * @param keys expressions over these
   * @param knowsNulls whether the table knows if a key is null
   */
  public record Shape(Schema schema, List<Expression> keys, boolean knowsNulls) {
    /** Copies the list. */
    public Shape {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Takes ownership of a build side.
   *
   * @param built all its rows are in its table
   * @param sizeInBytes estimated bytes in memory
   */
  SharedBuild(JoinBuild built, long sizeInBytes) {
    if (built.spilled() != null) {
      throw new IllegalArgumentException("a build side with spilled rows cannot be shared");
    }
    this.built = built;
    this.sizeInBytes = sizeInBytes;
  }

  /** Returns the build side as executions of a join see it; stays owned by this. */
  JoinBuild of(JoinSpec spec) {
    if (!spec.sharesBuild()) {
      throw new IllegalArgumentException("a join of kind " + spec.kind() + " marks its build rows");
    }
    JoinTable table = built.table();
    return new JoinBuild(
        spec.kind(), table, null, built.rows(), built.isEmpty(), built.hasNullKey());
  }

  /** Returns whether the rows are in a hash table, not in the spill space. */
  public boolean isTable() {
    return built.rows() == null;
  }

  /** Returns the number of rows. */
  public long rowCount() {
    return built.table().rowCount() + (built.rows() == null ? 0 : built.rows().rowCount());
  }

  /** Returns estimated bytes in memory. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  @Override
  public void close() {
    built.close();
  }
}
