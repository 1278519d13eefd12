package io.ariadne.operator;

/** Where an operator reads most columns of its input. */
public enum ColumnUse {
  /** Where they are: they pass through it, or it copies those that it reads. */
  ANYWHERE,
  /** In memory of the back end's kernels. */
  KERNELS,
  /** In host memory. */
  HOST
}
