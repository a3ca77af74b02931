// SPDX-License-Identifier: MIT
// What kernels name but a recorded evaluation never calls, or what there is nothing to do for: reading and checking of input,
// memory, and what models that are recorded do not have (kane_record_create refuses the others).

#define KANE_RECORD_KERNEL "record/absent.cc"
#include "record/scalar.h"

namespace kane_recorded_kernels {

#include "agem/bodies.h"
#include "base/document.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "tree/tree.h"

#define ABSENT(type, name, ...)                                                                                        \
    type name(__VA_ARGS__)                                                                                             \
    {                                                                                                                  \
        kane_tape_stop("%s is not recorded", #name);                                                                   \
    }

// --- no discrete state that would have to be kept ---

void kane_work_copy(const kane_model *, const kane_work *, kane_work *)
{
}

// --- no other pieces of a line ---

ABSENT(int, kane_track_find, const kane_track *, kane_recorded)
ABSENT(kane_recorded, kane_track_piece_start, const kane_track *, int)
ABSENT(void, kane_section_joint_begin, const kane_model *, kane_work *)

// --- no joints by formula, no multipliers ---

ABSENT(void, kane_pose_move, const kane_link *, const kane_tree_work *, kane_mat3, kane_pose_motion *)
ABSENT(kane_pattern_entries *, kane_pattern_begin, int)
ABSENT(void, kane_pattern_add, kane_pattern_entries *, int, int)
ABSENT(kane_pattern *, kane_pattern_finish, kane_pattern_entries *)
ABSENT(int, kane_pattern_find, const kane_pattern *, int, int)
ABSENT(kane_sparse_lu *, kane_sparse_lu_create, const kane_pattern *)
ABSENT(int, kane_sparse_lu_factor, kane_sparse_lu *, const kane_recorded *)
ABSENT(int, kane_sparse_lu_pivot, kane_sparse_lu *, const kane_recorded *)
ABSENT(void, kane_sparse_lu_keep, kane_sparse_lu *)
ABSENT(int, kane_sparse_lu_lacks_memory, const kane_sparse_lu *)
ABSENT(void, kane_sparse_lu_solve, kane_sparse_lu *, kane_recorded *)

// --- no other choice of independent speeds ---

ABSENT(void, kane_elimination_begin, kane_elimination *)
ABSENT(void, kane_elimination_add, kane_elimination *, int, int, kane_recorded)
ABSENT(int, kane_eliminate, kane_elimination *, int *, int *, int, int, int, kane_recorded, kane_recorded)
ABSENT(int, kane_elimination_lacks_memory, const kane_elimination *)

// --- input and memory ---

ABSENT(void *, kane_arena_object, kane_arena **, size_t, kane_errors *)
ABSENT(void, kane_arena_free, kane_arena *)
ABSENT(void *, kane_arena_alloc, kane_arena *, size_t, size_t)
ABSENT(kane_recorded *, kane_arena_doubles, kane_arena *, size_t)
ABSENT(int, kane_arena_failed, const kane_arena *)
ABSENT(kane_work *, kane_work_create, const kane_model *, kane_errors *)
ABSENT(void, kane_work_free, kane_work *)
ABSENT(int, kane_block_has, const kane_block *, const char *)
ABSENT(kane_place, kane_block_place, const kane_block *, const char *, int)
ABSENT(void, kane_errors_add, kane_errors *, kane_status, const char *, ...)
ABSENT(void, kane_errors_add_input, kane_errors *, kane_status, kane_place, const char *, ...)
ABSENT(kane_status, kane_block_fault, kane_errors *, const kane_block *, const char *, const char *, ...)
ABSENT(const char *, kane_status_text, kane_status)
ABSENT(const char *, kane_file_beside, kane_arena *, const char *, const char *)
ABSENT(char *, kane_file_read, kane_arena *, const char *, size_t *, kane_errors *)
ABSENT(int, kane_number_parse, const char *, size_t, int, kane_recorded *)
ABSENT(int, kane_lines_next, kane_lines *, const char *)
ABSENT(const char *, kane_lines_setting, const kane_lines *, size_t, char *, char *)
ABSENT(kane_status, kane_lines_fault, kane_lines *, const char *, const char *, ...)

// --- what is read after an evaluation ---

ABSENT(void, kane_link_put, const kane_model *, const kane_work *, int, kane_recorded *)
ABSENT(void, kane_state_put, const kane_model *, const kane_work *, kane_recorded *)

} // namespace kane_recorded_kernels
