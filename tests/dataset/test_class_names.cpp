// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/class_names.h"
#include "support/lockstep_test.h"

using namespace lockstep;

using Names = std::vector<std::string>;

class TestClassNames : public QObject
{
    Q_OBJECT

private slots:
    void Names_areFilledUp_whereThereAreNone()
    {
        const Names training{"background", "ant", "2", "cat"};
        // The test split has no ant, but knows a 2 and a 4; of 3 it says something else.
        const Names test{"0", "1", "bee", "dog", "elk"};
        QCOMPARE(
            filledClassNames(training, test), (Names{"background", "ant", "bee", "cat", "elk"}));
        QCOMPARE(filledClassNames(training, {}), training);
        QCOMPARE(filledClassNames({}, test), test);
    }

    void Notes_comeBack_data()
    {
        QTest::addColumn<Names>("names");
        QTest::addColumn<bool>("areNoted");
        QTest::newRow("commas and no ASCII") << Names{"tench, Tinca tinca", "Käfer"} << true;
        QTest::newRow("empty ones") << Names{"", "ant", ""} << true;
        QTest::newRow("a thousand") << Names(1000, std::string(40, 'x')) << true;
        QTest::newRow("none") << Names{} << false;
        QTest::newRow("lines of its own") << Names{"ant\nbee", "cat"} << false;
        QTest::newRow("too long") << Names(10'000, "ordinary") << false;
    }

    void Notes_comeBack()
    {
        QFETCH(const Names, names);
        QFETCH(const bool, areNoted);
        const auto notes = notesOfClassNames(names);
        QCOMPARE(notes.contains("data_class_names"), areNoted);
        QCOMPARE(classNamesFrom(notes), areNoted ? names : Names());
    }
};

LOCKSTEP_TEST(TestClassNames)
#include "test_class_names.moc"
