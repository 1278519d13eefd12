/**
 * Converts batches to Arrow Java vectors and back: {@link io.ariadne.columnar.arrow.ArrowImporter},
 * {@link io.ariadne.columnar.arrow.ArrowExporter}, {@link io.ariadne.columnar.arrow.ArrowTypes}.
 *
 * <p>Where the layouts agree, Arrow vectors and batches share memory, which counts as memory of the
 * side that allocated it. May depend on {@code columnar} and its packages, and on Arrow's {@code
 * arrow-vector}, which Spark provides. Uses only what Arrow's versions 12 to 18 have in common. No
 * class outside this package uses an Arrow class.
 */
package io.ariadne.columnar.arrow;
