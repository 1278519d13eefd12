package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileFlag;
import io.ariadne.kernel.abi.TileLimit;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.TileInput;
import io.ariadne.kernel.tile.TileInstruction;
import io.ariadne.kernel.tile.TileOutput;
import io.ariadne.kernel.tile.TileProgram;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assembles a program from a sequence of operations: registers, input and output numbers,
 * constants.
 */
final class ProgramAssembler {
  private static final int LONG_BITS = 64;
  private static final int SLOT_BYTES = 16;

  private final RegisterAllocator registers;
  private final List<TileInstruction> instructions = new ArrayList<>();
  private final List<BigInteger> constants = new ArrayList<>();
  private final Map<Operand, Long> texts = new HashMap<>();
  private final List<TileInput> inputs = new ArrayList<>();
  private final List<Integer> outputColumns = new ArrayList<>();
  private final List<PhysicalType> outputKinds = new ArrayList<>();
  private final List<Boolean> outputValidity = new ArrayList<>();

  private ProgramAssembler(RegisterAllocator registers) {
    this.registers = registers;
  }

  /**
   * Assembles a program.
   *
   * @param operations live operations; those that aggregate are last
   * @return the program, or empty when it would exceed a limit of the kernels
   */
  static Optional<TileProgram> assemble(List<TileOperation> operations) {
    RegisterAllocator registers = RegisterAllocator.allocate(operations);
    ProgramAssembler assembler = new ProgramAssembler(registers);
    operations.forEach(assembler::add);
    return assembler.fits(operations) ? Optional.of(assembler.program()) : Optional.empty();
  }

  private boolean fits(List<TileOperation> operations) {
    long aggregates = operations.stream().filter(TileOperation::isAggregate).count();
    return registers.laneCount() <= TileLimit.TILE_MAX_LANES
        && registers.maskCount() <= TileLimit.TILE_MAX_MASKS
        && instructions.size() <= TileLimit.TILE_MAX_INSTRUCTIONS
        && inputs.size() <= TileLimit.TILE_MAX_INPUTS
        && outputColumns.size() <= TileLimit.TILE_MAX_OUTPUTS
        && aggregates <= TileLimit.TILE_MAX_AGGREGATES;
  }

  private TileProgram program() {
    List<TileOutput> outputs = new ArrayList<>();
    for (int i = 0; i < outputColumns.size(); i++) {
      outputs.add(new TileOutput(outputColumns.get(i), outputKinds.get(i), outputValidity.get(i)));
    }
    return new TileProgram(
        instructions,
        constants,
        inputs,
        outputs,
        Math.max(1, registers.laneCount()),
        Math.max(1, registers.maskCount()));
  }

  private void add(TileOperation operation) {
    Action action = operation.action();
    boolean isPair = operation.result() != null && operation.result().kind() == Kind.PAIR;
    if (action.opcode() == TileOpcode.CONST_I64 && isPair) {
      addHalves(operation, TileOpcode.CONST_I64);
    } else if (action.opcode() == TileOpcode.SELECT && isPair) {
      addHalves(operation, TileOpcode.SELECT);
    } else if (operation.isCodedLoad()) {
      addCodedLoad(operation);
    } else if (operation.isLoad()) {
      int input = input(action.column(), kindOfLoad(action.opcode()));
      emit(operation, register(operation.result()), input, 0, 0);
    } else if (operation.readsCharacters()) {
      addOfCharacters(operation);
    } else if (operation.isStore()) {
      emit(operation, output(action), register(action.a()), 0, 0);
    } else {
      addPlain(operation);
    }
  }

  private void addCodedLoad(TileOperation operation) {
    int column = operation.action().column();
    int codes = input(column, PhysicalType.I32);
    int entries =
        numberOf(
            inputs,
            new TileInput(
                column, kindOfLoad(operation.opcode()), true, operation.action().function()));
    instructions.add(
        new TileInstruction(
            operation.opcode(),
            register(operation.result()),
            codes,
            entries,
            TileInstruction.NO_REGISTER,
            TileFlag.TILE_CODED,
            0,
            0));
  }

  /** Emits an operation on strings: views in registers, or a constant in the pool. */
  private void addOfCharacters(TileOperation operation) {
    Action action = operation.action();
    int flags = 0;
    int heaps = 0;
    long imm = 0;
    if (action.a().isConstant()) {
      flags = TileFlag.TILE_A_CONSTANT;
      imm = text(action.a().bytes());
    } else {
      heaps = heapsOf(action.column(), (action.imm() & TileOperation.CODED) != 0);
    }
    if (isConstant(action.b()) && flags == 0) {
      flags = TileFlag.TILE_B_CONSTANT;
      Operand b = action.b();
      imm = operation.readsTwoTexts() ? text(b.bytes()) : b.constant().longValue();
    } else if (operation.readsTwoTexts()) {
      heaps |= heapsOf(action.aux(), (action.imm() & TileOperation.B_CODED) != 0) << Byte.SIZE;
    }
    if (action.opcode() == TileOpcode.TRIM_VIEW) {
      heaps |= action.aux() << Byte.SIZE;
    }
    instructions.add(
        new TileInstruction(
            action.opcode(),
            register(operation.result()),
            register(action.a()),
            register(action.b()),
            mask(operation),
            flags,
            heaps,
            imm));
  }

  /** Returns the number of the input with the heaps of a column; any number when it has none. */
  private int heapsOf(int column, boolean isCoded) {
    return column == Text.NO_COLUMN
        ? 0
        : numberOf(inputs, new TileInput(column, PhysicalType.VIEW16, isCoded));
  }

  /** Adds bytes to the pool; returns their position and, in the high half, their length. */
  private long text(byte[] bytes) {
    int first = constants.size();
    for (int at = 0; at < Math.max(1, bytes.length); at += SLOT_BYTES) {
      byte[] slot = new byte[SLOT_BYTES];
      System.arraycopy(bytes, at, slot, 0, Math.min(SLOT_BYTES, bytes.length - at));
      ByteBuffer words = ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN);
      BigInteger low = new BigInteger(Long.toUnsignedString(words.getLong()));
      constants.add(BigInteger.valueOf(words.getLong()).shiftLeft(LONG_BITS).add(low));
    }
    return (long) bytes.length << Integer.SIZE | first;
  }

  private void addPlain(TileOperation operation) {
    Action action = operation.action();
    boolean isConstantLoad =
        action.opcode() == TileOpcode.CONST_I64 || action.opcode() == TileOpcode.CONST_MASK;
    if (isConstantLoad) {
      long value = action.a().constant().longValue();
      emit(operation, register(operation.result()), 0, 0, value);
      return;
    }
    int flags =
        (isConstant(action.a()) ? TileFlag.TILE_A_CONSTANT : 0)
            | (isConstant(action.b()) ? TileFlag.TILE_B_CONSTANT : 0);
    long imm = action.imm();
    if (flags != 0) {
      Operand constant = isConstant(action.a()) ? action.a() : action.b();
      imm = immediate(action, constant);
    }
    int dst = operation.result() == null ? 0 : register(operation.result());
    int b =
        operation.isAggregate() && action.b() == null
            ? TileInstruction.NO_REGISTER
            : register(action.b());
    instructions.add(
        new TileInstruction(
            action.opcode(),
            dst,
            register(action.a()),
            b,
            mask(operation),
            flags,
            action.aux(),
            imm));
  }

  private long immediate(Action action, Operand constant) {
    if (action.opcode() == TileOpcode.STEP_VALUE) {
      return texts.computeIfAbsent(constant, steps -> text(steps.bytes()));
    }
    return isPooled(action) ? slot(constant.constant()) : constant.constant().longValue();
  }

  /** Emits an operation on 128 bits as one operation on each half. */
  private void addHalves(TileOperation operation, TileOpcode opcode) {
    Action action = operation.action();
    int dst = register(operation.result());
    boolean isSelect = opcode == TileOpcode.SELECT;
    for (int half = 0; half < 2; half++) {
      int flags = 0;
      Operand constant = null;
      if (isConstant(action.a())) {
        constant = action.a();
        flags = isSelect ? TileFlag.TILE_A_CONSTANT : 0;
      } else if (isConstant(action.b())) {
        constant = action.b();
        flags = TileFlag.TILE_B_CONSTANT;
      }
      long imm =
          constant == null ? 0 : constant.constant().shiftRight(LONG_BITS * half).longValue();
      instructions.add(
          new TileInstruction(
              opcode,
              dst + half,
              register(action.a()) + half,
              register(action.b()) + half,
              mask(operation),
              flags,
              0,
              imm));
    }
  }

  private void emit(TileOperation operation, int dst, int a, int b, long imm) {
    instructions.add(
        new TileInstruction(operation.opcode(), dst, a, b, mask(operation), 0, 0, imm));
  }

  private int mask(TileOperation operation) {
    TileValue mask =
        operation.overflow() != null ? operation.overflow() : operation.action().mask();
    return mask == null ? TileInstruction.NO_REGISTER : registers.register(mask);
  }

  private int register(TileValue value) {
    return registers.register(value);
  }

  private int register(Operand operand) {
    return operand == null || operand.isConstant() ? 0 : register(operand.register());
  }

  private static boolean isConstant(Operand operand) {
    return operand != null && operand.isConstant();
  }

  /** Whether a constant operand is 128 bits wide; MUL_WIDE_I64 takes 64 bits. */
  private static boolean isPooled(Action action) {
    return action.opcode().name().endsWith("_I128");
  }

  private int slot(BigInteger constant) {
    return numberOf(constants, constant);
  }

  private int input(int column, PhysicalType kind) {
    for (int i = 0; i < inputs.size(); i++) {
      TileInput known = inputs.get(i);
      boolean isCompatible = kind == known.kind() || kind == null || known.kind() == null;
      if (known.column() == column && !known.isEntries() && isCompatible) {
        inputs.set(i, new TileInput(column, kind == null ? known.kind() : kind));
        return i;
      }
    }
    inputs.add(new TileInput(column, kind));
    return inputs.size() - 1;
  }

  private int output(Action action) {
    int number = outputColumns.indexOf(action.column());
    if (number < 0) {
      number = outputColumns.size();
      outputColumns.add(action.column());
      outputKinds.add(PhysicalType.NONE);
      outputValidity.add(false);
    }
    if (action.opcode() == TileOpcode.STORE_VALIDITY) {
      outputValidity.set(number, true);
    } else {
      outputKinds.set(number, kindOfStore(action.opcode()));
    }
    return number;
  }

  private static <T> int numberOf(List<T> list, T item) {
    int index = list.indexOf(item);
    if (index < 0) {
      list.add(item);
      index = list.size() - 1;
    }
    return index;
  }

  /** Returns the layout that a load reads; null for validity, which every layout has. */
  private static PhysicalType kindOfLoad(TileOpcode opcode) {
    return opcode == TileOpcode.LOAD_VALIDITY ? null : kindNamed(opcode.name(), "LOAD_");
  }

  private static PhysicalType kindOfStore(TileOpcode opcode) {
    return kindNamed(opcode.name(), "STORE_");
  }

  private static PhysicalType kindNamed(String name, String prefix) {
    return PhysicalType.valueOf(name.substring(prefix.length()));
  }
}
