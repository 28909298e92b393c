// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/image_record.h"

#include "base/error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tf_example.pb.h>
#include <vector>

namespace lockstep {
namespace {

/// The features of one record, by name.
class Features
{
public:
    Features(std::span<const std::byte> bytes, const std::string& name) : m_name(name)
    {
        const bool isShort =
            bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
        if (!isShort || !m_example.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
            refuse("is not a tf.train.Example");
        }
    }

    /// Null: there is none.
    [[nodiscard]] const std::string* bytes(const char* key) const
    {
        const tf::Feature* feature = find(key, tf::Feature::kBytesList);
        return feature == nullptr || feature->bytes_list().value().empty()
                   ? nullptr
                   : &feature->bytes_list().value(0);
    }

    [[nodiscard]] const std::string& onlyBytes(const char* key, const char* what) const
    {
        const tf::Feature* feature = find(key, tf::Feature::kBytesList);
        return only(orNone(feature).bytes_list().value(), key, what);
    }

    [[nodiscard]] std::int64_t onlyInteger(const char* key, const char* what) const
    {
        const tf::Feature* feature = find(key, tf::Feature::kInt64List);
        return only(orNone(feature).int64_list().value(), key, what);
    }

    [[nodiscard]] std::span<const float> numbers(const char* key) const
    {
        const tf::Feature* feature = find(key, tf::Feature::kFloatList);
        if (feature == nullptr) {
            return {};
        }
        const auto& values = feature->float_list().value();
        return {values.data(), static_cast<std::size_t>(values.size())};
    }

    template<class... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const
    {
        fail(
            ErrorCode::Data, "{}: {}; make the file anew", m_name,
            fmt::format(text, std::forward<Args>(args)...));
    }

private:
    [[nodiscard]] static const tf::Feature& orNone(const tf::Feature* feature)
    {
        return feature != nullptr ? *feature : tf::Feature::default_instance();
    }

    template<class Values>
    [[nodiscard]] const typename Values::value_type& only(
        const Values& values, const char* key, const char* what) const
    {
        if (values.empty()) {
            std::vector<std::string> names;
            for (const auto& [name, feature] : m_example.features().feature()) {
                names.push_back(name);
            }
            std::ranges::sort(names);
            refuse("has no {} ({}) among its features ({})", what, key, fmt::join(names, ", "));
        }
        if (values.size() > 1) {
            refuse("has {} {}s ({}), but one is read", values.size(), what, key);
        }
        return values.Get(0);
    }

    [[nodiscard]] const tf::Feature* find(const char* key, tf::Feature::KindCase kind) const
    {
        const auto& features = m_example.features().feature();
        const auto found = features.find(key);
        // A feature without a list says nothing of its type.
        if (found == features.end() || found->second.kind_case() == tf::Feature::KIND_NOT_SET) {
            return nullptr;
        }
        if (found->second.kind_case() != kind) {
            constexpr std::array<const char*, 4> kTypes{"none", "bytes", "float", "int64"};
            refuse(
                "feature {} has another type than expected ({}, not {})", key,
                kTypes.at(static_cast<std::size_t>(found->second.kind_case())),
                kTypes.at(static_cast<std::size_t>(kind)));
        }
        return &found->second;
    }

    const std::string& m_name;
    tf::Example m_example;
};

void readBoxes(const Features& features, std::vector<ObjectBox>& boxes)
{
    const std::array sides{
        features.numbers("image/object/bbox/ymin"), features.numbers("image/object/bbox/xmin"),
        features.numbers("image/object/bbox/ymax"), features.numbers("image/object/bbox/xmax")};
    boxes.clear();
    for (const auto& side : sides) {
        if (side.size() != sides[0].size()) {
            features.refuse(
                "image/object/bbox has {} ymin, {} xmin, {} ymax and {} xmax", sides[0].size(),
                sides[1].size(), sides[2].size(), sides[3].size());
        }
    }
    for (std::size_t i = 0; i < sides[0].size(); ++i) {
        const auto within = [&](std::size_t side) {
            return std::clamp(sides[side][i], 0.0F, 1.0F);
        };
        const ObjectBox box{
            std::min(within(0), within(2)), std::min(within(1), within(3)),
            std::max(within(0), within(2)), std::max(within(1), within(3))};
        // False for what is not a number, too.
        if (box.bottom > box.top && box.right > box.left) {
            boxes.push_back(box);
        }
    }
}

} // namespace

void parseImageRecord(
    std::span<const std::byte> bytes, const std::string& name, ImageRecord& record)
{
    const Features features(bytes, name);
    const std::string& image = features.onlyBytes("image/encoded", "image");
    const auto file = std::as_bytes(std::span(image));
    record.image.file.assign(file.begin(), file.end());
    record.label = features.onlyInteger("image/class/label", "label");
    const std::string* text = features.bytes("image/class/text");
    record.text = text == nullptr ? std::string() : *text;
    readBoxes(features, record.image.boxes);
}

} // namespace lockstep
