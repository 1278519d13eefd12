/** Tests codecs with the libraries' own compressors, and on damaged input. */
package io.ariadne.parquet.codec;
