// Normalised keys of a few hundred rows at a time on the host, word by word: loops over one word of
// all rows vectorise, and the kind of a key is looked at once per column.
#pragma once

#include "hash/key_row.cuh"

namespace hash {

inline constexpr u32 kBatchRows = 256;  // rows whose keys are normalised before they are looked up
inline constexpr u32 kMaxKeyWords = 2 + 2 * GROUP_MAX_KEYS;
inline constexpr u32 kPrefetchedSlots = 8192;  // tables of so many slots are beyond the first cache

// Rows first to first + count - 1 of the batch.
struct key_batch {
  const group_assign_args& args;
  u64* words;  // word w of row i at [w * kBatchRows + i]
  u32 first;
  u32 count;

  ARIADNE_MEMBER u64* column(u32 word) const { return words + word * kBatchRows; }
  ARIADNE_MEMBER u64 at(u32 word, u32 i) const { return words[word * kBatchRows + i]; }
};

// The rows of a batch whose key is not that of the row before, ascending, and the end of the batch.
struct leaders {
  u16 row[kBatchRows + 1];
  u32 count;
};

// Word `word` of each row = value(row of the batch).
template <typename Value>
ARIADNE_INLINE void fill_words(const key_batch& batch, u32 word, Value value) {
  u64* out = batch.column(word);
  const u32 first = batch.first;
  const u32 count = batch.count;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < count; i++) {
    out[i] = value(first + i);
  }
}

template <typename T>
ARIADNE_INLINE void fill_integers(const key_batch& batch, u32 k, u32 word) {
  const T* data = static_cast<const T*>(batch.args.keys[k].data);
  fill_words(batch, word, [data](u32 row) { return static_cast<u64>(data[row]); });
}

template <typename T>
ARIADNE_INLINE void fill_floats(const key_batch& batch, u32 k, u32 word) {
  const T* data = static_cast<const T*>(batch.args.keys[k].data);
  fill_words(batch, word, [data](u32 row) {
    return static_cast<u64>(element::as_bits(element::normalize(static_cast<f64>(data[row]))));
  });
}

ARIADNE_INLINE void fill_bits(const key_batch& batch, u32 k, u32 word) {
  const u64* data = column::words(batch.args.keys[k]);
  u64* out = batch.column(word);
  for (u32 i = 0; i < batch.count; i++) {
    const u32 row = batch.first + i;
    out[i] = data[row / 64] >> row % 64 & 1;
  }
}

ARIADNE_INLINE void fill_pairs(const key_batch& batch, u32 k, u32 word) {
  const u64* data = column::words(batch.args.keys[k]);
  fill_words(batch, word, [data](u32 row) { return data[2 * static_cast<u64>(row)]; });
  fill_words(batch, word + 1, [data](u32 row) { return data[2 * static_cast<u64>(row) + 1]; });
}

// Values of a key, whatever they are where the key is null.
static void fill_values(const key_batch& batch, u32 k, u32 word) {
  const column_view& key = batch.args.keys[k];
  switch (key.kind) {
    case column_kind::boolean:
      fill_bits(batch, k, word);
      break;
    case column_kind::i8:
      fill_integers<i8>(batch, k, word);
      break;
    case column_kind::i16:
      fill_integers<i16>(batch, k, word);
      break;
    case column_kind::i32:
      fill_integers<i32>(batch, k, word);
      break;
    case column_kind::i64:
      fill_integers<i64>(batch, k, word);
      break;
    case column_kind::f32:
      fill_floats<f32>(batch, k, word);
      break;
    case column_kind::f64:
      fill_floats<f64>(batch, k, word);
      break;
    case column_kind::i128:
    case column_kind::view16:
      fill_pairs(batch, k, word);
      break;
  }
}

// Clears the words of null keys and flags them.
ARIADNE_INLINE void clear_nulls(const key_batch& batch, u32 k, u32 word) {
  const u64* validity = batch.args.keys[k].validity;
  u64* flags = batch.column(1);
  const u32 first = batch.first;
  const u32 count = batch.count;
  for (u32 w = word; w < word + words_of(batch.args.keys[k].kind); w++) {
    u64* out = batch.column(w);
#pragma clang loop vectorize(assume_safety)
    for (u32 i = 0; i < count; i++) {
      const u32 row = first + i;
      out[i] &= -(validity[row / 64] >> row % 64 & 1);
    }
  }
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < count; i++) {
    const u32 row = first + i;
    flags[i] |= (~validity[row / 64] >> row % 64 & 1) << k;
  }
}

// Flags strings of more than 12 bytes; true when there are any.
ARIADNE_INLINE bool flag_long_strings(const key_batch& batch, u32 k, u32 word) {
  const u64* first = batch.column(word);
  u64* flags = batch.column(1);
  const u32 count = batch.count;
  u64 any = 0;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < count; i++) {
    const u64 is_long = string_length(first[i]) > column::kInlineLength ? 1 : 0;
    flags[i] |= is_long << (kLongShift + k);
    any |= is_long;
  }
  return any != 0;
}

// Hash of a row with long strings, of whose bytes the words say only where they are.
static u64 hash_with_strings(const key_batch& batch, u32 i) {
  const group_assign_args& args = batch.args;
  const u64 flags = batch.at(1, i);
  u64 hash = element::kHashSeed;
  u32 word = 2;
  for (u32 k = 0; k < args.key_count; k++) {
    const u64 first = batch.at(word, i);
    hash = element::mix(hash, first);
    if ((flags >> (kLongShift + k) & 1) != 0) {
      const u8* bytes = batch_bytes(args.keys[k], batch.at(word + 1, i));
      hash = hash_bytes(hash, bytes, string_length(first));
    } else if (words_of(args.keys[k].kind) == 2) {
      hash = element::mix(hash, batch.at(word + 1, i));
    }
    word += words_of(args.keys[k].kind);
  }
  return element::finish_hash(element::mix(hash, flags));
}

ARIADNE_INLINE void mix_word(const key_batch& batch, u32 word) {
  u64* hashes = batch.column(0);
  const u64* words = batch.column(word);
  const u32 count = batch.count;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < count; i++) {
    hashes[i] = element::mix(hashes[i], words[i]);
  }
}

// Brings the leaders' slots into the cache, and the keys of the groups that are there, which are
// probably theirs.
static void prefetch_groups(const key_batch& batch, const leaders& found) {
  const group_assign_args& args = batch.args;
  const u64* hashes = batch.column(0);
  const u32 mask = args.slot_count - 1;
  for (u32 k = 0; k < found.count; k++) {
    __builtin_prefetch(args.slots + (static_cast<u32>(hashes[found.row[k]]) & mask));
  }
  if (args.slot_count < kPrefetchedSlots) {
    return;
  }
  for (u32 k = 0; k < found.count; k++) {
    const u32 at = static_cast<u32>(hashes[found.row[k]]) & mask;
    const u32 reference = static_cast<u32>(args.slots[at]);
    const u32 group = reference != 0 ? reference - 1 : 0;
    __builtin_prefetch(args.group_keys + static_cast<u64>(group) * args.key_words);
  }
}

// Word 0 of each row.
static void hash_rows(const key_batch& batch, bool has_long_strings) {
  u64* hashes = batch.column(0);
  const u32 count = batch.count;
  fill_words(batch, 0, [](u32) { return element::kHashSeed; });
  for (u32 word = 2; word < batch.args.key_words; word++) {
    mix_word(batch, word);
  }
  mix_word(batch, 1);
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 0; i < count; i++) {
    hashes[i] = element::finish_hash(hashes[i]);
  }
  for (u32 i = 0; has_long_strings && i < count; i++) {
    if (batch.at(1, i) >> kLongShift != 0) {
      hashes[i] = hash_with_strings(batch, i);
    }
  }
}

// The keys of the batch's rows as another table has them.
static void copy_batch(const key_batch& batch) {
  const u32 words = batch.args.key_words;
  const u64* from = batch.args.source_keys + static_cast<u64>(batch.first) * words;
  for (u32 i = 0; i < batch.count; i++) {
    for (u32 word = 0; word < words; word++) {
      batch.column(word)[i] = from[static_cast<u64>(i) * words + word];
    }
  }
}

// The keys of the batch's rows, hashes included.
static void normalize_batch(const key_batch& batch) {
  const group_assign_args& args = batch.args;
  if (args.source_keys != nullptr) {
    copy_batch(batch);
    return;
  }
  fill_words(batch, 1, [](u32) { return u64{0}; });
  bool has_long_strings = false;
  u32 word = 2;
  for (u32 k = 0; k < args.key_count; k++) {
    fill_values(batch, k, word);
    if (args.keys[k].validity != nullptr) {
      clear_nulls(batch, k, word);
    }
    if (args.keys[k].kind == column_kind::view16) {
      has_long_strings |= flag_long_strings(batch, k, word);
    }
    word += words_of(args.keys[k].kind);
  }
  hash_rows(batch, has_long_strings);
}

// Lists the leaders of a batch with normalised keys. A row with long strings, of which the words
// only say where they are, leads.
static void find_leaders(const key_batch& batch, leaders& found) {
  alignas(64) u64 differs[kBatchRows];
  const u32 count = batch.count;
  const u64* hashes = batch.column(0);
  const u64* flags = batch.column(1);
  differs[0] = 1;
#pragma clang loop vectorize(assume_safety)
  for (u32 i = 1; i < count; i++) {
    differs[i] = (hashes[i] ^ hashes[i - 1]) | (flags[i] ^ flags[i - 1]) | flags[i] >> kLongShift;
  }
  for (u32 word = 2; word < batch.args.key_words; word++) {
    const u64* values = batch.column(word);
#pragma clang loop vectorize(assume_safety)
    for (u32 i = 1; i < count; i++) {
      differs[i] |= values[i] ^ values[i - 1];
    }
  }
  u32 leaders_so_far = 0;
  for (u32 i = 0; i < count; i++) {
    found.row[leaders_so_far] = static_cast<u16>(i);
    leaders_so_far += differs[i] != 0 ? 1 : 0;
  }
  found.row[leaders_so_far] = static_cast<u16>(count);
  found.count = leaders_so_far;
}

}  // namespace hash
