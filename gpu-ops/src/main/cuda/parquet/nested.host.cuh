// Host form; included by nested.cuh only.
#pragma once

namespace nested {

inline constexpr u32 kGroup = 64;  // entries at a time
inline constexpr u32 kPollGroups = 1024;

using bytes64 = u8 __attribute__((ext_vector_type(64)));
using bits64 = bool __attribute__((ext_vector_type(64)));

// What 64 entries are, one bit each.
struct masks {
  u64 slots;
  u64 elements;
  u64 valid;
  u64 wrong;
};

ARIADNE_INLINE u64 at_most(const u8* levels, u32 limit) {
  bytes64 v;
  __builtin_memcpy(&v, levels, sizeof(v));
  return limit >= 255 ? ~u64{0}
                      : __builtin_bit_cast(
                            u64, __builtin_convertvector(v <= static_cast<u8>(limit), bits64));
}

ARIADNE_INLINE masks masks_of(const parquet_nested_args& args, const u8* repetition,
                              const u8* definition, const u8* previous) {
  const u64 below_slot =
      args.slot_definition == 0 ? 0 : at_most(definition, args.slot_definition - 1);
  const u64 below_element =
      args.element_definition == 0 ? 0 : at_most(definition, args.element_definition - 1);
  const u64 below_valid =
      args.valid_definition == 0 ? 0 : at_most(definition, args.valid_definition - 1);
  const u64 previous_below =
      args.element_definition == 0 ? 0 : at_most(previous, args.element_definition - 1);
  const u64 repeats = at_most(repetition, args.element_repetition);
  const u64 continues = args.element_repetition == 0
                            ? 0
                            : repeats & ~at_most(repetition, args.element_repetition - 1);
  masks m;
  m.slots = at_most(repetition, args.slot_repetition) & ~below_slot;
  m.elements = repeats & ~below_element;
  m.valid = ~below_valid;
  m.wrong = continues & (below_element | previous_below);
  return m;
}

// The masks of up to 64 entries from `first` on.
ARIADNE_FUNCTION masks load_masks(const parquet_nested_args& args, u32 first) {
  const u32 count = args.count - first < kGroup ? args.count - first : kGroup;
  alignas(64) u8 repetition[kGroup] = {};
  alignas(64) u8 definition[kGroup] = {};
  alignas(64) u8 previous[kGroup] = {};
  if (args.repetition != nullptr) {
    __builtin_memcpy(repetition, args.repetition + first, count);
  }
  __builtin_memcpy(definition, args.definition + first, count);
  previous[0] = first == 0 ? 0 : args.definition[first - 1];
  __builtin_memcpy(previous + 1, definition, kGroup - 1);
  masks m = masks_of(args, repetition, definition, previous);
  const u64 there = count == kGroup ? ~u64{0} : (u64{1} << count) - 1;
  m.slots &= there;
  m.elements &= there;
  m.wrong &= there;
  return m;
}

ARIADNE_INLINE void write_offsets(const masks& m, u32 elements, i32* offsets) {
  for (u64 left = m.slots; left != 0; left &= left - 1) {
    const u64 before = (left & -left) - 1;
    *offsets++ = static_cast<i32>(elements + __builtin_popcountll(m.elements & before));
  }
}

// ORs the low `count` bits of `bits` in from bit `at` on.
ARIADNE_INLINE void append_bits(u64* words, u32 at, u64 bits, u32 count) {
  const u32 shift = at % 64;
  words[at / 64] |= bits << shift;
  if (shift + count > 64) {
    words[at / 64 + 1] |= bits >> (64 - shift);
  }
}

ARIADNE_FUNCTION void run(const parquet_nested_args& args) {
  u32 slots = 0;
  u32 elements = 0;
  u64 valid = 0;
  if (args.count > 0 && args.repetition != nullptr && is_wrong_start(args, args.repetition[0])) {
    return status::raise(args.status, 0, 0, PARQUET_ERROR_LEVEL);
  }
  for (u32 first = 0; first < args.count; first += kGroup) {
    if (first / kGroup % kPollGroups == 0 && status::cancelled(args.status)) {
      return;
    }
    const masks m = load_masks(args, first);
    if (m.wrong != 0) {
      const u32 entry = first + static_cast<u32>(__builtin_ctzll(m.wrong));
      return status::raise(args.status, entry, 0, PARQUET_ERROR_LEVEL);
    }
    if (args.offsets != nullptr) {
      write_offsets(m, elements, args.offsets + slots);
    }
    const u32 count = static_cast<u32>(__builtin_popcountll(m.slots));
    const u64 bits = target::extract_bits(m.valid, m.slots);
    if (args.validity != nullptr && count > 0) {
      append_bits(args.validity, slots, bits, count);
    }
    valid += static_cast<u64>(__builtin_popcountll(bits));
    slots += count;
    elements += static_cast<u32>(__builtin_popcountll(m.elements));
  }
  finish(args, slots, elements);
  args.status->detail[1] = valid;
}

}  // namespace nested
