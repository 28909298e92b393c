// SPDX-License-Identifier: Apache-2.0
#include "session/gather/rank_file.h"

#include "base/crc32.h"
#include "base/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <utility>

namespace lockstep {
namespace {

constexpr std::array kMagic{std::byte{'L'}, std::byte{'S'}, std::byte{'K'}, std::byte{'R'}};
constexpr std::size_t kHead = 12;
constexpr std::size_t kMostPayload = std::size_t{16} << 20;
constexpr std::size_t kPiece = std::size_t{64} << 10;

std::uint32_t wordAt(std::span<const std::byte> bytes)
{
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof(word));
    return word;
}

} // namespace

int RankFile::namedRank() const
{
    const std::string stem = m_file.stem().string();
    const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
    int rank = -1;
    const char* const end = stem.data() + stem.size();
    const auto read = std::from_chars(stem.data() + digits, end, rank);
    return read.ec == std::errc() && read.ptr == end ? rank : -1;
}

std::optional<RankFrame> RankFile::next()
{
    while (true) {
        std::span<const std::byte> payload;
        switch (lookAt(m_begin, payload)) {
        case Look::Whole: {
            const std::size_t end = m_begin + kHead + payload.size();
            try {
                auto frame = decodeRankFrame(payload);
                closeDamage();
                m_begin = end;
                if (frame) {
                    return frame;
                }
            } catch (const Error& error) {
                skipTo(end, error.what());
            }
            break;
        }
        case Look::Damaged:
            skipTo(nextMagic(m_begin + 1), "a checksum or length is wrong");
            break;
        case Look::Unfinished:
            if (fill()) {
                break;
            }
            // Its length may be what is damaged: it would be waited for, and all behind it.
            if (const auto whole = wholeBehind(m_begin)) {
                skipTo(*whole, "a checksum or length is wrong");
                break;
            }
            return std::nullopt;
        }
    }
}

RankFile::Look RankFile::lookAt(std::size_t at, std::span<const std::byte>& payload) const
{
    const auto bytes = std::span(m_bytes).subspan(at);
    const std::size_t compared = std::min(bytes.size(), kMagic.size());
    if (!std::ranges::equal(bytes.first(compared), std::span(kMagic).first(compared))) {
        return Look::Damaged;
    }
    if (bytes.size() < kHead) {
        return Look::Unfinished;
    }
    const std::size_t length = wordAt(bytes.subspan(4));
    if (length == 0 || length > kMostPayload) {
        return Look::Damaged;
    }
    if (bytes.size() < kHead + length) {
        return Look::Unfinished;
    }
    payload = bytes.subspan(kHead, length);
    return checksum(payload) == wordAt(bytes.subspan(8)) ? Look::Whole : Look::Damaged;
}

/// Where a frame may begin from there on, perhaps with the last bytes that are there; else the end.
std::size_t RankFile::nextMagic(std::size_t from) const
{
    const auto found = std::search(
        m_bytes.begin() + static_cast<std::ptrdiff_t>(from), m_bytes.end(), kMagic.begin(),
        kMagic.end());
    std::size_t at = static_cast<std::size_t>(found - m_bytes.begin());
    if (found == m_bytes.end()) {
        at = std::max(from, m_bytes.size() - std::min(m_bytes.size(), kMagic.size() - 1));
        while (
            at < m_bytes.size()
            && !std::equal(
                m_bytes.begin() + static_cast<std::ptrdiff_t>(at), m_bytes.end(), kMagic.begin())) {
            ++at;
        }
    }
    return at;
}

std::optional<std::size_t> RankFile::wholeBehind(std::size_t at) const
{
    std::span<const std::byte> payload;
    while (at < m_bytes.size()) {
        at = nextMagic(at + 1);
        if (at < m_bytes.size() && lookAt(at, payload) == Look::Whole) {
            return at;
        }
    }
    return std::nullopt;
}

bool RankFile::fill()
{
    std::ifstream file(m_file, std::ios::binary);
    if (!file) {
        fail(ErrorCode::Io, "{}: can't read it{}", m_file.string(), errnoText());
    }
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_begin));
    m_offset += static_cast<std::int64_t>(m_begin);
    m_begin = 0;
    const std::size_t before = m_bytes.size();
    file.seekg(m_offset + static_cast<std::int64_t>(before));
    // A frame that is longer than a piece comes in pieces that double.
    m_bytes.resize(before + std::max(kPiece, before));
    file.read(
        reinterpret_cast<char*>(m_bytes.data() + before),
        static_cast<std::streamsize>(m_bytes.size() - before));
    m_bytes.resize(before + static_cast<std::size_t>(file.gcount()));
    return file.gcount() > 0;
}

void RankFile::skipTo(std::size_t at, const std::string& why)
{
    if (m_damageBegin < 0) {
        m_damageBegin = bytesRead();
        m_damageWhy = why;
    }
    m_begin = at;
}

void RankFile::closeDamage()
{
    if (m_damageBegin >= 0 && bytesRead() > m_damageBegin) {
        m_damage.push_back(fmt::format(
            "{}: bytes {} to {} can't be read ({}); what is before and after them is kept", name(),
            m_damageBegin, bytesRead() - 1, m_damageWhy));
    }
    m_damageBegin = -1;
}

std::vector<std::string> RankFile::takeDamage(bool isLast)
{
    if (isLast) {
        closeDamage();
        if (const std::size_t left = m_bytes.size() - m_begin; left > 0) {
            m_damage.push_back(fmt::format(
                "{}: ends within a frame, whose {} bytes at {} are left out", name(), left,
                bytesRead()));
        }
    }
    return std::exchange(m_damage, {});
}

} // namespace lockstep
