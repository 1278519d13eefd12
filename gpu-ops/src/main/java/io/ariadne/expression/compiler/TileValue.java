package io.ariadne.expression.compiler;

/** A virtual register: written by one operation, read by any number. Compared by identity. */
final class TileValue {
  /** What a register contains per row. */
  enum Kind {
    /** 64 bits. */
    LANE,
    /** 128 bits in two adjacent lane registers. */
    PAIR,
    /** One bit. */
    MASK
  }

  private final Kind kind;

  TileValue(Kind kind) {
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }
}
