// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/duplicates.h"

#include "dataset/examples/encoded_dataset.h"
#include "dataset/examples/parallel_loading.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <tuple>
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
    Candidates(const Dataset& trainingSet, const Dataset& testSet, std::int64_t stride)
    {
        test = examplesOf(testSet, stride, nullptr);
        compared = std::ssize(test);
        const auto ofTest = sizesOf(testSet, test);
        training = examplesOf(trainingSet, 1, &ofTest);
        const auto ofTraining = sizesOf(trainingSet, training);
        test = examplesOf(testSet, stride, &ofTraining);
        for (const std::int64_t index : training) {
            bytes += trainingSet.encoded() != nullptr ? bytesOf(trainingSet, index) : 0;
        }
    }

    std::vector<std::int64_t> training;
    std::vector<std::int64_t> test;
    std::int64_t compared = 0;
    std::int64_t bytes = 0; ///< on disk
};

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
    std::int64_t stride = 1;
    Candidates candidates(training, test, stride);
    while (candidates.bytes > kMostRead && stride < test.size()) {
        stride *= 2;
        candidates = Candidates(training, test, stride);
    }
    const std::size_t trained = candidates.training.size();
    std::vector<ContentHash> hashes(trained + candidates.test.size());
    loadInParallel(
        "test images that are training images", hashes.size(),
        [&](std::size_t number) {
            hashes[number] = number < trained ? hashOf(training, candidates.training[number])
                                              : hashOf(test, candidates.test[number - trained]);
        },
        progress);
    std::map<ContentHash, std::int64_t> known;
    for (std::size_t number = 0; number < trained; ++number) {
        known.emplace(hashes[number], candidates.training[number]);
    }
    Duplicates result{candidates.compared};
    for (std::size_t number = trained; number < hashes.size(); ++number) {
        if (const auto same = known.find(hashes[number]); same != known.end()) {
            if (++result.found == 1) {
                std::tie(result.test, result.training) =
                    std::pair(candidates.test[number - trained], same->second);
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
