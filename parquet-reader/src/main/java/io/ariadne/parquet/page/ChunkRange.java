package io.ariadne.parquet.page;

import io.ariadne.parquet.metadata.CompressionCodec;

/**
 * The location and properties of a column chunk, as needed to read its pages.
 *
 * @param site names the place for messages
 * @param codec compression codec of the pages
 * @param start offset of the first page, the dictionary's if there is one
 * @param lengthInBytes size of all pages, inside the file
 * @param valueCount number of values in all data pages, including nulls
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
