package io.ariadne.expression.compiler;

import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.kernel.abi.TileOpcode;

/** The state that all lowerings share: the builder, the rows that are evaluated, and errors. */
final class Lowering {
  private final TileBuilder builder;
  private TileValue live;

  Lowering(TileBuilder builder) {
    this.builder = builder;
  }

  TileBuilder builder() {
    return builder;
  }

  /** Returns the rows on which the current expression is evaluated and may raise; null for all. */
  TileValue live() {
    return live;
  }

  /** Sets the rows on which expressions are evaluated. */
  void setLive(TileValue mask) {
    live = mask;
  }

  /** Returns rows on which both operands have values. */
  TileValue bothValid(Lowered a, Lowered b) {
    return builder.and(a.validity(), b.validity());
  }

  /** Returns rows on which a boolean is true. */
  TileValue isTrue(Lowered a) {
    return builder.and(a.validity(), a.maskValue());
  }

  /** Returns rows on which a boolean is false. */
  TileValue isFalse(Lowered a) {
    return a.validity() == null
        ? builder.not(a.maskValue())
        : builder.andNot(a.validity(), a.maskValue());
  }

  /**
   * Makes failing rows null, or raises an error for them.
   *
   * @param result a value whose validity does not include the failures yet
   * @param failure rows that fail, evaluated only where {@code result} is valid
   * @param site mode, origin and error code
   */
  Lowered failing(Lowered result, TileValue failure, FailureSite site) {
    if (site.mode() == EvaluationMode.ANSI) {
      TileValue evaluated = builder.and(live, result.validity());
      int origin = site.origin() < 0 ? FailureSite.UNKNOWN_ORIGIN : site.origin();
      Operand failed = Operand.of(failure);
      builder.sink(new Action(TileOpcode.RAISE, failed, null, evaluated, 0, origin, site.code()));
      return result;
    }
    return result.withValidity(builder.andNot(result.validity(), failure));
  }

  /** Returns a decimal or integer as 128 bits. */
  Operand wide(Lowered a) {
    if (a.form() == Form.WIDE || a.value().isConstant()) {
      return a.value();
    }
    return Operand.of(
        builder.value(TileValue.Kind.PAIR, Action.of(TileOpcode.WIDEN_I64, a.value(), 0)));
  }

  /** Returns the value in 128 bits. */
  Lowered widened(Lowered a) {
    return new Lowered(a.type(), Form.WIDE, wide(a), a.validity(), a.bound());
  }
}
