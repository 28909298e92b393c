// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "storage/checkpoint/safetensors.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <limits>
#include <numeric>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string goodFile(const std::filesystem::path& path)
{
    std::vector<float> weights(6);
    std::iota(weights.begin(), weights.end(), 0.5F);
    const std::vector<float> bias{1.0F, 2.0F};
    const std::vector<SafetensorsView> tensors{
        {"conv1.weight", {2, 3}, std::span(weights)}, {"conv1.bias", {2}, std::span(bias)}};
    writeSafetensors(path, tensors, {{"step", "1000"}});
    return readBytes(path);
}

std::string framed(const std::string& header, std::size_t dataBytes)
{
    const std::uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), 8) + header
           + std::string(dataBytes, '\0');
}

// A file that says it is whole, or refuses: true if the reader either throws or says "unchecked".
bool isNoticed(const std::filesystem::path& path)
{
    try {
        return !readSafetensors(path).isChecked;
    } catch (const Error& error) {
        return tells(error, ErrorCode::Data, path.string());
    }
}

} // namespace

class TestSafetensorsDamage : public QObject
{
    Q_OBJECT
private slots:
    static void Reader_everyFlippedBit_isNoticed();
    static void Reader_flippedTensorBit_namesFileAndTensor();
    static void Reader_everyTruncation_isNoticed();
    static void Reader_addedBytes_areNoticed();
    static void Reader_maliciousHeader_isRefused_data();
    static void Reader_maliciousHeader_isRefused();
    static void Reader_deepNesting_isRefused();
    static void Reader_notAFile_isNamed();
};

void TestSafetensorsDamage::Reader_everyFlippedBit_isNoticed()
{
    const TemporaryFolder folder;
    const auto path = folder / "a.safetensors";
    const std::string good = goodFile(path);
    QVERIFY(!isNoticed(path));
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        flipBit(path, bit / 8, bit % 8);
        QVERIFY2(
            isNoticed(path), qPrintable(QString("bit %1 of byte %2").arg(bit % 8).arg(bit / 8)));
        flipBit(path, bit / 8, bit % 8);
    }
    QVERIFY(!isNoticed(path));
}

void TestSafetensorsDamage::Reader_flippedTensorBit_namesFileAndTensor()
{
    const TemporaryFolder folder;
    const auto path = folder / "a.safetensors";
    const std::string good = goodFile(path);
    const std::size_t data = good.size() - 8 * sizeof(float);
    for (std::size_t byte = data; byte < good.size(); ++byte) {
        const char* tensor = byte < data + 6 * sizeof(float) ? "conv1.weight" : "conv1.bias";
        flipBit(path, byte, 4);
        QVERIFY(
            tells(errorOf([&] { readSafetensors(path); }), ErrorCode::Data, path.string(), tensor));
        flipBit(path, byte, 4);
    }
}

void TestSafetensorsDamage::Reader_everyTruncation_isNoticed()
{
    const TemporaryFolder folder;
    const auto path = folder / "a.safetensors";
    const std::string good = goodFile(path);
    for (std::size_t size = good.size(); size-- > 0;) {
        std::filesystem::resize_file(path, size);
        QVERIFY2(isNoticed(path), qPrintable(QString("cut to %1 bytes").arg(size)));
        if (good.size() - size <= 8 * sizeof(float)) { // the header is whole
            const auto error = errorOf([&] { readSafetensors(path); });
            QVERIFY(tells(error, ErrorCode::Data, "the file is cut short"));
        }
    }
}

void TestSafetensorsDamage::Reader_addedBytes_areNoticed()
{
    const TemporaryFolder folder;
    const auto path = folder / "a.safetensors";
    writeBytes(path, goodFile(path) + std::string(8, '\0'));
    QVERIFY(isNoticed(path));
}

void TestSafetensorsDamage::Reader_maliciousHeader_isRefused_data()
{
    QTest::addColumn<QString>("header");
    QTest::addColumn<int>("dataBytes");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* tag, const char* header, int dataBytes, const char* names) {
        QTest::newRow(tag) << QString(header) << dataBytes << QString(names);
    };
    row("not JSON", "{\"w\":", 4, "header");
    row("not an object", "[1,2,3]", 4, "header");
    row("nothing but spaces", "        ", 4, "header");
    row("tensor is a number", R"({"w":5})", 4, "'w'");
    row("no type", R"({"w":{"shape":[1],"data_offsets":[0,4]}})", 4, "'w'");
    row("unknown type", R"({"w":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", 4, "F33");
    row("type is a number", R"({"w":{"dtype":5,"shape":[1],"data_offsets":[0,4]}})", 4, "'w'");
    row("negative shape", R"({"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "'w'");
    row("fractional shape", R"({"w":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4,
        "'w'");
    row("shape overflows",
        R"({"w":{"dtype":"F32","shape":[4294967296,4294967297],"data_offsets":[0,4]}})", 4, "'w'");
    row("size overflows to the right one",
        R"({"w":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}})", 4, "'w'");
    row("shape beyond int64",
        R"({"w":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})", 4, "'w'");
    row("shape too small", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", 8, "'w'");
    row("beyond the file", R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", 4, "cut");
    row("end before begin", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "'w'");
    row("huge offsets",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,18446744073709551616]}})",
        4, "'w'");
    row("three offsets", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})", 4, "'w'");
    row("extra field", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})", 4, "'w'");
    row("gap before", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "'w'");
    row("gap after", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 8, "8 bytes");
    row("overlap",
        R"({"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
        R"("w":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
        12, "'w'");
    row("one place twice",
        R"({"v":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
        R"("w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4, "'w'");
    row("one name twice",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
        R"("w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4, "'w' comes twice");
    row("one field twice",
        R"({"w":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4, "twice");
    row("metadata is a list", R"({"__metadata__":[]})", 0, "__metadata__");
    row("metadata of numbers", R"({"__metadata__":{"step":5}})", 0, "'step'");
    row("wrong checksum", R"({"__metadata__":{"header_crc32":"deadbeef"}})", 0, "checksum");
    row("short checksum", R"({"__metadata__":{"header_crc32":""}})", 0, "checksum");
}

void TestSafetensorsDamage::Reader_maliciousHeader_isRefused()
{
    QFETCH(QString, header);
    QFETCH(int, dataBytes);
    QFETCH(QString, names);
    const TemporaryFolder folder;
    const auto path = folder / "m.safetensors";
    writeBytes(path, framed(header.toStdString(), static_cast<std::size_t>(dataBytes)));
    const auto error = errorOf([&] { readSafetensors(path); });
    QVERIFY2(
        tells(error, ErrorCode::Data, path.string(), names.toStdString()),
        error ? error->what() : "accepted");
}

void TestSafetensorsDamage::Reader_deepNesting_isRefused()
{
    const TemporaryFolder folder;
    const auto path = folder / "deep.safetensors";
    writeBytes(path, framed("{\"w\":" + std::string(1'000'000, '['), 0));
    QVERIFY(tells(errorOf([&] { readSafetensors(path); }), ErrorCode::Data, path.string(), "deep"));
    // A length that no file can have must not be allocated.
    const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
    writeBytes(path, std::string(reinterpret_cast<const char*>(&huge), 8) + "{}");
    QVERIFY(tells(errorOf([&] { readSafetensors(path); }), ErrorCode::Data, path.string()));
}

void TestSafetensorsDamage::Reader_notAFile_isNamed()
{
    const TemporaryFolder folder;
    QVERIFY(tells(
        errorOf([&] { readSafetensors(folder.path()); }), ErrorCode::Io, folder.path().string()));
    const auto missing = folder / "missing.safetensors";
    QVERIFY(tells(errorOf([&] { readSafetensors(missing); }), ErrorCode::Io, missing.string()));
}

LOCKSTEP_TEST(TestSafetensorsDamage)
#include "test_safetensors_damage.moc"
