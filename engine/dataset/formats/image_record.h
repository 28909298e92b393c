// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/encoded_dataset.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep {

/// What Inception's trainer reads of a record of ImageNet.
struct ImageRecord
{
    EncodedImage image;     ///< image/encoded; image/object/bbox/{ymin,xmin,ymax,xmax}
    std::int64_t label = 0; ///< image/class/label
    std::string text;       ///< image/class/text; empty where it is missing
};

/// Reads a serialised tf.train.Example into `record`, whose memory is used again. Other features
/// are left out; those of boxes and the text may be missing. A box with exchanged sides is turned
/// the right way round and cut off at the image's border; one without area is left out. Throws
/// Error(Data) that begins with `name` for bytes that are no such message, a missing image or
/// label and several of them, features of another type, and lists of box sides of different
/// lengths. Thread-safe.
void parseImageRecord(
    std::span<const std::byte> bytes, const std::string& name, ImageRecord& record);

} // namespace lockstep
