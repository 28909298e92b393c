// SPDX-License-Identifier: Apache-2.0
// Transforms of tiles and products of their spectra, with every instruction set of this processor,
// against sums by the definition in float64.
#include "device/cpu/kernels/tile_spectrum.h"
#include "support/compare.h"
#include "support/elements.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

using namespace lockstep;
using namespace lockstep::cpu;
using test::Random;

namespace {

constexpr std::int64_t kWidth = 15; ///< of the filters

/// Cells with 16 channels, row by row.
class Cells
{
public:
    Cells(std::int64_t rows, std::int64_t columns, Random& random)
        : m_columns(columns),
          m_values(
              random.floats(static_cast<std::size_t>(rows * columns * kTileChannels), -1.0, 1.0)),
          m_rows(rows)
    {
    }

    [[nodiscard]] TileCells all()
    {
        return {
            Element::Float32,
            reinterpret_cast<std::byte*>(m_values.data()),
            m_columns * kTileChannels,
            kTileChannels,
            0,
            m_rows,
            0,
            m_columns};
    }
    [[nodiscard]] double at(std::int64_t row, std::int64_t column, std::int64_t channel) const
    {
        const std::int64_t place = (row * m_columns + column) * kTileChannels + channel;
        return static_cast<double>(m_values[static_cast<std::size_t>(place)]);
    }
    [[nodiscard]] std::span<const float> values() const { return m_values; }

private:
    std::int64_t m_columns;
    std::vector<float> m_values;
    std::int64_t m_rows;
};

std::vector<float> spectrumOf(Cells& cells)
{
    std::vector<float> spectrum(static_cast<std::size_t>(kSpectrumFloats));
    toSpectrum(cells.all(), spectrum.data(), kFrequencyFloats);
    return spectrum;
}

} // namespace

class TestTileSpectrum : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addInstructionSets(); }

    void Cells_thereAndBack_areTheSame_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("all") << 32 << 32;
        QTest::newRow("odd rows") << 15 << 32;
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("part") << 18 << 7;
    }

    void Cells_thereAndBack_areTheSame()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH(int, rows);
        QFETCH(int, columns);
        Random random(501);
        Cells cells(rows, columns, random);
        const auto spectrum = spectrumOf(cells);
        Cells back(rows, columns, random);
        fromSpectrum(spectrum.data(), kFrequencyFloats, back.all());
        const double error = test::relativeError<float, float>(back.values(), cells.values());
        QVERIFY2(error < 1e-6, qPrintable(QString::number(error)));
    }

    void Products_ofSpectra_areSumsOverTheFilter_data()
    {
        QTest::addColumn<bool>("isConjugate");
        QTest::newRow("correlation") << true;
        QTest::newRow("convolution") << false;
    }

    void Products_ofSpectra_areSumsOverTheFilter()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH(bool, isConjugate);
        Random random(502);
        Cells tile(kTile, kTile, random);
        std::vector<Cells> filters;
        std::vector<float> spectra;
        for (std::int64_t j = 0; j < kFilters; ++j) {
            filters.emplace_back(kWidth, kWidth, random);
            const auto one = spectrumOf(filters.back());
            spectra.insert(spectra.end(), one.begin(), one.end());
        }
        constexpr std::int64_t kFirst = 8; // channel of the tile that the first filter meets
        std::vector<float> sums(static_cast<std::size_t>(kSpectrumFloats), 0.0F);
        addProducts(
            {1, isConjugate}, spectrumOf(tile).data() + kFirst, spectra.data(), sums.data());
        Cells got(kTile, kTile, random);
        fromSpectrum(sums.data(), kFrequencyFloats, got.all());
        double error = 0.0;
        const std::int64_t begin = isConjugate ? 0 : kWidth - 1;
        const std::int64_t sign = isConjugate ? 1 : -1;
        for (std::int64_t y = begin; y < begin + kTile - kWidth + 1; ++y) {
            for (std::int64_t x = begin; x < begin + kTile - kWidth + 1; ++x) {
                const std::int64_t channel = (x + y) % kTileChannels;
                double sum = 0.0;
                for (std::int64_t i = 0; i < kFilters * kWidth * kWidth; ++i) {
                    const std::int64_t j = i / (kWidth * kWidth);
                    const std::int64_t row = i / kWidth % kWidth;
                    const std::int64_t column = i % kWidth;
                    sum += filters[static_cast<std::size_t>(j)].at(row, column, channel)
                           * tile.at(y + sign * row, x + sign * column, kFirst + j);
                }
                error = std::max(error, std::abs(sum - got.at(y, x, channel)));
            }
        }
        QVERIFY2(error < 2e-5, qPrintable(QString::number(error)));
    }

    void Correlation_ofTiles_isTheGradientOfTheFilter()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        constexpr std::int64_t kTiles = 3;
        constexpr std::int64_t kMade = kTile - kWidth + 1;
        Random random(503);
        std::vector<Cells> sources;
        std::vector<Cells> diffs;
        std::vector<float> ofSources(static_cast<std::size_t>(kTiles * kSpectrumFloats));
        std::vector<float> ofDiffs(ofSources.size());
        for (std::int64_t t = 0; t < kTiles; ++t) {
            sources.emplace_back(kTile, kTile, random);
            diffs.emplace_back(kMade, kMade, random);
            const std::int64_t at = t * kFrequencyFloats;
            toSpectrum(sources.back().all(), ofSources.data() + at, kTiles * kFrequencyFloats);
            toSpectrum(diffs.back().all(), ofDiffs.data() + at, kTiles * kFrequencyFloats);
        }
        constexpr std::int64_t kFirst = 4;
        std::vector<float> spectra(static_cast<std::size_t>(kFilters * kSpectrumFloats));
        correlateTiles(kTiles, ofSources.data() + kFirst, ofDiffs.data(), spectra.data());
        double error = 0.0;
        for (std::int64_t j = 0; j < kFilters; ++j) {
            Cells got(kWidth, kWidth, random);
            fromSpectrum(spectra.data() + j * kSpectrumFloats, kFrequencyFloats, got.all());
            for (std::int64_t i = 0; i < kWidth * kWidth; ++i) {
                const std::int64_t channel = i % kTileChannels;
                double sum = 0.0;
                for (std::int64_t k = 0; k < kTiles * kMade * kMade; ++k) {
                    const auto t = static_cast<std::size_t>(k / (kMade * kMade));
                    const std::int64_t y = k / kMade % kMade;
                    const std::int64_t x = k % kMade;
                    sum += diffs[t].at(y, x, channel)
                           * sources[t].at(y + i / kWidth, x + i % kWidth, kFirst + j);
                }
                error = std::max(error, std::abs(sum - got.at(i / kWidth, i % kWidth, channel)));
            }
        }
        QVERIFY2(error < 3e-5, qPrintable(QString::number(error)));
    }
};

LOCKSTEP_TEST(TestTileSpectrum)
#include "test_tile_spectrum.moc"
