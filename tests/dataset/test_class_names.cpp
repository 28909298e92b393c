// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/class_names.h"
#include "support/failure_of.h"
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

    void Splits_namingALabelDifferently_areToldOrRefused_data()
    {
        QTest::addColumn<Names>("training");
        QTest::addColumn<Names>("tested");
        QTest::addColumn<QString>("told");
        QTest::newRow("the same") << Names{"ant", "bee"} << Names{"ant", "bee"} << "";
        QTest::newRow("fewer") << Names{"ant", "bee"} << Names{"ant"} << "";
        QTest::newRow("more") << Names{"ant"} << Names{"ant", "bee"}
                              << "the training set has no example of the labels from 1 on, bee, "
                                 "which the test set has: a network can't tell them";
        QTest::newRow("numbers") << Names{"ant", "1", "cow"} << Names{"0", "bee", "cow"} << "";
        QTest::newRow("twice one name") << Names{"crane", "crane"} << Names{"crane", "crane"} << "";
        QTest::newRow("another word") << Names{"ant", "bee"} << Names{"ant", "honey bee"}
                                      << "label 1 is 'bee' in the training set, but 'honey bee' in "
                                         "the test set";
        QTest::newRow("other words") << Names{"a", "b", "c"} << Names{"A", "b", "C"}
                                     << "label 0 is 'a' in the training set, but 'A' in the test "
                                        "set, and 1 more have other names";
        QTest::newRow("exchanged") << Names{"ant", "bee"} << Names{"bee", "ant"} << "!label 0 is";
        QTest::newRow("moved by one")
            << Names{"none", "ant", "bee"} << Names{"ant", "bee"} << "!label 0 is 'none'";
        QTest::newRow("the last one") << Names{"a", "b", "c"} << Names{"a", "b", "b"}
                                      << "!label 2 is 'c' in the training set, but 'b'";
    }

    void Splits_namingALabelDifferently_areToldOrRefused()
    {
        QFETCH(const Names, training);
        QFETCH(const Names, tested);
        QFETCH(const QString, told);
        if (told.startsWith('!')) {
            const auto error =
                test::errorOf([&] { static_cast<void>(checkClassNames(training, tested)); });
            QVERIFY(test::tells(error, ErrorCode::Data, told.mid(1).toStdString()));
        } else {
            QCOMPARE(QString::fromStdString(checkClassNames(training, tested)), told);
        }
    }

    void Names_thatLookAlike_areTold_data()
    {
        QTest::addColumn<Names>("names");
        QTest::addColumn<QString>("told");
        const auto row =
            [](const char* kind, const Names& names, const char* one, const char* other) {
                QTest::newRow(kind)
                    << names
                    << (*one == '\0' ? QString()
                                     : QStringLiteral("%1 and %2 are two classes")
                                           .arg(QString::fromUtf8(one), QString::fromUtf8(other)));
            };
        row("none", {"ant", "bee"}, "", "");
        row("case", {"Cat", "cat", "dog"}, "Cat", "cat");
        row("case of other letters", {"Ähre", "ähre"}, "Ähre", "ähre");
        row("accents", {"cafe\u0301", "caf\u00e9"}, "cafe\u0301", "caf\u00e9");
        row("accents and none", {"cafe", "caf\u00e9"}, "", "");
        row("a hard blank", {"a", "a\u00a0"}, "a", "a\u00a0");
        row("blanks within", {"a b", "a\u2009b"}, "a b", "a\u2009b");
        row("what is not seen", {"ant", "an\u200bt"}, "ant", "an\u200bt");
        row("wide letters", {"\uff21\uff22", "AB"}, "\uff21\uff22", "AB");
        row("zeros", {"01", "1", "10"}, "01", "1");
        row("zero alone", {"0", "00"}, "0", "00");
        row("no UTF-8", {"caf\xe9", "caf\xe8"}, "", "");
    }

    void Names_thatLookAlike_areTold()
    {
        QFETCH(const Names, names);
        QFETCH(const QString, told);
        const QString text = QString::fromStdString(lookAlikes(names));
        QVERIFY2(told.isEmpty() ? text.isEmpty() : text.startsWith(told), qPrintable(text));
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
        QTest::newRow("too long") << Names(500'000, "ordinary") << false;
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
