// SPDX-License-Identifier: Apache-2.0
// Files as disks, networks and enemies leave them. This program replaces operator new, to see that
// what a header claims takes no memory, and to have none left.
#include "dataset/colour_files.h"
#include "dataset/formats/image_folder.h"
#include "dataset/jpeg_maker.h"
#include "dataset/png_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <zlib.h>

namespace {

std::atomic<std::size_t> largest{SIZE_MAX};

} // namespace

void* operator new(std::size_t size)
{
    if (size <= largest) {
        if (void* memory = std::malloc(size)) {
            return memory;
        }
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// No request may be larger while it lives.
class MemoryLimit
{
public:
    explicit MemoryLimit(std::size_t bytes) { largest = bytes; }
    ~MemoryLimit() { largest = SIZE_MAX; }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
};

/// Without the help of a smooth image: every byte of the file matters.
ColourImage noise(std::int64_t height, std::int64_t width)
{
    ColourImage image{height, width, {}};
    std::uint32_t state = 1;
    for (std::int64_t i = 0; i < height * width * 3; ++i) {
        state = state * 1664525U + 1013904223U;
        image.pixels.push_back(static_cast<std::uint8_t>(state >> 24U));
    }
    return image;
}

std::string picture()
{
    static const std::string file = jpegOf(noise(96, 128));
    return file;
}

std::string drawing()
{
    const ColourImage image = noise(20, 30);
    QImage drawn(image.pixels.data(), 30, 20, 90, QImage::Format_RGB888);
    drawn.setText("Comment", "a chunk that no pixel needs");
    return pngOf(drawn);
}

void put(std::string& bytes, std::size_t place, std::uint32_t value, int count)
{
    for (int i = 0; i < count; ++i) {
        bytes[place + static_cast<std::size_t>(i)] =
            static_cast<char>(value >> (8 * (count - 1 - i)) & 255U);
    }
}

std::string jpegClaiming(std::uint32_t height, std::uint32_t width)
{
    std::string file = picture();
    const std::size_t frame = file.find("\xFF\xC0");
    put(file, frame + 5, height, 2);
    put(file, frame + 7, width, 2);
    return file;
}

std::string pngClaiming(std::uint32_t height, std::uint32_t width)
{
    std::string file = drawing();
    put(file, 16, width, 4);
    put(file, 20, height, 4);
    const auto* const type = reinterpret_cast<const Bytef*>(file.data() + 12);
    put(file, 29, static_cast<std::uint32_t>(crc32(0, type, 17)), 4);
    return file;
}

/// Grey, in two scans, of which the second one, which refines nothing, comes `times` times.
std::string manyScans(int times)
{
    const JpegMaker maker{
        JCS_GRAYSCALE, JCS_GRAYSCALE, {}, {{1, {0}, 0, 0, 0, 0}, {1, {0}, 1, 63, 0, 0}}};
    const std::string file = maker.write(std::vector<std::uint8_t>(256, 90), 16, 16);
    const std::size_t second = file.rfind("\xFF\xDA");
    const std::string scan = file.substr(second, file.size() - 2 - second);
    std::string more = file.substr(0, second);
    for (int i = 0; i < times; ++i) {
        more += scan;
    }
    return more + "\xFF\xD9";
}

/// The place of a chunk's checksum.
std::size_t checksumOf(const std::string& png, const std::string& type)
{
    const std::size_t place = png.find(type);
    std::size_t length = 0;
    for (std::size_t i = place - 4; i < place; ++i) {
        length = length << 8U | static_cast<unsigned char>(png[i]);
    }
    return place + 4 + length;
}

std::string pngWithWrong(const std::string& type)
{
    std::string file = drawing();
    const std::size_t place = checksumOf(file, type);
    file[place] = static_cast<char>(file[place] ^ 1);
    return file;
}

/// Bytes between segments, which are harmless, before what is not.
std::string afterAWarning(std::string file)
{
    file.insert(20, "ab"); // behind the JFIF segment
    return file;
}

/// The ends are right, and what lies between is not: decoding alone can tell.
bool isDamagedWithin(const std::string& name)
{
    return name == "half and an end" || name == "half and an end, after a warning"
           || name == "an end in the middle";
}

/// What is wrong -> the file and what is said of it.
std::map<std::string, std::pair<std::string, std::string>> damagedFiles()
{
    const std::string whole = picture();
    const std::string half = whole.substr(0, whole.size() / 2);
    std::string broken = whole;
    broken.replace(whole.size() / 2, 8, "\xFF\xD9\xFF\xD9\xFF\xD9\xFF\xD9");
    const std::string png = drawing();
    return {
        {"empty", {"", "the file is empty"}},
        {"half", {half, "it is cut short"}},
        {"half after a warning", {afterAWarning(half), "it is cut short"}},
        {"half and an end", {half + "\xFF\xD9", "damaged"}},
        {"half and an end, after a warning", {afterAWarning(half + "\xFF\xD9"), "damaged"}},
        {"an end in the middle", {broken, "damaged"}},
        {"without its last byte", {whole.substr(0, whole.size() - 1), "it is cut short"}},
        {"a huge JPEG", {jpegClaiming(60'000, 60'000), "claims 60000 × 60000 pixels"}},
        {"a flat JPEG", {jpegClaiming(60'000, 1), "claims 1 × 60000 pixels"}},
        {"a large JPEG", {jpegClaiming(16'000, 16'000), "claims 16000 × 16000 pixels"}},
        {"no rows", {jpegClaiming(0, 128), "damaged"}},
        {"a huge PNG", {pngClaiming(60'000, 60'000), "claims 60000 × 60000 pixels"}},
        {"too many scans", {manyScans(3000), "more than 100 scans"}},
        {"PNG header", {pngWithWrong("IHDR"), "its header does not match its checksum"}},
        {"PNG pixels", {pngWithWrong("IDAT"), "CRC error"}},
        {"PNG text", {pngWithWrong("tEXt"), "CRC error"}},
        {"PNG end", {pngWithWrong("IEND"), "CRC error"}},
        {"half a PNG", {png.substr(0, png.size() / 2), "it is cut short"}},
        {"PNG without end", {png.substr(0, png.size() - 12), "it is cut short"}},
    };
}

void write(const fs::path& file, const std::string& content)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
}

} // namespace

class TestDamagedImages : public QObject
{
    Q_OBJECT

private slots:
    void Decode_damaged_isRefusedByName_data();
    void Decode_damaged_isRefusedByName();
    void Decode_claims_takeNoMemory();
    void Decode_whatLooksDamaged_isNot();
    void Folder_skipping_countsEveryDamagedImage();
    void Folder_skipping_passesOneInAHundred();
    void Log_countsEachImageOnce();
    void Folder_refusing_namesTheImage();
    void Folder_withoutMemory_takesNothingForDamage();
};

void TestDamagedImages::Decode_damaged_isRefusedByName_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("text");
    for (const auto& [name, damage] : damagedFiles()) {
        QTest::newRow(name.c_str())
            << QByteArray::fromStdString(damage.first) << QString::fromStdString(damage.second);
    }
}

void TestDamagedImages::Decode_damaged_isRefusedByName()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, text);
    const std::string bytes = file.toStdString();
    ColourImage image;
    const auto error = errorOf([&] { decodeColours(asBytes(bytes), "cat/7", {}, image); });
    QVERIFY2(tells(error, ErrorCode::Data, "cat/7: "), error ? error->what() : "nothing");
    QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error->what());
    QVERIFY(errorOf([&] { checkWhole(asBytes(bytes), "cat/7"); }));
}

void TestDamagedImages::Decode_claims_takeNoMemory()
{
    for (const std::string& file :
         {jpegClaiming(60'000, 60'000), pngClaiming(60'000, 60'000), pngClaiming(9000, 9000)}) {
        ColourImage image;
        const MemoryLimit limit(100'000);
        const auto error = errorOf([&] { decodeColours(asBytes(file), "a", {}, image); });
        QVERIFY(tells(error, ErrorCode::Data, "its header claims"));
    }
}

void TestDamagedImages::Decode_whatLooksDamaged_isNot()
{
    ColourImage expected;
    decodeColours(asBytes(picture()), "a", {}, expected);
    ColourImage image;
    decodeColours(asBytes(afterAWarning(picture())), "a", {}, image);
    QVERIFY(image == expected);
    decodeColours(asBytes(picture() + std::string(5000, '\0')), "a", {}, image);
    QVERIFY(image == expected);
    // As many scans as the finest progressive files have.
    decodeColours(asBytes(manyScans(1)), "a", {}, expected);
    decodeColours(asBytes(manyScans(60)), "a", {}, image);
    QVERIFY(image == expected);
}

void TestDamagedImages::Folder_skipping_countsEveryDamagedImage()
{
    const TemporaryFolder folder;
    auto damaged = damagedFiles();
    std::erase_if(damaged, [](const auto& file) { return isDamagedWithin(file.first); });
    int number = 0;
    for (const auto& [name, damage] : damaged) {
        write(folder / ("train/cat/" + std::to_string(100 + number++) + ".jpg"), damage.first);
    }
    for (const char* name : {"train/cat/a.jpg", "train/cat/z.jpg", "val/cat/a.jpg"}) {
        write(folder / name, picture());
    }
    const auto data = openImageFolder(folder.path(), Split::Train, {DamagedImages::SkipAll});
    QCOMPARE(data->size(), 2);
    QVERIFY(data->isChecked());
    QCOMPARE(data->leftOut().size(), damaged.size());
    QCOMPARE(data->info().account.leftOut(), std::ssize(damaged));
    number = 0;
    for (const auto& [name, damage] : damaged) {
        const std::string& reason = data->leftOut()[static_cast<std::size_t>(number)];
        const std::string file = "train/cat/" + std::to_string(100 + number++) + ".jpg: ";
        QVERIFY2(reason.find(file) != std::string::npos, reason.c_str());
        QVERIFY2(reason.find(damage.second) != std::string::npos, reason.c_str());
    }
}

void TestDamagedImages::Folder_skipping_passesOneInAHundred()
{
    const TemporaryFolder folder;
    write(folder / "val/cat/a.jpg", picture());
    for (int number = 0; number < 198; ++number) {
        write(folder / ("train/cat/" + std::to_string(number) + ".jpg"), picture());
    }
    write(folder / "train/cat/cut.jpg", picture().substr(0, 900));
    write(folder / "train/cat/page.jpg", "<html>");
    const auto data = openImageFolder(folder.path(), Split::Train, {});
    QCOMPARE(data->size(), 198);
    QCOMPARE(
        data->info().account.lines(),
        std::vector<std::string>{"2 files left out: 2 that can't be used (cat/cut.jpg)"});
    write(folder / "train/cat/third.jpg", "");
    const auto error = errorOf([&] { openImageFolder(folder.path(), Split::Train, {}); });
    QVERIFY(tells(
        error, ErrorCode::Data, "3 of 201 images can't be used", "train/cat/cut.jpg: the image",
        "train/cat/page.jpg: is a web page", "train/cat/third.jpg: the file is empty",
        "dataset.damaged = skip_all"));
    QVERIFY(
        errorOf([&] { openImageFolder(folder.path(), Split::Train, {DamagedImages::Refuse}); }));
}

void TestDamagedImages::Log_countsEachImageOnce()
{
    DamageLog log;
    log.open(DamagedImages::Skip, "a/train", 200, {"a/1.jpg: is damaged"});
    QVERIFY(log.takeNew().empty()); // told when it was opened
    log.take(7, "a/7.jpg: is damaged");
    log.take(7, "a/7.jpg: is damaged");
    log.check();
    QCOMPARE(log.takeNew(), std::vector<std::string>{"a/7.jpg: is damaged"});
    QVERIFY(log.takeNew().empty());
    log.take(8, "a/8.jpg: is damaged");
    QVERIFY(tells(
        errorOf([&] { log.check(); }), ErrorCode::Data, "a/train: 3 of 200 images can't be used"));
    DamageLog strict;
    strict.open(DamagedImages::Refuse, "a", 200, {});
    QVERIFY(!strict.mayReplace());
    strict.take(7, "a/7.jpg: is damaged");
    QVERIFY(tells(errorOf([&] { strict.check(); }), ErrorCode::Data, "a/7.jpg: is damaged"));
}

void TestDamagedImages::Folder_refusing_namesTheImage()
{
    const TemporaryFolder folder;
    write(folder / "val/cat/a.jpg", picture());
    write(folder / "train/cat/a.jpg", picture());
    write(folder / "train/cat/b.jpg", jpegClaiming(60'000, 60'000));
    const auto error =
        errorOf([&] { openImageFolder(folder.path(), Split::Train, {DamagedImages::Refuse}); });
    QVERIFY(tells(error, ErrorCode::Data, "train/cat/b.jpg: its header claims 60000"));
}

void TestDamagedImages::Folder_withoutMemory_takesNothingForDamage()
{
    const TemporaryFolder folder;
    const std::string large = jpegOf(noise(400, 500));
    write(folder / "val/cat/a.jpg", large);
    write(folder / "train/cat/a.jpg", large);
    QVERIFY(large.size() > 200'000U);
    const MemoryLimit limit(200'000);
    const auto error =
        errorOf([&] { openImageFolder(folder.path(), Split::Train, {DamagedImages::Skip}); });
    QVERIFY(tells(error, ErrorCode::OutOfMemory, "train/cat/a.jpg: there is not enough memory"));
}

LOCKSTEP_TEST(TestDamagedImages)
#include "test_damaged_images.moc"
