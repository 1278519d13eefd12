/**
 * Batches as Arrow Java vectors and back: {@link io.ariadne.columnar.arrow.ArrowImporter}, {@link
 * io.ariadne.columnar.arrow.ArrowExporter}, {@link io.ariadne.columnar.arrow.ArrowTypes}.
 *
 * <p>Memory is shared where layouts agree and then counted by whoever allocated it. May depend on
 * Arrow's {@code arrow-vector}, which Spark brings, in what versions 12 to 18 have in common; on
 * {@code columnar} and its packages. Nothing outside this package sees an Arrow class.
 */
package io.ariadne.columnar.arrow;
