/**
 * Converts batches to Arrow Java vectors and back: {@link io.ariadne.columnar.arrow.ArrowImporter},
 * {@link io.ariadne.columnar.arrow.ArrowExporter}, {@link io.ariadne.columnar.arrow.ArrowTypes}.
 *
 * <p>Memory is shared where layouts agree; its allocator counts it. May depend on Arrow's {@code
 * arrow-vector}, which Spark provides, as far as versions 12 to 18 agree, and on {@code columnar}
 * and its packages. Nothing outside this package uses an Arrow class.
 */
package io.ariadne.columnar.arrow;
