// SPDX-License-Identifier: Apache-2.0
// Moves of tensors by our own loops, against oneDNN's in float32, each value rounded before or
// after.
#include "device/cpu/layout/reorder.h"
#include "support/elements.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <algorithm>
#include <cstring>

using namespace lockstep;
using namespace lockstep::cpu;

namespace {

using Tag = dnnl::memory::format_tag;

struct LayoutOrder
{
    const char* name;
    Tag tag;
};
constexpr std::array<LayoutOrder, 4> kOrders{
    {{"nchw", Tag::nchw}, {"nhwc", Tag::nhwc}, {"nChw8c", Tag::nChw8c}, {"nChw16c", Tag::nChw16c}}};

/// The numbers of a tensor of either format.
std::vector<float> numbersOf(const std::vector<std::byte>& tensor, Element element)
{
    std::vector<float> numbers(tensor.size() / static_cast<std::size_t>(bytesOf(element)));
    if (element == Element::Float32) {
        std::memcpy(numbers.data(), tensor.data(), tensor.size());
        return numbers;
    }
    std::vector<std::uint16_t> rounded(numbers.size());
    std::memcpy(rounded.data(), tensor.data(), tensor.size());
    std::ranges::transform(rounded, numbers.begin(), test::fromBfloat16);
    return numbers;
}

std::vector<std::byte> tensorOf(const std::vector<float>& numbers, Element element)
{
    std::vector<std::byte> tensor(numbers.size() * static_cast<std::size_t>(bytesOf(element)));
    if (element == Element::Float32) {
        std::memcpy(tensor.data(), numbers.data(), tensor.size());
        return tensor;
    }
    std::vector<std::uint16_t> rounded(numbers.size());
    std::ranges::transform(numbers, rounded.begin(), test::toBfloat16);
    std::memcpy(tensor.data(), rounded.data(), tensor.size());
    return tensor;
}

std::size_t valuesIn(const Desc& desc)
{
    return desc.get_size() / static_cast<std::size_t>(bytesOf(elementOf(desc)));
}

} // namespace

class TestReorder : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addInstructionSets(); }

    void CellMove_betweenAnyLayouts_isOneDnnsReorder_data()
    {
        QTest::addColumn<LayoutOrder>("from");
        QTest::addColumn<LayoutOrder>("to");
        for (const LayoutOrder& from : kOrders) {
            for (const LayoutOrder& to : kOrders) {
                QTest::addRow("%s to %s", from.name, to.name) << from << to;
            }
        }
    }

    void CellMove_betweenAnyLayouts_isOneDnnsReorder()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH(LayoutOrder, from);
        QFETCH(LayoutOrder, to);
        for (const std::int64_t channels : {1, 8, 19, 32}) {
            const Shape shape{3, 5, channels};
            for (const Element read : {Element::Float32, Element::Bfloat16}) {
                for (const Element written : {Element::Float32, Element::Bfloat16}) {
                    compare(
                        imageDesc(2, shape, read, from.tag), imageDesc(2, shape, written, to.tag));
                }
            }
        }
    }

    void CellMove_intoChannelsOfAWiderTensor_leavesTheOthers()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        const Desc whole = imageDesc(2, {3, 5, 48}, Element::Bfloat16, Tag::nhwc);
        const Desc part = whole.submemory_desc({2, 16, 3, 5}, {0, 8, 0, 0});
        const Desc narrow = imageDesc(2, {3, 5, 16}, Element::Bfloat16, Tag::nChw8c);
        test::Random random(3);
        const auto numbers = random.floats(valuesIn(narrow), -1.0, 1.0);
        const auto tensor = tensorOf(numbers, Element::Bfloat16);
        std::vector<std::byte> wide(whole.get_size(), std::byte{0x7B});
        const auto others = wide;
        CellMove(narrow, part).run(tensor.data(), wide.data());
        std::vector<std::byte> back(narrow.get_size());
        CellMove(part, narrow).run(wide.data(), back.data());
        QVERIFY(back == tensor);
        const Desc rest = whole.submemory_desc({2, 16, 3, 5}, {0, 24, 0, 0});
        std::vector<std::byte> untouched(narrow.get_size());
        CellMove(rest, narrow).run(wide.data(), untouched.data());
        QVERIFY(std::ranges::all_of(
            untouched, [](std::byte value) { return value == std::byte{0x7B}; }));
        QVERIFY(wide != others);
    }

private:
    static void compare(const Desc& from, const Desc& to)
    {
        test::Random random(7);
        const Element element = elementOf(from);
        const auto plain = [](const Desc& desc) {
            const Shape shape{desc.dims()[2], desc.dims()[3], desc.dims()[1]};
            return imageDesc(desc.dims()[0], shape, Element::Float32, Tag::nchw);
        };
        const auto inFloat = [](const Desc& desc) {
            Desc same = desc;
            same.data.data_type = dnnl_f32;
            return same;
        };
        const auto numbers = random.floats(valuesIn(plain(from)), -1.0, 1.0);
        std::vector<float> source(valuesIn(from));
        Reorder(plain(from), inFloat(from)).run(numbers.data(), source.data());
        const auto tensor = tensorOf(source, element);
        std::vector<float> wanted(valuesIn(to));
        Reorder(inFloat(from), inFloat(to)).run(numbersOf(tensor, element).data(), wanted.data());
        std::vector<std::byte> got(to.get_size(), std::byte{0xFF});
        CellMove(from, to).run(tensor.data(), got.data());
        QVERIFY(got == tensorOf(wanted, elementOf(to)));
    }
};

LOCKSTEP_TEST(TestReorder)
#include "test_reorder.moc"
