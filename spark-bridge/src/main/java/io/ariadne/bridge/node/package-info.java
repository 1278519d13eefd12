/**
 * Base classes of the plan nodes that replace Spark's: {@link
 * io.ariadne.bridge.node.AriadneLeafExec}, {@link io.ariadne.bridge.node.AriadneUnaryExec}, {@link
 * io.ariadne.bridge.node.AriadneBinaryExec}.
 *
 * <p>They are Scala because the traits they mix in are; the nodes themselves are Java. May depend
 * on Spark. Knows nothing of what a node computes, of kernels or of the runtime.
 */
package io.ariadne.bridge.node;
