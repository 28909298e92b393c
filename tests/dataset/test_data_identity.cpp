// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/data_identity.h"
#include "support/lockstep_test.h"

#include <utility>

using namespace lockstep;

namespace {

/// Three examples of two classes, told by their names.
struct ListedData final : Dataset
{
    DatasetInfo facts{"listed", "train", {0, 0, 3}, PixelOrder::Interleaved, {"ant", "bee"}};
    std::vector<std::string> names{"ant/a.jpg", "ant/b.jpg", "bee/a.jpg"};
    std::vector<std::int32_t> labels{0, 0, 1};

    [[nodiscard]] const DatasetInfo& info() const override { return facts; }
    [[nodiscard]] std::int64_t size() const override { return std::ssize(names); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        return {{}, labels[static_cast<std::size_t>(index)]};
    }
    [[nodiscard]] std::string exampleName(std::int64_t index) const override
    {
        return names[static_cast<std::size_t>(index)];
    }
};

} // namespace

class TestDataIdentity : public QObject
{
    Q_OBJECT

private slots:
    void Identity_ofTheSame_isTheSame();
    void Identity_tellsWhatChanged();
    void Notes_comeBack();
};

void TestDataIdentity::Identity_ofTheSame_isTheSame()
{
    QVERIFY(identityOf(ListedData()) == identityOf(ListedData()));
    QCOMPARE(identityOf(ListedData()).examples, 3);
    QCOMPARE(identityOf(ListedData()).classes, 2);
}

void TestDataIdentity::Identity_tellsWhatChanged()
{
    const DataIdentity before = identityOf(ListedData());
    const auto isListAlone = [&](const ListedData& data) {
        const DataIdentity now = identityOf(data);
        return now.list != before.list && now.classNames == before.classNames;
    };
    ListedData renamed;
    renamed.names[1] = "ant/c.jpg";
    QVERIFY(isListAlone(renamed));
    ListedData relabelled;
    relabelled.labels[1] = 1;
    QVERIFY(isListAlone(relabelled));
    ListedData exchanged;
    std::swap(exchanged.names[0], exchanged.names[1]);
    QVERIFY(isListAlone(exchanged));
    ListedData fewer;
    fewer.names.pop_back();
    fewer.labels.pop_back();
    QVERIFY(isListAlone(fewer));
    QCOMPARE(identityOf(fewer).examples, 2);
    ListedData sameLetters;
    sameLetters.facts.classNames = {"antb", "ee"};
    const DataIdentity now = identityOf(sameLetters);
    QVERIFY(now.list == before.list && now.classNames != before.classNames);
}

void TestDataIdentity::Notes_comeBack()
{
    const DataIdentity before = identityOf(ListedData());
    QVERIFY(identityFrom(notesOf(before), {}) == before);
    // A checkpoint of an earlier version says nothing.
    QVERIFY(identityFrom({}, before) == before);
}

LOCKSTEP_TEST(TestDataIdentity)
#include "test_data_identity.moc"
