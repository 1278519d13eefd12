/**
 * Writes pages in {@code docs/} from declarations: {@link io.ariadne.plugin.docs.GenerateDocs}.
 *
 * <p>May depend on {@code plugin.config}, {@code rules} and {@code expression}. A test fails when a
 * committed page differs from the generated page.
 */
package io.ariadne.plugin.docs;
