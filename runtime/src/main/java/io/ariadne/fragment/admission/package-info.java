/**
 * Admission of sources by memory, after the streaming batch model ("The Streaming Batch Model for
 * Efficient and Fault-Tolerant Heterogeneous Execution", arXiv 2501.12407v5, section 4.3.1). {@link
 * io.ariadne.fragment.admission.SourceBudget} says how much output of a source its consumers have
 * memory for; {@link io.ariadne.fragment.admission.InFlightBudget} applies it to the output of a
 * pipeline that the task has not taken yet.
 *
 * <p>Without threads; the time comes from the caller. Depends on nothing but the JDK.
 */
package io.ariadne.fragment.admission;
