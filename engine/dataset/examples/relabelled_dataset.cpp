// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/relabelled_dataset.h"

#include "base/error.h"
#include "base/text_bytes.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/encoded_dataset.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

using Parts = std::vector<std::shared_ptr<const Dataset>>;

/// An example of one of the parts.
struct Place
{
    std::size_t part = 0;
    std::int64_t index = 0;
};

Place placeIn(const Parts& parts, std::int64_t index)
{
    std::size_t part = 0;
    while (index >= parts[part]->size()) {
        index -= parts[part++]->size();
    }
    return {part, index};
}

/// By part, the network's label of each label of the data.
using Numbers = std::vector<std::vector<std::int32_t>>;

class RelabelledImages final : public Dataset
{
public:
    RelabelledImages(Parts parts, const std::vector<std::string>& names, Numbers numbers)
        : m_parts(std::move(parts)), m_numbers(std::move(numbers)), m_info(m_parts.front()->info())
    {
        m_info.classNames = names;
        for (const auto& part : m_parts) {
            m_size += part->size();
        }
    }

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return m_size; }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        const Place place = placeIn(m_parts, index);
        ExampleView example = m_parts[place.part]->example(place.index);
        example.label = m_numbers[place.part][static_cast<std::size_t>(example.label)];
        return example;
    }
    [[nodiscard]] std::string exampleName(std::int64_t index) const override
    {
        const Place place = placeIn(m_parts, index);
        return m_parts[place.part]->exampleName(place.index);
    }

private:
    Parts m_parts;
    Numbers m_numbers;
    DatasetInfo m_info;
    std::int64_t m_size = 0;
};

class RelabelledPhotographs final : public EncodedDataset
{
public:
    RelabelledPhotographs(
        Parts parts, const std::vector<std::string>& names, const Numbers& numbers)
        : EncodedDataset(
            parts.front()->info().name, Split::Test,
            EncodedDataset::of(*parts.front()).pixelRules()),
          m_parts(std::move(parts))
    {
        setClassNames(names);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            addAll(EncodedDataset::of(*m_parts[i]), numbers[i]);
        }
        checkDamage(DamagedImages::SkipAll, info().name);
    }

    void read(std::int64_t index, EncodedImage& image) const override
    {
        const Place place = placeIn(m_parts, index);
        EncodedDataset::of(*m_parts[place.part]).read(place.index, image);
    }
    [[nodiscard]] std::string fullName(std::int64_t index) const override
    {
        const Place place = placeIn(m_parts, index);
        return EncodedDataset::of(*m_parts[place.part]).fullName(place.index);
    }
    [[nodiscard]] std::string exampleName(std::int64_t index) const override
    {
        const Place place = placeIn(m_parts, index);
        return m_parts[place.part]->exampleName(place.index);
    }

private:
    Parts m_parts;
};

std::vector<std::int32_t> byNumber(const Dataset& part, std::size_t known)
{
    const std::vector<std::int64_t> counts = examplesPerClass(part);
    for (std::size_t label = known; label < counts.size() && known > 0; ++label) {
        if (counts[label] > 0) {
            fail(
                ErrorCode::BadInput,
                "the data have images of label {} and do not name their classes, and the network "
                "was trained on {}: it can't be told which label means what",
                label, known);
        }
    }
    std::vector<std::int32_t> numbers(counts.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

std::vector<std::int32_t> byName(const Dataset& part, const std::vector<std::string>& known)
{
    const std::vector<std::string>& names = part.info().classNames;
    const std::vector<std::int64_t> counts = examplesPerClass(part);
    std::multimap<std::string_view, std::size_t> labels;
    for (std::size_t label = 0; label < known.size(); ++label) {
        labels.emplace(known[label], label);
    }
    std::vector<std::int32_t> numbers;
    std::vector<std::string> unknown;
    for (std::size_t label = 0; label < names.size(); ++label) {
        // Two classes may have one name, as in ImageNet: then their place tells them apart.
        const bool isInPlace = label < known.size() && known[label] == names[label];
        const auto found = labels.find(names[label]);
        const std::size_t number = isInPlace ? label : found == labels.end() ? 0 : found->second;
        numbers.push_back(static_cast<std::int32_t>(number));
        if (found == labels.end() && counts[label] > 0) {
            unknown.push_back(names[label]);
        }
        if (!isInPlace && labels.count(names[label]) > 1 && counts[label] > 0) {
            fail(
                ErrorCode::BadInput,
                "several classes of the network are called '{}', and the data have them in another "
                "order: it can't be told which is which",
                names[label]);
        }
    }
    if (!unknown.empty()) {
        std::vector<std::string> lacking = known;
        std::erase_if(lacking, [&](const std::string& name) {
            return std::ranges::find(names, name) != names.end();
        });
        std::string alike;
        for (const std::string& name : unknown) {
            const auto same = std::ranges::find(known, seenOf(name), seenOf);
            if (same != known.end() && alike.empty()) {
                alike = fmt::format(
                    "; {} differs from {} only by case, by how accents are written or by blanks",
                    name, *same);
            }
        }
        fail(
            ErrorCode::BadInput,
            "the data have classes that the network was not trained on: {}; it was trained on {}, "
            "of which the data lack {}; call the classes as they were called then, or take away "
            "those that it does not know{}",
            someOf(unknown), someOf(known), lacking.empty() ? "none" : someOf(lacking), alike);
    }
    return numbers;
}

} // namespace

bool isUnnamed(const std::vector<std::string>& names, const std::string& dataset)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] != std::to_string(i)) {
            return false;
        }
    }
    return dataset == "tfrecord";
}

std::shared_ptr<const Dataset> relabelled(
    Parts parts, const std::vector<std::string>& known, bool& isByNumber)
{
    const std::string kind = parts.front()->info().name;
    const bool isKnown = !known.empty() && !isUnnamed(known, kind);
    Numbers numbers;
    std::vector<std::string> names = known;
    bool isSame = parts.size() == 1;
    for (const auto& part : parts) {
        const std::vector<std::string>& own = part->info().classNames;
        const bool hasNames = isKnown && !isUnnamed(own, kind);
        numbers.push_back(hasNames ? byName(*part, known) : byNumber(*part, known.size()));
        isByNumber = isByNumber || (!hasNames && own != known);
        names = filledClassNames(names, own);
        isSame = isSame && own == known;
    }
    if (isKnown) {
        names = known;
    }
    if (isSame) {
        return parts.front();
    }
    if (parts.front()->encoded() != nullptr) {
        return std::make_shared<RelabelledPhotographs>(std::move(parts), names, numbers);
    }
    return std::make_shared<RelabelledImages>(std::move(parts), names, std::move(numbers));
}

} // namespace lockstep
