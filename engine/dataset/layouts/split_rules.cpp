// SPDX-License-Identifier: Apache-2.0
#include "dataset/layouts/split_rules.h"

#include "base/philox.h"
#include "dataset/files/file_bytes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <utility>

namespace lockstep {

std::optional<DataPart> dataPartOf(std::string_view word)
{
    struct Words
    {
        DataPart part;
        std::string_view words; ///< each between blanks
    };
    constexpr std::array<Words, 3> kParts{
        {{DataPart::Train, " train training trn trainset trainingset traindata "},
         {DataPart::Validation, " val valid validation eval evaluation dev valset validset "
                                "validationset devset evalset "},
         {DataPart::Test, " test testing tst holdout heldout testset testingset testdata "}}};
    const std::string whole = fmt::format(" {} ", lowerCase(word));
    const auto* const found = std::ranges::find_if(
        kParts, [&](const Words& each) { return each.words.find(whole) != each.words.npos; });
    return found == kParts.end() ? std::nullopt : std::optional(found->part);
}

std::vector<std::string> lettersIn(std::string_view name)
{
    std::vector<std::string> words(1);
    bool wasSmall = false;
    for (const char letter : name) {
        const bool isCapital = std::isupper(static_cast<unsigned char>(letter)) != 0;
        if (isCapital && wasSmall) { // trainA
            words.emplace_back();
        }
        wasSmall = std::islower(static_cast<unsigned char>(letter)) != 0;
        if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
            words.back() += lowerCase(std::string_view(&letter, 1));
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

std::optional<DataPart> dataPartIn(std::string_view name)
{
    for (const std::string& word : lettersIn(name)) {
        if (const auto part = dataPartOf(word)) {
            return part;
        }
    }
    return std::nullopt;
}

std::optional<DataPart> SplitRules::testedOf(const std::set<DataPart>& there) const
{
    const DataPart other = tested == DataPart::Test ? DataPart::Validation : DataPart::Test;
    for (const DataPart part : {tested, other}) {
        if (there.contains(part)) {
            return part;
        }
    }
    return std::nullopt;
}

std::vector<bool> SplitRules::drawTested(std::size_t count, std::int32_t label) const
{
    const auto wanted = std::llround(testShare * static_cast<double>(count));
    const auto tests =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0LL, wanted)), 1, count - 1);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    PhiloxStream random(seed, RandomPurpose::Holdout, 0, static_cast<std::uint32_t>(label));
    std::vector<bool> isTested(count);
    for (std::size_t i = 0; i < tests; ++i) {
        const std::size_t drawn = i + random.below(static_cast<std::uint32_t>(count - i));
        std::swap(order[i], order[drawn]);
        isTested[order[i]] = true;
    }
    return isTested;
}

} // namespace lockstep
