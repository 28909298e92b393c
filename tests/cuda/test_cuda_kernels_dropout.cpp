// SPDX-License-Identifier: Apache-2.0
// Dropout against the numbers of PhiloxStream, drawn one by one.
#include "cuda/kernel_test.h"
#include "device/cuda/kernels/dropout_kernel.h"
#include "network/dropout.h"

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

constexpr DropoutDraw kDraw{0xFEDCBA987654321U, 123'456, 30};
constexpr int kLayer = 4;

struct Case
{
    std::int64_t rows = 0;
    std::int64_t rowValues = 0;
    double keep = 0.5;
};

template<class T>
std::vector<float> dropped(
    const Case& one, const std::vector<float>& src, std::int64_t step = kDraw.step)
{
    const TestStream stream;
    const DeviceArray<StepState> state(std::vector<StepState>{{.step = step}});
    const DeviceArray<T> from(stored<T>(src));
    const DeviceArray<T> to(src.size());
    DropoutTask task;
    task.type = sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32;
    task.rows = one.rows;
    task.rowValues = one.rowValues;
    task.firstRow = kDraw.firstRow;
    task.seed = dropoutSeed(kDraw.seed, kLayer);
    task.keptBelow = keptBelow({one.keep});
    task.factor = static_cast<float>(1.0 / one.keep);
    task.state = state.data();
    dropOut(stream.get(), task, from.bytes(), to.bytes());
    stream.synchronize();
    return floatsOf<T>(to.span());
}

std::vector<double> expected(const Case& one, const std::vector<float>& src)
{
    std::vector<double> values;
    for (std::int64_t row = 0; row < one.rows; ++row) {
        PhiloxStream stream = dropoutStream(kDraw, kLayer, row);
        for (std::int64_t i = 0; i < one.rowValues; ++i) {
            const bool isKept = static_cast<double>(stream.uniform()) < one.keep;
            values.push_back(isKept ? double{src[values.size()]} / one.keep : 0.0);
        }
    }
    return values;
}

template<class T>
void compare(const Case& one)
{
    Random random(static_cast<std::uint64_t>(one.rowValues));
    const auto src =
        rounded<T>(random.floats(static_cast<std::size_t>(one.rows * one.rowValues), 1.0, 2.0));
    const auto got = dropped<T>(one, src);
    QCOMPARE(firstDifference(got, expected(one, src), kRelative<T>, 0.0), -1);
}

} // namespace

class TestCudaKernelsDropout : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    void Values_areKeptWhereTheStreamSaysSo()
    {
        for (const Case& one :
             {Case{1, 1, 0.5}, {3, 4, 0.5}, {2, 7, 0.2}, {5, 2048, 0.8}, {2, 513, 0.9}}) {
            compare<float>(one);
            compare<Bfloat16>(one);
        }
    }

    void Keep1_isTheIdentity()
    {
        Random random(5);
        const auto src = random.floats(4 * 1001, -3.0, 3.0);
        QCOMPARE(dropped<float>({4, 1001, 1.0}, src), src);
    }

    void AnotherStep_keepsOthers()
    {
        const std::vector<float> ones(1000, 1.0F);
        const Case one{10, 100, 0.5};
        QVERIFY(dropped<float>(one, ones, 7) != dropped<float>(one, ones, 8));
        QCOMPARE(dropped<float>(one, ones, 7), dropped<float>(one, ones, 7));
    }

    void NotANumber_isDroppedLikeAnyValue()
    {
        const std::vector<float> src(400, std::nanf(""));
        const auto got = dropped<float>({2, 200, 0.5}, src);
        const auto kept = expected({2, 200, 0.5}, std::vector<float>(400, 1.0F));
        for (std::size_t i = 0; i < got.size(); ++i) {
            QVERIFY(kept[i] > 0.0 ? std::isnan(got[i]) : got[i] == 0.0F);
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsDropout)
#include "test_cuda_kernels_dropout.moc"
