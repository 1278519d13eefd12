package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ListBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.parquet.NestedLevels;
import io.ariadne.kernel.parquet.ParquetPageException;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Decodes a nested column, or a leaf inside structs, in windows of rows. Windows only move forward.
 *
 * <p>Unpacks the levels of each leaf. Offsets and validity of lists and structs come from the first
 * leaf below them, and every other leaf must have the same number of slots. Children of a struct
 * that is null are null. Used by one thread.
 *
 * <p>Source: Apache Parquet format, README.md, "Nested Encoding".
 */
public final class NestedColumnDecoder implements ColumnDecoder {
  private static final int ANY_LEAF = -1;

  private final ResolvedColumn column;
  private final DecodeContext context;
  private final Map<Integer, NestedLeaf> leaves = new HashMap<>();
  private final Map<Integer, LeafWindow> windows = new HashMap<>();

  /**
   * The slots of a node, determined by the levels of its nearest repeated ancestor.
   *
   * @param repetition repetition level of the ancestor, 0 without one
   * @param definition definition level of the ancestor, 0 without one
   * @param count number of slots
   * @param leaf leaf whose levels gave the count; any leaf gives the count of rows
   */
  private record Slots(int repetition, int definition, int count, int leaf) {}

  /**
   * A list or map column.
   *
   * @param type of the column
   * @param presentLevel lowest definition level at which the list is not null
   * @param repeated the field that repeats
   * @param leaf leaf whose levels tell where the lists are
   */
  private record Lists(DataType type, int presentLevel, SchemaNode repeated, int leaf) {}

  /**
   * Prepares to decode; reads nothing yet.
   *
   * @param column the column to make, with at least one leaf of the file
   * @param source opens the leaves
   * @param context shared by the columns of the row group, stays the caller's
   */
  public NestedColumnDecoder(ResolvedColumn column, LeafSource source, DecodeContext context) {
    this.column = column;
    this.context = context;
    try {
      open(column, source);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(this);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void open(ResolvedColumn node, LeafSource source) {
    if (node instanceof ResolvedColumn.Leaf leaf) {
      FlatColumn flat = source.column(leaf);
      open(leaf.leaf(), flat, source);
    } else if (node instanceof ResolvedColumn.Struct struct) {
      struct.members().forEach(member -> open(member, source));
      SchemaNode witness = struct.witness();
      if (witness != null) {
        FlatColumn flat = source.witness(witness);
        open(witness, flat, source);
      }
    } else if (node instanceof ResolvedColumn.Repeated list) {
      open(list.element(), source);
    } else if (node instanceof ResolvedColumn.KeyValue map) {
      open(map.key(), source);
      open(map.value(), source);
    }
  }

  private void open(SchemaNode leaf, FlatColumn column, LeafSource source) {
    NestedLeaf opened =
        new NestedLeaf(column, source.pages(leaf), context, source.sharedDictionaries());
    leaves.put(leaf.leafIndex(), opened);
  }

  @Override
  public ColumnVector decode(long firstRow, int rowCount, RowSelection selection) {
    try {
      for (Map.Entry<Integer, NestedLeaf> leaf : leaves.entrySet()) {
        windows.put(leaf.getKey(), leaf.getValue().advance(firstRow, rowCount));
      }
      return build(column, new Slots(0, 0, rowCount, ANY_LEAF));
    } finally {
      Closer closer = new Closer();
      windows.values().forEach(closer::close);
      windows.clear();
      closer.rethrow();
    }
  }

  private ColumnVector build(ResolvedColumn node, Slots slots) {
    if (node instanceof ResolvedColumn.Leaf leaf) {
      return leaf(leaf, slots);
    } else if (node instanceof ResolvedColumn.Struct struct) {
      return struct(struct, slots);
    } else if (node instanceof ResolvedColumn.Repeated list) {
      return list(
          new Lists(list.type(), list.presentLevel(), list.repeated(), leafOf(list.element())),
          slots,
          entries -> build(list.element(), entries));
    } else if (node instanceof ResolvedColumn.KeyValue map) {
      int presentLevel = map.group().maxDefinitionLevel();
      return list(
          new Lists(map.type(), presentLevel, map.repeated(), leafOf(map)),
          slots,
          entries -> entries(map, entries));
    }
    return NullColumn.of(node.type(), slots.count(), context);
  }

  private ColumnVector leaf(ResolvedColumn.Leaf leaf, Slots slots) {
    int index = leaf.leaf().leafIndex();
    LeafWindow window = windows.get(index);
    NestedLeaf source = leaves.get(index);
    MemoryBuffer validity = validity(index, slots, source.maxDefinitionLevel());
    try {
      if (validity == null && window.values() != slots.count()) {
        throw source.corrupt(window.values() + " values for " + slots.count() + " places", null);
      }
      return source.rowValues().plain(window.parts(), slots.count(), validity);
    } catch (RuntimeException | Error e) {
      if (validity != null && !validity.isClosed()) {
        validity.close();
      }
      throw e;
    }
  }

  private ColumnVector struct(ResolvedColumn.Struct struct, Slots slots) {
    MemoryBuffer validity = null;
    List<ColumnVector> members = new ArrayList<>();
    try {
      validity = validity(leafOf(struct), slots, struct.group().maxDefinitionLevel());
      for (ResolvedColumn member : struct.members()) {
        members.add(build(member, slots));
      }
      return new ColumnVector(
          struct.type(),
          PhysicalType.NONE,
          slots.count(),
          null,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          List.of(),
          members);
    } catch (RuntimeException | Error e) {
      NestedParts.closeAfter(e, null, validity, members);
      throw e;
    }
  }

  /** Makes a list or map from its entries. */
  private ColumnVector list(Lists lists, Slots slots, Function<Slots, ColumnVector> entries) {
    SchemaNode repeated = lists.repeated();
    MemoryBuffer offsets = null;
    MemoryBuffer validity = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      NestedLevels.Node node =
          new NestedLevels.Node(
              slots.repetition(),
              slots.definition(),
              repeated.maxRepetitionLevel(),
              repeated.maxDefinitionLevel(),
              lists.presentLevel());
      checkCount(lists.leaf(), slots, node);
      offsets = context.allocator().allocate((slots.count() + 1L) * Integer.BYTES);
      validity = context.allocateCleared(PhysicalType.BOOL.dataLengthInBytes(slots.count()));
      NestedLevels.Counts counts = counts(lists.leaf(), slots, node, offsets, validity);
      validity = keptValidity(validity, counts);
      Slots inner =
          new Slots(
              repeated.maxRepetitionLevel(),
              repeated.maxDefinitionLevel(),
              counts.elements(),
              lists.leaf());
      children.add(entries.apply(inner));
      return new ColumnVector(
          lists.type(),
          PhysicalType.OFFSETS,
          slots.count(),
          offsets,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          List.of(),
          children);
    } catch (RuntimeException | Error e) {
      NestedParts.closeAfter(e, offsets, validity, children);
      throw e;
    }
  }

  /** Makes the entries of a map: structs of key and value. */
  private ColumnVector entries(ResolvedColumn.KeyValue map, Slots slots) {
    List<ColumnVector> members = new ArrayList<>();
    try {
      members.add(build(map.key(), slots));
      members.add(build(map.value(), slots));
      return new ColumnVector(
          ListBuilder.elementType(map.type()),
          PhysicalType.NONE,
          slots.count(),
          null,
          null,
          0,
          List.of(),
          members);
    } catch (RuntimeException | Error e) {
      NestedParts.closeAfter(e, null, null, members);
      throw e;
    }
  }

  /** Returns the validity of a struct or leaf, null when none of its slots is null. */
  private MemoryBuffer validity(int leaf, Slots slots, int validLevel) {
    NestedLevels.Node node =
        NestedLevels.Node.ofValue(slots.repetition(), slots.definition(), validLevel);
    checkCount(leaf, slots, node);
    MemoryBuffer validity =
        context.allocateCleared(PhysicalType.BOOL.dataLengthInBytes(slots.count()));
    try {
      return keptValidity(validity, counts(leaf, slots, node, null, validity));
    } catch (RuntimeException | Error e) {
      NestedParts.closeAfter(e, null, validity, List.of());
      throw e;
    }
  }

  private static MemoryBuffer keptValidity(MemoryBuffer validity, NestedLevels.Counts counts) {
    if (counts.valid() < counts.slots()) {
      return validity;
    }
    validity.close();
    return null;
  }

  /** Fails unless a leaf has the expected number of slots. */
  private void checkCount(int leaf, Slots slots, NestedLevels.Node node) {
    if (slots.leaf() != ANY_LEAF && slots.leaf() != leaf) {
      counts(leaf, slots, node, null, null);
    }
  }

  private NestedLevels.Counts counts(
      int leaf, Slots slots, NestedLevels.Node node, MemoryBuffer offsets, MemoryBuffer validity) {
    LeafWindow window = windows.get(leaf);
    NestedLeaf source = leaves.get(leaf);
    long repetition = window.repetition() == null ? 0 : window.repetition().address();
    NestedLevels.Counts counts;
    try {
      counts =
          context
              .nested()
              .decode(
                  repetition,
                  window.definition().address(),
                  window.entries(),
                  node,
                  offsets,
                  validity);
    } catch (ParquetPageException e) {
      throw source.corrupt("level " + e.byteOffset() + " of a window cannot follow", e);
    }
    if (counts.slots() != slots.count()) {
      throw source.corrupt(counts.slots() + " entries, other leaves have " + slots.count(), null);
    }
    return counts;
  }

  /** Returns the index of the leaf whose levels tell where a node is null. */
  private int leafOf(ResolvedColumn node) {
    int leaf = firstLeaf(node);
    if (leaf == SchemaNode.NONE) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED, "no leaf of " + node.type() + " is in the file");
    }
    return leaf;
  }

  private static int firstLeaf(ResolvedColumn node) {
    if (node instanceof ResolvedColumn.Leaf leaf) {
      return leaf.leaf().leafIndex();
    } else if (node instanceof ResolvedColumn.Repeated list) {
      return firstLeaf(list.element());
    } else if (node instanceof ResolvedColumn.KeyValue map) {
      int key = firstLeaf(map.key());
      return key == SchemaNode.NONE ? firstLeaf(map.value()) : key;
    } else if (node instanceof ResolvedColumn.Struct struct) {
      for (ResolvedColumn member : struct.members()) {
        int leaf = firstLeaf(member);
        if (leaf != SchemaNode.NONE) {
          return leaf;
        }
      }
      return struct.witness() == null ? SchemaNode.NONE : struct.witness().leafIndex();
    }
    return SchemaNode.NONE;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    leaves.values().forEach(closer::close);
    leaves.clear();
    closer.rethrow();
  }
}
