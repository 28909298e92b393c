// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// What a data set does not tell by its examples: the files that were left out, and why, and what
/// else a person should know before training. Terminal, form and the run's record show the same
/// lines.
class DataAccount
{
public:
    /// A file that is no example. `kind` is what it has in common with others, in a few words that
    /// follow a number (".webp", "damaged", "hidden"); `file` is its name.
    void leaveOut(const std::string& kind, const std::string& file);
    /// One sentence without a full stop, with the key to set where one helps.
    void warn(std::string sentence);

    [[nodiscard]] std::int64_t leftOut() const;
    /// Whether pictures are among them, by their endings.
    [[nodiscard]] bool hasPictures() const;
    /// "20 files left out: 12 .webp (ant/y0.webp), 5 .tif (ant/y1.tif), 3 damaged (bee/2.jpg)", if
    /// any, and then the warnings. Empty where there is nothing to tell.
    [[nodiscard]] std::vector<std::string> lines() const;

    bool operator==(const DataAccount&) const = default;

private:
    friend std::vector<std::string> linesOf(const DataAccount& training, const DataAccount& test);

    struct Kind
    {
        std::int64_t count = 0;
        std::string example; ///< the first one

        bool operator==(const Kind&) const = default;
    };

    std::map<std::string, Kind, std::less<>> m_kinds;
    std::vector<std::string> m_warnings;
};

/// Of both splits; a line that both have once.
[[nodiscard]] std::vector<std::string> linesOf(
    const DataAccount& training, const DataAccount& test);

} // namespace lockstep
