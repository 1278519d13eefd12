#pragma once

#include "column/column_view.cuh"
#include "column/status.cuh"

// group_assign maps each row of a batch to a group number: equal keys, equal numbers. Groups are
// numbered from 0 in the order of their first rows, batch after batch, on every target alike.
//
// Keys are equal as Spark groups them: nulls equal each other, NaN equals NaN, -0.0 equals 0.0,
// strings compare by bytes. A key row is normalised to key_words 64-bit words:
//   word 0   hash of the rest
//   word 1   bit k set: key k is null (its words are then 0)
//   then     one word for BOOL, I8 to I64, F32, F64; two for I128 (low, high) and VIEW16 (length
//   and
//            first 4 bytes, then the last 8 inline bytes; longer than 12 bytes: the place of the
//            bytes)
//
// The table, owned by the caller and kept from batch to batch:
//   slots       u64[slot_count], zero = empty: tag << 32 | reference
//   group_keys  u64[group_capacity * key_words]: the normalised key of each group
//   key_heap    bytes of the groups' strings longer than 12 bytes
//   state       group_count and key_heap_used
// A new table is all zeros; slot_count is a power of two.
//
// Rows come from columns, or, to merge tables, from the group keys of another table. With `append`
// every row becomes a group of its own and the slots are neither read nor written: for tables that
// are merged later, where looking rows up would find little.
//
// Launch order on the GPU: phases GROUP_NORMALIZE, GROUP_INSERT, GROUP_NUMBER, GROUP_RESOLVE. On
// the host GROUP_INSERT does everything and the other three return at once, so that a caller may
// always launch the four.
//
// Growing. When the table is too small the call stops: status.rows_out = rows finished in this call
// (their groups are in the table, their group_ids and new_group_rows are final; on the GPU always
// 0), status.needed = 1, and status.detail = {slot_count, group_capacity, key_heap bytes} to have,
// of the last at least so many, before trying again. The caller copies group_keys and key_heap into
// larger buffers, gives zeroed slots, launches GROUP_REHASH once, and then launches again with
// first_row advanced by rows_out.
//
// group_find takes the same arguments and looks rows up in a table that stays as it is, also by
// several calls at once: group_ids gets the group of each row, GROUP_NONE where the table has none,
// GROUP_NULL_KEY where a key is null. It uses neither state nor new_group_rows; on the GPU it comes
// after GROUP_NORMALIZE. On the host there may be several tables, each with the keys whose hashes
// begin with the same bits.
//
// group_hash takes the same arguments and computes hashes only: row_keys gets one word per row, the
// word 0 of its key row. It uses nothing of the table.
enum group_phase : u32 {
  GROUP_NORMALIZE = 0,
  GROUP_INSERT = 1,
  GROUP_NUMBER = 2,
  GROUP_RESOLVE = 3,
  GROUP_REHASH = 4,  // fills the zeroed slots from group_keys
};

enum group_limit : u32 {
  GROUP_MAX_KEYS = 16,
  GROUP_TILE_ROWS = 1024  // rows of a tile of the scan on the GPU
};

// What group_find says of rows without a group.
enum group_missing : u32 {
  GROUP_NULL_KEY = 0x7ffffffe,
  GROUP_NONE = 0x7fffffff,
};

// What a table knows of itself; zero in a new table.
struct group_state {
  u32 group_count;
  u32 reserved;
  u64 key_heap_used;  // bytes
};

enum group_parts : u32 {
  GROUP_PART_BITS = 6,  // the first bits of a hash say in which of several tables it is
};

// One of the tables that group_find looks rows up in.
struct group_part {
  const u64* slots;
  const u64* group_keys;
  const u8* key_heap;
  u32 slot_count;   // a power of two
  u32 first_group;  // what the numbers of its groups begin with
};

// Arguments of kernel group_assign.
struct group_assign_args {
  kernel_status* status;
  group_state* state;
  u64* slots;
  u64* group_keys;
  u8* key_heap;
  u32* group_ids;       // out: rows numbers, by row of the batch
  u32* new_group_rows;  // out: appended: first row of each group this batch added, ascending
  // GPU only: zeroed before GROUP_NORMALIZE: 8 * (4 + ceil(rows / GROUP_TILE_ROWS)) bytes
  u64* workspace;
  u64* row_keys;           // GPU: rows * key_words words of scratch; group_hash: out, one per row
  const u64* source_keys;  // rows * key_words words: rows to assign, or null for those of `keys`
  const u8* source_heap;   // long strings of source_keys
  const group_part* parts;  // group_find: a table for each of their numbers, or null for one table
  u64 key_heap_bytes;      // size of key_heap
  u32 phase;               // group_phase
  u32 rows;                // rows of the batch
  u32 first_row;           // rows before it are finished already
  u32 slot_count;          // a power of two
  u32 group_capacity;      // groups that fit group_keys
  u32 key_count;           // at most GROUP_MAX_KEYS
  u32 key_words;           // words of a normalised key row, hash included
  u32 new_group_base;  // entries of new_group_rows already written by earlier calls of this batch
  u32 append;          // 1: every row is a group of its own
  u32 reserved;
  column_view keys[GROUP_MAX_KEYS];  // with source_keys only their kinds
};
