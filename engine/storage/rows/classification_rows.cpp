// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/classification_rows.h"

#include "storage/rows/curve_bytes.h"
#include "storage/sqlite/checked_query.h"

#include <cstddef>
#include <limits>
#include <span>

namespace lockstep {
namespace {

template<class Value>
std::vector<Value> column(const std::vector<ClassifiedImage>& images, auto member)
{
    std::vector<Value> values;
    values.reserve(images.size());
    for (const ClassifiedImage& image : images) {
        values.push_back(image.*member);
    }
    return values;
}

std::vector<std::byte> packed(const std::vector<ClassifiedImage>& images)
{
    ByteWriter writer;
    writer.putInteger(std::ssize(images));
    writer.putIntegers(column<std::int64_t>(images, &ClassifiedImage::label));
    writer.putIntegers(column<std::int64_t>(images, &ClassifiedImage::predicted));
    writer.putIntegers(column<std::int64_t>(images, &ClassifiedImage::rank));
    writer.putFloats(column<float>(images, &ClassifiedImage::probability));
    writer.putFloats(column<float>(images, &ClassifiedImage::loss));
    return writer.take();
}

void fill(std::vector<ClassifiedImage>& images, auto member, const auto& values)
{
    for (std::size_t i = 0; i < images.size(); ++i) {
        using Member = std::remove_reference_t<decltype(images[i].*member)>;
        images[i].*member = static_cast<Member>(values[i]);
    }
}

/// Numbers of classes; isGood is false once one is none.
void takeIntegers(
    ByteReader& reader, std::vector<ClassifiedImage>& images, std::int32_t ClassifiedImage::*member,
    std::int64_t least, bool& isGood)
{
    std::vector<std::int64_t> values(images.size());
    reader.integers(values);
    for (const std::int64_t value : values) {
        isGood = isGood && value >= least && value <= std::numeric_limits<std::int32_t>::max();
    }
    fill(images, member, values);
}

void takeFloats(
    ByteReader& reader, std::vector<ClassifiedImage>& images, float ClassifiedImage::*member)
{
    std::vector<float> values(images.size());
    reader.floats(values);
    fill(images, member, values);
}

std::vector<ClassifiedImage> unpacked(
    std::span<const std::byte> blob, const SqliteDatabase& database)
{
    ByteReader reader(blob);
    const std::int64_t count = reader.integer();
    bool isGood = reader.isGood() && count >= 0 && static_cast<std::size_t>(count) < blob.size();
    std::vector<ClassifiedImage> images(isGood ? static_cast<std::size_t>(count) : 0);
    for (std::size_t i = 0; i < images.size(); ++i) {
        images[i].example = static_cast<std::int64_t>(i);
    }
    takeIntegers(reader, images, &ClassifiedImage::label, 0, isGood);
    takeIntegers(reader, images, &ClassifiedImage::predicted, ClassifiedImage::kNoClass, isGood);
    takeIntegers(reader, images, &ClassifiedImage::rank, 0, isGood);
    takeFloats(reader, images, &ClassifiedImage::probability);
    takeFloats(reader, images, &ClassifiedImage::loss);
    if (!isGood || !reader.isDone()) {
        failDamaged(database.file(), "a row of the table classification is damaged");
    }
    return images;
}

} // namespace

ClassificationRowWriter::ClassificationRowWriter(const SqliteDatabase& database)
    : m_forgetClasses(database.prepare("DELETE FROM class")),
      m_class(database.prepare("INSERT INTO class VALUES (?,?,?)")),
      m_images(database.prepare("INSERT OR REPLACE INTO classification VALUES (?,?,?,?)")),
      m_forgetImages(database.prepare(
          "DELETE FROM classification WHERE branch = ?1 AND weights = ?2 AND step <> ?3"
          " AND step <> (SELECT step FROM classification JOIN evaluation USING (branch, step,"
          " weights) WHERE branch = ?1 AND weights = ?2 ORDER BY accuracy DESC, step LIMIT 1)"))
{
}

void ClassificationRowWriter::write(const RunClasses& classes)
{
    m_forgetClasses.run();
    for (std::size_t i = 0; i < classes.names.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        m_checksum.add(number);
        m_checksum.add(std::string_view(classes.names[i]));
        m_class.run(number, classes.names[i], m_checksum.take());
    }
}

void ClassificationRowWriter::write(std::int64_t branch, const EvaluationRecord& record)
{
    if (record.classified.empty()) {
        return;
    }
    const std::vector<std::byte> images = packed(record.classified);
    m_images.run(branch, record.step, toString(record.weights), images);
    m_forgetImages.run(branch, toString(record.weights), record.step);
}

std::vector<std::string> readClassNames(const SqliteDatabase& database)
{
    std::vector<std::string> names;
    CheckedQuery query(database, "class", "id, name", "ORDER BY id");
    while (query.next()) {
        names.push_back(query.row().text(1));
    }
    return names;
}

/// Of several branches that evaluated the state the newest one's word counts, as in evaluations.
std::vector<ClassifiedImage> readClassifiedImages(
    const SqliteDatabase& database, std::int64_t step, WeightsKind weights)
{
    SqliteStatement query = database.prepare(
        "SELECT images FROM classification JOIN current_line USING (branch) WHERE step = ?1 AND"
        " weights = ?2 AND step >= first_step AND step <= end_step ORDER BY branch DESC LIMIT 1");
    query.query(step, toString(weights));
    return query.next() ? unpacked(query.blob(0), database) : std::vector<ClassifiedImage>();
}

} // namespace lockstep
