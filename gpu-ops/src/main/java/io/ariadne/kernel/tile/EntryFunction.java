package io.ariadne.kernel.tile;

/**
 * A function of the entries of a dictionary, which whoever hands columns to programs computes
 * before a program reads the results, once for all rows with one code. Equal functions have equal
 * results; none of them is null.
 */
public interface EntryFunction {}
