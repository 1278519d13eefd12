/**
 * Fuzzes the scan: intact files, damaged copies of them, a separate process that reads them with
 * guards after every buffer, and the files that once failed. {@code FuzzCheck} checks one damaged
 * file; {@code FuzzProcess} checks many. Depends on the public API of {@code
 * io.ariadne.parquet.scan} and {@code metadata} and on {@code io.ariadne.parquet.testing}.
 */
package io.ariadne.parquet.fuzz;
