package io.ariadne.benchmark.cloudsort;

/**
 * What the check of a file has found.
 *
 * @param name the file's name
 * @param rows rows of the file
 * @param firstKey key of its first record; null without records
 * @param lastKey key of its last record; null without records
 * @param checksum sum of the CRC32 of all records
 * @param duplicateKeys records with the key of the record before
 * @param faults number of faults
 * @param firstFault the first of them, with its row; null for none
 */
record CheckedFile(
    String name,
    long rows,
    byte[] firstKey,
    byte[] lastKey,
    long checksum,
    long duplicateKeys,
    long faults,
    String firstFault) {}
