/** Tests of column decoding that do not need a whole scan. */
package io.ariadne.parquet.column;
