// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/item_folds.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

namespace lockstep {
namespace {

/// What has been dealt to a fold.
struct Hand
{
    std::int64_t defective = 0;
    std::int64_t images = 0;

    bool operator<(const Hand& other) const
    {
        return std::tie(defective, images) < std::tie(other.defective, other.images);
    }
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
            ErrorCode::BadInput,
            "{} items can't be dealt to {} folds; set dataset.folds to at most "
            "the number of items",
            items.size(), folds);
    }
    shuffle(items, seed);
    std::ranges::stable_sort(items, std::greater(), &Item::defective);
    std::vector<Hand> hands(static_cast<std::size_t>(folds));
    ItemFolds result;
    for (const Item& item : items) {
        const auto hand = std::ranges::min_element(hands, std::less());
        hand->defective += item.defective;
        hand->images += item.images;
        result[item.name] = static_cast<int>(hand - hands.begin());
    }
    return result;
}

ItemFolds readItemFolds(
    const std::filesystem::path& file, const std::vector<Item>& items, int folds)
{
    errno = 0;
    std::ifstream stream(file);
    if (!stream) {
        fail(ErrorCode::Io, "{}: can't be read{} (dataset.folds_file)", file.string(), errnoText());
    }
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
