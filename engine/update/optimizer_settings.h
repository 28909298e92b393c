// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/enum_names.h"
#include "device/update_rule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// Beside which root adam and adamw add their epsilon.
enum class EpsilonAs {
    TensorFlow, ///< sqrt(s): w -= r sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(s) + epsilon), the
                ///< end of section 2 of Kingma and Ba, which makes it larger in the first steps
    PyTorch,    ///< the corrected one, as torch.optim.Adam and torch.optim.AdamW
};

/// Names as in a configuration.
inline constexpr EnumNames<EpsilonAs, 2> kEpsilonNames{{"tensorflow", "pytorch"}};

/// How weights follow their gradient g, in which the weight decay is already. The rules are those
/// of TensorFlow 1's optimizers (core/kernels/training_ops.cc), for a learning rate r:
///     sgd       w -= r g
///     momentum  m = momentum m + g;  w -= r m, or r (g + momentum m) with Nesterov's look ahead
///               (Sutskever et al., 2013)
///     rmsprop   s = decay s + (1 - decay) g^2;  m = momentum m + r g / sqrt(s + epsilon);  w -= m;
///               s begins at 1 (Hinton, Tieleman, Coursera lecture 6.5, 2012)
///     adam      m = beta1 m + (1 - beta1) g;  s = beta2 s + (1 - beta2) g^2;
///               w -= r m / (1 - beta1^t) / (sqrt(s / (1 - beta2^t)) + epsilon) at update t,
///               counted from 1 (Kingma, Ba, arXiv:1412.6980, algorithm 1); see EpsilonAs
///     adamw     w -= r times weight decay times w, then adam's step without the decay in g
///               (Loshchilov, Hutter, arXiv:1711.05101)
struct OptimizerSettings
{
    UpdateKind kind = UpdateKind::Sgd;
    double momentum = 0.0;
    bool isNesterov = false;
    double decay = 0.9;
    double epsilon = 1e-10;
    double beta1 = 0.9;
    double beta2 = 0.999;
    /// Where the norm n of the averaged gradient, of all weights together and without their decay,
    /// is larger, the gradient is first multiplied by clipNorm / (n + 1e-6), as
    /// torch.nn.utils.clip_grad_norm_ does (Pascanu et al., arXiv:1211.5063); 0: never.
    double clipNorm = 0.0;
    EpsilonAs epsilonAs = EpsilonAs::PyTorch;
};

/// "sgd", "momentum", "rmsprop", "adam", "adamw"; Error(BadInput) for anything else.
UpdateKind updateKindByName(const std::string& name);
std::string toString(UpdateKind kind);
/// All of them.
std::vector<UpdateKind> updateKinds();

UpdateConstants constantsOf(const OptimizerSettings& settings);

/// What the optimizer does at one step.
struct UpdateSettings
{
    double learningRate = 0.0; ///< for adam and adamw corrected for means that began at 0
    double averageDecay = 0.0; ///< of the moving average
    double momentDecay = 1.0;  ///< the most that any running moment decays by; 1: by its own
    double decayRate = 0.0;    ///< of adamw: the learning rate as it was
    double epsilonScale = 1.0; ///< as the corrected root of the mean square has it, see UpdateRule
};

/// What a gradient of this norm is multiplied by.
double clipScale(const OptimizerSettings& settings, double norm);

/// The update that follows `step` updates of the same parameters.
UpdateSettings updateAt(
    const OptimizerSettings& settings, double learningRate, double averageDecay, std::int64_t step);

/// "rmsprop, decay 0.9, momentum 0.9, epsilon 1": what the kind has no use for is left out.
std::string describe(const OptimizerSettings& settings);

} // namespace lockstep
