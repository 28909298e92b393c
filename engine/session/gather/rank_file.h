// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "session/gather/rank_frames.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// Where frames of one rank come from. One thread.
class RankSource : public Interface
{
public:
    /// For people: "rank-0003.lsr".
    [[nodiscard]] virtual std::string name() const = 0;
    /// The rank by that name; -1: it does not say.
    [[nodiscard]] virtual int namedRank() const = 0;
    /// The next frame; empty: there is none (yet).
    virtual std::optional<RankFrame> next() = 0;
    /// What was found to be damaged since it was asked last, a line each. `isLast`: what the file
    /// ends in will not become whole any more.
    virtual std::vector<std::string> takeDamage(bool isLast) = 0;
};

/// A rank file, that its rank may be writing just now. Goes on behind what is damaged.
class RankFile final : public RankSource
{
public:
    static constexpr const char* kExtension = ".lsr";

    /// Opened anew for each piece that is read: a run may have a thousand of them.
    explicit RankFile(std::filesystem::path file) : m_file(std::move(file)) {}

    [[nodiscard]] std::string name() const override { return m_file.filename().string(); }
    [[nodiscard]] int namedRank() const override;
    /// Error(Io) if the file can't be read.
    std::optional<RankFrame> next() override;
    std::vector<std::string> takeDamage(bool isLast) override;
    /// How far it was read.
    [[nodiscard]] std::int64_t bytesRead() const
    {
        return m_offset + static_cast<std::int64_t>(m_begin);
    }

private:
    enum class Look { Whole, Damaged, Unfinished };
    [[nodiscard]] Look lookAt(std::size_t at, std::span<const std::byte>& payload) const;
    [[nodiscard]] std::size_t nextMagic(std::size_t from) const;
    [[nodiscard]] std::optional<std::size_t> wholeBehind(std::size_t at) const;
    bool fill();
    void skipTo(std::size_t at, const std::string& why);
    void closeDamage();

    std::filesystem::path m_file;
    std::vector<std::byte> m_bytes; ///< of the file, from m_offset on
    std::int64_t m_offset = 0;
    std::size_t m_begin = 0; ///< of m_bytes: what comes next

    std::int64_t m_damageBegin = -1; ///< in the file; -1: all is well
    std::string m_damageWhy;
    std::vector<std::string> m_damage;
};

} // namespace lockstep
