// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/data_check.h"

#include "base/error.h"
#include "dataset/codecs/image_structure.h"

#include <pthread.h>

#include <utility>

namespace lockstep {

DataCheck::DataCheck(
    std::vector<const EncodedDataset*> datasets, std::function<void(const std::string&)> tell)
    : m_datasets(std::move(datasets)), m_tell(std::move(tell)),
      m_thread([this](const std::stop_token& stop) { work(stop); })
{
    pthread_setname_np(m_thread.native_handle(), "data-check");
}

void DataCheck::work(const std::stop_token& stop) const
{
    EncodedImage image;
    std::int64_t images = 0;
    std::int64_t damaged = 0;
    for (const EncodedDataset* const dataset : m_datasets) {
        for (std::int64_t i = 0; i < dataset->size(); ++i, ++images) {
            if (stop.stop_requested()) {
                return;
            }
            try {
                dataset->read(i, image);
                checkStructure(image.file, dataset->fullName(i));
            } catch (const Error& error) { // one that can't be read is left to the loaders
                if (error.code() == ErrorCode::Data) {
                    dataset->damage().take(i, error.what());
                    ++damaged;
                }
            }
        }
    }
    m_tell(fmt::format(
        "the structure of all {} images was checked beside the training: {} are damaged", images,
        damaged));
}

} // namespace lockstep
