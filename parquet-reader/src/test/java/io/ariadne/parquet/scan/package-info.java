/** Tests that compare scans of whole files with the rows that parquet-mr wrote. */
package io.ariadne.parquet.scan;
