package io.ariadne.backend;

/**
 * The first error of a launch, decoded from its error word.
 *
 * <p>The word is {@code ~(row << 24 | expression << 8 | code)}. Kernels keep the largest word and
 * therefore the smallest key, in whatever order they run.
 *
 * @param row row of the batch
 * @param expression number that the program gives, 0 to 65535
 * @param code 1 to 239 from the program, 240 to 255 from kernels
 */
public record KernelError(long row, int expression, int code) {
  private static final int ROW_SHIFT = 24;
  private static final int EXPRESSION_SHIFT = 8;
  private static final int EXPRESSION_MASK = 0xffff;
  private static final int CODE_MASK = 0xff;

  /**
   * Decodes an error word.
   *
   * @param word from {@link KernelStatus#errorWord()}, not 0
   * @return its parts
   */
  public static KernelError decode(long word) {
    if (word == 0) {
      throw new IllegalArgumentException("no error");
    }
    long key = ~word;
    return new KernelError(
        key >>> ROW_SHIFT,
        (int) (key >>> EXPRESSION_SHIFT) & EXPRESSION_MASK,
        (int) key & CODE_MASK);
  }
}
