// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/image_pairs.h"

#include "base/error.h"
#include "dataset/files/file_bytes.h"

#include <filesystem>
#include <map>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::string_view kLabelEnd = "_label";

class PairFinder
{
public:
    explicit PairFinder(const FileTree& tree) : m_tree(tree)
    {
        for (const std::string& name : tree.names()) {
            if (endsIn(name, {".jpg", ".jpeg", ".png", ".bmp"})) {
                take(name);
            }
        }
    }

    std::vector<ImagePair> pairs()
    {
        std::vector<ImagePair> result;
        for (auto& [name, pair] : m_pairs) {
            check(pair);
            result.push_back(std::move(pair));
        }
        return result;
    }

private:
    void take(const std::string& file)
    {
        const std::filesystem::path path(file);
        const std::string folder = path.parent_path().generic_string();
        const std::string item = path.parent_path().filename().string();
        if (item.empty()) {
            fail(
                ErrorCode::Data,
                "{}: lies in no item's folder; images belong in one folder for each item, such as "
                "kos01/Part0.jpg",
                m_tree.fullName(file));
        }
        const auto [other, isNew] = m_folders.emplace(item, folder);
        if (!isNew && other->second != folder) {
            fail(
                ErrorCode::Data, "{}: item '{}' is also in {}; give each item a name of its own",
                m_tree.fullName(file), item, m_tree.fullName(other->second));
        }
        std::string stem = path.stem().string();
        const bool isLabel = stem.ends_with(kLabelEnd);
        if (isLabel) {
            stem.resize(stem.size() - kLabelEnd.size());
        }
        ImagePair& pair = m_pairs[item + "/" + stem];
        pair.item = item;
        pair.name = item + "/" + stem;
        place(isLabel ? pair.label : pair.image, file);
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

    void check(const ImagePair& pair) const
    {
        if (pair.label.empty()) {
            fail(
                ErrorCode::Data, "{}: there is no label for this image ({}_label.bmp beside it)",
                m_tree.fullName(pair.image), pair.name);
        }
        if (pair.image.empty()) {
            fail(
                ErrorCode::Data, "{}: there is no image for this label ({}.jpg beside it)",
                m_tree.fullName(pair.label), pair.name);
        }
    }

    const FileTree& m_tree;
    std::map<std::string, std::string> m_folders; ///< of each item
    std::map<std::string, ImagePair> m_pairs;
};

} // namespace

std::vector<ImagePair> findImagePairs(const FileTree& tree)
{
    auto pairs = PairFinder(tree).pairs();
    if (pairs.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: holds no images; give the folder or zip archive with kos01/Part0.jpg, "
            "kos01/Part0_label.bmp and so on (dataset.path)",
            tree.root().string());
    }
    return pairs;
}

} // namespace lockstep
