/**
 * Logical types ({@link io.ariadne.columnar.type.DataType}) and the layouts their values take in a
 * batch ({@link io.ariadne.columnar.type.PhysicalType}).
 *
 * <p>May depend on the JDK only. Knows nothing of buffers.
 */
package io.ariadne.columnar.type;
