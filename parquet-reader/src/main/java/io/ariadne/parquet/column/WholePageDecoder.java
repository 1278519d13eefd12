package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes pages whose values depend on earlier ones, as in all DELTA encodings. A page that
 * continues after a window is decoded to its end at once, and the next windows copy from the
 * result.
 *
 * <p>The buffered values and text of a page are bounded ({@link BufferedValuesBudget}), unless a
 * single window needs more. A page that decodes to more than the bound is decoded from its start
 * again for each part of that size.
 */
final class WholePageDecoder implements ValueDecoder {
  private static final int HEAP_OFFSET = 8;
  private static final int NUMBER_BITS_PER_BYTE = 7;

  private final DecodeContext context;
  private final FlatColumn column;
  private final ValueDecoder decoder;
  private final int width;
  private final ValueConversion copy;

  /**
   * Creates a decoder.
   *
   * @param decoder decodes from the start of a page; its layout has whole bytes
   */
  WholePageDecoder(DecodeContext context, FlatColumn column, ValueDecoder decoder) {
    this.context = context;
    this.column = column;
    this.decoder = decoder;
    this.width = column.layout().widthInBytes();
    this.copy = DecodeContext.copyOf(width);
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    List<PageWindow> direct = new ArrayList<>();
    List<PageWindow> buffered = new ArrayList<>();
    for (PageWindow window : windows) {
      if (isBuffered(window)) {
        buffered.add(window);
      } else {
        context.statistics().valuesPassed += window.denseSkip;
        direct.add(window);
      }
    }
    if (!direct.isEmpty()) {
      decoder.decode(direct, target, heaps);
    }
    if (!buffered.isEmpty()) {
      copy(buffered, target);
      buffered.forEach(window -> number(window, target, heaps));
    }
  }

  /**
   * Returns whether a window's values are buffered. Decodes the page first if it continues after
   * the window.
   */
  private boolean isBuffered(PageWindow window) {
    BufferedValues buffered = window.cursor.buffered();
    if (buffered != null && buffered.covers(window)) {
      return true;
    }
    if (window.goesOn) {
      window.cursor.buffer(null);
      window.cursor.buffer(decodeOn(window));
    }
    return window.goesOn;
  }

  private BufferedValues decodeOn(PageWindow window) {
    PageWindow rest = new PageWindow(window.cursor, 0, 0, 0);
    rest.denseSkip = window.denseSkip;
    rest.denseCount = valuesFrom(window);
    context.statistics().valuesPassed += window.denseSkip;
    MemoryBuffer values = context.allocator().allocate((long) rest.denseCount * width);
    try (BatchHeaps own = new BatchHeaps()) {
      decoder.decode(new ArrayList<>(List.of(rest)), values, own);
      List<SharedBuffer> held = own.take();
      SharedBuffer heap = held.isEmpty() ? null : held.get(0);
      return BufferedValues.of(rest, values, heap, context.bufferBudget());
    } catch (RuntimeException | Error e) {
      values.close();
      throw e;
    }
  }

  /**
   * Returns how many values to decode from a window on: the number that the page declares, bounded.
   */
  private int valuesFrom(PageWindow window) {
    long stated = Math.min(statedCount(window.page().values()), window.page().valueCount());
    long rest = Math.min(stated - window.denseSkip, context.bufferBudget().share() / width);
    int count = (int) Math.max(rest, window.denseCount);
    return decoder.fitting(window, count, context.bufferBudget().share());
  }

  /**
   * Returns the third number of a DELTA header, which is the count of values; 0 when it is
   * incomplete.
   */
  private static long statedCount(ByteRange stream) {
    long number = 0;
    int shift = 0;
    int numbers = 0;
    for (long at = 0; at < stream.lengthInBytes() && shift < Integer.SIZE; at++) {
      int next = Memory.getByte(stream.address() + at);
      number |= (next & 0x7fL) << shift;
      shift += NUMBER_BITS_PER_BYTE;
      if (next >= 0) {
        if (++numbers == 3) {
          return number;
        }
        number = 0;
        shift = 0;
      }
    }
    return 0;
  }

  private void copy(List<PageWindow> windows, MemoryBuffer target) {
    PageLaunch launch = context.emptyLaunch();
    for (PageWindow window : windows) {
      BufferedValues buffered = window.cursor.buffered();
      launch.add(
          new PageLaunch.Source(
              window.page(),
              new ByteRange(buffered.values().address(), (long) buffered.count() * width),
              window.denseSkip - buffered.first(),
              window.denseCount,
              width,
              0),
          PageLaunch.addressOf(target, window.denseStart, width),
          0);
    }
    launch.run(column, this::copy);
  }

  private Void copy(StreamWindows streams) {
    context.convert().convert(streams, copy);
    return null;
  }

  /** Makes the copied views of a window refer to their heap by its number in the batch. */
  private void number(PageWindow window, MemoryBuffer target, BatchHeaps heaps) {
    SharedBuffer heap = window.cursor.buffered().heap();
    if (column.layout() != PhysicalType.VIEW16 || heap == null) {
      return;
    }
    int number = heaps.add(heap);
    heaps.use(number);
    if (number > 0) {
      context.update(
          target,
          (long) window.denseStart * width,
          (long) window.denseCount * width,
          views -> setHeap(views, number));
    }
  }

  private static void setHeap(ByteRange views, int number) {
    for (long at = 0; at < views.lengthInBytes(); at += BinaryValueDecoder.VIEW_BYTES) {
      if (Memory.getInt(views.address() + at) > BinaryValueDecoder.INLINE_BYTES) {
        Memory.putInt(views.address() + at + HEAP_OFFSET, number);
      }
    }
  }
}
