/**
 * The fuzzer of the scan: sound files, damaged copies of them, a process of its own in which they
 * are read with guards behind every buffer, and the files that once failed. {@code FuzzCheck} holds
 * one damaged file to the rules; {@code FuzzProcess} does so for many. Depends on the public API of
 * {@code io.ariadne.parquet.scan} and {@code metadata} and on {@code io.ariadne.parquet.testing}.
 */
package io.ariadne.parquet.fuzz;
