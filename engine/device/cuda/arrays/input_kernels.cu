// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/input_kernels.h"

#include "device/cuda/arrays/device_philox.h"
#include "device/cuda/arrays/vector_access.h"
#include "device/cuda/runtime/cuda_layout.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

constexpr int kMostChannels = 64;

/// What becomes of an image; see lockstep::Distortion.
struct Crop
{
    int row;
    int column;
    bool isFlipped;
    float brightness;
    float contrast;
};

/// The rows that a kernel writes.
template<class T>
struct Rows
{
    T* values;
    std::int64_t count;
    int pixels; ///< of one
    int channels;
    int storedChannels;
};

/// Writes the stored channels of a position: valueOf(c) for those of the image, then zeros.
template<class T, class ValueOf>
__device__ void storePosition(const Rows<T>& rows, std::int64_t position, ValueOf valueOf)
{
    constexpr int kValues = kVectorValues<T>;
    T* const dst = rows.values + position * rows.storedChannels;
    if (rows.storedChannels == kValues) {
        float values[kValues];
        for (int c = 0; c < kValues; ++c) {
            values[c] = c < rows.channels ? valueOf(c) : 0.0F;
        }
        storeFloats(dst, values);
        return;
    }
    for (int c = 0; c < rows.storedChannels; ++c) {
        dst[c] = fromFloat<T>(c < rows.channels ? valueOf(c) : 0.0F);
    }
}

/// The first row of this replica in the ring of batches.
__device__ std::int64_t firstRow(const DeviceInput& input)
{
    const std::int64_t slot = input.state != nullptr ? input.state->step % input.slotCount : 0;
    return slot * input.slotRows + input.firstRow;
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads) convertRowsKernel(DeviceInput input, Rows<T> rows)
{
    waitForKernelBefore();
    noteBegin(input.begins);
    const std::int64_t first = firstRow(input);
    const std::int64_t position = globalThread();
    if (position < rows.count) {
        input.rowLabels[position] = input.imageLabels[first + position];
        if (input.mixed != nullptr) {
            input.rowMixed[position] = input.mixed[first + position];
        }
    }
    if (input.rowMasks != nullptr) {
        for (std::int64_t i = position; i < rows.count * input.maskCells; i += globalThreads()) {
            input.rowMasks[i] = input.masks[first * input.maskCells + i];
        }
    }
    if (position < rows.count * rows.pixels) {
        const float* const src = input.images + (first * rows.pixels + position) * rows.channels;
        storePosition(rows, position, [&](int c) { return src[c]; });
    }
}

/// The same numbers in the same order as lockstep::drawDistortion.
__device__ Crop drawCrop(const ImageRecipe& recipe, const RowVisit& visit)
{
    const auto rows = static_cast<std::uint32_t>(recipe.image.height - recipe.cropHeight);
    const auto columns = static_cast<std::uint32_t>(recipe.image.width - recipe.cropWidth);
    DevicePhilox stream(recipe.seed, RandomPurpose::Distortion, visit.epoch, visit.example);
    const std::uint32_t row = stream.below(rows + 1);
    const std::uint32_t column = stream.below(columns + 1);
    const bool isFlipped = (stream.next() & 1U) != 0;
    const float brightness = stream.uniform(-recipe.brightnessDelta, recipe.brightnessDelta);
    const float contrast = stream.uniform(recipe.contrastLow, recipe.contrastHigh);
    return {
        static_cast<int>(recipe.crop ? row : rows / 2),
        static_cast<int>(recipe.crop ? column : columns / 2), recipe.flip && isFlipped,
        recipe.brightness ? brightness : 0.0F, recipe.contrast ? contrast : 1.0F};
}

/// The bytes of one image under its crop, flipped.
class CroppedPixels
{
public:
    __device__ CroppedPixels(const ImageRecipe& recipe, const Crop& crop, const std::uint8_t* image)
        : m_width(static_cast<int>(recipe.cropWidth)), m_isFlipped(crop.isFlipped),
          m_columnStride(recipe.isPlanar ? 1 : static_cast<int>(recipe.image.channels)),
          m_rowStride(static_cast<int>(recipe.image.width) * m_columnStride),
          m_channelStride(
              recipe.isPlanar ? static_cast<int>(recipe.image.height * recipe.image.width) : 1),
          m_first(image + crop.row * m_rowStride + crop.column * m_columnStride)
    {
    }
    /// Where channel 0 of a pixel of the crop lies; its other channels follow at this stride.
    [[nodiscard]] __device__ const std::uint8_t* at(int pixel) const
    {
        const int y = pixel / m_width;
        const int x = pixel - y * m_width;
        return m_first + y * m_rowStride + (m_isFlipped ? m_width - 1 - x : x) * m_columnStride;
    }
    [[nodiscard]] __device__ int channelStride() const { return m_channelStride; }

private:
    int m_width;
    bool m_isFlipped;
    int m_columnStride;
    int m_rowStride;
    int m_channelStride;
    const std::uint8_t* m_first;
};

/// Of one image: exact sums of x and x^2 by channel, and the map (x - center) * scale + offset that
/// follows from them. Shared by a block.
struct ImageMaps
{
    std::int64_t sums[kMostChannels];
    std::int64_t squares[kMostChannels];
    double spreads[kMostChannels];
    float centers[kMostChannels];
    float offsets[kMostChannels];
};

__device__ void sumChannels(const CroppedPixels& image, int pixels, int channels, ImageMaps& maps)
{
    for (int c = 0; c < channels; ++c) {
        std::int64_t sum = 0;
        std::int64_t squares = 0;
        for (int i = static_cast<int>(threadIdx.x); i < pixels; i += kBlockThreads) {
            const int value = image.at(i)[c * image.channelStride()];
            sum += value;
            squares += value * value;
        }
        sum = blockSum(sum);
        squares = blockSum(squares);
        if (threadIdx.x == 0) {
            maps.sums[c] = sum;
            maps.squares[c] = squares;
        }
    }
    __syncthreads();
}

/// Thread c plans the map of channel c, by the formulas of Distorter::deviation and planMaps.
/// Returns the scale.
__device__ float planMaps(
    const ImageRecipe& recipe, const Crop& crop, int channels, ImageMaps& maps)
{
    const auto pixels = static_cast<double>(recipe.cropHeight * recipe.cropWidth);
    const double elements = pixels * channels;
    const double contrast = crop.contrast;
    const int channel = static_cast<int>(threadIdx.x);
    std::int64_t total = 0;
    for (int c = 0; c < channels; ++c) {
        total += maps.sums[c];
    }
    const double mean = static_cast<double>(total) / elements;
    if (channel < channels) {
        const auto sum = static_cast<double>(maps.sums[channel]);
        const double within = static_cast<double>(maps.squares[channel]) - sum * sum / pixels;
        const double between = sum / pixels - mean;
        maps.spreads[channel] = contrast * contrast * within + pixels * between * between;
    }
    __syncthreads();
    double squares = 0.0;
    for (int c = 0; c < channels; ++c) {
        squares += maps.spreads[c];
    }
    const double deviation = std::sqrt((squares > 0.0 ? squares : 0.0) / elements);
    const double least = 1.0 / std::sqrt(elements);
    const double divisor = recipe.standardize ? (deviation > least ? deviation : least) : 1.0;
    if (channel < channels) {
        const double channelMean = static_cast<double>(maps.sums[channel]) / pixels;
        const double center = std::round(channelMean);
        const double shift = recipe.standardize ? -mean : static_cast<double>(crop.brightness);
        maps.centers[channel] = static_cast<float>(center);
        maps.offsets[channel] = static_cast<float>(
            ((center - channelMean) * contrast + (channelMean + shift)) / divisor);
    }
    __syncthreads();
    return static_cast<float>(contrast / divisor);
}

/// One block an image.
template<class T>
__global__ void __launch_bounds__(kBlockThreads) augmentRowsKernel(DeviceInput input, Rows<T> rows)
{
    waitForKernelBefore();
    noteBegin(input.begins);
    __shared__ ImageMaps maps;
    const std::int64_t row = blockIdx.x;
    const ImageRecipe& recipe = input.recipe;
    const RowVisit visit = input.visits[firstRow(input) + row];
    if (threadIdx.x == 0) {
        input.rowLabels[row] = input.datasetLabels[visit.example];
    }
    const std::int64_t imageBytes =
        recipe.image.height * recipe.image.width * recipe.image.channels;
    const Crop crop = drawCrop(recipe, visit);
    const CroppedPixels image(recipe, crop, input.pixels + visit.example * imageBytes);
    sumChannels(image, rows.pixels, rows.channels, maps);
    const float scale = planMaps(recipe, crop, rows.channels, maps);
    for (int i = static_cast<int>(threadIdx.x); i < rows.pixels; i += kBlockThreads) {
        const std::uint8_t* const pixel = image.at(i);
        storePosition(rows, row * rows.pixels + i, [&](int c) {
            const auto value = static_cast<float>(pixel[c * image.channelStride()]);
            // Two roundings, as on the host.
            return __fadd_rn(__fmul_rn(value - maps.centers[c], scale), maps.offsets[c]);
        });
    }
}

template<class T>
Rows<T> rowsOf(const TensorPlan& plan, std::byte* dst)
{
    return {
        reinterpret_cast<T*>(dst), plan.examples,
        static_cast<int>(plan.shape.height * plan.shape.width),
        static_cast<int>(plan.shape.channels), static_cast<int>(layoutOf(plan).channels)};
}

} // namespace

void convertRows(
    cudaStream_t stream, const DeviceInput& input, const TensorPlan& plan, std::byte* dst)
{
    const LaunchShape shape = shapeFor(plan.examples * plan.shape.height * plan.shape.width);
    withType(layoutOf(plan).type, [&](auto zero) {
        using T = decltype(zero);
        launch(convertRowsKernel<T>, shape, stream, input, rowsOf<T>(plan, dst));
    });
}

void augmentRows(
    cudaStream_t stream, const DeviceInput& input, const TensorPlan& plan, std::byte* dst)
{
    const bool canBe = plan.shape.channels <= kMostChannels
                       && plan.shape.channels == input.recipe.image.channels
                       && plan.shape.height == input.recipe.cropHeight
                       && plan.shape.width == input.recipe.cropWidth;
    checkCuda(
        canBe ? cudaSuccess : cudaErrorInvalidValue, "making rows of another shape than planned");
    const LaunchShape shape{dim3(static_cast<unsigned>(plan.examples)), dim3(kBlockThreads)};
    withType(layoutOf(plan).type, [&](auto zero) {
        using T = decltype(zero);
        launch(augmentRowsKernel<T>, shape, stream, input, rowsOf<T>(plan, dst));
    });
}

} // namespace lockstep::cuda
