/**
 * The name users write into {@code spark.plugins}: {@link io.ariadne.AriadnePlugin}.
 *
 * <p>May depend on {@code plugin}. Nothing else belongs here.
 */
package io.ariadne;
