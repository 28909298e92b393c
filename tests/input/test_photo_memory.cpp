// SPDX-License-Identifier: Apache-2.0
// What a pipeline of photographs takes at most, against what it states before: this program
// replaces operator new.
#include "dataset/colour_files.h"
#include "dataset/formats/image_folder.h"
#include "input/input_pipeline.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>

namespace {

std::atomic<std::int64_t> takenBytes{0};
std::atomic<std::int64_t> mostBytes{0};

void note(void* memory, std::int64_t sign)
{
    const std::int64_t taken = takenBytes +=
        sign * static_cast<std::int64_t>(malloc_usable_size(memory));
    std::int64_t most = mostBytes;
    while (taken > most && !mostBytes.compare_exchange_weak(most, taken)) {
    }
}

} // namespace

void* operator new(std::size_t size)
{
    void* memory = std::malloc(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    note(memory, 1);
    return memory;
}

void operator delete(void* memory) noexcept
{
    note(memory, -1);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    note(memory, -1);
    std::free(memory);
}

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

class TestPhotoMemory : public QObject
{
    Q_OBJECT

private slots:
    void Pipeline_ofPhotographs_staysWithinWhatItStates();
};

// Of many sizes, in the order in which the sampler takes them.
void TestPhotoMemory::Pipeline_ofPhotographs_staysWithinWhatItStates()
{
    const TemporaryFolder folder;
    for (const char* split : {"train", "val"}) {
        fs::create_directories(folder / split / "a");
        for (int i = 0; i < 12; ++i) {
            const ColourImage image = flatImage(200 + 60 * i, 900 - 30 * i, {90, 80, 70});
            std::ofstream(folder / split / "a" / (std::to_string(i) + ".jpg"), std::ios::binary)
                << jpegOf(image);
        }
    }
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    PipelineSettings settings;
    settings.globalBatch = 4;
    settings.threads = 2;
    settings.distortion.cropHeight = 64;
    settings.distortion.cropWidth = 64;
    settings.distortion.photo.emplace();
    settings.distortion.photo->crop = false;
    settings.distortion.photo->isDecodedScaled = false;
    const std::int64_t stated = InputPipeline::bytes(*dataset, settings);
    const std::int64_t before = takenBytes;
    mostBytes = before;
    {
        InputPipeline pipeline(*dataset, settings);
        for (int i = 0; i < 20; ++i) {
            QVERIFY(pipeline.next().batch != nullptr);
        }
    }
    // The central crop has three quarters of the largest image's pixels. Besides, a loader has a
    // name and an open file.
    constexpr std::int64_t kBesides = 100'000;
    const std::int64_t most = mostBytes - before;
    QVERIFY2(
        most > stated / 2 && most < stated + kBesides,
        qPrintable(QString("%1 of %2").arg(most).arg(stated)));
}

LOCKSTEP_TEST(TestPhotoMemory)
#include "test_photo_memory.moc"
