// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/image_pairs.h"

#include "base/error.h"
#include "dataset/examples/image_files.h"
#include "dataset/files/file_bytes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 3> kLabelEnds{"_label", "_mask", "_gt"};
constexpr std::array<std::string_view, 9> kLabelFolders{"mask",   "masks",        "label",
                                                        "labels", "annotation",   "annotations",
                                                        "gt",     "ground_truth", "groundtruth"};
constexpr std::array<std::string_view, 4> kImageFolders{"image", "images", "img", "imgs"};
/// Whose images MVTec AD has no labels of.
constexpr std::string_view kGood = "good";

template<class Words>
bool isOneOf(const Words& words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

/// What a file's folders and name say.
struct NamedFile
{
    explicit NamedFile(const std::string& name) : file(name)
    {
        const std::filesystem::path path(name);
        for (const auto& each : path.parent_path()) {
            const std::string word = lowerCase(each.string());
            if (isOneOf(kLabelFolders, word)) {
                isLabel = true;
                labelFolder = folders.size();
                found = each.string();
            } else if (!isOneOf(kImageFolders, word)) {
                folders.push_back(each.string());
                part = dataPartOf(word) ? dataPartOf(word) : part;
            }
        }
        stem = path.stem().string();
        for (const std::string_view end : kLabelEnds) {
            if (stem.size() > end.size() && lowerCase(stem).ends_with(end)) {
                isLabel = true;
                const std::size_t at = stem.size() - end.size();
                found = found.empty() ? stem.substr(at) : found;
                stem.erase(at);
                break;
            }
        }
    }

    /// Without what tells images from labels.
    [[nodiscard]] std::string name() const
    {
        return fmt::format("{}{}{}", fmt::join(folders, "/"), folders.empty() ? "" : "/", stem);
    }
    /// With `folder` in the place of the labels' folder.
    [[nodiscard]] std::string nameIn(const std::string& folder) const
    {
        NamedFile other = *this;
        other.folders.insert(
            other.folders.begin() + static_cast<std::ptrdiff_t>(labelFolder), folder);
        return other.name();
    }

    std::string file;
    std::vector<std::string> folders;
    std::string stem;
    bool isLabel = false;
    std::size_t labelFolder = 0; ///< before which of the folders it was
    std::string found;           ///< "_GT", "masks": what makes it a label
    std::optional<DataPart> part;
};

class PairFinder
{
public:
    explicit PairFinder(const FileTree& tree) : m_tree(tree)
    {
        std::vector<NamedFile> labels;
        for (const std::string& name : tree.names()) {
            NamedFile file(name);
            if (!endsIn(name, {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".dib"})) {
                m_others.push_back(std::move(file));
            } else if (file.isLabel) {
                labels.push_back(std::move(file));
            } else {
                takeImage(file);
            }
        }
        for (const NamedFile& label : labels) {
            takeLabel(label);
        }
        for (const NamedFile& other : m_others) {
            takeOther(other);
        }
    }

    ImagePairs pairs()
    {
        ImagePairs result;
        const bool hasItems = !m_hasParts && m_folders.size() > 1;
        std::map<std::string, std::string> items; // and the folder of each
        for (auto& [name, pair] : m_pairs) {
            pair.name = name;
            pair.item = name;
            const std::filesystem::path folder = std::filesystem::path(name).parent_path();
            if (hasItems && !folder.empty()) {
                pair.item = folder.filename().string();
                pair.name = pair.item + "/" + std::filesystem::path(name).filename().string();
                const auto [other, isNew] = items.emplace(pair.item, folder.string());
                if (!isNew && other->second != folder) {
                    fail(
                        ErrorCode::Data,
                        "{}: item '{}' is also in {}; give each item a name of its own",
                        m_tree.fullName(pair.image), pair.item, m_tree.fullName(other->second));
                }
            }
            if (pair.label.empty() && !isGood(pair)) {
                fail(
                    ErrorCode::Data,
                    "{}: there is no label for this image: {}_label.bmp, _mask or _GT beside it, "
                    "or {}.png in a folder masks beside images",
                    m_tree.fullName(pair.image), pair.name, pair.name);
            }
            result.pairs.push_back(std::move(pair));
        }
        result.layout = fmt::format("images with masks ({})", fmt::join(m_found, ", "));
        result.account = m_account;
        leaveOut(result.account, m_tree.leftOut());
        return result;
    }

private:
    void takeImage(const NamedFile& file)
    {
        ImagePair& pair = m_pairs[file.name()];
        place(pair.image, file.file);
        pair.part = file.part;
        m_hasParts = m_hasParts || file.part;
        m_folders.insert(file.folders);
        for (const std::string& folder : file.folders) {
            if (dataPartOf(folder)) {
                m_partFolders.insert(folder);
            }
        }
    }

    [[nodiscard]] std::map<std::string, ImagePair>::iterator pairOf(const NamedFile& label)
    {
        auto pair = m_pairs.find(label.name());
        for (const std::string& part : m_partFolders) { // "ground_truth" stands for "test"
            pair = pair == m_pairs.end() ? m_pairs.find(label.nameIn(part)) : pair;
        }
        return pair;
    }

    void takeLabel(const NamedFile& label)
    {
        const auto pair = pairOf(label);
        if (pair == m_pairs.end()) {
            for (const NamedFile& other : m_others) {
                if (!other.isLabel && other.name() == label.name()) {
                    fail(
                        ErrorCode::Data,
                        "{}: is no JPEG, PNG or BMP, but has the label {}; convert it to one of "
                        "these",
                        m_tree.fullName(other.file), m_tree.fullName(label.file));
                }
            }
            fail(
                ErrorCode::Data, "{}: there is no image for this label ({}.jpg beside it)",
                m_tree.fullName(label.file), label.name());
        }
        place(pair->second.label, label.file);
        m_found.insert(label.found);
    }

    /// A file of another format.
    void takeOther(const NamedFile& other)
    {
        const auto pair = other.isLabel ? pairOf(other) : m_pairs.end();
        if (pair != m_pairs.end() && pair->second.label.empty()) {
            fail(
                ErrorCode::Data, "{}: is no BMP or PNG, as the label of {} has to be; convert it",
                m_tree.fullName(other.file), m_tree.fullName(pair->second.image));
        }
        const std::string ending = std::filesystem::path(other.file).extension().string();
        m_account.leaveOut(ending.empty() ? "without an ending" : lowerCase(ending), other.file);
    }

    void place(std::string& place, const std::string& file) const
    {
        if (!place.empty()) {
            fail(
                ErrorCode::Data, "{}: there is also {}; remove one of the two",
                m_tree.fullName(file), m_tree.fullName(place));
        }
        place = file;
    }

    [[nodiscard]] static bool isGood(const ImagePair& pair)
    {
        const auto folder = std::filesystem::path(pair.image).parent_path().filename();
        return pair.part && lowerCase(folder.string()) == kGood;
    }

    const FileTree& m_tree;
    bool m_hasParts = false;
    std::set<std::vector<std::string>> m_folders; ///< of images
    std::set<std::string> m_partFolders;
    std::set<std::string> m_found; ///< what labels were known by
    std::map<std::string, ImagePair> m_pairs;
    std::vector<NamedFile> m_others; ///< of formats that are not read
    DataAccount m_account;
};

/// What to do with the archives of a folder that holds nothing else.
std::string archiveAdvice(const FileTree& tree)
{
    std::string zips;
    std::string others;
    for (const std::string& name : tree.names()) {
        const bool isZip = endsIn(name, {".zip"});
        if (isZip || isPackedFile(name)) {
            std::string& list = isZip ? zips : others;
            list += (list.empty() ? "" : " or ") + tree.fullName(name);
        }
    }
    if (!zips.empty()) {
        return fmt::format("give {} (dataset.path), or ", zips);
    }
    return others.empty() ? "" : fmt::format("unpack {} first, and ", others);
}

} // namespace

ImagePairs findImagePairs(const FileTree& tree)
{
    ImagePairs result = PairFinder(tree).pairs();
    if (result.pairs.empty()) {
        const auto others = result.account.lines();
        const std::string advice = archiveAdvice(tree);
        fail(
            ErrorCode::BadInput,
            "{}: holds no images{}; {}give the folder or zip archive with images and their masks, "
            "such as kos01/Part0.jpg and kos01/Part0_label.bmp, or images/a.jpg and masks/a.png "
            "(dataset.path)",
            tree.root().string(),
            others.empty() || !advice.empty() ? "" : " (" + others.front() + ")", advice);
    }
    return result;
}

} // namespace lockstep
