package io.ariadne.rules.expression;

/** Where an expression is computed. */
public enum Placement {
  /** By our kernels. */
  KERNEL,
  /** By Spark's generated code over our columns, inside the pipeline. */
  BRIDGE,
  /** Only by Spark: the node that needs it stays with Spark. */
  SPARK
}
