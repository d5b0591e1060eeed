// Each file in bind/ adds its part to the module by itself: adding one touches no other file.
//
//     BEELINE_BIND(kSpaces, module) { nb::class_<ProgramSpace>(module, "ProgramSpace")...; }
#pragma once

#include <nanobind/nanobind.h>

namespace beeline {

// Later stages may use the types of earlier ones in their signatures.
enum BindStage { kTypes, kTables, kSpaces, kWrappers, kFunctions };

struct BindPart {
    BindPart(BindStage stage, void (*bind)(nanobind::module_&));
};

} // namespace beeline

#define BEELINE_BIND(stage, module)                                                                                    \
    static void bind_part(nanobind::module_& module);                                                                  \
    static const ::beeline::BindPart registered_part(stage, bind_part);                                                \
    static void bind_part(nanobind::module_& module)
