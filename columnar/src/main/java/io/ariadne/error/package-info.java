/**
 * The engine's exception and its codes, which determine how callers react.
 *
 * <p>May depend on the JDK only.
 */
package io.ariadne.error;
