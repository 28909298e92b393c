// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/kolektorsdd.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "dataset/codecs/colour_image.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/examples/class_names.h"
#include "dataset/formats/dilation.h"
#include "dataset/formats/image_pairs.h"
#include "dataset/formats/item_folds.h"
#include "dataset/formats/masked_images.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
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
    GrayImage mask;      ///< without pixels where nothing is marked
    int orientation = 1; ///< that the mask's own file notes, as exifOrientation has it
};

std::vector<LabelledPair> readLabels(
    const FileTree& tree, std::vector<ImagePair> pairs, Loader& loader,
    const MaskedDataSettings& settings, MaskSurvey& survey)
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
    const MaskRules rules{
        settings.maskThreshold, settings.maskBackground == MaskBackground::White, settings.pixels};
    std::mutex lock;
    loader.read(names, [&](std::size_t number, const std::vector<std::byte>& content) {
        const std::string name = tree.fullName(names[number]);
        MaskImage mask = decodeMask(content, name, rules);
        {
            const std::lock_guard guard(lock);
            survey.take(mask, name);
        }
        if (std::ranges::find(mask.pixels, 1) == mask.pixels.end()) {
            mask.pixels = {};
        }
        labelled[number].orientation = exifOrientation(content, settings.pixels);
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

/// What the data's own folders say.
struct OwnParts
{
    std::map<DataPart, std::int64_t> images;
    std::vector<std::string> strays; ///< images that lie in none of the parts
    bool isTrainable = false;        ///< MVTec AD has nothing marked to train on
};

OwnParts ownPartsOf(const std::vector<LabelledPair>& pairs)
{
    OwnParts own;
    for (const LabelledPair& each : pairs) {
        if (!each.pair.part) {
            own.strays.push_back(each.pair.image);
            continue;
        }
        ++own.images[*each.pair.part];
        own.isTrainable = own.isTrainable || (each.pair.part == DataPart::Train && isMarked(each));
    }
    return own;
}

/// The part that they set apart for the test, if one can train on the others. Throws
/// Error(BadInput) if images lie beside the part to train on and none is to test on.
std::optional<DataPart> testedPart(
    const OwnParts& own, const MaskedDataSettings& settings, const std::string& root)
{
    std::set<DataPart> there;
    for (const auto& [part, images] : own.images) {
        there.insert(part);
    }
    const auto tested = SplitRules{settings.tested}.testedOf(there);
    if (own.isTrainable && !tested && !own.strays.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: images lie in a folder to train on and elsewhere, but in none called val or test: "
            "{}; call the folder of those to test on so, or put all into one place to have them "
            "dealt into folds",
            root, someOf(own.strays));
    }
    return own.isTrainable ? tested : std::nullopt;
}

/// How a split was told from the other one, for people.
struct Splitting
{
    std::string text;
    std::string wayOut = {};  ///< what gives a split defective or clean images that it lacks
    std::string warning = {}; ///< of other folds
    bool isDrawn = false;     ///< as DatasetInfo
};

/// What helps a fold that lacks some; `usable` is what usableFolds says.
std::string wayOutOfFolds(
    const std::vector<Item>& items, std::optional<int> usable, const MaskedDataSettings& settings)
{
    if (!settings.foldsFile.empty()) {
        return fmt::format("give others in {} (dataset.folds_file)", settings.foldsFile.string());
    }
    if (usable) {
        return fmt::format("set dataset.folds = {}", *usable);
    }
    const auto defective =
        std::ranges::count_if(items, [](const Item& item) { return item.defective > 0; });
    const auto clean =
        std::ranges::count_if(items, [](const Item& item) { return item.defective < item.images; });
    if (std::min(defective, clean) > 1) {
        return "no number of folds gives each of them both; say which are to be theirs "
               "(dataset.folds_file)";
    }
    return fmt::format(
        "only one of {} items has {}, and at least 2 are needed, one to train and one to test on; "
        "dataset.fold = -1 trains and tests on all",
        items.size(), defective < 2 ? "a defective image" : "a clean image");
}

/// Leaves those of the split.
Splitting keepSplit(
    std::vector<LabelledPair>& pairs, Split split, const MaskedDataSettings& settings,
    const std::string& root)
{
    if (settings.fold == MaskedDataSettings::kNoFold) {
        return {"; all are trained on and tested on, as dataset.fold = -1 says"};
    }
    const OwnParts own = ownPartsOf(pairs);
    if (const auto tested = testedPart(own, settings, root)) {
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
        const bool isTest = *tested == DataPart::Test;
        const auto other = own.images.find(isTest ? DataPart::Validation : DataPart::Test);
        Splitting splitting{
            fmt::format(
                "; their own folders say which are tested on, those of {}{}",
                kTestedPartNames[isTest ? 1 : 0],
                other == own.images.end() ? ""
                                          : fmt::format(
                                              ", {} of {} are held back", other->second,
                                              kTestedPartNames[isTest ? 0 : 1])),
            "put some in the folder of this split, or all in one without train and test"};
        if (!own.strays.empty()) {
            splitting.warning =
                fmt::format("not used, as they lie in no folder of a part: {}", someOf(own.strays));
        }
        return splitting;
    }
    const bool hasParts = own.images.contains(DataPart::Train);
    const std::vector<Item> items = itemsOf(pairs);
    const ItemFolds folds = settings.foldsFile.empty()
                                ? dealItems(items, settings.folds, settings.seed)
                                : readItemFolds(settings.foldsFile, items, settings.folds);
    std::erase_if(pairs, [&](const LabelledPair& labelled) {
        const bool isTest = folds.at(labelled.pair.item) == settings.fold;
        return isTest != (split == Split::Test);
    });
    const auto usable = usableFolds(items, settings.folds, settings.seed);
    Splitting splitting{
        fmt::format(
            "; fold {} of {} is tested on{}", settings.fold, settings.folds,
            hasParts ? ", because nothing is marked in their own folder to train on" : ""),
        wayOutOfFolds(items, usable, settings)};
    splitting.isDrawn = true;
    if (settings.foldsFile.empty() && usable && *usable < settings.folds) {
        splitting.warning = fmt::format(
            "not all of the {} folds have both defective and clean images; with dataset.folds = {} "
            "all have",
            settings.folds, *usable);
    }
    return splitting;
}

/// Throws unless some images are marked and some are not, for which no split helps.
void checkMarks(
    const std::vector<LabelledPair>& pairs, const FileTree& tree, const MaskSurvey& survey,
    const MaskedDataSettings& settings)
{
    const auto defective = std::ranges::count_if(pairs, isMarked);
    if (defective > 0 && defective < std::ssize(pairs)) {
        return;
    }
    std::string wayOut =
        defective > 0 ? "add images without a defect, with an empty mask"
        : settings.maskThreshold > survey.brightest() && survey.brightest() > 0
            ? fmt::format(
                "the brightest value of a mask is {}, below dataset.mask_threshold = {}",
                survey.brightest(), settings.maskThreshold)
            : "no mask differs anywhere from its background (transparency does not count)";
    for (const std::string& warning : survey.warnings()) {
        wayOut += "; " + warning;
    }
    fail(
        ErrorCode::Data,
        "{}: {} of {} images are defective, and both defective and clean ones are needed: {}",
        tree.root().string(), defective, pairs.size(), wayOut);
}

void checkClasses(
    const std::vector<LabelledPair>& pairs, const std::string& name, Split split,
    const Splitting& splitting, const MaskedDataSettings& settings)
{
    const auto defective = std::ranges::count_if(pairs, isMarked);
    if (defective == 0 || defective == std::ssize(pairs)) {
        fail(
            ErrorCode::Data,
            "data set {}, {} split of fold {}: {} images, of which {} are defective; it needs both "
            "defective and clean ones: {}",
            name, toString(split), settings.fold, pairs.size(), defective, splitting.wayOut);
    }
}

/// What is to be known of the images of a split, once all are read.
struct ImageSurvey
{
    std::vector<int> bits;       ///< of each, as unsaidBits has it
    std::vector<char> isUnclear; ///< of each: it is turned otherwise than its label, which fits

    void tell(const std::vector<std::string>& names, DataAccount& account) const
    {
        if (std::string warning = bitsWarning(std::ranges::max(bits)); !warning.empty()) {
            account.warn(std::move(warning));
        }
        if (const auto first = std::ranges::find(isUnclear, 1); first != isUnclear.end()) {
            account.warn(fmt::format(
                "of {} images, such as {}, the camera noted that they are turned otherwise than "
                "their masks (EXIF); if these were drawn on the images as they are stored, set "
                "dataset.orientation = stored",
                std::ranges::count(isUnclear, 1),
                names[static_cast<std::size_t>(first - isUnclear.begin())]));
        }
    }
};

std::vector<MaskedImage> readImages(
    const FileTree& tree, Loader& loader, std::vector<LabelledPair> pairs,
    const MaskedDataSettings& settings, DataAccount& account)
{
    std::vector<MaskedImage> images(pairs.size());
    ImageSurvey survey{std::vector<int>(pairs.size()), std::vector<char>(pairs.size())};
    std::vector<std::string> names;
    names.reserve(pairs.size());
    for (const LabelledPair& labelled : pairs) {
        names.push_back(labelled.pair.image);
    }
    loader.read(names, [&](std::size_t number, const std::vector<std::byte>& content) {
        const ImagePair& pair = pairs[number].pair;
        GrayImage& mask = pairs[number].mask;
        const std::string name = tree.fullName(pair.image);
        GrayImage image = decodeGray(content, name, settings.pixels);
        const int orientation = exifOrientation(content, settings.pixels);
        const ImageSize stored = turnedSize({image.height, image.width}, orientation);
        const ImageSize maskSize{mask.height, mask.width};
        const bool isSame = image.height == mask.height && image.width == mask.width;
        if (!isSame && !pair.label.empty() && stored == maskSize) {
            fail(
                ErrorCode::Data,
                "{}: is turned to {} × {} pixels (height × width) as its camera noted (EXIF), but "
                "its label {} has {} × {}, as it is stored; set dataset.orientation = stored if "
                "all "
                "labels are so, or turn the label",
                name, image.height, image.width, tree.fullName(pair.label), mask.height,
                mask.width);
        }
        if (!isSame && !pair.label.empty()) {
            fail(
                ErrorCode::Data,
                "{}: the label has {} × {} pixels (height × width), its image {} × {}; they must "
                "have the same size",
                tree.fullName(pair.label), mask.height, mask.width, image.height, image.width);
        }
        survey.bits[number] = unsaidBits(content, name, settings.pixels);
        survey.isUnclear[number] =
            !pair.label.empty() && stored == maskSize && orientation != pairs[number].orientation
                ? 1
                : 0;
        if (!mask.pixels.empty()) {
            dilate(mask, settings.dilation);
        }
        images[number] = {pair.name, std::move(image), std::move(mask.pixels)};
    });
    survey.tell(names, account);
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
    constexpr int kMostValue = 255;
    if (maskThreshold < 1 || maskThreshold > kMostValue) {
        fail(
            ErrorCode::BadInput, "dataset.mask_threshold is {}, but must be between 1 and {}",
            maskThreshold, kMostValue);
    }
}

std::unique_ptr<Dataset> openMaskedImages(
    const std::string& name, const std::filesystem::path& path, Split split,
    const MaskedDataSettings& settings, const LoadProgress& progress)
{
    settings.validate();
    const FileTree tree(path);
    Loader loader(tree, progress);
    ImagePairs found = findImagePairs(tree);
    MaskSurvey survey(settings.maskThreshold, settings.maskBackground);
    std::vector<LabelledPair> pairs =
        readLabels(tree, std::move(found.pairs), loader, settings, survey);
    survey.checkBackground();
    checkMarks(pairs, tree, survey, settings);
    const Splitting splitting = keepSplit(pairs, split, settings, tree.root().string());
    checkClasses(pairs, name, split, splitting, settings);
    if (!splitting.warning.empty()) {
        found.account.warn(splitting.warning);
    }
    for (std::string& warning : survey.warnings()) {
        found.account.warn(std::move(warning));
    }
    auto images = readImages(tree, loader, std::move(pairs), settings, found.account);
    auto dataset = std::make_unique<MaskedImages>(
        name, split, std::move(images), found.layout + splitting.text, std::move(found.account));
    dataset->setDrawn(splitting.isDrawn);
    return dataset;
}

std::unique_ptr<Dataset> openKolektorSdd(
    const std::filesystem::path& path, Split split, const MaskedDataSettings& settings,
    const LoadProgress& progress)
{
    return openMaskedImages("kolektorsdd", path, split, settings, progress);
}

} // namespace lockstep
