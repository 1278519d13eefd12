/**
 * The engine without Spark: {@link io.ariadne.example.StandaloneExample}.
 *
 * <p>May depend on everything the runtime may. Nothing depends on it.
 */
package io.ariadne.example;
