// SPDX-License-Identifier: Apache-2.0
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cstring>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// CRC-32 as its definition has it, bit by bit.
std::uint32_t crc32Of(const QByteArray& bytes)
{
    std::uint32_t sum = ~0U;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1) ^ ((sum & 1U) != 0 ? 0xedb8'8320U : 0U);
        }
    }
    return ~sum;
}

/// Reads a blob by README.md, and by nothing else.
class Blob
{
public:
    explicit Blob(const std::string& hex) : m_bytes(QByteArray::fromHex(hex.c_str())) {}

    template<class Value>
    Value take()
    {
        Value value{};
        if (m_place + static_cast<int>(sizeof value) <= m_bytes.size()) {
            std::memcpy(&value, m_bytes.constData() + m_place, sizeof value);
        }
        m_place += static_cast<int>(sizeof value);
        return value;
    }
    std::pair<float, float> floats()
    {
        const auto first = take<float>();
        return {first, take<float>()};
    }
    /// Two integers whose rests take a byte each, or none.
    std::pair<std::int64_t, std::int64_t> integers()
    {
        const auto first = take<std::int64_t>();
        const auto increment = take<std::int64_t>();
        const auto width = take<std::uint8_t>();
        const int rest0 = width == 1 ? take<std::int8_t>() : 0;
        const int rest1 = width == 1 ? take<std::int8_t>() : 0;
        return {first + rest0, first + increment + rest1};
    }
    [[nodiscard]] bool isAtTheEnd() const { return m_place == m_bytes.size(); }
    [[nodiscard]] QByteArray behindChecksum() const { return m_bytes.mid(4); }

private:
    QByteArray m_bytes;
    int m_place = 0;
};

/// Two steps: the shortest block there is without waiting for 4096 of them.
StepRecord stepOf(std::int64_t step, float loss)
{
    StepRecord record;
    record.step = step;
    record.examples = 256 * step;
    record.learningRate = 0.125;
    record.lossMean = loss;
    record.weightDecayLoss = 0.5;
    record.wallSeconds = 0.5 * static_cast<double>(step);
    record.stepSeconds = 0.5;
    record.towers = {{loss + 1.0, step % 100, 128}, {loss + 2.0, 5, 128}};
    return record;
}

constexpr std::int64_t kFirst = 4094;

std::filesystem::path writeBlock(const TemporaryFolder& folder)
{
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2, kFirst));
    store.append(stepOf(kFirst, 3.0F));
    store.append(stepOf(kFirst + 1, 2.0F));
    store.close();
    return folder / "run.db";
}

using Floats = std::pair<float, float>;
using Integers = std::pair<std::int64_t, std::int64_t>;

void checkHead(Blob& blob)
{
    QCOMPARE(blob.take<std::uint32_t>(), crc32Of(blob.behindChecksum()));
    QCOMPARE(blob.take<std::int64_t>(), 1);
    QCOMPARE(blob.take<std::int64_t>(), kFirst);
    QCOMPARE(blob.take<std::int64_t>(), 2);
}

// Of both nodes, the 64 steps and the block, which here are the same two steps.
void checkSeries(Blob& blob, float minimum, float maximum)
{
    QCOMPARE(blob.floats(), Floats(minimum, minimum));
    QCOMPARE(blob.floats(), Floats(maximum, maximum));
    const float mean = (minimum + maximum) / 2.0F;
    QCOMPARE(blob.floats(), Floats(mean, mean));
    QCOMPARE(blob.take<std::uint64_t>(), 0U);
}

} // namespace

/// The blobs are as README.md says: other programs may read them.
class TestRunStoreLayout : public QObject
{
    Q_OBJECT
private slots:
    static void Values_areAsDocumented();
    static void Extents_areAsDocumented();
};

void TestRunStoreLayout::Values_areAsDocumented()
{
    const TemporaryFolder folder;
    Blob blob(ask(writeBlock(folder), "SELECT hex(\"values\") FROM curve_block"));
    checkHead(blob);
    QCOMPARE(blob.take<std::int64_t>(), 0);                                    // a single objective
    QCOMPARE(blob.integers(), Integers(2'047'000'000'000, 2'047'500'000'000)); // wall_ns
    QCOMPARE(blob.integers(), Integers(500'000'000, 500'000'000));             // step_ns
    QCOMPARE(blob.integers(), Integers(256 * kFirst, 256 * (kFirst + 1)));
    QCOMPARE(blob.floats(), Floats(0.125F, 0.125F));
    QCOMPARE(blob.floats(), Floats(3.0F, 2.0F));
    QCOMPARE(blob.floats(), Floats(4.0F, 3.0F)); // the first tower
    QCOMPARE(blob.integers(), Integers(94, 95));
    QCOMPARE(blob.integers(), Integers(128, 128));
    QCOMPARE(blob.floats(), Floats(5.0F, 4.0F)); // and the second one
    QCOMPARE(blob.integers(), Integers(5, 5));
    QCOMPARE(blob.integers(), Integers(128, 128));
    QCOMPARE(blob.floats(), Floats(0.5F, 0.5F)); // weight decay
    QVERIFY(blob.isAtTheEnd());
}

void TestRunStoreLayout::Extents_areAsDocumented()
{
    const TemporaryFolder folder;
    Blob blob(ask(writeBlock(folder), "SELECT hex(extents) FROM curve_block"));
    checkHead(blob);
    QCOMPARE(blob.integers(), Integers(2'047'500'000'000, 2'047'500'000'000));
    QCOMPARE(blob.integers(), Integers(256 * (kFirst + 1), 256 * (kFirst + 1)));
    checkSeries(blob, 2.0F, 3.0F);     // mean loss
    checkSeries(blob, 512.0F, 512.0F); // 2 x 128 examples in half a second
    checkSeries(blob, 3.0F, 4.0F);
    checkSeries(blob, 4.0F, 5.0F);
    checkSeries(blob, 1.5F, 2.5F); // mean cross-entropy
    QVERIFY(blob.isAtTheEnd());
}

LOCKSTEP_TEST(TestRunStoreLayout)
#include "test_run_store_layout.moc"
