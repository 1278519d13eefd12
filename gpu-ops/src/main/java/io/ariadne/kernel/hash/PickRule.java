package io.ariadne.kernel.hash;

/** Which of the values of a group to keep. */
public enum PickRule {
  /** The least string, by bytes, unsigned. */
  LEAST(io.ariadne.kernel.abi.PickRule.PICK_LEAST),
  /** The greatest string, by bytes, unsigned. */
  GREATEST(io.ariadne.kernel.abi.PickRule.PICK_GREATEST),
  /** The value of the first row. */
  FIRST(io.ariadne.kernel.abi.PickRule.PICK_FIRST),
  /** The value of the last row. */
  LAST(io.ariadne.kernel.abi.PickRule.PICK_LAST);

  private final int code;

  PickRule(int code) {
    this.code = code;
  }

  /** Returns the code that kernels use. */
  int code() {
    return code;
  }

  /** Returns whether the rule depends on the order of rows. */
  public boolean isByOrder() {
    return this == FIRST || this == LAST;
  }
}
