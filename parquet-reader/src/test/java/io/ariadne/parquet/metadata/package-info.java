/** Tests of reading a file's metadata. */
package io.ariadne.parquet.metadata;
