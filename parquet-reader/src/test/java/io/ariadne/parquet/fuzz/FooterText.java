package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.error.EngineException;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.metadata.Statistics;
import io.ariadne.parquet.testing.MemoryFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeMap;

/** Renders everything of a footer that a scan depends on as text. */
final class FooterText {
  private FooterText() {}

  /** Returns the text, null when the footer cannot be read. */
  static String of(byte[] file, BufferAllocator allocator) throws IOException {
    try {
      return of(
          FooterReader.read(
              new MemoryFile("footer", file), "footer", ColumnSelection.ALL, allocator));
    } catch (EngineException e) {
      return null;
    }
  }

  private static String of(FileMetadata metadata) {
    StringBuilder text = new StringBuilder();
    text.append(metadata.createdBy()).append(' ').append(metadata.rowCount());
    text.append(' ').append(metadata.isEncrypted()).append(' ').append(metadata.leafCount());
    text.append(new TreeMap<>(metadata.keyValues())).append('\n');
    addNode(metadata.root(), text);
    for (RowGroup group : metadata.rowGroups()) {
      text.append(group).append(" to ").append(group.compressedBytes()).append('\n');
      for (SchemaNode leaf : metadata.leaves()) {
        addChunk(group.chunk(leaf.leafIndex()), text);
      }
    }
    return text.toString();
  }

  private static void addNode(SchemaNode node, StringBuilder text) {
    text.append(node.name()).append(' ').append(node.repetition()).append(' ').append(node.kind());
    text.append(' ').append(node.typeLength()).append(' ').append(node.annotation());
    text.append(' ').append(node.hasFieldId() ? node.fieldId() : "-").append("{\n");
    node.children().forEach(child -> addNode(child, text));
    text.append("}\n");
  }

  private static void addChunk(ColumnChunk chunk, StringBuilder text) {
    Statistics statistics = chunk.statistics();
    text.append(chunk.leaf().path()).append(' ').append(chunk.codec());
    text.append(' ').append(chunk.startOffset()).append(' ').append(chunk.dataPageOffset());
    text.append(' ').append(chunk.compressedBytes()).append(' ').append(chunk.valueCount());
    text.append(' ').append(chunk.encodings()).append(' ').append(chunk.dictionaryUse());
    text.append(' ').append(chunk.offsetIndex()).append(' ').append(chunk.columnIndex());
    text.append(' ').append(chunk.bloomFilter()).append(' ').append(statistics.nullCount());
    text.append(' ').append(Arrays.toString(statistics.min()));
    text.append(' ').append(Arrays.toString(statistics.max()));
    text.append(' ').append(statistics.isMinExact()).append(statistics.isMaxExact());
    text.append(' ').append(statistics.isFreeOfNan()).append('\n');
  }
}
