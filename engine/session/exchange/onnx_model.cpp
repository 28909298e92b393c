// SPDX-License-Identifier: Apache-2.0
#include "session/exchange/onnx_model.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "session/config/version.h"
#include "session/exchange/onnx_graph.h"

namespace lockstep {

void writeOnnx(
    const NetworkSpec& network, std::span<const NamedTensor> weights,
    const std::filesystem::path& path)
{
    onnx::ModelProto model;
    model.set_ir_version(onnx::IR_VERSION);
    model.set_producer_name("Lockstep");
    model.set_producer_version(versionText());
    model.add_opset_import()->set_version(kOnnxOpset);
    onnx::GraphProto& proto = *model.mutable_graph();
    proto.set_name(network.name);
    OnnxGraph graph(network, weights, proto);
    for (const Layer& layer : network.layers) {
        graph.addLayer(layer);
    }
    for (const NamedOutput& output : network.outputs) {
        graph.addOutput(output);
    }
    const std::string bytes = model.SerializeAsString();
    if (bytes.empty()) {
        fail(
            ErrorCode::BadInput, "{}: model '{}' is too large for one ONNX file (2 GiB)",
            path.string(), network.name);
    }
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

} // namespace lockstep
