package io.ariadne.expression.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.kernel.tile.AccumulatorKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compiled programs are cached, and the cache is bounded. */
class TestProgramCache {
  private static final int COLUMNS = 12;

  /** Returns one of 4096 signatures: each column may have nulls or not. */
  private static BatchSignature signature(int number) {
    List<BatchSignature.Column> columns = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      columns.add(new BatchSignature.Column(PhysicalType.I64, (number >>> i & 1) != 0));
    }
    return new BatchSignature(columns);
  }

  @Test
  void removesTheLeastRecentlyUsedEntry() {
    AtomicInteger compilations = new AtomicInteger();
    ProgramCache<Integer> cache = new ProgramCache<>(signature -> compilations.incrementAndGet());
    for (int i = 0; i < ProgramCache.MAX_ENTRIES; i++) {
      cache.get(signature(i));
    }
    assertEquals(1, cache.get(signature(0)));
    cache.get(signature(ProgramCache.MAX_ENTRIES));
    assertEquals(ProgramCache.MAX_ENTRIES, cache.size());
    assertEquals(1, cache.get(signature(0)));
    int before = compilations.get();
    cache.get(signature(1));
    assertEquals(before + 1, compilations.get());
  }

  @Test
  void compilesOnceForThreadsThatAskAtTheSameTime() {
    AtomicInteger compilations = new AtomicInteger();
    ProgramCache<Object> cache =
        new ProgramCache<>(
            signature -> {
              compilations.incrementAndGet();
              return new Object();
            });
    Set<Object> results = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 64).parallel().forEach(i -> results.add(cache.get(signature(7))));
    assertEquals(1, results.size());
    assertEquals(1, compilations.get());
  }

  @Test
  void compilesAgainAfterAFailure() {
    AtomicInteger calls = new AtomicInteger();
    ProgramCache<String> cache =
        new ProgramCache<>(
            signature -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("first");
              }
              return "second";
            });
    assertThrows(IllegalStateException.class, () -> cache.get(signature(0)));
    assertEquals("second", cache.get(signature(0)));
  }

  @Test
  void boundsTheCacheOfProjections() {
    List<Expression> projections = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      projections.add(new ColumnReference(i, PrimitiveType.INT64, true));
    }
    TileProgramCompiler compiler = TileProgramCompiler.withDefaultLayouts(projections);
    CompiledProjection first = compiler.compile(signature(0));
    assertSame(first, compiler.compile(signature(0)));
    for (int i = 0; i < 4 * ProgramCache.MAX_ENTRIES; i++) {
      compiler.compile(signature(i));
      assertTrue(compiler.cachedSignatures() <= ProgramCache.MAX_ENTRIES);
    }
    assertNotSame(first, compiler.compile(signature(0)));
  }

  @Test
  void boundsTheCacheOfAggregations() {
    AggregateProgramCompiler compiler =
        new AggregateProgramCompiler(
            null,
            List.of(new AggregateProgramCompiler.Accumulation(AccumulatorKind.COUNT, null, null)),
            List.of(0),
            Long.BYTES,
            false);
    for (int i = 0; i < 2 * ProgramCache.MAX_ENTRIES; i++) {
      compiler.compile(signature(i));
    }
    assertEquals(ProgramCache.MAX_ENTRIES, compiler.cachedSignatures());
  }
}
