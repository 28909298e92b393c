// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic_defects.h"
#include "session/config/run_config.h"
#include "session/config/run_data.h"
#include "session/run/training_run.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

RunConfig configOf(const std::string& text)
{
    RunConfig config;
    parseConfig(config, text, "test");
    config.validate();
    return config;
}

} // namespace

class TestRunData : public QObject
{
    Q_OBJECT

private slots:
    void DatasetOf_keys_reachTheDataSet();
    void MaskedInputOf_names_areFollowed();
    void MaskedInputOf_dataWithoutMasks_isNone();
    void DistortionFor_masks_switchesTheOthersOff();
    void PipelineFor_masksToBeMixed_refuses();
    void PhotoInputOf_keys_areFollowed();
    void TrainingOrderOf_masks_isBalancedUnlessShuffled();
    void EpochExamples_balanced_isTwiceTheDefective();
    void Describe_masks_namesFoldSizeAndDilation();
    void Validate_badValues_nameTheKey_data();
    void Validate_badValues_nameTheKey();
    void ReasonAgainst_otherFoldOrSampling_isGiven();
    void ReasonAgainst_otherRecords_isGiven();
    void ReasonAgainst_otherModelTable_isGiven();
};

void TestRunData::DatasetOf_keys_reachTheDataSet()
{
    const DatasetRequest request = datasetOf(configOf(
        "dataset.name = 'kolektorsdd'\ndataset.path = '/data'\nseed = 9\ndataset.folds = 5\n"
        "dataset.fold = 4\ndataset.folds_file = 'f.txt'\ndataset.dilation = 13\n"));
    QCOMPARE(request.name, std::string("kolektorsdd"));
    QCOMPARE(request.path.string(), std::string("/data"));
    QCOMPARE(request.seed, 9U);
    QVERIFY((request.masked == MaskedDataSettings{5, 4, "f.txt", 13, 9}));
    const DatasetRequest own = datasetOf(configOf(
        "dataset.name = 'image_folder'\ndataset.test_on = 'test'\ndataset.test_share = 0.3\n"));
    QVERIFY((own.encoded.rules == SplitRules{DataPart::Test, 0.3}));
    QVERIFY(own.masked.tested == DataPart::Test);
    QVERIFY(own.encoded.pixels == PixelRules());
    const DatasetRequest pixels = datasetOf(configOf(
        "dataset.name = 'masked_folder'\ndataset.orientation = 'stored'\ndataset.bits = 12\n"
        "dataset.mask_threshold = 128\ndataset.mask_background = 'white'\n"));
    QVERIFY((pixels.encoded.pixels == PixelRules{false, 12}));
    QVERIFY((pixels.masked.pixels == PixelRules{false, 12}));
    QCOMPARE(pixels.masked.maskThreshold, 128);
    QVERIFY(pixels.masked.maskBackground == MaskBackground::White);
}

void TestRunData::MaskedInputOf_names_areFollowed()
{
    const std::string name = "dataset.name = 'synthetic_defects'\n";
    QVERIFY(maskedInputOf(configOf(name)).value() == MaskedInputSettings());
    const auto other = maskedInputOf(configOf(
        name
        + "input.pixel_range = 'byte'\ninput.mask_label = 'reduced'\n"
          "input.mirror_vertical = true\n"));
    QVERIFY(
        (other.value()
         == MaskedInputSettings{
             PixelRange::Byte, PixelGrid::Centers, MaskLabel::Reduced, false, true}));
}

void TestRunData::MaskedInputOf_dataWithoutMasks_isNone()
{
    QVERIFY(!maskedInputOf(configOf("dataset.name = 'cifar10'\n")));
}

void TestRunData::DistortionFor_masks_switchesTheOthersOff()
{
    const NetworkSpec network = makeNetwork({"cifar10"});
    const auto masked = distortionFor(configOf("dataset.name = 'synthetic_defects'\n"), network);
    QVERIFY(masked.masked && !masked.crop && !masked.flip && !masked.brightness);
    QVERIFY(!masked.contrast && !masked.standardize);
    const auto plain = distortionFor(configOf("dataset.name = 'synthetic'\n"), network);
    QVERIFY(!plain.masked && plain.crop && plain.flip && plain.standardize);
}

void TestRunData::PipelineFor_masksToBeMixed_refuses()
{
    RunConfig config = configOf("dataset.name = 'synthetic'\ninput.mixup = 0.2\n");
    QCOMPARE(pipelineFor(config, makeNetwork({"cifar10"})).distortion.mixup, 0.2);
    config.model.name = "segdecnet";
    const NetworkSpec masks = makeNetwork(config.model);
    QVERIFY(tells(
        errorOf([&] { pipelineFor(config, masks); }), ErrorCode::BadInput, "input.mixup is 0.2"));
    config.model.name = "cifar10";
    config.dataset = "synthetic_defects";
    QVERIFY(tells(
        errorOf([&] { pipelineFor(config, makeNetwork({"cifar10"})); }), ErrorCode::BadInput,
        "input.mixup is 0.2"));
}

void TestRunData::PhotoInputOf_keys_areFollowed()
{
    const std::string name = "dataset.name = 'tfrecord'\n";
    QVERIFY(photoInputOf(configOf(name)).value() == PhotoSettings());
    QVERIFY(!photoInputOf(configOf("dataset.name = 'cifar10'\n")));
    const RunConfig config = configOf(
        name
        + "dataset.damaged = 'skip_all'\ndataset.pattern = 'a-*'\ndataset.label_offset = -1\n"
          "input.flip = false\ninput.hue = false\ninput.scaled_decoding = false\n");
    PhotoSettings expected;
    expected.flip = expected.hue = expected.isDecodedScaled = false;
    QVERIFY(photoInputOf(config).value() == expected);
    QVERIFY((datasetOf(config).encoded == EncodedDataSettings{DamagedImages::SkipAll, "a-*", -1}));
    const auto distortion = distortionFor(config, makeNetwork({"cifar10"}));
    QVERIFY(distortion.photo.has_value() && !distortion.masked);
    QVERIFY(!distortion.forEvaluation().photo->crop);
}

void TestRunData::TrainingOrderOf_masks_isBalancedUnlessShuffled()
{
    const std::string name = "dataset.name = 'kolektorsdd'\n";
    QVERIFY(trainingOrderOf(configOf(name)) == ExampleOrder::Balanced);
    QVERIFY(
        trainingOrderOf(configOf(name + "dataset.sampling = 'shuffled'\n"))
        == ExampleOrder::Shuffled);
    QVERIFY(trainingOrderOf(configOf("dataset.name = 'cifar10'\n")) == ExampleOrder::Shuffled);
}

void TestRunData::EpochExamples_balanced_isTwiceTheDefective()
{
    const auto data = openSyntheticDefects(Split::Train, {1, 15, 0}); // 7 defective
    const std::string name = "dataset.name = 'synthetic_defects'\n";
    QCOMPARE(epochExamples(configOf(name), *data), 14);
    QCOMPARE(epochExamples(configOf(name + "dataset.sampling = 'shuffled'\n"), *data), 15);
}

void TestRunData::Describe_masks_namesFoldSizeAndDilation()
{
    DatasetInfo info;
    info.layout = "masks; fold 2 of 3 is tested on";
    const std::string text = describeMaskedData(
        configOf("dataset.name = 'kolektorsdd'\ndataset.fold = 2\ndataset.dilation = 9\n"), info,
        {704, 256, 1});
    for (const char* part :
         {"fold 2 of 3", "dilated by 9", "704 × 256", "pooled", "unit", "half"}) {
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }
}

void TestRunData::Validate_badValues_nameTheKey_data()
{
    addTextRows(
        {"line", "key"},
        {{"folds", "dataset.folds = 1", "dataset.folds is 1"},
         {"fold", "dataset.fold = 3", "dataset.fold is 3"},
         {"fold below", "dataset.fold = -2", "dataset.fold is -2"},
         {"dilation", "dataset.dilation = 4", "dataset.dilation is 4"},
         {"test", "dataset.test_on = 'val'", "dataset.test_on is 'val'"},
         {"share", "dataset.test_share = 1.0", "dataset.test_share is 1"},
         {"no share", "dataset.test_share = nan", "dataset.test_share is nan"},
         {"duplicates", "dataset.duplicates = 'no'", "dataset.duplicates is 'no'"},
         {"orientation", "dataset.orientation = 'up'",
          "dataset.orientation is 'up', but must be turn or stored"},
         {"few bits", "dataset.bits = 4", "dataset.bits is 4"},
         {"many bits", "dataset.bits = 17", "dataset.bits is 17"},
         {"threshold", "dataset.mask_threshold = 0", "dataset.mask_threshold is 0"},
         {"background", "dataset.mask_background = 'red'", "dataset.mask_background is 'red'"},
         {"sampling", "dataset.sampling = 'odd'", "dataset.sampling is 'odd'"},
         {"range", "input.pixel_range = 'x'", "input.pixel_range is 'x'"},
         {"erase", "input.erase = 1.5", "input.erase is 1.5"},
         {"damaged", "dataset.damaged = 'mend'", "dataset.damaged is 'mend'"},
         {"patience", "dataset.patience_seconds = -1", "dataset.patience_seconds is -1"},
         {"pattern", "dataset.pattern = ''", "dataset.pattern is empty"},
         {"label", "input.mask_label = 'x'", "input.mask_label is 'x'"}});
}

void TestRunData::Validate_badValues_nameTheKey()
{
    QFETCH(QString, line);
    QFETCH(QString, key);
    const auto error = errorOf([&] { configOf(line.toStdString()); });
    QVERIFY2(tells(error, ErrorCode::BadInput, key.toStdString()), error ? error->what() : "");
}

void TestRunData::ReasonAgainst_otherFoldOrSampling_isGiven()
{
    const std::string name = "dataset.name = 'kolektorsdd'\n";
    const RunConfig before = configOf(name);
    QCOMPARE(reasonAgainst(before, before), std::string());
    QVERIFY(
        reasonAgainst(before, configOf(name + "dataset.fold = 1\n")).starts_with("dataset.fold"));
    QVERIFY(
        reasonAgainst(before, configOf(name + "dataset.folds = 4\n")).starts_with("dataset.fold"));
    QVERIFY(reasonAgainst(before, configOf(name + "dataset.sampling = 'shuffled'\n"))
                .starts_with("dataset.sampling"));
    QCOMPARE(
        reasonAgainst(before, configOf(name + "dataset.sampling = 'balanced'\n")), std::string());
}

void TestRunData::ReasonAgainst_otherRecords_isGiven()
{
    const std::string name = "dataset.name = 'tfrecord'\n";
    const RunConfig before = configOf(name);
    QVERIFY(reasonAgainst(before, configOf(name + "dataset.pattern = 'x'\n"))
                .starts_with("dataset.pattern"));
    QVERIFY(reasonAgainst(before, configOf(name + "dataset.label_offset = -1\n"))
                .starts_with("dataset.label_offset"));
    QCOMPARE(reasonAgainst(before, configOf(name + "dataset.damaged = 'refuse'\n")), std::string());
    QCOMPARE(
        reasonAgainst(before, configOf(name + "dataset.patience_seconds = 5\n")), std::string());
    QVERIFY(reasonAgainst(before, configOf(name + "dataset.test_share = 0.3\n"))
                .starts_with("dataset.test_share"));
    QCOMPARE(reasonAgainst(before, configOf(name + "dataset.test_on = 'test'\n")), std::string());
}

void TestRunData::ReasonAgainst_otherModelTable_isGiven()
{
    const std::string name = "model.name = 'inception_v3'\n";
    const RunConfig before = configOf(name);
    QCOMPARE(reasonAgainst(before, before), std::string());
    for (const char* line :
         {"model.moment_decay = 0.9\n", "model.moment_ramp = true\n", "model.moments = 'last'\n"}) {
        const std::string reason = reasonAgainst(before, configOf(name + line));
        QVERIFY2(reason.starts_with("the [model] table"), line);
    }
}

LOCKSTEP_TEST(TestRunData)
#include "test_run_data.moc"
