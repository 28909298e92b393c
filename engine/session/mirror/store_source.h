// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/mirror/frame_channel.h"
#include "storage/sqlite/sqlite_database.h"
#include "storage/store/run_stamp.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace lockstep {

struct ComparedTable;
struct GrowingTable;

/// Finds what a run store has and its mirror (StoreMirror) has not, page by page. Each page is one
/// short read of one state of the store, so that neither a writer nor its log waits for the line;
/// what belongs together is in one page. The whole order is: facts, steps until there are no more,
/// what was measured beside them, then evaluations, checkpoints and events. One thread.
class StoreSource
{
public:
    /// `mirror` is StoreMirror::state() of the other end.
    StoreSource(std::filesystem::path storeFile, const Frame& mirror);

    /// Whether the store may have changed since the last page that was not empty.
    [[nodiscard]] bool hasNews() const;
    /// About so many bytes, more only where a single row is larger; empty: the mirror has all that
    /// there is. StoreMirror::apply() takes it. Errors of RunStoreReader.
    std::optional<Frame> next(std::size_t bytes);

private:
    using Rows = std::vector<std::uint8_t>;
    using Key = std::vector<std::int64_t>;

    bool open();
    [[nodiscard]] bool isOfMirror() const;
    void forgetMirror();
    void fill(std::size_t bytes);
    bool takeGrowing(const GrowingTable& table, std::size_t bytes);
    void takeChildren(const GrowingTable& table, const Key& after, const Key& last);
    bool takeCompared(const ComparedTable& table, std::size_t bytes);
    bool takeEvaluations(std::size_t bytes);
    [[nodiscard]] bool hasChanged(const ComparedTable& table) const;
    void add(const char* table, Rows rows, const Rows& removed = {});

    std::filesystem::path m_file;
    std::optional<SqliteDatabase> m_database; ///< while there is more to read
    std::optional<StoreStamp> m_stamp;        ///< before it was read
    std::uint64_t m_origin = 0; ///< hash of the first branch of the mirror; 0: it has none
    std::map<std::string, Key> m_cursors;
    std::map<std::string, std::size_t> m_rowBytes; ///< about, with what belongs to it
    std::map<std::string, std::unordered_set<std::uint64_t>> m_hashes;
    Frame m_parts;
    std::size_t m_bytes = 0; ///< in m_parts
    bool m_isReset = false;
};

/// Hash of the row of the first branch, which tells a store from one that is made anew; 0: none.
std::uint64_t originOf(const SqliteDatabase& database);

} // namespace lockstep
