// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "config.h"
#include "data.h"
#include "models/engine_text.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "window/base/language.h"

using namespace lockstep;
using namespace lockstep::ui;

/// What the engine says, as the window shows it, with the translator of the program.
class TestEngineText : public QObject
{
    Q_OBJECT

private slots:
    void English_everyHelp_isAsTheEngineSaysIt()
    {
        for (const ConfigKey& key : configKeys(RunConfig())) {
            QCOMPARE(engineText(key.meaning), QString::fromStdString(key.meaning));
        }
        const std::string odd = "run.toml: steps is '3 {}', but must be a whole number; {split} {{";
        QCOMPARE(engineText(odd), QString::fromStdString(odd));
        QCOMPARE(engineText(""), QString());
    }

    /// From here on the tests speak German.
    void German_everyHelp_isTranslated()
    {
        installLanguage("de");
        for (const ConfigKey& key : configKeys(RunConfig())) {
            const bool isNames = key.name == "precision"; // "float32, tf32 or bfloat16"
            QVERIFY2(
                isNames || engineText(key.meaning) != QString::fromStdString(key.meaning),
                key.name.c_str());
        }
        for (const DatasetDescription& dataset : datasetCatalog()) {
            QVERIFY(
                engineText(dataset.description) != QString::fromUtf8(dataset.description.data()));
        }
        QCOMPARE(
            engineText("names of tfrecord's files; {split} stands for train, val, test …; auto: "
                       "the usual ones"),
            "Namen der Dateien von tfrecord; {split} steht für train, val, test …; auto: die "
            "üblichen");
    }

    void German_message_keepsItsArguments_data()
    {
        test::addTextRows(
            {"english", "german"},
            {{"no argument", "the evaluation was cancelled", "die Auswertung wurde abgebrochen"},
             {"two arguments", "steps is 0, but must be at least 1",
              "steps ist 0, muss aber mindestens 1 sein"},
             {"the longest of several that fit",
              "a global batch of 10 can't be split evenly over 4 towers: use 8 or 12",
              "ein globaler Batch von 10 lässt sich nicht gleichmäßig auf 4 Tower verteilen: "
              "nehmen Sie 8 oder 12"},
             {"an argument that is a text", "steps is 'x', but must be a whole number",
              "steps ist „x“, muss aber eine ganze Zahl sein"},
             {"behind a file", "/a b/run.toml: steps is 0, but must be at least 1",
              "/a b/run.toml: steps ist 0, muss aber mindestens 1 sein"},
             {"a path that could be a text",
              "/data/a is b, but must be c: is a folder; give an image",
              "/data/a is b, but must be c: ist ein Ordner; geben Sie ein Bild an"},
             {"a formatted figure", "2.5 MB written, synced, read back and compared in 0.04 s",
              "2.5 MB geschrieben, gesichert, zurückgelesen und verglichen in 0.04 s"},
             {"a part behind", "1 × 128 examples take 30.1 MB; 3.0 GB of memory left",
              "1 × 128 Beispiele brauchen 30.1 MB; 3.0 GB Speicher frei"},
             {"an argument left out", "8 of 10 tensors of /r/a.safetensors, 1 begins anew",
              "8 von 10 Tensoren aus /r/a.safetensors, 1 neu"},
             {"parts behind parts",
              "cpu: AMD; cpu is 90 % busy already, another program uses it; towers × threads = "
              "4 × 1, processors = 2: they take turns",
              "cpu: AMD; cpu ist schon zu 90 % beschäftigt, ein anderes Programm nutzt es; Tower × "
              "Threads = 4 × 1, Prozessoren = 2: sie wechseln sich ab"},
             {"a list",
              "steps 0 to 1: segmentation, learning rate 0.1; then steps 2 to 3: decision, "
              "learning rate by the schedule; frozen: segmentation",
              "Schritte 0 bis 1: segmentation, Lernrate 0.1; dann Schritte 2 bis 3: decision, "
              "Lernrate nach dem Zeitplan; eingefroren: segmentation"},
             {"text in text in text",
              "step 7, tower 1: the loss is nan; the update was not applied. A check for NaN of "
              "the last tower's loss alone would have passed this step and applied the update; it "
              "could have seen the fault at step 8 at the earliest. The last good checkpoint is "
              "/r/5; resume from it with a lower learning rate (it is 0.1 in this phase)",
              "Schritt 7, Tower 1: der Loss ist nan; das Update wurde nicht angewandt. Eine "
              "Prüfung nur des Loss des letzten Towers auf NaN hätte diesen Schritt durchgelassen "
              "und das Update angewandt; sie hätte den Fehler frühestens in Schritt 8 sehen "
              "können. Der letzte gute Checkpoint ist /r/5; setzen Sie von ihm fort mit kleinerer "
              "Lernrate (in dieser Phase ist sie 0.1)"}});
    }

    void German_message_keepsItsArguments()
    {
        QFETCH(const QString, english);
        QFETCH(const QString, german);
        QCOMPARE(engineText(english.toStdString()), german);
    }

    void German_realErrors_areTranslated_data()
    {
        test::addTextRows(
            {"toml", "german"},
            {{"unknown key", "stepps = 3",
              "a.toml: den Schlüssel „stepps“ gibt es nicht; meinten Sie „steps“?"},
             {"type", "steps = 'many'", "a.toml: steps muss eine ganze Zahl sein"},
             {"value", "[learning_rate]\ninitial = -1.0",
              "learning_rate.initial ist -1, muss aber eine Zahl von 0 oder mehr sein"},
             {"optimizer", "[optimizer]\nname = 'adagrad'",
              "optimizer.name ist „adagrad“, muss aber sgd, momentum, rmsprop, adam oder adamw "
              "sein"}});
    }

    void German_realErrors_areTranslated()
    {
        QFETCH(const QString, toml);
        QFETCH(const QString, german);
        QString said;
        try {
            RunConfig config;
            parseConfig(config, toml.toStdString(), "a.toml");
            config.validate();
        } catch (const Error& error) {
            said = engineText(error.what());
        }
        QCOMPARE(said, german);
    }

    void German_unknownText_staysAsItIs_data()
    {
        test::addTextRows(
            {"text"}, {{"No space left on device"},
                       {"/home/out of date/run: 5 of 7"},
                       {"the loss of the towers"},
                       {"steps: 3"},
                       {"a number of things"},
                       {"{}"}});
    }

    void German_unknownText_staysAsItIs()
    {
        QFETCH(const QString, text);
        QCOMPARE(engineText(text.toStdString()), text);
    }
};
LOCKSTEP_TEST(TestEngineText)
#include "test_engine_text.moc"
