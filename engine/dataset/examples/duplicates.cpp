// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/duplicates.h"

#include "dataset/examples/encoded_dataset.h"
#include "dataset/examples/parallel_loading.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep {
namespace {

/// What a slow disk reads in half a minute.
constexpr std::int64_t kMostRead = std::int64_t{4} << 30U;

std::int64_t bytesOf(const Dataset& dataset, std::int64_t index)
{
    const EncodedDataset* const encoded = dataset.encoded();
    return encoded != nullptr ? encoded->imageBytes(index)
                              : std::ssize(dataset.example(index).pixels);
}

std::unordered_set<std::int64_t> sizesOf(
    const Dataset& dataset, const std::vector<std::int64_t>& indices)
{
    std::unordered_set<std::int64_t> sizes;
    for (const std::int64_t index : indices) {
        sizes.insert(bytesOf(dataset, index));
    }
    return sizes;
}

/// Every `stride`-th example whose size is one of these.
std::vector<std::int64_t> examplesOf(
    const Dataset& dataset, std::int64_t stride, const std::unordered_set<std::int64_t>* sizes)
{
    std::vector<std::int64_t> indices;
    for (std::int64_t index = 0; index < dataset.size(); index += stride) {
        if (sizes == nullptr || sizes->contains(bytesOf(dataset, index))) {
            indices.push_back(index);
        }
    }
    return indices;
}

/// What has to be read.
struct Candidates
{
    /// Of the test set every `testStride`-th example is looked for; of the training set those of
    /// their sizes, and of one in `sizeStride` of the other sizes (0: none).
    Candidates(
        const Dataset& trainingSet, const Dataset& testSet, std::int64_t testStride,
        std::uint64_t sizeStride)
        : test(examplesOf(testSet, testStride, nullptr)), compared(std::ssize(test))
    {
        const auto ofTest = sizesOf(testSet, test);
        std::unordered_map<std::int64_t, std::int64_t> counts;
        for (std::int64_t index = 0; index < trainingSet.size(); ++index) {
            ++counts[bytesOf(trainingSet, index)];
        }
        for (std::int64_t index = 0; index < trainingSet.size(); ++index) {
            const std::int64_t size = bytesOf(trainingSet, index);
            const bool isOfTest = ofTest.contains(size);
            const bool isChosen =
                isOfTest || (sizeStride > 0 && XXH3_64bits(&size, sizeof(size)) % sizeStride == 0);
            trained += isChosen ? 1 : 0;
            if (isOfTest || (isChosen && counts.at(size) > 1)) {
                training.push_back(index);
                bytes += trainingSet.encoded() != nullptr ? size : 0;
            }
        }
        const auto ofTraining = sizesOf(trainingSet, training);
        test = examplesOf(testSet, testStride, &ofTraining);
    }

    std::vector<std::int64_t> test;
    std::int64_t compared = 0; ///< test examples
    std::vector<std::int64_t> training;
    std::int64_t trained = 0; ///< training examples that are compared with each other
    std::int64_t bytes = 0;   ///< on disk
};

/// As many as may be read.
Candidates candidatesOf(const Dataset& training, const Dataset& test)
{
    std::int64_t testStride = 1;
    while (Candidates(training, test, testStride, 0).bytes > kMostRead
           && testStride < test.size()) {
        testStride *= 2;
    }
    std::uint64_t sizeStride = 1;
    Candidates candidates(training, test, testStride, sizeStride);
    constexpr std::uint64_t kMostStride = 1U << 16U;
    while (candidates.bytes > kMostRead && sizeStride < kMostStride) {
        sizeStride *= 2;
        candidates = Candidates(training, test, testStride, sizeStride);
    }
    return candidates;
}

/// Of the size in pixels and the content; without a size of its own, as a file has none, of this.
using ContentHash = std::pair<std::uint64_t, std::uint64_t>;

ContentHash hashOf(const Dataset& dataset, std::int64_t index)
{
    const auto hash = [](auto bytes, std::int64_t height) {
        const XXH128_hash_t made = XXH3_128bits_withSeed(
            bytes.data(), bytes.size_bytes(), static_cast<std::uint64_t>(height));
        return ContentHash(made.high64, made.low64);
    };
    if (const EncodedDataset* const encoded = dataset.encoded()) {
        EncodedImage image;
        encoded->read(index, image);
        return hash(std::span(image.file), 0);
    }
    const ExampleView example = dataset.example(index);
    return hash(example.pixels, shapeOf(dataset.info(), example).height);
}

} // namespace

Duplicates findDuplicates(
    const Dataset& training, const Dataset& test, const LoadProgress& progress)
{
    const Candidates candidates = candidatesOf(training, test);
    const std::size_t trained = candidates.training.size();
    std::vector<ContentHash> hashes(trained + candidates.test.size());
    loadInParallel(
        "images that are there twice", hashes.size(),
        [&](std::size_t number) {
            hashes[number] = number < trained ? hashOf(training, candidates.training[number])
                                              : hashOf(test, candidates.test[number - trained]);
        },
        progress);
    Duplicates result{.compared = candidates.compared, .trained = candidates.trained};
    const auto labelOf = [](const Dataset& dataset, std::int64_t index) {
        return dataset.example(index).label;
    };
    std::map<ContentHash, std::vector<std::int64_t>> known;
    for (std::size_t number = 0; number < trained; ++number) {
        known[hashes[number]].push_back(candidates.training[number]);
    }
    // The first of the set whose label is another one.
    const auto other = [&](const std::vector<std::int64_t>& same, std::int32_t label) {
        return std::ranges::find_if(
            same, [&](std::int64_t each) { return labelOf(training, each) != label; });
    };
    for (std::size_t number = 0; number < trained; ++number) {
        const std::int64_t index = candidates.training[number];
        const auto& same = known.at(hashes[number]);
        result.repeated += same.front() != index ? 1 : 0;
        if (const auto at = other(same, labelOf(training, index)); at != same.end()) {
            if (++result.ambiguous == 1) {
                result.firstAmbiguous = {index, *at};
            }
        }
    }
    for (std::size_t number = trained; number < hashes.size(); ++number) {
        const auto found = known.find(hashes[number]);
        if (found == known.end()) {
            continue;
        }
        const std::int64_t index = candidates.test[number - trained];
        const auto& same = found->second;
        if (++result.found == 1) {
            result.first = {index, same.front()};
        }
        if (const auto at = other(same, labelOf(test, index)); at != same.end()) {
            if (++result.otherLabel == 1) {
                result.firstOther = {index, *at};
            }
        }
    }
    return result;
}

std::string imageName(const Dataset& dataset, std::int64_t index)
{
    const EncodedDataset* const encoded = dataset.encoded();
    return encoded != nullptr ? encoded->fullName(index) : dataset.exampleName(index);
}

} // namespace lockstep
