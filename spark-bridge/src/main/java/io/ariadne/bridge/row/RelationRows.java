package io.ariadne.bridge.row;

import io.ariadne.bridge.ScalaCollections;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationWithAllNullKeys$;
import org.apache.spark.sql.execution.joins.LongHashedRelation;
import org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex;

/**
 * Iterates over the rows of what Spark broadcasts for joins: a relation by key, or an array of
 * rows. A relation omits rows with a null in their key. Where a null alone decides a null-aware
 * join, there is one row of nulls.
 */
public final class RelationRows {
  private RelationRows() {}

  /**
   * Returns the rows, in any order, each valid until the next one is requested.
   *
   * @param broadcast the value of the broadcast; other threads may read it at the same time
   * @param columnCount columns of the rows
   */
  public static Iterator<InternalRow> of(Object broadcast, int columnCount) {
    if (broadcast instanceof InternalRow[] rows) {
      return Arrays.asList(rows).iterator();
    }
    if (broadcast == EmptyHashedRelation$.MODULE$) {
      return Collections.emptyIterator();
    }
    if (broadcast == HashedRelationWithAllNullKeys$.MODULE$) {
      return List.<InternalRow>of(new GenericInternalRow(columnCount)).iterator();
    }
    if (broadcast instanceof LongHashedRelation relation) {
      return new RowsOfKeys(relation.asReadOnlyCopy());
    }
    return new IndexedRows(((HashedRelation) broadcast).asReadOnlyCopy());
  }

  /** Iterates over the keys. */
  private static final class RowsOfKeys implements Iterator<InternalRow> {
    private final LongHashedRelation relation;
    private final Iterator<InternalRow> keys;
    private Iterator<InternalRow> rows = Collections.emptyIterator();

    RowsOfKeys(LongHashedRelation relation) {
      this.relation = relation;
      this.keys = ScalaCollections.javaIterator(relation.keys());
    }

    @Override
    public boolean hasNext() {
      while (!rows.hasNext() && keys.hasNext()) {
        rows = ScalaCollections.javaIterator(relation.get(keys.next().getLong(0)));
      }
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return rows.next();
    }
  }

  /** Iterates over the rows. */
  private static final class IndexedRows implements Iterator<InternalRow> {
    private final Iterator<ValueRowWithKeyIndex> rows;

    IndexedRows(HashedRelation relation) {
      this.rows = ScalaCollections.javaIterator(relation.valuesWithKeyIndex());
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      return rows.next().getValue();
    }
  }
}
