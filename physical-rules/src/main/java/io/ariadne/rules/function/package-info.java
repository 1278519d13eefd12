/**
 * How each function that Spark has registered is computed. {@link
 * io.ariadne.rules.function.FunctionVerdicts} finds it out by translating the examples of Spark's
 * own documentation.
 *
 * <p>For documentation and tests; no query is planned with it. May depend on {@code
 * rules.expression}, {@code rules.exec} and Spark's catalyst; must not need a session.
 */
package io.ariadne.rules.function;
