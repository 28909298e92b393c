// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace lockstep {

/// A table of the run store whose rows are only ever added, in the order of their key, and never
/// changed: what a mirror has of it ends at its last key. The key, of integers, is its first
/// columns.
struct GrowingTable
{
    const char* name;
    int keyColumns;
    const char* key; ///< its columns
    /// Rows that belong to a row of this table: their key begins with its. They come together, for
    /// a row without them would be damaged. Else null.
    const char* child;
    const char* childKey;
};

/// In the order in which they are sent: a reader of the mirror finds what it looks up.
inline constexpr std::array kGrowingTables{
    GrowingTable{"branch", 1, "id", nullptr, nullptr},
    GrowingTable{"parameter", 1, "id", nullptr, nullptr},
    GrowingTable{"step", 2, "branch, step", "tower_step", "branch, step, tower"},
    GrowingTable{"curve_block", 2, "branch, first_step", nullptr, nullptr},
    GrowingTable{
        "gradient", 3, "branch, step, parameter", "tower_gradient",
        "branch, step, parameter, tower"},
    GrowingTable{"device_reading", 1, "id", nullptr, nullptr},
    GrowingTable{"preflight", 1, "id", nullptr, nullptr},
    GrowingTable{"event", 1, "id", nullptr, nullptr},
};

/// A table whose rows are also replaced or deleted: both ends compare hashes of rows.
struct ComparedTable
{
    const char* name;
    int keyColumns; ///< its first columns
    const char* key;
};

inline constexpr std::array kComparedTables{
    ComparedTable{"run", 1, "key"},
    ComparedTable{"objective", 1, "id"},
    ComparedTable{"class", 1, "id"},
    ComparedTable{"phase", 2, "branch, first_step"},
    // What belongs to an evaluation comes before it, and is written with it.
    ComparedTable{"image_score", 4, "branch, step, weights, example"},
    ComparedTable{"classification", 3, "branch, step, weights"},
    ComparedTable{"evaluation", 3, "branch, step, weights"},
    ComparedTable{"checkpoint", 2, "branch, step"},
};

} // namespace lockstep
