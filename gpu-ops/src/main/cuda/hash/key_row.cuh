// Normalised key rows: see group_assign.cuh for their layout. Shared by all targets.
#pragma once

#include "element/floating.cuh"
#include "element/hash.cuh"
#include "hash/group_assign.cuh"

#include ARIADNE_TARGET_FILE(hash, key_bytes)

namespace hash {

// Word 1 of a key row: bit k, key k is null; bit kLongShift + k, key k is a string of more than 12
// bytes, whose second word says where the bytes are.
inline constexpr u32 kLongShift = 32;

// Slot words: tag << 32 | reference. A reference is a group number plus one or, on the GPU while a
// batch is inserted, kNewRow and the number of a row of the batch.
inline constexpr u32 kNewRow = 1u << 31;

ARIADNE_INLINE u32 tag_of(u64 hash) { return static_cast<u32>(hash >> 32); }
ARIADNE_INLINE u64 slot_word(u64 hash, u32 reference) {
  return static_cast<u64>(tag_of(hash)) << 32 | reference;
}

ARIADNE_INLINE u32 words_of(column_kind kind) {
  return kind == column_kind::i128 || kind == column_kind::view16 ? 2 : 1;
}

// Length in bytes of a string whose first word is given.
ARIADNE_INLINE u32 string_length(u64 first_word) { return static_cast<u32>(first_word); }

// Bytes of a string in memory are padded to words when they are copied to the key heap.
ARIADNE_INLINE u32 heap_words(u32 length) { return (length + 7) / 8; }

// A key value of one word, as grouping sees it.
ARIADNE_INLINE u64 one_word(const column_view& key, u32 row) {
  switch (key.kind) {
    case column_kind::boolean:
      return target::load_ro(column::words(key) + row / 64) >> row % 64 & 1;
    case column_kind::i8:
      return static_cast<u64>(target::load_ro(static_cast<const i8*>(key.data) + row));
    case column_kind::i16:
      return static_cast<u64>(target::load_ro(static_cast<const i16*>(key.data) + row));
    case column_kind::i32:
      return static_cast<u64>(target::load_ro(static_cast<const i32*>(key.data) + row));
    case column_kind::f32:
      return static_cast<u64>(element::as_bits(element::normalize(
          static_cast<f64>(target::load_ro(static_cast<const f32*>(key.data) + row)))));
    case column_kind::f64:
      return static_cast<u64>(element::as_bits(
          element::normalize(target::load_ro(static_cast<const f64*>(key.data) + row))));
    default:
      return target::load_ro(column::words(key) + row);
  }
}

// Address of the bytes of a long string of the batch, given the second word of its view.
ARIADNE_INLINE const u8* batch_bytes(const column_view& key, u64 place) {
  const void* heap = target::load_ro(key.heaps + static_cast<u32>(place));
  return static_cast<const u8*>(heap) + (place >> 32);
}

// Address of the bytes of a long string of a row to assign, given the second word of its key.
ARIADNE_INLINE const u8* row_bytes(const group_assign_args& args, u32 k, u64 place) {
  return args.source_keys != nullptr ? args.source_heap + place : batch_bytes(args.keys[k], place);
}

// Writes words 1 and up of the key row through put(word, value) and returns word 0, the hash: of
// the words, or of the bytes where a word only says where they are.
template <typename Put>
ARIADNE_INLINE u64 normalize_row(const group_assign_args& args, u32 row, Put put) {
  u64 flags = 0;
  u64 hash = element::kHashSeed;
  u32 at = 2;
  for (u32 k = 0; k < args.key_count; k++) {
    const column_view& key = args.keys[k];
    const bool valid = column::is_valid(key, row);
    flags |= static_cast<u64>(!valid) << k;
    if (words_of(key.kind) == 1) {
      const u64 loaded = one_word(key, row);  // also under null: the lanes of a warp stay together
      const u64 word = valid ? loaded : 0;
      hash = element::mix(hash, word);
      put(at, word);
      at += 1;
      continue;
    }
    u64x2 pair = target::load_ro(static_cast<const u64x2*>(key.data) + row);
    pair.x = valid ? pair.x : 0;
    pair.y = valid ? pair.y : 0;
    hash = element::mix(hash, pair.x);
    const u32 length = key.kind == column_kind::view16 ? string_length(pair.x) : 0;
    if (length > column::kInlineLength) {
      flags |= u64{1} << (kLongShift + k);
      hash = hash_bytes(hash, batch_bytes(key, pair.y), length);
    } else {
      hash = element::mix(hash, pair.y);
    }
    put(at, pair.x);
    put(at + 1, pair.y);
    at += 2;
  }
  put(1, flags);
  return element::finish_hash(element::mix(hash, flags));
}

// Whether two key rows with equal hashes are equal. a(word) and b(word) read them, a_bytes(key,
// place) and b_bytes(key, place) give the address of a long string.
template <typename A, typename B, typename ABytes, typename BBytes>
ARIADNE_INLINE bool equal_rows(const group_assign_args& args, A a, B b, ABytes a_bytes,
                               BBytes b_bytes) {
  const u64 flags = a(1);
  if (flags != b(1)) {
    return false;
  }
  u32 at = 2;
  for (u32 k = 0; k < args.key_count; k++) {
    const u64 first = a(at);
    if (first != b(at)) {
      return false;
    }
    if ((flags >> (kLongShift + k) & 1) != 0) {
      if (!equal_bytes(a_bytes(k, a(at + 1)), b_bytes(k, b(at + 1)), string_length(first))) {
        return false;
      }
    } else if (words_of(args.keys[k].kind) == 2 && a(at + 1) != b(at + 1)) {
      return false;
    }
    at += words_of(args.keys[k].kind);
  }
  return true;
}

}  // namespace hash
