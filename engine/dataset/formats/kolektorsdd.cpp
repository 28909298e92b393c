// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/kolektorsdd.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "dataset/formats/dilation.h"
#include "dataset/formats/image_pairs.h"
#include "dataset/formats/item_folds.h"
#include "dataset/formats/masked_images.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

/// Beyond this a disk or the memory is what takes the time.
constexpr int kMostThreads = 8;

/// Reads files on several threads and tells how far it is.
class Loader
{
public:
    Loader(const FileTree& tree, const LoadProgress& progress)
        : m_tree(tree), m_progress(progress),
          m_team("data", std::min(ThreadTeam::processors(), kMostThreads), false)
    {
    }

    /// Calls visit(number, content) once for each file, on any thread. The first half of the work
    /// is the first call, the second the second.
    void read(const std::vector<std::string>& names, const FileTree::Visitor& visit)
    {
        m_done = 0;
        m_files = names.size();
        const auto threads = static_cast<std::size_t>(m_team.size());
        m_team.run([&](int thread) {
            // Neighbours share a thread: they lie close to each other.
            const std::size_t first = names.size() * static_cast<std::size_t>(thread) / threads;
            const std::size_t end = names.size() * static_cast<std::size_t>(thread + 1) / threads;
            const auto share = std::span(names).subspan(first, end - first);
            m_tree.read(share, [&](std::size_t number, const std::vector<std::byte>& content) {
                visit(first + number, content);
                ++m_done;
                report(thread);
            });
        });
        m_halves += 0.5;
    }

private:
    void report(int thread)
    {
        // One thread speaks for all.
        const double done = static_cast<double>(m_done) / static_cast<double>(m_files);
        if (thread == 0 && m_progress && !m_progress(m_halves + done / 2.0)) {
            m_isCancelled = true;
        }
        if (m_isCancelled) {
            fail(ErrorCode::Cancelled, "{}: the loading was cancelled", m_tree.root().string());
        }
    }

    const FileTree& m_tree;
    const LoadProgress& m_progress;
    ThreadTeam m_team;
    double m_halves = 0.0;
    std::size_t m_files = 0;
    std::atomic<std::size_t> m_done{0};
    std::atomic<bool> m_isCancelled{false};
};

/// A pair with what its label says.
struct LabelledPair
{
    ImagePair pair;
    GrayImage mask; ///< without pixels where nothing is marked
};

std::vector<LabelledPair> readLabels(
    const FileTree& tree, std::vector<ImagePair> pairs, Loader& loader)
{
    // Those of images without a label come last, and are not read.
    std::ranges::stable_partition(pairs, [](const ImagePair& pair) { return !pair.label.empty(); });
    std::vector<LabelledPair> labelled(pairs.size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!pairs[i].label.empty()) {
            names.push_back(pairs[i].label);
        }
        labelled[i].pair = std::move(pairs[i]);
    }
    loader.read(names, [&](std::size_t number, const std::vector<std::byte>& content) {
        GrayImage mask = decodeMask(content, tree.fullName(names[number]));
        if (std::ranges::find(mask.pixels, 1) == mask.pixels.end()) {
            mask.pixels = {};
        }
        labelled[number].mask = std::move(mask);
    });
    std::ranges::sort(labelled, {}, [](const LabelledPair& each) { return each.pair.name; });
    return labelled;
}

std::vector<Item> itemsOf(const std::vector<LabelledPair>& pairs)
{
    std::map<std::string, Item> items;
    for (const LabelledPair& labelled : pairs) {
        Item& item = items[labelled.pair.item];
        item.name = labelled.pair.item;
        ++item.images;
        item.defective += labelled.mask.pixels.empty() ? 0 : 1;
    }
    std::vector<Item> result;
    result.reserve(items.size());
    for (auto& [name, item] : items) {
        result.push_back(std::move(item));
    }
    return result;
}

bool isMarked(const LabelledPair& labelled)
{
    return !labelled.mask.pixels.empty();
}

/// The part that the data's own folders set apart for the test, if one can train on the others:
/// MVTec AD has nothing marked there.
std::optional<DataPart> testedPart(
    const std::vector<LabelledPair>& pairs, const MaskedDataSettings& settings)
{
    std::set<DataPart> there;
    bool isTrainable = false;
    for (const LabelledPair& each : pairs) {
        if (!each.pair.part) {
            return std::nullopt;
        }
        there.insert(*each.pair.part);
        isTrainable = isTrainable || (each.pair.part == DataPart::Train && isMarked(each));
    }
    return isTrainable ? SplitRules{settings.tested}.testedOf(there) : std::nullopt;
}

/// Leaves those of the split; returns how it was told from the other one.
std::string keepSplit(
    std::vector<LabelledPair>& pairs, Split split, const MaskedDataSettings& settings)
{
    if (settings.fold == MaskedDataSettings::kNoFold) {
        return "; all are trained on and tested on, as dataset.fold = -1 says";
    }
    if (const auto tested = testedPart(pairs, settings)) {
        if (settings.fold != 0) {
            fail(
                ErrorCode::BadInput,
                "dataset.fold is {}, but the data have folders of their own to train and to test "
                "on; leave it at 0, or at -1 for all images in both",
                settings.fold);
        }
        std::erase_if(pairs, [&](const LabelledPair& each) {
            return each.pair.part != (split == Split::Test ? *tested : DataPart::Train);
        });
        return "; their own folders say which are tested on";
    }
    const bool hasParts = std::ranges::any_of(
        pairs, [](const LabelledPair& each) { return each.pair.part.has_value(); });
    const std::vector<Item> items = itemsOf(pairs);
    const ItemFolds folds = settings.foldsFile.empty()
                                ? dealItems(items, settings.folds, settings.seed)
                                : readItemFolds(settings.foldsFile, items, settings.folds);
    std::erase_if(pairs, [&](const LabelledPair& labelled) {
        const bool isTest = folds.at(labelled.pair.item) == settings.fold;
        return isTest != (split == Split::Test);
    });
    return fmt::format(
        "; fold {} of {} is tested on{}", settings.fold, settings.folds,
        hasParts ? ", because nothing is marked in their own folder to train on" : "");
}

void checkClasses(
    const std::vector<LabelledPair>& pairs, const std::string& name, Split split,
    const MaskedDataSettings& settings)
{
    const auto defective = std::ranges::count_if(pairs, isMarked);
    if (defective == 0 || defective == std::ssize(pairs)) {
        fail(
            ErrorCode::Data,
            "data set {}, {} split of fold {}: {} images, of which {} are defective; it needs both "
            "defective and clean ones: choose another dataset.fold, dataset.folds or seed",
            name, toString(split), settings.fold, pairs.size(), defective);
    }
}

std::vector<MaskedImage> readImages(
    const FileTree& tree, Loader& loader, std::vector<LabelledPair> pairs, int dilation)
{
    std::vector<MaskedImage> images(pairs.size());
    std::vector<std::string> names;
    names.reserve(pairs.size());
    for (const LabelledPair& labelled : pairs) {
        names.push_back(labelled.pair.image);
    }
    loader.read(names, [&](std::size_t number, const std::vector<std::byte>& content) {
        const ImagePair& pair = pairs[number].pair;
        GrayImage& mask = pairs[number].mask;
        GrayImage image = decodeGray(content, tree.fullName(pair.image));
        const bool isSame = image.height == mask.height && image.width == mask.width;
        if (!isSame && !pair.label.empty()) {
            fail(
                ErrorCode::Data,
                "{}: the label has {} x {} pixels (height x width), its image {} x {}; they must "
                "have the same size",
                tree.fullName(pair.label), mask.height, mask.width, image.height, image.width);
        }
        if (!mask.pixels.empty()) {
            dilate(mask, dilation);
        }
        images[number] = {pair.name, std::move(image), std::move(mask.pixels)};
    });
    return images;
}

} // namespace

void MaskedDataSettings::validate() const
{
    constexpr int kMostFolds = 100;
    if (folds < 2 || folds > kMostFolds) {
        fail(
            ErrorCode::BadInput, "dataset.folds is {}, but must be between 2 and {}", folds,
            kMostFolds);
    }
    if (fold < kNoFold || fold >= folds) {
        fail(
            ErrorCode::BadInput,
            "dataset.fold is {}, but must be between 0 and {} (dataset.folds is {}), or -1 for all "
            "images in training and test",
            fold, folds - 1, folds);
    }
    checkDilation(dilation);
}

std::unique_ptr<Dataset> openMaskedImages(
    const std::string& name, const std::filesystem::path& path, Split split,
    const MaskedDataSettings& settings, const LoadProgress& progress)
{
    settings.validate();
    const FileTree tree(path);
    Loader loader(tree, progress);
    ImagePairs found = findImagePairs(tree);
    std::vector<LabelledPair> pairs = readLabels(tree, std::move(found.pairs), loader);
    const std::string splitText = keepSplit(pairs, split, settings);
    checkClasses(pairs, name, split, settings);
    return std::make_unique<MaskedImages>(
        name, split, readImages(tree, loader, std::move(pairs), settings.dilation),
        found.layout + splitText);
}

std::unique_ptr<Dataset> openKolektorSdd(
    const std::filesystem::path& path, Split split, const MaskedDataSettings& settings,
    const LoadProgress& progress)
{
    return openMaskedImages("kolektorsdd", path, split, settings, progress);
}

} // namespace lockstep
