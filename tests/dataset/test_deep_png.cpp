// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/colour_image.h"
#include "dataset/codecs/gray_image.h"
#include "dataset/colour_files.h"
#include "dataset/formats/image_folder.h"
#include "dataset/formats/kolektorsdd.h"
#include "dataset/mask_layouts.h"
#include "dataset/png_maker.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;

namespace {

using DeepRow = std::vector<std::uint16_t>;

std::string deepPng(const DeepRow& values, int significant = 0)
{
    return PngMaker{.depth = 16, .significantBits = significant}.write(
        values, 1, static_cast<std::uint32_t>(values.size()));
}

std::vector<int> narrowed(const std::string& file, int bits)
{
    const GrayImage image = decodeGray(asBytes(file), "a", {.bits = bits});
    return {image.pixels.begin(), image.pixels.end()};
}

/// DeepRow as the format wants those of fewer bits: the upper ones repeated below.
DeepRow scaledToSixteen(DeepRow values, int bits)
{
    for (std::uint16_t& value : values) {
        value = static_cast<std::uint16_t>(value << (16 - bits) | value >> (2 * bits - 16));
    }
    return values;
}

/// Four pairs whose images have values to `most`.
Files deepPairs(std::uint16_t most, int significant = 0)
{
    Files files;
    for (std::uint16_t i = 0; i < 4; ++i) {
        DeepRow values(16 * 16, static_cast<std::uint16_t>(most / 2 + 1));
        values[i] = most;
        files[fmt::format("images/{}.png", i)] =
            PngMaker{.depth = 16, .significantBits = significant}.write(values, 16, 16);
        DeepRow mask(16 * 16);
        mask[40] = i % 2;
        files[fmt::format("masks/{}.png", i)] = PngMaker{}.write(mask, 16, 16);
    }
    return files;
}

std::unique_ptr<Dataset> openDeepPairs(const Files& files, int bits)
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), files);
    MaskedDataSettings settings;
    settings.fold = MaskedDataSettings::kNoFold;
    settings.pixels.bits = bits;
    return openMaskedImages("masked_folder", folder.path(), Split::Train, settings);
}

} // namespace

class TestDeepPng : public QObject
{
    Q_OBJECT

private slots:
    void Decode_bits_areTheUpperEight_data();
    void Decode_bits_areTheUpperEight();
    void Decode_colours_areNarrowedAlike();
    void Decode_moreThanTheBits_isRefused();
    void UnsaidBits_ofFiles_data();
    void UnsaidBits_ofFiles();
    void Masked_darkValues_areToldOnce_data();
    void Masked_darkValues_areToldOnce();
    void Folder_darkValues_areTold();
};

void TestDeepPng::Decode_bits_areTheUpperEight_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("bits");
    QTest::addColumn<QList<int>>("expected");
    const auto row = [](const char* name, const std::string& file, int bits, QList<int> expected) {
        QTest::newRow(name) << QByteArray::fromStdString(file) << bits << std::move(expected);
    };
    const DeepRow twelve{0, 15, 16, 2049, 4095};
    row("16 bits", deepPng({0, 255, 256, 32768, 65535}), 0, {0, 0, 1, 128, 255});
    row("12 in 16, unsaid", deepPng(twelve), 0, {0, 0, 0, 8, 15});
    row("12 in 16, set", deepPng(twelve), 12, {0, 0, 1, 128, 255});
    row("12 in 16, sBIT", deepPng(twelve, 12), 0, {0, 0, 1, 128, 255});
    row("12 scaled up, sBIT", deepPng(scaledToSixteen(twelve, 12), 12), 0, {0, 0, 1, 128, 255});
    row("12 scaled up and dark, sBIT", deepPng(scaledToSixteen({0, 15, 16, 255}, 12), 12), 0,
        {0, 0, 1, 15});
    row("10 in 16, sBIT", deepPng({0, 3, 4, 1023}, 10), 0, {0, 0, 1, 255});
    row("10 in 16, set", deepPng({0, 3, 4, 1023}), 10, {0, 0, 1, 255});
    row("14 in 16, sBIT", deepPng({0, 63, 64, 16383}, 14), 0, {0, 0, 1, 255});
    row("14 scaled up, sBIT", deepPng(scaledToSixteen({0, 63, 64, 16383}, 14), 14), 0,
        {0, 0, 1, 255});
    row("8 in 16, set", deepPng({0, 1, 255}), 8, {0, 1, 255});
    row("8 in 16, sBIT", deepPng({0, 1, 255}, 8), 0, {0, 1, 255});
    row("16 said", deepPng({0, 255, 4095}, 16), 0, {0, 0, 15});
    row("black", deepPng({0, 0}, 12), 0, {0, 0});
    row("of 8 bits", PngMaker{}.write({0, 15, 255}, 1, 3), 12, {0, 15, 255});
}

void TestDeepPng::Decode_bits_areTheUpperEight()
{
    QFETCH(QByteArray, file);
    QFETCH(int, bits);
    QFETCH(QList<int>, expected);
    const auto found = narrowed(file.toStdString(), bits);
    QCOMPARE(QList<int>(found.begin(), found.end()), expected);
}

void TestDeepPng::Decode_colours_areNarrowedAlike()
{
    const std::string file = PngMaker{.depth = 16, .channels = 3, .significantBits = 12}.write(
        {4095, 0, 17, 2048, 4000, 1}, 1, 2);
    ColourImage image;
    decodeColours(asBytes(file), "a", {}, image);
    QCOMPARE(image.pixels, (std::vector<std::uint8_t>{255, 0, 1, 128, 250, 0}));
    decodeColours(asBytes(file), "a", {.crop = CropBox{0, 1, 1, 1}}, image);
    QCOMPARE(image.pixels, (std::vector<std::uint8_t>{128, 250, 0}));
}

void TestDeepPng::Decode_moreThanTheBits_isRefused()
{
    const auto error = errorOf([] { narrowed(deepPng({0, 4096}), 12); });
    QVERIFY(tells(error, ErrorCode::Data, "a: has a value of 4096"));
    QVERIFY(tells(error, ErrorCode::Data, "dataset.bits"));
}

void TestDeepPng::UnsaidBits_ofFiles_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("bits");
    QTest::addColumn<QString>("advice");
    const auto row = [](const char* name, const std::string& file, int bits, const char* advice) {
        QTest::newRow(name) << QByteArray::fromStdString(file) << bits << advice;
    };
    row("12", deepPng({0, 4095}), 12, "only 16 of 256 levels are used");
    row("11", deepPng({0, 2047}), 11, "dataset.bits = 12");
    row("10", deepPng({0, 1000}), 10, "dataset.bits = 10");
    row("14", deepPng({0, 16000}), 14, "dataset.bits = 14");
    row("8", deepPng({0, 255}), 8, "dataset.bits = 8");
    row("16", deepPng({0, 65000}), 16, "");
    row("15", deepPng({0, 32000}), 15, "");
    row("said", deepPng({1, 4095}, 12), 0, "");
    row("of 8 bits", PngMaker{}.write({7}, 1, 1), 0, "");
    row("a BMP", bmpOf(smoothImage(4, 4, 0)), 0, "");
}

void TestDeepPng::UnsaidBits_ofFiles()
{
    QFETCH(QByteArray, file);
    QFETCH(int, bits);
    QFETCH(QString, advice);
    const std::string bytes = file.toStdString();
    QCOMPARE(unsaidBits(asBytes(bytes), "a", {}), bits);
    QCOMPARE(unsaidBits(asBytes(bytes), "a", {.bits = 16}), 0);
    const auto warning = QString::fromStdString(bitsWarning(bits));
    QVERIFY(advice.isEmpty() ? warning.isEmpty() : warning.contains(advice));
}

void TestDeepPng::Masked_darkValues_areToldOnce_data()
{
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("significant");
    QTest::addColumn<int>("bits");
    QTest::addColumn<int>("brightest");
    QTest::addColumn<QString>("said");
    QTest::newRow("12") << 4095 << 0 << 0 << 15 << "set dataset.bits = 12";
    QTest::newRow("12 set") << 4095 << 0 << 12 << 255 << "";
    QTest::newRow("12 said") << 4095 << 12 << 0 << 255 << "";
    QTest::newRow("16") << 65535 << 0 << 0 << 255 << "";
}

void TestDeepPng::Masked_darkValues_areToldOnce()
{
    QFETCH(int, most);
    QFETCH(int, significant);
    QFETCH(int, bits);
    QFETCH(int, brightest);
    QFETCH(QString, said);
    const auto dataset =
        openDeepPairs(deepPairs(static_cast<std::uint16_t>(most), significant), bits);
    QCOMPARE(int{std::ranges::max(dataset->example(0).pixels)}, brightest);
    const auto lines = dataset->info().account.lines();
    QCOMPARE(lines.size(), said.isEmpty() ? 0U : 1U);
    QVERIFY(said.isEmpty() || QString::fromStdString(lines[0]).contains(said));
}

void TestDeepPng::Folder_darkValues_areTold()
{
    const TemporaryFolder folder;
    for (const char* place : {"train/ant", "train/bee", "val/ant", "val/bee"}) {
        writeFiles(folder / place, {{"0.png", deepPng({7, 4000})}, {"1.png", deepPng({9, 100})}});
    }
    EncodedDataSettings settings;
    const auto lines =
        openImageFolder(folder.path(), Split::Train, settings)->info().account.lines();
    QCOMPARE(lines.size(), 1U);
    QVERIFY(lines[0].find("dataset.bits = 12") != std::string::npos);
    settings.pixels.bits = 12;
    QVERIFY(openImageFolder(folder.path(), Split::Test, settings)->info().account.lines().empty());
}

LOCKSTEP_TEST(TestDeepPng)
#include "test_deep_png.moc"
