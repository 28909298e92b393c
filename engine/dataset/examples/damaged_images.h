// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace lockstep {

/// What becomes of images that can't be read whole.
enum class DamagedImages {
    Refuse,  ///< the first one is an error
    Skip,    ///< they are left out, counted and named; more than one in a hundred are an error
    SkipAll, ///< they are left out, however many
};

/// Names as in a configuration: "refuse", "skip", "skip_all".
inline constexpr std::array<const char*, 3> kDamagedImagesNames{"refuse", "skip", "skip_all"};

/// The damaged images of a data set: those that were left out when it was opened, and those that
/// turn out later to be damaged, when one is decoded. Of a data set that is shared among threads it
/// is what changes; all methods are thread-safe.
class DamageLog
{
public:
    /// Of a data set of `images`, of which `leftOut` were left out for these reasons; `where` is
    /// what errors call it. Throws as check.
    void open(
        DamagedImages rule, std::string where, std::int64_t images,
        std::vector<std::string> leftOut);

    /// Whether another image may stand in for a damaged one.
    [[nodiscard]] bool mayReplace() const { return m_rule != DamagedImages::Refuse; }
    /// An image is damaged, which counts once; whoever finds it.
    void take(std::int64_t index, const std::string& reason);
    /// Throws Error(Data) that names the first ones if more are damaged than the rule lets pass.
    void check() const;
    /// Why images are damaged that were found since the last call.
    [[nodiscard]] std::vector<std::string> takeNew();

private:
    mutable std::mutex m_mutex;
    DamagedImages m_rule = DamagedImages::Refuse;
    std::string m_where;
    std::int64_t m_images = 0;
    std::vector<std::string> m_reasons; ///< in the order in which they were found
    std::size_t m_told = 0;
    std::set<std::int64_t> m_found;
    std::atomic<bool> m_hasNew = false;
};

} // namespace lockstep
