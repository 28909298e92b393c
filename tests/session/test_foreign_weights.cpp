// SPDX-License-Identifier: Apache-2.0
// Weights as people bring them from PyTorch: under the names that wrappers leave, in other types.
#include "network/models/model_settings.h"
#include "session/run/initial_weights.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Two layers, of which one has a name of two parts.
NetworkSpec twoLayers()
{
    const TemporaryFolder folder;
    std::ofstream(folder / "two.toml") << R"(
name = "two"
classes = 3
input = { height = 2, width = 2, channels = 2 }
[[layer]]
name = "body.conv"
type = "conv2d"
channels = 2
kernel = [1, 1]
[[layer]]
name = "logits"
type = "dense"
units = 3
[[objective]]
name = "cross_entropy"
logits = "logits"
)";
    ModelSettings model;
    model.name = (folder / "two.toml").string();
    return makeNetwork(model);
}

/// As half precision has it, of n/8 < 4; by the format's definition.
std::uint16_t halfOf(float value)
{
    int exponent = 0;
    const float fraction = std::frexp(value, &exponent); // 0.5 to 1
    const int bits = (exponent + 14) * 1024 + static_cast<int>((2.0F * fraction - 1.0F) * 1024.0F);
    return static_cast<std::uint16_t>(value == 0.0F ? 0 : bits);
}

/// A safetensors file as it grows.
class Tensors
{
public:
    /// With values i/8 + first, which every type has exactly.
    void add(
        const std::string& name, std::int64_t elements, const std::string& shape,
        const std::string& type = "F32", float first = 0.0F)
    {
        const std::size_t begin = m_data.size();
        for (std::int64_t i = 0; i < elements; ++i) {
            const float value = static_cast<float>(i) / 8.0F + first;
            if (type == "F32") {
                append(value);
            } else if (type == "F64") {
                append(static_cast<double>(value));
            } else if (type == "I64") {
                append(i);
            } else if (type == "BF16") {
                append(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U));
            } else {
                append(halfOf(value));
            }
        }
        m_header += fmt::format(
            R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
            m_header.empty() ? "" : ",", name, type, shape, begin, m_data.size());
    }
    /// All weights of a network, each called as `called` says of its own name.
    void addAll(
        const NetworkSpec& network, const auto& called, const std::string& type = "F32",
        float first = 0.0F)
    {
        for (const ParameterSpec& parameter : network.parameters) {
            std::int64_t elements = 1;
            for (const std::int64_t size : parameter.shape) {
                elements *= size;
            }
            add(called(parameter.name), elements,
                fmt::format("{}", fmt::join(parameter.shape, ",")), type, first);
        }
    }
    void addBehind(const std::string& prefix, float first = 0.0F)
    {
        addAll(
            twoLayers(), [&](const std::string& name) { return prefix + name; }, "F32", first);
    }
    void write(const fs::path& file) const
    {
        const std::string header = "{" + m_header + "}";
        const std::uint64_t length = header.size();
        std::ofstream stream(file, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(&length), sizeof length);
        stream << header << m_data;
    }

private:
    void append(const auto& number)
    {
        m_data.append(reinterpret_cast<const char*>(&number), sizeof number);
    }

    std::string m_header;
    std::string m_data;
};

InitialWeights planOf(const Tensors& tensors, const InitialWeightsConfig& config = {})
{
    const TemporaryFolder folder;
    tensors.write(folder / "w.safetensors");
    return planInitialWeights(twoLayers(), config, folder / "w.safetensors");
}

QString refusalOf(const Tensors& tensors, const InitialWeightsConfig& config = {})
{
    return failureOf([&] { planOf(tensors, config); });
}

} // namespace

class TestForeignWeights : public QObject
{
    Q_OBJECT
private slots:
    void Prefixes_ofWrappers_areTakenOff_data();
    void Prefixes_ofWrappers_areTakenOff();
    void Wrappers_inTheMiddle_areTakenOff_data();
    void Wrappers_inTheMiddle_areTakenOff();
    void Averages_areTakenWhereTheyAreAskedFor_data();
    void Averages_areTakenWhereTheyAreAskedFor();
    void Averages_thatAreNone_areRefused();
    void Twice_isRefused_namingBoth_data();
    void Twice_isRefused_namingBoth();
    void NothingFits_namesTheTensorsOfBoth();
    void Unused_areCounted_notAllNamed();
    void Counts_ofBatches_areNoWeights();
    void OtherTypes_areReadAsFloats_data();
    void OtherTypes_areReadAsFloats();
};

void TestForeignWeights::Prefixes_ofWrappers_areTakenOff_data()
{
    addTextRows(
        {"prefix"}, {{""},
                     {"module."},
                     {"_orig_mod."},
                     {"module._orig_mod."},
                     {"_fsdp_wrapped_module."},
                     {"model."},
                     {"model.module."},
                     {"state_dict."},
                     {"state_dict.model.backbone."},
                     {"ema."},
                     {"schema."},
                     {"net."},
                     {"anything at all."}});
}

void TestForeignWeights::Prefixes_ofWrappers_areTakenOff()
{
    QFETCH(const QString, prefix);
    const TemporaryFolder folder;
    Tensors file;
    file.add("extra.position_ids", 2, "2", "I64");
    file.addBehind(prefix.toStdString());
    file.write(folder / "w.safetensors");
    const InitialWeights initial = planInitialWeights(twoLayers(), {}, folder / "w.safetensors");
    QCOMPARE(initial.taken(), 4U);
    QCOMPARE(initial.prefix, prefix.toStdString());
    QVERIFY(initial.unused.empty());
    QCOMPARE(
        QString::fromStdString(initial.summary()).contains("names begin with " + prefix),
        !prefix.isEmpty());
    const auto tensors = readInitialTensors(initial);
    const auto bias = std::ranges::find(tensors, "logits.bias", &NamedTensor::name);
    QCOMPARE(bias->values, (std::vector<float>{0.0F, 0.125F, 0.25F}));
}

void TestForeignWeights::Wrappers_inTheMiddle_areTakenOff_data()
{
    addTextRows(
        {"body", "logits", "prefix"},
        {{"body.module.conv", "logits", ""},
         {"body._orig_mod.conv", "logits", ""},
         {"body.conv.module", "logits.module", ""},
         {"module.body._checkpoint_wrapped_module.conv", "module.logits", "module."},
         {"model.body.module.conv", "model.module.logits", "model."},
         {"_fsdp_wrapped_module.body._fsdp_wrapped_module.conv", "_fsdp_wrapped_module.logits",
          "_fsdp_wrapped_module."}});
}

void TestForeignWeights::Wrappers_inTheMiddle_areTakenOff()
{
    QFETCH(const QString, body);
    QFETCH(const QString, logits);
    QFETCH(const QString, prefix);
    Tensors file;
    file.addAll(twoLayers(), [&](const std::string& name) {
        return (name.starts_with("body") ? body : logits).toStdString()
               + name.substr(name.rfind('.'));
    });
    const InitialWeights initial = planOf(file);
    QCOMPARE(initial.taken(), 4U);
    QCOMPARE(initial.prefix, prefix.toStdString());
    QVERIFY(initial.unused.empty());
}

void TestForeignWeights::Averages_areTakenWhereTheyAreAskedFor_data()
{
    addTextRows(
        {"averages", "weights", "asked", "taken"},
        {{"ema.", "model.", "auto", "model."},
         {"ema.", "model.", "raw", "model."},
         {"ema.", "model.", "average", "ema."},
         {"ema_model.", "model.", "auto", "model."},
         {"model_ema.", "model.", "average", "model_ema."},
         {"model_ema.", "", "average", "model_ema."},
         {"model_ema.", "", "auto", ""}});
}

void TestForeignWeights::Averages_areTakenWhereTheyAreAskedFor()
{
    QFETCH(const QString, averages);
    QFETCH(const QString, weights);
    QFETCH(const QString, asked);
    QFETCH(const QString, taken);
    const TemporaryFolder folder;
    Tensors file;
    file.addBehind(averages.toStdString(), 1.0F);
    file.addBehind(weights.toStdString(), 2.0F);
    file.write(folder / "w.safetensors");
    InitialWeightsConfig config;
    config.weights = asked.toStdString();
    const InitialWeights initial =
        planInitialWeights(twoLayers(), config, folder / "w.safetensors");
    QCOMPARE(initial.prefix, taken.toStdString());
    QCOMPARE(initial.weights == WeightsKind::Average, taken == averages);
    QCOMPARE(initial.unused.size(), 4U); // the others, by name
    const auto tensors = readInitialTensors(initial);
    QCOMPARE(tensors.front().values.front(), taken == averages ? 1.0F : 2.0F);
}

void TestForeignWeights::Averages_thatAreNone_areRefused()
{
    Tensors file;
    file.addBehind("schema.");
    InitialWeightsConfig config;
    config.weights = "average";
    QVERIFY(refusalOf(file, config).contains("has no moving averages"));
}

void TestForeignWeights::Twice_isRefused_namingBoth_data()
{
    addTextRows(
        {"one", "other"}, {{"encoder_q.", "encoder_k."},
                           {"student.", "teacher."},
                           {"model.", "momentum."},
                           {"module.encoder_q.", "module.encoder_k."},
                           {"module.model.", "model."}});
}

void TestForeignWeights::Twice_isRefused_namingBoth()
{
    QFETCH(const QString, one);
    QFETCH(const QString, other);
    Tensors file;
    file.addBehind(one.toStdString());
    file.addBehind(other.toStdString());
    const QString text = refusalOf(file);
    QVERIFY2(
        text.contains("'" + one) && text.contains("'" + other) && text.contains("twice"),
        qPrintable(text));
}

void TestForeignWeights::NothingFits_namesTheTensorsOfBoth()
{
    Tensors file;
    file.add("blocks.0.attn.qkv.weight", 12, "6,2");
    const QString text = refusalOf(file);
    QVERIFY2(
        text.contains("blocks.0.attn.qkv.weight 6x2") && text.contains("logits.weight 3x"),
        qPrintable(text));
}

void TestForeignWeights::Unused_areCounted_notAllNamed()
{
    Tensors file;
    file.addBehind("");
    for (int i = 0; i < 100; ++i) {
        file.add(fmt::format("other{}", i), 1, "1");
    }
    const InitialWeights initial = planOf(file);
    QCOMPARE(initial.unused.size(), 100U);
    QVERIFY(QString::fromStdString(initial.text()).contains("other7 and 92 more"));
}

void TestForeignWeights::Counts_ofBatches_areNoWeights()
{
    Tensors file;
    file.addBehind("");
    file.add("norm.num_batches_tracked", 1, "");
    QVERIFY(planOf(file).unused.empty());
}

void TestForeignWeights::OtherTypes_areReadAsFloats_data()
{
    addTextRows({"type"}, {{"F32"}, {"F16"}, {"BF16"}, {"F64"}});
}

void TestForeignWeights::OtherTypes_areReadAsFloats()
{
    QFETCH(const QString, type);
    const TemporaryFolder folder;
    Tensors file;
    file.addAll(
        twoLayers(), [](const std::string& name) { return name; }, type.toStdString());
    file.write(folder / "w.safetensors");
    const InitialWeights initial = planInitialWeights(twoLayers(), {}, folder / "w.safetensors");
    QCOMPARE(initial.taken(), 4U);
    for (const NamedTensor& tensor : readInitialTensors(initial)) {
        for (std::size_t i = 0; i < tensor.values.size(); ++i) {
            QCOMPARE(tensor.values[i], static_cast<float>(i) / 8.0F);
        }
    }
}

LOCKSTEP_TEST(TestForeignWeights)
#include "test_foreign_weights.moc"
