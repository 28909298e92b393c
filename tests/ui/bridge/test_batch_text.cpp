// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/class_words.h"
#include "bridge/preview/batch_text.h"
#include "engine/config.h"
#include "support/lockstep_test.h"

#include <QFile>
#include <QSet>

#include <cmath>

using namespace lockstep;
using namespace lockstep::ui;

class TestBatchText : public QObject
{
    Q_OBJECT

private slots:
    /// Those of Imagenette, which is what most people have of ImageNet.
    void Classes_ofImageNet_haveTheirNames()
    {
        const QStringList ids{"n01440764", "n02102040", "n02979186", "n03000684", "n03028079",
                              "n03394916", "n03417042", "n03425413", "n03445777", "n03888257"};
        QStringList names;
        for (const QString& id : ids) {
            names.append(classWords(id.toStdString()));
        }
        QCOMPARE(
            names.join(", "),
            "tench, English springer, cassette player, chain saw, church, French horn, garbage "
            "truck, gas pump, golf ball, parachute");
        for (const char* const other : {"church", "n00000000", "", "Katze"}) {
            QCOMPARE(classWords(other), QString(other));
        }
        QFile table(":/classes/imagenet.tsv");
        QVERIFY(table.open(QIODevice::ReadOnly));
        QSet<QString> different;
        while (!table.atEnd()) {
            const QStringList columns = QString::fromUtf8(table.readLine()).trimmed().split('\t');
            if (columns.size() == 2) {
                different.insert(columns[1].toLower());
            }
        }
        QCOMPARE(different.size(), 1000);
    }

    void Arithmetic_inWords_isAsCountedByHand_data()
    {
        QTest::addColumn<int>("towers");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<qint64>("examples");
        QTest::addColumn<qint64>("steps");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, int towers, qint64 batch, qint64 examples,
                            qint64 steps, const char* text) {
            QTest::newRow(name) << towers << batch << examples << steps << QString::fromUtf8(text);
        };
        // 50,000 = 390 x 128 + 80; 10,000 x 128 = 1,280,000 = 25.6 x 50,000.
        row("small batches", 4, 32, 50'000, 10'000,
            "4 towers × 32 = 128 examples a step\n390 steps an epoch, 80 examples carried over\n"
            "10,000 steps = 25.6 epochs");
        // 50,000 = 97 x 512 + 336; 700,000 x 512 = 7,168 x 50,000.
        row("the article's run", 4, 128, 50'000, 700'000,
            "4 towers × 128 = 512 examples a step\n97 steps an epoch, 336 examples carried over\n"
            "700,000 steps = 7,168 epochs");
        // 10,000 = 39 x 256 + 16; 1,000 x 256 = 25.6 x 10,000.
        row("first look", 2, 128, 10'000, 1000,
            "2 towers × 128 = 256 examples a step\n39 steps an epoch, 16 examples carried over\n"
            "1,000 steps = 25.6 epochs");
        row("one tower, nothing over", 1, 5, 20, 2,
            "1 tower × 5 = 5 examples a step\n4 steps an epoch, none carried over\n2 steps = 0.50 "
            "epochs");
        row("the whole set at once", 2, 10, 20, 1,
            "2 towers × 10 = 20 examples a step\n1 step an epoch, none carried over\n1 step = 1.00 "
            "epochs");
        row("more than the set", 4, 20, 20, 3,
            "4 towers × 20 = 80 examples a step\na step goes through the data 4.00 times\n3 steps "
            "= 12.0 epochs");
    }

    void Arithmetic_inWords_isAsCountedByHand()
    {
        QFETCH(const int, towers);
        QFETCH(const qint64, batch);
        QFETCH(const qint64, examples);
        QFETCH(const qint64, steps);
        QFETCH(const QString, text);
        RunConfig config;
        config.towers = towers;
        config.batchPerTower = batch;
        config.steps = steps;
        QCOMPARE(batchArithmeticText(config, examples), text);
        // The global batch says the same.
        config.batchPerTower.reset();
        config.globalBatch = towers * batch;
        QCOMPARE(batchArithmeticText(config, examples), text);
    }

    void Arithmetic_withoutExamples_saysTheStepOnly()
    {
        QCOMPARE(
            batchArithmeticText(RunConfig(), std::nullopt), "2 towers × 128 = 256 examples a step");
    }

    void Arithmetic_ofNonsense_isEmpty()
    {
        RunConfig config;
        config.towers = 0;
        QCOMPARE(batchArithmeticText(config, 50'000), QString());
        config.towers = 3;
        config.globalBatch = 128;
        QCOMPARE(batchArithmeticText(config, 50'000), QString());
        config.globalBatch.reset();
        config.batchPerTower = 0;
        QCOMPARE(batchArithmeticText(config, 50'000), QString());
    }

    void Arithmetic_german_writesItsNumbers()
    {
        QLocale::setDefault({QLocale::German, QLocale::Germany});
        RunConfig config;
        config.steps = 10'000;
        const QString text = batchArithmeticText(config, 50'000);
        QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
        QVERIFY2(text.contains("10.000 steps = 51,2"), qPrintable(text));
    }

    void Hint_forABatch_followsTheRule_data()
    {
        QTest::addColumn<int>("towers");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<double>("given");
        QTest::addColumn<double>("said"); // 0: nothing
        QTest::newRow("as published") << 1 << qint64{128} << 0.1 << 0.0;
        QTest::newRow("four towers") << 4 << qint64{128} << 0.1 << 0.4;
        QTest::newRow("four small ones") << 4 << qint64{32} << 0.1 << 0.0;
        QTest::newRow("smaller") << 1 << qint64{32} << 0.1 << 0.025;
        QTest::newRow("another rate") << 1 << qint64{128} << 0.3 << 0.1;
        QTest::newRow("zero") << 2 << qint64{128} << 0.0 << 0.2;
    }

    void Hint_forABatch_followsTheRule()
    {
        QFETCH(const int, towers);
        QFETCH(const qint64, batch);
        QFETCH(const double, given);
        QFETCH(const double, said);
        RunConfig config;
        config.towers = towers;
        config.batchPerTower = batch;
        config.learningRate.initial = given;
        const auto hint = rateHint(config);
        QCOMPARE(hint.has_value(), said > 0.0);
        if (hint) {
            QVERIFY(std::abs(hint->rate - said) < 1e-12);
            QVERIFY(hint->text().contains("batch of 128"));
            QVERIFY(hint->text().endsWith(rateText(said)));
            QVERIFY(hint->source().contains("Goyal"));
        }
        QVERIFY(!rateHint(RunConfig())); // what a run begins with is not called in question
    }

    /// What was tried is the last word.
    void Hint_ofARateThatWasFound_isThatAlone()
    {
        RunConfig config;
        config.towers = 4;
        QCOMPARE(rateHint(config)->rate, 0.4);
        QCOMPARE(rateHint(config, 0.03)->rate, 0.03);
        QVERIFY(rateHint(config, 0.03)->text().endsWith("0.03"));
        QVERIFY(!rateHint(config, 0.03)->source().contains("Goyal"));
        QVERIFY(!rateHint(config, 0.0)); // no rate trains it
        config.learningRate.initial = 0.03;
        QVERIFY(!rateHint(config, 0.03));
        config.phases = {{"", 100, 0.5, {}}}; // the field says nothing
        QVERIFY(!rateHint(config, 0.01));
    }

    void Hint_taken_saysNothingMore()
    {
        RunConfig config;
        config.towers = 3;
        config.batchPerTower = 100;
        config.learningRate.initial = rateHint(config)->rate;
        QVERIFY(!rateHint(config));
    }

    void Hint_ofOwnModelOrNonsense_isNone()
    {
        RunConfig config;
        config.towers = 4;
        config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
        QVERIFY(!rateHint(config)); // nobody published a rate for it
        RunConfig otherwise;
        otherwise.towers = 4;
        otherwise.optimizer.name = "adam";
        QVERIFY(!rateHint(otherwise)); // it was published for another optimizer
        RunConfig nonsense;
        nonsense.towers = 0;
        QVERIFY(!rateHint(nonsense));
    }
};
LOCKSTEP_TEST(TestBatchText)
#include "test_batch_text.moc"
