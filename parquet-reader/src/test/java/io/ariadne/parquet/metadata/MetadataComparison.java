package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.io.LocalFileReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** Compares our footers with parquet-mr's. */
final class MetadataComparison {
  private MetadataComparison() {}

  static FileMetadata read(Path file, ColumnSelection selection, BufferAllocator allocator)
      throws IOException {
    try (LocalFileReader reader = LocalFileReader.open(file)) {
      return FooterReader.read(reader, file.toString(), selection, allocator);
    }
  }

  static void assertSame(ParquetMetadata theirs, FileMetadata ours) {
    assertEquals(theirs.getFileMetaData().getCreatedBy(), ours.createdBy());
    assertSchema(theirs.getFileMetaData().getSchema(), ours.root());
    List<ColumnDescriptor> columns = theirs.getFileMetaData().getSchema().getColumns();
    assertEquals(columns.size(), ours.leafCount());
    for (int i = 0; i < columns.size(); i++) {
      SchemaNode leaf = ours.leaves().get(i);
      assertEquals(columns.get(i).getMaxDefinitionLevel(), leaf.maxDefinitionLevel());
      assertEquals(columns.get(i).getMaxRepetitionLevel(), leaf.maxRepetitionLevel());
      assertEquals(i, leaf.leafIndex());
    }
    assertEquals(theirs.getBlocks().size(), ours.rowGroups().size());
    for (int i = 0; i < theirs.getBlocks().size(); i++) {
      assertRowGroup(theirs.getBlocks().get(i), ours.rowGroups().get(i));
    }
    theirs
        .getFileMetaData()
        .getKeyValueMetaData()
        .forEach(
            (key, value) -> {
              boolean isKept =
                  key.startsWith("org.apache.spark.")
                      && !key.equals("org.apache.spark.sql.parquet.row.metadata");
              assertEquals(isKept ? value : null, ours.keyValues().get(key));
            });
  }

  private static void assertSchema(Type theirs, SchemaNode ours) {
    assertEquals(theirs.getName(), ours.name());
    assertEquals(theirs.isPrimitive(), ours.isLeaf());
    if (ours.parent() != null) {
      Integer id = ours.hasFieldId() ? (Integer) ours.fieldId() : null;
      assertEquals(theirs.getId() == null ? null : (Integer) theirs.getId().intValue(), id);
      assertEquals(theirs.getRepetition().name(), ours.repetition().name());
      assertEquals(
          describe(theirs.getLogicalTypeAnnotation()), ours.annotation().toString(), ours.path());
    }
    if (theirs.isPrimitive()) {
      PrimitiveType primitive = theirs.asPrimitiveType();
      String kind = primitive.getPrimitiveTypeName().name();
      assertEquals(kind.equals("BINARY") ? "BYTE_ARRAY" : kind, ours.kind().name());
      assertEquals(
          ours.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY ? primitive.getTypeLength() : 0,
          ours.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY ? ours.typeLength() : 0);
    } else {
      GroupType group = theirs.asGroupType();
      assertEquals(group.getFieldCount(), ours.children().size());
      for (int i = 0; i < group.getFieldCount(); i++) {
        assertSchema(group.getType(i), ours.children().get(i));
      }
    }
  }

  private static String describe(LogicalTypeAnnotation annotation) {
    if (annotation == null) {
      return "NONE";
    }
    if (annotation instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation decimal) {
      return "DECIMAL(" + decimal.getPrecision() + "," + decimal.getScale() + ")";
    }
    String text = annotation.toString();
    return text.equals("NULL") ? "UNKNOWN" : text;
  }

  private static void assertRowGroup(BlockMetaData theirs, RowGroup ours) {
    assertEquals(theirs.getRowCount(), ours.rowCount());
    assertEquals(theirs.getRowIndexOffset(), ours.firstRow());
    assertEquals(theirs.getCompressedSize(), ours.compressedBytes());
    for (int i = 0; i < theirs.getColumns().size(); i++) {
      assertChunk(theirs.getColumns().get(i), ours.chunk(i));
    }
  }

  private static void assertChunk(ColumnChunkMetaData theirs, ColumnChunk ours) {
    assertEquals(theirs.getPath().toDotString(), ours.leaf().path());
    assertEquals(theirs.getCodec().name(), ours.codec().name());
    assertEquals(theirs.getStartingPos(), ours.startOffset());
    assertEquals(theirs.getTotalSize(), ours.compressedBytes());
    assertEquals(theirs.getTotalUncompressedSize(), ours.uncompressedBytes());
    assertEquals(theirs.getValueCount(), ours.valueCount());
    Set<String> encodings =
        theirs.getEncodings().stream().map(Enum::name).collect(Collectors.toSet());
    assertEquals(encodings, ours.encodings().stream().map(Enum::name).collect(Collectors.toSet()));
    assertSpan(theirs.getColumnIndexReference(), ours.columnIndex());
    assertSpan(theirs.getOffsetIndexReference(), ours.offsetIndex());
    boolean hasBloom = theirs.getBloomFilterOffset() > 0;
    assertEquals(
        hasBloom ? theirs.getBloomFilterOffset() : null,
        ours.bloomFilter() == null ? null : (Object) ours.bloomFilter().offset());
    if (theirs.getEncodingStats() != null) {
      boolean any = theirs.getEncodingStats().hasDictionaryEncodedPages();
      boolean others = theirs.getEncodingStats().hasNonDictionaryEncodedPages();
      assertEquals(any && !others, ours.dictionaryUse() == ColumnChunk.DictionaryUse.ALL);
      assertEquals(!any, ours.dictionaryUse() == ColumnChunk.DictionaryUse.NONE);
    }
    assertStatistics(theirs.getStatistics(), ours);
  }

  private static void assertSpan(IndexReference theirs, ByteSpan ours) {
    if (theirs == null) {
      assertEquals(null, ours);
    } else {
      assertEquals(new ByteSpan(theirs.getOffset(), theirs.getLength()), ours);
    }
  }

  private static void assertStatistics(
      org.apache.parquet.column.statistics.Statistics<?> theirs, ColumnChunk chunk) {
    Statistics ours = chunk.statistics();
    assertEquals(theirs.isNumNullsSet(), ours.hasNullCount());
    if (theirs.isNumNullsSet()) {
      assertEquals(theirs.getNumNulls(), ours.nullCount());
    }
    if (theirs.hasNonNullValue()) {
      assertTrue(ours.hasBounds(), chunk + " has no bounds, theirs are " + theirs);
      assertArrayEquals(theirs.getMinBytes(), ours.min(), chunk.toString());
      assertArrayEquals(theirs.getMaxBytes(), ours.max(), chunk.toString());
    } else {
      assertFalse(ours.hasBounds(), chunk + " has bounds, theirs are " + theirs);
    }
  }
}
