// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/mirror/frame_channel.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep {

struct ComparedTable;

/// The run store of a mirror: takes pages of a StoreSource, each in one transaction. Where it ends
/// is told by its own rows, so nothing is lost or doubled by a cut, here or there. One thread.
class StoreMirror
{
public:
    /// Makes the store, or goes on with it; one that can't be used is made anew.
    explicit StoreMirror(std::filesystem::path storeFile);

    /// What it has, for the StoreSource.
    [[nodiscard]] Frame state() const;
    /// Error(Data) if it is no page; then nothing has changed.
    void apply(const Frame& page);

private:
    using Keys = std::unordered_map<std::uint64_t, std::vector<std::uint8_t>>;

    void open();
    void readKeys();
    void forgetAll();
    void take(const Frame& part);
    void remove(const ComparedTable& table, const Frame& hashes);

    std::filesystem::path m_file;
    std::optional<SqliteDatabase> m_database;
    /// Of tables that are compared: the key of each row, as CBOR, by the row's hash.
    std::map<std::string, Keys> m_keys;
};

} // namespace lockstep
