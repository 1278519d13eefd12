package io.ariadne.parquet.page;

import io.ariadne.parquet.metadata.CompressionCodec;

/**
 * A column chunk as its pages are read.
 *
 * @param site what messages name
 * @param codec how pages are compressed
 * @param start byte offset of the first page, the dictionary's if there is one
 * @param lengthInBytes bytes of all pages, inside the file
 * @param valueCount values of all data pages, nulls included
 * @param maxDefinitionLevel 0 when there are no definition levels
 * @param maxRepetitionLevel 0 when there are no repetition levels
 */
public record ChunkRange(
    PageSite site,
    CompressionCodec codec,
    long start,
    long lengthInBytes,
    long valueCount,
    int maxDefinitionLevel,
    int maxRepetitionLevel) {}
