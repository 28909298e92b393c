// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/item_folds.h"

#include "base/error.h"
#include "base/philox.h"
#include "dataset/files/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <functional>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

namespace lockstep {
namespace {

/// What has been dealt to a fold.
struct Hand
{
    std::int64_t items = 0;
    std::int64_t cleanItems = 0;
    std::int64_t defective = 0; ///< images
    std::int64_t images = 0;
};

void shuffle(std::vector<Item>& items, std::uint64_t seed)
{
    std::ranges::sort(items, {}, &Item::name);
    PhiloxStream random(seed, RandomPurpose::Folds, 0, 0);
    for (std::size_t i = items.size(); i > 1; --i) {
        std::swap(items[i - 1], items[random.below(static_cast<std::uint32_t>(i))]);
    }
}

/// A line of a file of folds.
struct FoldLine
{
    std::string item;
    int fold = 0;
    int number = 0; ///< of the line, from 1
};

/// Empty for a line that says nothing.
std::optional<FoldLine> parseLine(const std::string& text, int number, const std::string& file)
{
    std::istringstream words(text.substr(0, text.find('#')));
    FoldLine line{{}, 0, number};
    if (!(words >> line.item)) {
        return std::nullopt;
    }
    std::string rest;
    if (!(words >> line.fold) || words >> rest) {
        fail(
            ErrorCode::BadInput, "{}, line {}: '{}' is not an item and its fold, such as 'kos01 0'",
            file, number, text);
    }
    return line;
}

class FoldReader
{
public:
    FoldReader(const std::filesystem::path& file, int folds) : m_file(file.string()), m_folds(folds)
    {
    }

    void take(const FoldLine& line)
    {
        if (line.fold < 0 || line.fold >= m_folds) {
            fail(
                ErrorCode::BadInput, "{}, line {}: fold {} of item '{}', but the folds are 0 to {}",
                m_file, line.number, line.fold, line.item, m_folds - 1);
        }
        const auto [earlier, isNew] = m_lines.emplace(line.item, line);
        if (!isNew && earlier->second.fold != line.fold) {
            fail(
                ErrorCode::BadInput,
                "{}, line {}: item '{}' is in fold {}, and in fold {} by line {}; all images of an "
                "item belong in one fold",
                m_file, line.number, line.item, line.fold, earlier->second.fold,
                earlier->second.number);
        }
    }

    [[nodiscard]] ItemFolds foldsOf(const std::vector<Item>& items) const
    {
        ItemFolds folds;
        for (const Item& item : items) {
            const auto line = m_lines.find(item.name);
            if (line == m_lines.end()) {
                fail(
                    ErrorCode::BadInput, "{}: item '{}' has no fold; add a line '{} 0'", m_file,
                    item.name, item.name);
            }
            folds[item.name] = line->second.fold;
        }
        return folds;
    }

private:
    std::string m_file;
    int m_folds;
    std::map<std::string, FoldLine> m_lines;
};

} // namespace

ItemFolds dealItems(std::vector<Item> items, int folds, std::uint64_t seed)
{
    if (std::cmp_less(items.size(), folds)) {
        fail(
            ErrorCode::BadInput, "{} items can't be dealt to {} folds; {}", items.size(), folds,
            items.size() < 2 ? "at least 2 are needed, one to train and one to test on"
                             : "set dataset.folds to at most the number of items");
    }
    shuffle(items, seed);
    std::ranges::stable_sort(items, std::greater(), [](const Item& item) {
        return std::tuple(item.defective, item.images);
    });
    std::vector<Hand> hands(static_cast<std::size_t>(folds));
    ItemFolds result;
    for (const Item& item : items) {
        const bool isClean = item.defective == 0;
        const auto hand = std::ranges::min_element(hands, {}, [&](const Hand& each) {
            // Of folds with as many items, those that got one defective item more come first.
            return std::tuple(
                each.items, each.cleanItems, isClean ? 0 : each.defective, each.images);
        });
        ++hand->items;
        hand->cleanItems += isClean ? 1 : 0;
        hand->defective += item.defective;
        hand->images += item.images;
        result[item.name] = static_cast<int>(hand - hands.begin());
    }
    return result;
}

std::optional<int> usableFolds(const std::vector<Item>& items, int most, std::uint64_t seed)
{
    const auto isUsable = [&](int count) {
        std::vector<Hand> hands(static_cast<std::size_t>(count));
        for (const auto folds = dealItems(items, count, seed); const Item& item : items) {
            Hand& hand = hands[static_cast<std::size_t>(folds.at(item.name))];
            hand.defective += item.defective;
            hand.images += item.images;
        }
        // What the others train on has both, too, as there are two folds at least.
        return std::ranges::all_of(hands, [](const Hand& hand) {
            return hand.defective > 0 && hand.defective < hand.images;
        });
    };
    // Each fold needs an item for each.
    const auto defective =
        std::ranges::count_if(items, [](const Item& item) { return item.defective > 0; });
    const auto clean =
        std::ranges::count_if(items, [](const Item& item) { return item.defective < item.images; });
    for (auto count = static_cast<int>(std::min({std::ptrdiff_t{most}, defective, clean}));
         count > 1; --count) {
        if (isUsable(count)) {
            return count;
        }
    }
    return std::nullopt;
}

ItemFolds readItemFolds(
    const std::filesystem::path& file, const std::vector<Item>& items, int folds)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        fail(ErrorCode::Io, "{}: is not there (dataset.folds_file)", file.string());
    }
    std::istringstream stream(readTextFile(file).text);
    FoldReader reader(file, folds);
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        if (const auto line = parseLine(text, number, file.string())) {
            reader.take(*line);
        }
    }
    return reader.foldsOf(items);
}

} // namespace lockstep
