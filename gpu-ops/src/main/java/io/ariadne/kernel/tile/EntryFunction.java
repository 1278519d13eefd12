package io.ariadne.kernel.tile;

/**
 * A function of the entries of a dictionary. The caller of a program computes it once per entry
 * before the program reads the results. Equal functions have equal results; no result is null.
 */
public interface EntryFunction {}
