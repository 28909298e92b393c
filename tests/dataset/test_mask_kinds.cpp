// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/gray_image.h"
#include "dataset/colour_files.h"
#include "dataset/formats/kolektorsdd.h"
#include "dataset/mask_layouts.h"
#include "dataset/png_maker.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <algorithm>
#include <functional>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kMaskSide = 24;

using MaskPalette = std::vector<std::array<std::uint8_t, 3>>;
using MaskRow = std::vector<std::uint16_t>;
/// The value of a pixel of mask `number`, at a distance from the middle.
using MaskDrawing = std::function<int(int number, int distance)>;

constexpr std::array<std::uint8_t, 3> kBlackEntry{0, 0, 0};
constexpr std::array<std::uint8_t, 3> kWhiteEntry{255, 255, 255};
constexpr std::array<std::uint8_t, 3> kRedEntry{255, 0, 0};
constexpr std::array<std::uint8_t, 3> kGreenEntry{0, 255, 0};

/// Six pairs; masks as `make` writes what is drawn.
Files maskPairs(const MaskDrawing& draw, const std::function<std::string(const MaskRow&)>& make)
{
    Files files;
    for (int i = 0; i < 6; ++i) {
        MaskRow values;
        for (int y = 0; y < kMaskSide; ++y) {
            for (int x = 0; x < kMaskSide; ++x) {
                const int distance =
                    std::max(std::abs(y - kMaskSide / 2), std::abs(x - kMaskSide / 2));
                values.push_back(static_cast<std::uint16_t>(draw(i, distance)));
            }
        }
        files[fmt::format("images/{}.bmp", i)] = bmpOf(smoothImage(kMaskSide, kMaskSide, i));
        files[fmt::format("masks/{}.png", i)] = make(values);
    }
    return files;
}

std::string greyMask(const MaskRow& values)
{
    return PngMaker{}.write(values, kMaskSide, kMaskSide);
}

std::function<std::string(const MaskRow&)> indexMask(const MaskPalette& palette)
{
    return [palette](const MaskRow& values) {
        return PngMaker{.palette = palette}.write(values, kMaskSide, kMaskSide);
    };
}

/// MaskRow are numbers of colours.
std::function<std::string(const MaskRow&)> colourMask(const MaskPalette& colours)
{
    return [colours](const MaskRow& values) {
        MaskRow channels;
        for (const std::uint16_t value : values) {
            channels.insert(channels.end(), colours[value].begin(), colours[value].end());
        }
        return PngMaker{.channels = 3}.write(channels, kMaskSide, kMaskSide);
    };
}

std::string jpegMask(const MaskRow& values)
{
    GrayImage image{kMaskSide, kMaskSide, {values.begin(), values.end()}};
    return test::jpegOf(image);
}

/// Every second one has a mark of 5 x 5 pixels.
int markedAt(int number, int distance, int mark, int background)
{
    return number % 2 == 1 && distance <= 2 ? mark : background;
}

MaskDrawing marksOn(int mark, int background)
{
    return [=](int number, int distance) { return markedAt(number, distance, mark, background); };
}

/// Marks whose edges fall off over some pixels.
MaskDrawing softMarks(int background = 0, int sign = 1)
{
    return [=](int number, int distance) {
        return number % 2 == 1 ? background + sign * std::clamp(255 - 28 * (distance - 2), 0, 255)
                               : background;
    };
}

std::unique_ptr<Dataset> openMasks(
    const Files& files, int threshold = 1, MaskBackground background = MaskBackground::Auto)
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), files);
    MaskedDataSettings settings;
    settings.fold = MaskedDataSettings::kNoFold;
    settings.dilation = 0;
    settings.maskThreshold = threshold;
    settings.maskBackground = background;
    return openMaskedImages("masked_folder", folder.path(), Split::Train, settings);
}

/// Marked pixels of each.
QList<int> marksIn(const Dataset& dataset)
{
    QList<int> counts;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        counts << static_cast<int>(std::ranges::count(dataset.example(i).mask, 1));
    }
    return counts;
}

const QList<int> kThreeMarked{0, 25, 0, 25, 0, 25};

} // namespace

class TestMaskKinds : public QObject
{
    Q_OBJECT

private slots:
    void Open_masks_areRead_data();
    void Open_masks_areRead();
    void Open_masks_areRefused_data();
    void Open_masks_areRefused();
    void Open_filesOfOtherFormats_areNamed_data();
    void Open_filesOfOtherFormats_areNamed();
    void Open_leftOver_isCounted();
    void Open_otherFormatsAlone_areNamed();
    void Decode_bmpWithoutColours_isReadByIndex();
};

void TestMaskKinds::Open_masks_areRead_data()
{
    QTest::addColumn<Files>("files");
    QTest::addColumn<int>("threshold");
    QTest::addColumn<QString>("background");
    QTest::addColumn<QList<int>>("expected");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const Files& files, const char* said = "",
                        int threshold = 1, const char* background = "auto",
                        const QList<int>& expected = kThreeMarked) {
        QTest::newRow(name) << files << threshold << background << expected << said;
    };
    const char* const byIndex = "read by the indices of their palette";
    row("white on black", maskPairs(marksOn(255, 0), greyMask));
    row("faint on black", maskPairs(marksOn(1, 0), greyMask));
    row("index, colours", maskPairs(marksOn(1, 0), indexMask({kBlackEntry, kRedEntry})));
    row("index, all black", maskPairs(marksOn(1, 0), indexMask({kBlackEntry, kBlackEntry})),
        byIndex);
    row("index, all white", maskPairs(marksOn(1, 0), indexMask({kWhiteEntry, kWhiteEntry})),
        byIndex);
    row("index, 256 black ones", maskPairs(marksOn(7, 0), indexMask(MaskPalette(256, kBlackEntry))),
        byIndex);
    row("index, white background", maskPairs(marksOn(1, 0), indexMask({kWhiteEntry, kRedEntry})),
        byIndex);
    row("index, red background", maskPairs(marksOn(1, 0), indexMask({kRedEntry, kGreenEntry})),
        byIndex);
    row("index, black on white", maskPairs(marksOn(1, 0), indexMask({kWhiteEntry, kBlackEntry})),
        byIndex);
    row("index, background has another number",
        maskPairs(marksOn(0, 1), indexMask({kWhiteEntry, kBlackEntry})));
    row("index, background comes last",
        maskPairs(marksOn(1, 3), indexMask({kGreenEntry, kRedEntry, kWhiteEntry, kBlackEntry})));
    row("index, some kinds without colour",
        maskPairs(marksOn(2, 0), indexMask({kBlackEntry, kRedEntry, kBlackEntry, kGreenEntry})),
        byIndex);
    row("black on white", maskPairs(marksOn(0, 255), greyMask), "", 1, "white");
    row("red on white", maskPairs(marksOn(1, 0), colourMask({kWhiteEntry, kRedEntry})), "", 1,
        "white");
    row("index, black on white, set",
        maskPairs(marksOn(0, 1), indexMask({kBlackEntry, kWhiteEntry})), "", 1, "white");
    row("index, all black, inverted",
        maskPairs(marksOn(0, 1), indexMask({kBlackEntry, kBlackEntry})), byIndex, 1, "white");
    row("two beside a background of one", maskPairs(marksOn(2, 1), greyMask), "", 2);
    row("soft edges", maskPairs(softMarks(), greyMask), "soft edges", 1, "auto",
        {0, 529, 0, 529, 0, 529});
    row("soft edges, threshold", maskPairs(softMarks(), greyMask), "", 128, "auto",
        {0, 169, 0, 169, 0, 169});
    row("soft edges on white", maskPairs(softMarks(255, -1), greyMask), "", 128, "white",
        {0, 169, 0, 169, 0, 169});
    row("noise of a JPEG",
        maskPairs(
            [](int number, int distance) {
                return number % 2 == 1 ? (distance <= 2 ? 252 : distance < 8 ? distance : 0) : 0;
            },
            greyMask),
        "compression to JPEG", 1, "auto", {0, 225, 0, 225, 0, 225});
    row("noise of a JPEG, threshold",
        maskPairs(
            [](int number, int distance) {
                return number % 2 == 1 ? (distance <= 2 ? 252 : distance < 8 ? distance : 0) : 0;
            },
            greyMask),
        "", 128);
    row("JPEG, threshold", maskPairs(marksOn(255, 0), jpegMask), "", 128);
    row("all, said to be right",
        maskPairs([](int number, int) { return number == 0 ? 0 : 255; }, greyMask), "", 1, "black",
        {0, 576, 576, 576, 576, 576});
    row("one of them inverted",
        maskPairs(
            [](int number, int distance) {
                return number == 1 ? markedAt(1, distance, 0, 255)
                                   : markedAt(number, distance, 255, 0);
            },
            greyMask),
        "1 of 3 masks that mark anything mark most of their image", 1, "auto",
        {0, 551, 0, 25, 0, 25});
    row("kinds as grey levels", maskPairs(
                                    [](int number, int distance) {
                                        return number % 2 == 1 && distance <= 2 ? 1 + distance : 0;
                                    },
                                    greyMask));
}

void TestMaskKinds::Open_masks_areRead()
{
    QFETCH(Files, files);
    QFETCH(int, threshold);
    QFETCH(QString, background);
    QFETCH(QList<int>, expected);
    QFETCH(QString, said);
    const auto place = std::ranges::find(kMaskBackgroundNames, background.toStdString());
    const auto dataset = openMasks(
        files, threshold, static_cast<MaskBackground>(place - kMaskBackgroundNames.begin()));
    QCOMPARE(marksIn(*dataset), expected);
    const auto lines = dataset->info().account.lines();
    const QString first = lines.empty() ? QString() : QString::fromStdString(lines[0]);
    QVERIFY2(said.isEmpty() ? first.isEmpty() : first.contains(said), qPrintable(first));
    QVERIFY(lines.size() <= 1);
}

void TestMaskKinds::Open_masks_areRefused_data()
{
    addRows<Files, QString>(
        {"files", "text"},
        {{"inverted", maskPairs(marksOn(0, 255), greyMask), "set dataset.mask_background = white"},
         {"inverted, right all the same", maskPairs(marksOn(0, 255), greyMask),
          "if it is right, set dataset.mask_background = black"},
         {"inverted, index", maskPairs(marksOn(0, 1), indexMask({kBlackEntry, kWhiteEntry})),
          "set dataset.mask_background = white"},
         {"inverted, soft", maskPairs(softMarks(255, -1), greyMask),
          "set dataset.mask_background = white"},
         {"red on white", maskPairs(marksOn(1, 0), colourMask({kWhiteEntry, kRedEntry})),
          "set dataset.mask_background = white"},
         {"red on green", maskPairs(marksOn(1, 0), colourMask({kGreenEntry, kRedEntry})),
          "save the masks with a black or a white one"},
         {"two beside one", maskPairs(marksOn(2, 1), greyMask), "set dataset.mask_threshold = 2"},
         {"white on grey", maskPairs(marksOn(255, 128), greyMask),
          "set dataset.mask_threshold = 192"},
         {"a JPEG", maskPairs(marksOn(255, 0), jpegMask), "or set dataset.mask_threshold = 128"},
         {"nothing", maskPairs(marksOn(0, 0), greyMask), "0 of 6 images are defective"},
         {"nothing, why", maskPairs(marksOn(0, 0), greyMask), "no mask differs anywhere"},
         {"everything has a mark",
          maskPairs([](int, int distance) { return distance <= 2 ? 9 : 0; }, greyMask),
          "6 of 6 images are defective, and both defective and clean ones are needed: add"}});
}

void TestMaskKinds::Open_masks_areRefused()
{
    QFETCH(Files, files);
    QFETCH(QString, text);
    const auto error = errorOf([&] { openMasks(files); });
    QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error ? error->what() : "read");
    QVERIFY(!tells(error, ErrorCode::Data, "seed"));
    const auto dim = errorOf([] { openMasks(maskPairs(marksOn(5, 0), greyMask), 128); });
    QVERIFY(tells(dim, ErrorCode::Data, "is 5, below dataset.mask_threshold = 128"));
}

void TestMaskKinds::Open_filesOfOtherFormats_areNamed_data()
{
    addRows<QString, QString, QString>(
        {"image", "label", "text"},
        {{"gif", "{}.jpg", "{}_mask.gif", "0_mask.gif: is no BMP or PNG, as the label of"},
         {"tif", "images/{}.png", "masks/{}.tif", "masks/0.tif: is no BMP or PNG"},
         {"polygons", "images/{}.png", "labels/{}.txt", "labels/0.txt: is no BMP or PNG"},
         {"webp image", "{}.webp", "{}_mask.png", "0.webp: is no JPEG, PNG or BMP, but has the"},
         {"tif image", "images/{}.tif", "masks/{}.png", "images/0.tif: is no JPEG, PNG or BMP"},
         {"MVTec", "test/crack/{}.png", "ground_truth/crack/{}_mask.tiff",
          "ground_truth/crack/0_mask.tiff: is no BMP or PNG"}});
}

void TestMaskKinds::Open_filesOfOtherFormats_areNamed()
{
    QFETCH(QString, image);
    QFETCH(QString, label);
    QFETCH(QString, text);
    Files files;
    for (int i = 0; i < 3; ++i) {
        files[fmt::format(fmt::runtime(image.toStdString()), i)] = greyPng(i);
        files[fmt::format(fmt::runtime(label.toStdString()), i)] = maskPng(i == 1);
    }
    const auto error = errorOf([&] { openMasks(files); });
    QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error ? error->what() : "read");
}

void TestMaskKinds::Open_leftOver_isCounted()
{
    Files files = maskPairs(marksOn(255, 0), greyMask);
    for (const char* name :
         {"images/t0.tif", "images/t1.TIF", "masks/t0.tif", "masks/t1.TIF", "README",
          "images/0.json"}) {
        files[name] = "x";
    }
    const auto lines = openMasks(files)->info().account.lines();
    QCOMPARE(lines.size(), 1U);
    QVERIFY(lines[0].starts_with("6 files left out: 4 .tif (images/t0.tif), "));
    QVERIFY(lines[0].find("1 .json (images/0.json)") != std::string::npos);
    QVERIFY(lines[0].find("1 without an ending (README)") != std::string::npos);
    Files others = maskPairs(marksOn(255, 0), greyMask);
    others["images/6.jfif"] = test::jpegOf(smoothImage(kMaskSide, kMaskSide, 6));
    others["masks/6.dib"] = bmpOf(squareMask(kMaskSide, kMaskSide, 1));
    QCOMPARE(openMasks(others)->size(), 7);
}

void TestMaskKinds::Open_otherFormatsAlone_areNamed()
{
    const auto error = errorOf([] { openMasks({{"images/0.tif", "x"}, {"masks/0.tif", "x"}}); });
    QVERIFY2(
        tells(
            error, ErrorCode::BadInput,
            "holds no images (2 files left out: 2 .tif (images/0.tif); the engine reads"),
        error ? error->what() : "");
}

void TestMaskKinds::Decode_bmpWithoutColours_isReadByIndex()
{
    constexpr std::size_t kPalette = 54;
    std::string file = bmpOf(squareMask(6, 6, 3));
    const auto withColours = decodeMask(asBytes(file), "a");
    QVERIFY(!withColours.values.isByIndex);
    file.replace(kPalette, 1024, 1024, '\0');
    const auto without = decodeMask(asBytes(file), "a");
    QCOMPARE(without.pixels, squareMask(6, 6, 1).pixels);
    QVERIFY(without.values.isByIndex);
}

LOCKSTEP_TEST(TestMaskKinds)
#include "test_mask_kinds.moc"
