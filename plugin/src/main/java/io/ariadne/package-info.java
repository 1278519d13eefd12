/**
 * The class that users name in {@code spark.plugins}: {@link io.ariadne.AriadnePlugin}.
 *
 * <p>May depend on {@code plugin}. Holds only this class.
 */
package io.ariadne;
