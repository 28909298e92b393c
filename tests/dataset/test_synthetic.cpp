// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/shape_drawing.h"
#include "dataset/formats/synthetic.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Picture = std::vector<std::uint8_t>;
using Mean = std::array<double, kSyntheticPictureBytes>;

Picture pictureOf(const Dataset& dataset, std::int64_t index)
{
    const auto pixels = dataset.example(index).pixels;
    return {pixels.begin(), pixels.end()};
}

std::vector<Picture> picturesOf(const Dataset& dataset)
{
    std::vector<Picture> pictures;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        pictures.push_back(pictureOf(dataset, i));
    }
    return pictures;
}

/// The mean picture of each label.
std::array<Mean, 10> meansOf(const Dataset& dataset)
{
    std::array<Mean, 10> means{};
    const double share = 10.0 / static_cast<double>(dataset.size());
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        const auto example = dataset.example(i);
        auto& mean = means.at(static_cast<std::size_t>(example.label));
        for (std::size_t pixel = 0; pixel < mean.size(); ++pixel) {
            mean[pixel] += share * example.pixels[pixel];
        }
    }
    return means;
}

int nearest(const std::array<Mean, 10>& means, std::span<const std::uint8_t> pixels)
{
    int best = 0;
    double least = std::numeric_limits<double>::max();
    for (int label = 0; label < 10; ++label) {
        double squares = 0.0;
        for (std::size_t pixel = 0; pixel < pixels.size(); ++pixel) {
            const double difference = means[static_cast<std::size_t>(label)][pixel] - pixels[pixel];
            squares += difference * difference;
        }
        if (squares < least) {
            least = squares;
            best = label;
        }
    }
    return best;
}

} // namespace

class TestSynthetic : public QObject
{
    Q_OBJECT

private slots:
    void OpenSynthetic_sameSeed_isTheSameInEveryByte();
    void OpenSynthetic_otherSeed_isOther();
    void OpenSynthetic_fewerExamples_areTheFirstOnes();
    void OpenSynthetic_splits_haveNoPictureInCommon();
    void OpenSynthetic_defaultSizes_areBalanced_data();
    void OpenSynthetic_defaultSizes_areBalanced();
    void OpenSynthetic_info_isLikeCifar10();
    void OpenSynthetic_sizeOutOfRange_isRefused_data();
    void OpenSynthetic_sizeOutOfRange_isRefused();
    void DrawSyntheticExample_manyThreadsInAnyOrder_drawTheSame();
    void DrawSyntheticExample_bufferOfOtherSize_isAnInternalError();
    void OpenSynthetic_enlarged_repeatsEveryPixel();
    void Synthetic_meanPictures_tellLittle();
    void Synthetic_pixels_useTheWholeRange();
};

void TestSynthetic::OpenSynthetic_sameSeed_isTheSameInEveryByte()
{
    QVERIFY(
        picturesOf(*openSynthetic(Split::Train, 7, 100))
        == picturesOf(*openSynthetic(Split::Train, 7, 100)));
}

void TestSynthetic::OpenSynthetic_otherSeed_isOther()
{
    const auto first = openSynthetic(Split::Train, 7, 50);
    // The upper half of the seed counts too.
    for (const std::uint64_t seed : {8ULL, 7ULL + (1ULL << 32U)}) {
        const auto other = openSynthetic(Split::Train, seed, 50);
        for (std::int64_t i = 0; i < first->size(); ++i) {
            QVERIFY(pictureOf(*first, i) != pictureOf(*other, i));
        }
    }
}

void TestSynthetic::OpenSynthetic_fewerExamples_areTheFirstOnes()
{
    const auto few = openSynthetic(Split::Test, 3, 7);
    const auto many = openSynthetic(Split::Test, 3, 20);
    QCOMPARE(few->size(), 7);
    for (std::int64_t i = 0; i < few->size(); ++i) {
        QVERIFY(pictureOf(*few, i) == pictureOf(*many, i));
        QCOMPARE(few->example(i).label, many->example(i).label);
    }
}

void TestSynthetic::OpenSynthetic_enlarged_repeatsEveryPixel()
{
    const auto small = openSynthetic(Split::Train, 3, 5);
    const auto large = openSynthetic(Split::Train, 3, 5, 4);
    QVERIFY(large->info().imageShape == (Shape{128, 128, 3}));
    for (std::int64_t i = 0; i < small->size(); ++i) {
        QCOMPARE(large->example(i).label, small->example(i).label);
        const auto pixels = small->example(i).pixels;
        const auto enlarged = large->example(i).pixels;
        QCOMPARE(enlarged.size(), 16 * pixels.size());
        for (std::size_t at = 0; at < enlarged.size(); ++at) {
            const std::size_t plane = at / (std::size_t{128} * 128);
            const std::size_t row = at / 128 % 128 / 4;
            const std::size_t column = at % 128 / 4;
            QCOMPARE(enlarged[at], pixels[(plane * 32 + row) * 32 + column]);
        }
    }
    QVERIFY_THROWS_EXCEPTION(Error, openSynthetic(Split::Train, 3, 5, 0));
}

void TestSynthetic::OpenSynthetic_splits_haveNoPictureInCommon()
{
    std::set<std::string> all;
    for (const Split split : {Split::Train, Split::Test}) {
        for (const auto& picture : picturesOf(*openSynthetic(split, 5, 500))) {
            all.emplace(picture.begin(), picture.end());
        }
    }
    QCOMPARE(all.size(), 1000U);
}

void TestSynthetic::OpenSynthetic_defaultSizes_areBalanced_data()
{
    QTest::addColumn<bool>("isTrain");
    QTest::addColumn<int>("examples");
    QTest::newRow("train") << true << 10'000;
    QTest::newRow("test") << false << 2'000;
}

void TestSynthetic::OpenSynthetic_defaultSizes_areBalanced()
{
    QFETCH(const bool, isTrain);
    QFETCH(const int, examples);
    const auto dataset = openSynthetic(isTrain ? Split::Train : Split::Test, 1);
    QCOMPARE(dataset->size(), examples);
    std::array<int, 10> counts{};
    for (std::int64_t i = 0; i < dataset->size(); ++i) {
        ++counts.at(static_cast<std::size_t>(dataset->example(i).label));
    }
    QVERIFY(std::all_of(
        counts.begin(), counts.end(), [&](int count) { return count == examples / 10; }));
}

void TestSynthetic::OpenSynthetic_info_isLikeCifar10()
{
    const auto dataset = openSynthetic(Split::Test, 1, 10);
    const auto& info = dataset->info();
    QCOMPARE(info.name, std::string("synthetic"));
    QCOMPARE(info.split, std::string("test"));
    QVERIFY((info.imageShape == Shape{32, 32, 3}));
    QVERIFY(info.pixelOrder == PixelOrder::Planar);
    QCOMPARE(info.classNames.size(), 10U);
    QCOMPARE(std::set(info.classNames.begin(), info.classNames.end()).size(), 10U);
    QCOMPARE(info.classNames[4], std::string("ring"));
    QCOMPARE(dataset->example(9).pixels.size(), 3072U);
}

void TestSynthetic::OpenSynthetic_sizeOutOfRange_isRefused_data()
{
    QTest::addColumn<qint64>("examples");
    QTest::newRow("none") << qint64{0};
    QTest::newRow("negative") << qint64{-1};
    QTest::newRow("more than a million") << qint64{1'000'001};
}

void TestSynthetic::OpenSynthetic_sizeOutOfRange_isRefused()
{
    QFETCH(const qint64, examples);
    const auto error = errorOf([&] { openSynthetic(Split::Train, 1, examples); });
    QVERIFY(tells(error, ErrorCode::BadInput, std::to_string(examples)));
}

void TestSynthetic::DrawSyntheticExample_manyThreadsInAnyOrder_drawTheSame()
{
    constexpr std::int64_t kExamples = 400;
    constexpr std::int64_t kThreads = 8;
    const auto expected = openSynthetic(Split::Train, 11, kExamples);
    std::vector<Picture> pictures(kExamples, Picture(kSyntheticPictureBytes));
    std::vector<std::int32_t> labels(kExamples);
    std::vector<std::thread> threads;
    for (std::int64_t thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::int64_t i = kExamples - 1 - thread; i >= 0; i -= kThreads) {
                const auto index = static_cast<std::size_t>(i);
                labels[index] = drawSyntheticExample(11, Split::Train, i, pictures[index]);
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    for (std::int64_t i = 0; i < kExamples; ++i) {
        QVERIFY(pictures[static_cast<std::size_t>(i)] == pictureOf(*expected, i));
        QCOMPARE(labels[static_cast<std::size_t>(i)], expected->example(i).label);
    }
}

void TestSynthetic::DrawSyntheticExample_bufferOfOtherSize_isAnInternalError()
{
    Picture picture(kSyntheticPictureBytes - 1);
    const auto error =
        errorOf([&] { drawSyntheticExample(1, Split::Train, 0, std::span(picture)); });
    QVERIFY(tells(error, ErrorCode::Internal, "3 × 32 × 32"));
}

/// If colour, brightness or place gave the label away, the picture nearest to a label's mean would
/// be of that label. Guessing is right once in ten.
void TestSynthetic::Synthetic_meanPictures_tellLittle()
{
    const auto means = meansOf(*openSynthetic(Split::Train, 1, 2000));
    const auto test = openSynthetic(Split::Test, 1, 500);
    int correct = 0;
    for (std::int64_t i = 0; i < test->size(); ++i) {
        const auto example = test->example(i);
        correct += nearest(means, example.pixels) == example.label ? 1 : 0;
    }
    // 0.1 is expected; its standard deviation over 500 examples is 0.013.
    QVERIFY2(correct < 100, qPrintable(QString("%1 of 500").arg(correct)));
}

void TestSynthetic::Synthetic_pixels_useTheWholeRange()
{
    const auto pictures = picturesOf(*openSynthetic(Split::Train, 2, 500));
    std::set<std::uint8_t> values;
    for (const auto& picture : pictures) {
        values.insert(picture.begin(), picture.end());
    }
    QCOMPARE(values.size(), 256U);
}

LOCKSTEP_TEST(TestSynthetic)
#include "test_synthetic.moc"
