package io.ariadne.rules.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.operator.exchange.KeyFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A filter is complete when each map task has sent its part, and given up when it is too large. */
class TestFilterBoard {
  private static final long ID = 7;

  private final FilterBoard board = new FilterBoard(words -> words);

  @Test
  void filterHasThePartsOfAllMapTasks() {
    assertEquals(FilterBoard.State.PENDING, board.find(ID).state(), "no part is there");
    board.add(new FilterPart(ID, 1, 3, List.of(new int[] {10, 20})));
    board.add(new FilterPart(ID, 0, 3, List.of(new int[0])));
    board.add(new FilterPart(ID, 1, 3, List.of(new int[] {10, 20})));
    assertEquals(FilterBoard.State.PENDING, board.find(ID).state(), "task 1 has run twice");
    assertNull(board.find(ID).shared());
    board.add(new FilterPart(ID, 2, 3, List.of(new int[] {30})));
    KeyFilter filter = complete(ID);
    assertTrue(filter.mayContain(10) && filter.mayContain(20) && filter.mayContain(30));
    assertFalse(filter.mayContain(40));
  }

  @Test
  void partsOfTasksThatRunAgainChangeNothing() {
    board.add(new FilterPart(ID, 0, 1, List.of(new int[] {10})));
    KeyFilter filter = complete(ID);
    board.add(new FilterPart(ID, 0, 1, null));
    assertEquals(filter.sizeInBytes(), complete(ID).sizeInBytes());
  }

  @Test
  void filterOfTooManyKeysIsGivenUp() {
    board.add(new FilterPart(ID, 0, 3, List.of(new int[FilterBoard.MAX_KEYS])));
    board.add(new FilterPart(ID, 1, 3, List.of(new int[1])));
    assertEquals(FilterBoard.State.GONE, board.find(ID).state());
    board.add(new FilterPart(ID, 2, 3, List.of(new int[1])));
    assertEquals(FilterBoard.State.GONE, board.find(ID).state());
    board.add(new FilterPart(ID + 1, 0, 2, null));
    assertEquals(FilterBoard.State.GONE, board.find(ID + 1).state(), "a task had too many");
  }

  /** As when Spark's plan has changed after all. */
  @Test
  void partsOfAnotherStageEndTheFilter() {
    board.add(new FilterPart(ID, 0, 3, List.of(new int[] {10})));
    board.add(new FilterPart(ID, 1, 2, List.of(new int[] {20})));
    assertEquals(FilterBoard.State.GONE, board.find(ID).state());
  }

  @Test
  void oldFiltersAreDroppedWhenTheyAreTooLarge() {
    for (int i = 0; i < 12; i++) {
      board.add(new FilterPart(ID + i, 0, 1, List.of(new int[FilterBoard.MAX_KEYS])));
      assertEquals(FilterBoard.State.COMPLETE, board.find(ID + i).state());
    }
    assertEquals(FilterBoard.State.GONE, board.find(ID).state());
    assertEquals(FilterBoard.State.COMPLETE, board.find(ID + 10).state());
  }

  @Test
  void partsOfFiltersThatAreNeverCompleteAreDropped() {
    for (int i = 0; i < 10; i++) {
      board.add(new FilterPart(ID + i, 0, 2, List.of(new int[FilterBoard.MAX_KEYS])));
    }
    assertEquals(FilterBoard.State.GONE, board.find(ID).state());
    assertEquals(FilterBoard.State.PENDING, board.find(ID + 9).state());
    for (int i = 10; i < 2000; i++) {
      board.add(new FilterPart(ID + i, 0, 2, List.of(new int[1])));
    }
    assertEquals(FilterBoard.MAX_FILTERS, board.size());
  }

  private KeyFilter complete(long id) {
    FilterBoard.Answer answer = board.find(id);
    assertEquals(FilterBoard.State.COMPLETE, answer.state());
    return KeyFilter.ofWords((long[]) answer.shared());
  }
}
