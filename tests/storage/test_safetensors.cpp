// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "storage/checkpoint/safetensors.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>

#include <bit>
#include <cstring>
#include <limits>

using namespace lockstep;
using namespace lockstep::test;

namespace {

const std::vector<float> kFloats{
    0.0F,
    -0.0F,
    1.5F,
    std::numeric_limits<float>::infinity(),
    std::bit_cast<float>(0x7fc12345U),
    std::numeric_limits<float>::denorm_min()};
const std::vector<std::int64_t> kInts{-1, std::numeric_limits<std::int64_t>::min(), 7};
const std::vector<std::uint64_t> kUnsigned{std::numeric_limits<std::uint64_t>::max()};

std::vector<SafetensorsView> exampleTensors()
{
    return {
        {"conv1.weight", {2, 3}, std::span(kFloats)},
        {"counts", {3}, std::span(kInts)},
        {"empty", {0, 4}, std::span<const float>()},
        {"key", {}, std::span(kUnsigned)}};
}

const Metadata kMetadata{{"model", "cifar10"}, {"note", "tab\t, \"quotes\", é, \n"}};

template<class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// What the format's specification says, read by other means than the engine's.
struct Framing
{
    QJsonObject header;
    QByteArray data;
    qsizetype headerBytes = 0;
};

Framing readIndependently(const std::filesystem::path& path)
{
    const std::string bytes = readBytes(path);
    qsizetype length = 0;
    for (int i = 7; i >= 0; --i) {
        length = length * 256 + static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    }
    const QByteArray all(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return {QJsonDocument::fromJson(all.mid(8, length)).object(), all.mid(8 + length), length};
}

QByteArray dataOf(const Framing& file, const char* tensor)
{
    const auto offsets = file.header[tensor].toObject()["data_offsets"].toArray();
    return file.data.mid(offsets[0].toInt(), offsets[1].toInt() - offsets[0].toInt());
}

template<class T>
QByteArray bytesOf(const std::vector<T>& values)
{
    return {
        reinterpret_cast<const char*>(values.data()),
        static_cast<qsizetype>(values.size() * sizeof(T))};
}

} // namespace

class TestSafetensors : public QObject
{
    Q_OBJECT
private slots:
    static void Safetensors_roundTrip_isBitExact();
    static void Safetensors_framing_followsTheSpecification();
    static void Safetensors_python_readsTheSameBits();
    static void Safetensors_foreignFile_isReadUnchecked();
    static void Safetensors_headerAlone_tellsNamesAndShapes();
    static void Safetensors_wrongSizeOrDoubleName_isRefused();
    static void Safetensors_badUtf8_comesBack();
};

void TestSafetensors::Safetensors_roundTrip_isBitExact()
{
    const TemporaryFolder folder;
    writeSafetensors(folder / "a.safetensors", exampleTensors(), kMetadata);
    const auto file = readSafetensors(folder / "a.safetensors");
    QVERIFY(file.isChecked);
    QCOMPARE(file.metadata, kMetadata);
    // 8-byte types first, then the given order.
    QCOMPARE(file.tensors.size(), 4U);
    QCOMPARE(file.tensors[0].name, std::string("counts"));
    QVERIFY(sameBits(std::get<std::vector<std::int64_t>>(file.tensors[0].values), kInts));
    QCOMPARE(file.tensors[1].name, std::string("key"));
    QVERIFY(file.tensors[1].shape.empty());
    QVERIFY(sameBits(std::get<std::vector<std::uint64_t>>(file.tensors[1].values), kUnsigned));
    QCOMPARE(file.tensors[2].name, std::string("conv1.weight"));
    QCOMPARE(file.tensors[2].shape, (std::vector<std::int64_t>{2, 3}));
    QVERIFY(sameBits(std::get<std::vector<float>>(file.tensors[2].values), kFloats));
    QCOMPARE(file.tensors[3].name, std::string("empty"));
    QCOMPARE(file.tensors[3].shape, (std::vector<std::int64_t>{0, 4}));
}

void TestSafetensors::Safetensors_framing_followsTheSpecification()
{
    const TemporaryFolder folder;
    writeSafetensors(folder / "a.safetensors", exampleTensors(), kMetadata);
    const Framing file = readIndependently(folder / "a.safetensors");
    QCOMPARE(file.headerBytes % 8, 0);
    QCOMPARE(file.header.size(), 5);
    const auto conv = file.header["conv1.weight"].toObject();
    QCOMPARE(conv.keys(), (QStringList{"data_offsets", "dtype", "shape"}));
    QCOMPARE(conv["dtype"].toString(), QString("F32"));
    QCOMPARE(conv["shape"].toArray(), (QJsonArray{2, 3}));
    QCOMPARE(file.header["counts"].toObject()["dtype"].toString(), QString("I64"));
    QCOMPARE(file.header["key"].toObject()["dtype"].toString(), QString("U64"));
    QCOMPARE(dataOf(file, "conv1.weight"), bytesOf(kFloats));
    QCOMPARE(dataOf(file, "counts"), bytesOf(kInts));
    QCOMPARE(dataOf(file, "key"), bytesOf(kUnsigned));
    const auto metadata = file.header["__metadata__"].toObject();
    QCOMPARE(metadata["note"].toString().toStdString(), kMetadata.at("note"));
    for (const auto& value : metadata) {
        QVERIFY(value.isString());
    }
}

void TestSafetensors::Safetensors_python_readsTheSameBits()
{
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) {
        QSKIP("python3 is not installed");
    }
    const TemporaryFolder folder;
    writeSafetensors(folder / "a.safetensors", exampleTensors(), kMetadata);
    const char* script = R"py(
import json, struct, sys, zlib
raw = open(sys.argv[1], "rb").read()
length, = struct.unpack("<Q", raw[:8])
header = json.loads(raw[8:8 + length]); data = raw[8 + length:]
for name in ("conv1.weight", "counts", "key", "empty"):
    begin, end = header[name]["data_offsets"]
    code = {"F32": "I", "I64": "q", "U64": "Q"}[header[name]["dtype"]]
    crc = header["__metadata__"]["crc32." + name] == "%08x" % zlib.crc32(data[begin:end])
    print(name, crc, *[v[0] for v in struct.iter_unpack("<" + code, data[begin:end])])
)py";
    QProcess process;
    process.start(
        python, {"-c", script, QString::fromStdString((folder / "a.safetensors").string())});
    QVERIFY(process.waitForFinished());
    QCOMPARE(
        process.readAllStandardOutput(),
        QByteArray("conv1.weight True 0 2147483648 1069547520 2139095040 2143363909 1\n"
                   "counts True -1 -9223372036854775808 7\n"
                   "key True 18446744073709551615\n"
                   "empty True\n"));
}

// As another program would write it: no checksums, no padding, tensors not in the order of names.
void TestSafetensors::Safetensors_foreignFile_isReadUnchecked()
{
    const TemporaryFolder folder;
    const std::string header = R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                               R"("a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})";
    const std::uint64_t length = header.size();
    const std::vector<float> values{1.0F, 2.0F, 3.0F};
    std::string bytes(reinterpret_cast<const char*>(&length), 8);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(values.data()), 12);
    writeBytes(folder / "f.safetensors", bytes);
    const auto file = readSafetensors(folder / "f.safetensors");
    QVERIFY(!file.isChecked);
    QCOMPARE(file.tensors[0].name, std::string("b"));
    QCOMPARE(std::get<std::vector<float>>(file.tensors[0].values), (std::vector<float>{1.0F}));
    QCOMPARE(file.tensors[1].name, std::string("a"));
    QCOMPARE(
        std::get<std::vector<float>>(file.tensors[1].values), (std::vector<float>{2.0F, 3.0F}));
}

void TestSafetensors::Safetensors_headerAlone_tellsNamesAndShapes()
{
    const TemporaryFolder folder;
    writeSafetensors(folder / "a.safetensors", exampleTensors(), kMetadata);
    const auto header = readSafetensorsHeader(folder / "a.safetensors");
    QCOMPARE(header.metadata, kMetadata);
    QCOMPARE(header.tensors.size(), 4U);
    QCOMPARE(header.dataStart % 8, 0U);
    QCOMPARE(
        header.dataStart + header.tensors.back().end,
        std::filesystem::file_size(folder / "a.safetensors"));
}

void TestSafetensors::Safetensors_wrongSizeOrDoubleName_isRefused()
{
    const TemporaryFolder folder;
    const auto file = folder / "a.safetensors";
    const SafetensorsView wrong{"w", {7}, std::span(kFloats)};
    QVERIFY_THROWS_EXCEPTION(Error, writeSafetensors(file, std::span(&wrong, 1), {}));
    auto twice = exampleTensors();
    twice.push_back(twice.front());
    QVERIFY_THROWS_EXCEPTION(Error, writeSafetensors(file, twice, {}));
    QVERIFY(std::filesystem::is_empty(folder.path()));
}

void TestSafetensors::Safetensors_badUtf8_comesBack()
{
    const TemporaryFolder folder;
    writeSafetensors(folder / "a.safetensors", {}, {{"host", "caf\xe9"}});
    const auto file = readSafetensors(folder / "a.safetensors");
    QCOMPARE(file.metadata.at("host"), std::string("caf\xe9"));
    QVERIFY(file.isChecked);
}

LOCKSTEP_TEST(TestSafetensors)
#include "test_safetensors.moc"
