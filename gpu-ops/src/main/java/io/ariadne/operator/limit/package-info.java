/**
 * Limits and offsets: {@link io.ariadne.operator.limit.LimitOperatorFactory}.
 *
 * <p>May depend on {@code operator}, {@code kernel}, {@code backend} and {@code columnar}.
 */
package io.ariadne.operator.limit;
