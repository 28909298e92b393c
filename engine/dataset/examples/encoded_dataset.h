// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/colour_image.h"
#include "dataset/examples/damaged_images.h"
#include "dataset/examples/dataset.h"
#include "dataset/examples/read_patience.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// Where something is in an image, in shares of its sides, 0 to 1.
struct ObjectBox
{
    float top = 0.0F;
    float left = 0.0F;
    float bottom = 1.0F;
    float right = 1.0F;

    bool operator==(const ObjectBox&) const = default;
};

/// Where a box of a stored image is after turning, see exif_orientation.h.
[[nodiscard]] ObjectBox turnedBox(const ObjectBox& stored, int orientation);

/// An image as it lies on disk.
struct EncodedImage
{
    std::vector<std::byte> file; ///< a JPEG or PNG
    std::vector<ObjectBox> boxes;
};

/// What is known of an image before it is decoded.
struct ImageExtent
{
    ImageSize size;
    std::int64_t fileBytes = 0; ///< that a loader holds of it until then
    std::int64_t boxes = 0;
    std::int64_t ownBytes = 0; ///< of the image alone; 0: as many
};

/// The largest of a data set, for planning memory.
struct LargestImage
{
    std::int64_t fileBytes = 0; ///< that a loader holds of an image before it is decoded
    std::int64_t pixels = 0;
    std::int64_t longestSide = 0;
    std::int64_t boxes = 0;
};

/// Photographs of any size that stay on disk, encoded, until a loader reads one (DatasetInfo::
/// isEncoded). In memory are the labels and where each image lies.
///
/// example() tells the label alone: its image has 0 x 0 pixels of three channels.
class EncodedDataset : public Dataset
{
public:
    [[nodiscard]] const DatasetInfo& info() const final { return m_info; }
    [[nodiscard]] std::int64_t size() const final { return std::ssize(m_labels); }
    [[nodiscard]] ExampleView example(std::int64_t index) const final;
    [[nodiscard]] const EncodedDataset* encoded() const final { return this; }
    /// The data set as an encoded one, which it must be.
    [[nodiscard]] static const EncodedDataset& of(const Dataset& dataset);

    /// Reads an image into `image`, whose memory is used again. Throws Error(Io) that names the
    /// file if it can't be read, Error(Data) if it is not any more what it was when the data set
    /// was opened. Thread-safe.
    virtual void read(std::int64_t index, EncodedImage& image) const = 0;
    /// What an error calls an image: its file, or file and number of the record.
    [[nodiscard]] virtual std::string fullName(std::int64_t index) const = 0;

    /// Of an image's file.
    [[nodiscard]] std::int64_t imageBytes(std::int64_t index) const
    {
        return m_imageBytes[static_cast<std::size_t>(index)];
    }
    /// What its images are to be decoded by.
    [[nodiscard]] const PixelRules& pixelRules() const noexcept { return m_pixelRules; }
    [[nodiscard]] const LargestImage& largest() const noexcept { return m_largest; }
    /// What an error would say of each image that was left out as damaged.
    [[nodiscard]] const std::vector<std::string>& leftOut() const noexcept { return m_leftOut; }
    /// Whether the structure of every image was seen to be right (checkStructure) when it was
    /// opened: not where reading them all takes too long.
    [[nodiscard]] bool isChecked() const noexcept { return m_isChecked; }
    /// Of this data set, whoever reads it.
    [[nodiscard]] DamageLog& damage() const noexcept { return m_damage; }
    /// Of those who train with it; read() itself does not wait.
    [[nodiscard]] ReadPatience& patience() const noexcept { return m_patience; }

protected:
    EncodedDataset(std::string name, Split split, const PixelRules& rules);

    /// Everything that stays the same from then on.
    /// Tells of names that look alike.
    void setClassNames(std::vector<std::string> names);
    void setLayout(std::string layout) { m_info.layout = std::move(layout); }
    void setDrawn(bool isDrawn) { m_info.isDrawn = isDrawn; }
    [[nodiscard]] DataAccount& account() { return m_info.account; }
    void add(std::int32_t label, const ImageExtent& image);
    /// All of another one, with other labels.
    void addAll(const EncodedDataset& other, const std::vector<std::int32_t>& labels);
    /// Warns, in the account, of PNGs of 16 bits that use few of them (bitsWarning): decodes those
    /// among a few images.
    void tellBits();
    /// A damaged image; `name` is that of exampleName.
    void leaveOut(std::string reason, const std::string& name);
    void setUnchecked() { m_isChecked = false; }
    /// Throws Error(Data) if there is no image; `where` is the folder.
    void checkNotEmpty(const std::string& where) const;
    /// The rule for the damaged ones, when all are added or left out: throws as DamageLog::open.
    void checkDamage(DamagedImages rule, const std::string& where);

private:
    DatasetInfo m_info;
    PixelRules m_pixelRules;
    std::vector<std::int32_t> m_labels;
    std::vector<std::int64_t> m_imageBytes;
    LargestImage m_largest;
    std::vector<std::string> m_leftOut;
    bool m_isChecked = true;
    mutable DamageLog m_damage;
    mutable ReadPatience m_patience;
};

/// How many examples of a split have each label; as many as there are class names.
[[nodiscard]] std::vector<std::int64_t> examplesPerClass(const Dataset& dataset);

} // namespace lockstep
