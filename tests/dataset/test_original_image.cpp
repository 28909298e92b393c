// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/original_image.h"
#include "support/lockstep_test.h"

#include "dataset/colour_files.h"
#include "dataset/formats/cifar10.h"
#include "dataset/formats/image_folder.h"
#include "dataset/formats/synthetic_defects.h"
#include "support/cifar10_files.h"
#include "support/failure_of.h"
#include "support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

class TestOriginalImage : public QObject
{
    Q_OBJECT

private slots:
    static void Planar_planesBecomePixels();
    static void Grey_becomesThreeEqualChannels();
    static void Photograph_isDecodedWhole();
};

/// Plane after plane on disk, pixel after pixel here.
void TestOriginalImage::Planar_planesBecomePixels()
{
    const TemporaryFolder folder;
    writeCifar10Folder(folder.path(), 3);
    const auto dataset = openCifar10(folder.path(), Split::Train);
    const auto planes = dataset->example(2).pixels;
    const ColourImage image = originalImage(*dataset, 2);
    QCOMPARE(image.height, 32);
    QCOMPARE(image.width, 32);
    for (std::size_t pixel = 0; pixel < 1024; ++pixel) {
        for (std::size_t colour = 0; colour < 3; ++colour) {
            QCOMPARE(image.pixels[3 * pixel + colour], planes[1024 * colour + pixel]);
        }
    }
}

void TestOriginalImage::Grey_becomesThreeEqualChannels()
{
    const auto dataset = openSyntheticDefects(Split::Test, {3});
    const auto grey = dataset->example(1).pixels;
    const ColourImage image = originalImage(*dataset, 1);
    QCOMPARE(image.pixels.size(), 3 * grey.size());
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        QCOMPARE(image.pixels[i], grey[i / 3]);
    }
}

/// Flat colours survive JPEG, nearly.
void TestOriginalImage::Photograph_isDecodedWhole()
{
    const TemporaryFolder folder;
    for (const char* const split : {"train", "val"}) {
        fs::create_directories(folder.path() / split / "red");
        std::ofstream(folder.path() / split / "red" / "a.JPEG")
            << jpegOf(flatImage(300, 500, {200, 40, 90}));
    }
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    const ColourImage image = originalImage(*dataset, 0);
    QCOMPARE(image.height, 300);
    QCOMPARE(image.width, 500);
    const std::array<int, 3> wanted{200, 40, 90};
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        QVERIFY(std::abs(image.pixels[i] - wanted[i % 3]) <= 3);
    }
    fs::remove(folder.path() / "train" / "red" / "a.JPEG");
    const QString problem = failureOf([&] { static_cast<void>(originalImage(*dataset, 0)); });
    QVERIFY2(problem.contains(QStringLiteral("a.JPEG")), qPrintable(problem));
}

LOCKSTEP_TEST(TestOriginalImage)
#include "test_original_image.moc"
