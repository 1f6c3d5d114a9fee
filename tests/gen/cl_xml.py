#!/usr/bin/env python3
"""Makes src/api/raw/*.rs from the OpenCL registry.

    tests/gen/cl_xml.py PATH/TO/cl.xml

Run when the registry changes; the output is committed. The registry's data is
(c) The Khronos Group Inc.; its licence (Apache 2.0 with an exception for
generated code) lets generated code be passed on.
"""

import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "src/api/raw"
HEADER = """\
//! {what}
//!
//! Made by tests/gen/cl_xml.py from cl.xml, the Khronos OpenCL registry: do not edit.
//! The data is copyright The Khronos Group Inc., under the registry's licence (Apache
//! 2.0, with an exception that lets generated code be passed on without attribution).

"""

# The order of `struct _cl_icd_dispatch` is an ABI that the registry does not state.
# A leading word says what becomes of the slot (see api/entry.rs); without one it is `core`.
DISPATCH_ORDER = """
tagged GetPlatformIDs
GetPlatformInfo GetDeviceIDs GetDeviceInfo CreateContext CreateContextFromType
RetainContext ReleaseContext GetContextInfo CreateCommandQueue RetainCommandQueue
ReleaseCommandQueue GetCommandQueueInfo SetCommandQueueProperty CreateBuffer CreateImage2D
CreateImage3D RetainMemObject ReleaseMemObject GetSupportedImageFormats GetMemObjectInfo
GetImageInfo CreateSampler RetainSampler ReleaseSampler GetSamplerInfo
CreateProgramWithSource CreateProgramWithBinary RetainProgram ReleaseProgram BuildProgram
tagged UnloadCompiler
GetProgramInfo GetProgramBuildInfo CreateKernel CreateKernelsInProgram RetainKernel
ReleaseKernel SetKernelArg GetKernelInfo GetKernelWorkGroupInfo WaitForEvents GetEventInfo
RetainEvent ReleaseEvent GetEventProfilingInfo Flush Finish EnqueueReadBuffer
EnqueueWriteBuffer EnqueueCopyBuffer EnqueueReadImage EnqueueWriteImage EnqueueCopyImage
EnqueueCopyImageToBuffer EnqueueCopyBufferToImage EnqueueMapBuffer EnqueueMapImage
EnqueueUnmapMemObject EnqueueNDRangeKernel EnqueueTask EnqueueNativeKernel EnqueueMarker
EnqueueWaitForEvents EnqueueBarrier GetExtensionFunctionAddress
absent CreateFromGLBuffer CreateFromGLTexture2D CreateFromGLTexture3D
CreateFromGLRenderbuffer GetGLObjectInfo GetGLTextureInfo EnqueueAcquireGLObjects
EnqueueReleaseGLObjects GetGLContextInfoKHR
null GetDeviceIDsFromD3D10KHR CreateFromD3D10BufferKHR CreateFromD3D10Texture2DKHR
CreateFromD3D10Texture3DKHR EnqueueAcquireD3D10ObjectsKHR EnqueueReleaseD3D10ObjectsKHR
core SetEventCallback CreateSubBuffer SetMemObjectDestructorCallback CreateUserEvent
SetUserEventStatus EnqueueReadBufferRect EnqueueWriteBufferRect EnqueueCopyBufferRect
absent CreateSubDevicesEXT RetainDeviceEXT ReleaseDeviceEXT CreateEventFromGLsyncKHR
core CreateSubDevices RetainDevice ReleaseDevice CreateImage CreateProgramWithBuiltInKernels
CompileProgram LinkProgram UnloadPlatformCompiler GetKernelArgInfo EnqueueFillBuffer
EnqueueFillImage EnqueueMigrateMemObjects EnqueueMarkerWithWaitList
EnqueueBarrierWithWaitList GetExtensionFunctionAddressForPlatform
absent CreateFromGLTexture
null GetDeviceIDsFromD3D11KHR CreateFromD3D11BufferKHR CreateFromD3D11Texture2DKHR
CreateFromD3D11Texture3DKHR CreateFromDX9MediaSurfaceKHR EnqueueAcquireD3D11ObjectsKHR
EnqueueReleaseD3D11ObjectsKHR GetDeviceIDsFromDX9MediaAdapterKHR
EnqueueAcquireDX9MediaSurfacesKHR EnqueueReleaseDX9MediaSurfacesKHR
absent CreateFromEGLImageKHR EnqueueAcquireEGLObjectsKHR EnqueueReleaseEGLObjectsKHR
CreateEventFromEGLSyncKHR
core CreateCommandQueueWithProperties CreatePipe GetPipeInfo SVMAlloc SVMFree EnqueueSVMFree
EnqueueSVMMemcpy EnqueueSVMMemFill EnqueueSVMMap EnqueueSVMUnmap CreateSamplerWithProperties
SetKernelArgSVMPointer SetKernelExecInfo
core GetKernelSubGroupInfoKHR CloneKernel CreateProgramWithIL EnqueueSVMMigrateMem GetDeviceAndHostTimer GetHostTimer
GetKernelSubGroupInfo SetDefaultDeviceCommandQueue SetProgramReleaseCallback
SetProgramSpecializationConstant CreateBufferWithProperties CreateImageWithProperties
SetContextDestructorCallback GetKernelSuggestedLocalWorkSize
"""
BEYOND_TABLE = """
extra IcdGetPlatformIDsKHR IcdGetFunctionAddressForPlatformKHR IcdSetPlatformDispatchDataKHR
named GetKernelSuggestedLocalWorkSizeKHR CreateCommandQueueWithPropertiesKHR CreateProgramWithILKHR
SetKernelArgDevicePointerEXT EnqueueAcquireExternalMemObjectsKHR
EnqueueReleaseExternalMemObjectsKHR ImportMemoryARM
HostMemAllocINTEL DeviceMemAllocINTEL SharedMemAllocINTEL MemFreeINTEL MemBlockingFreeINTEL
GetMemAllocInfoINTEL SetKernelArgMemPointerINTEL EnqueueMemsetINTEL EnqueueMemFillINTEL
EnqueueMemcpyINTEL EnqueueMigrateMemINTEL EnqueueMemAdviseINTEL CreateBufferWithPropertiesINTEL
SVMAllocARM SVMFreeARM EnqueueSVMFreeARM EnqueueSVMMemcpyARM EnqueueSVMMemFillARM EnqueueSVMMapARM
EnqueueSVMUnmapARM SetKernelArgSVMPointerARM SetKernelExecInfoARM
CreateCommandBufferKHR FinalizeCommandBufferKHR RetainCommandBufferKHR ReleaseCommandBufferKHR
EnqueueCommandBufferKHR CommandBarrierWithWaitListKHR CommandCopyBufferKHR CommandCopyBufferRectKHR
CommandCopyBufferToImageKHR CommandCopyImageKHR CommandCopyImageToBufferKHR CommandFillBufferKHR
CommandFillImageKHR CommandNDRangeKernelKHR CommandSVMMemcpyKHR CommandSVMMemFillKHR
GetCommandBufferInfoKHR UpdateMutableCommandsKHR GetMutableCommandInfoKHR RemapCommandBufferKHR
CreateSemaphoreWithPropertiesKHR EnqueueWaitSemaphoresKHR EnqueueSignalSemaphoresKHR GetSemaphoreInfoKHR
ReleaseSemaphoreKHR RetainSemaphoreKHR GetSemaphoreHandleForTypeKHR ReImportSemaphoreSyncFdKHR
GetImageRequirementsInfoEXT
SVMAllocWithPropertiesKHR SVMFreeWithPropertiesKHR GetSVMPointerInfoKHR GetSVMSuggestedTypeIndexKHR
"""
# Functions that the core and an extension have under different names, whose events say under which one was called.
NAMED_COMMANDS = re.compile(r"EnqueueSVM(Free|Memcpy|MemFill|Map|Unmap)(ARM)?$")
KINDS = {"core", "tagged", "absent", "null", "extra", "named"}

# Extensions whose constants are wanted, beside the core's.
EXTENSIONS = """
cl_arm_printf cl_khr_icd cl_khr_device_uuid cl_khr_pci_bus_info cl_khr_fp16 cl_khr_fp64
cl_ext_buffer_device_address cl_ext_float_atomics cl_intel_required_subgroup_size cl_khr_integer_dot_product
cl_khr_extended_versioning cl_khr_kernel_clock cl_khr_external_memory
cl_khr_external_memory_opaque_fd cl_khr_external_memory_dma_buf
cl_arm_import_memory cl_arm_import_memory_host cl_arm_import_memory_dma_buf
cl_arm_import_memory_android_hardware_buffer
cl_intel_unified_shared_memory cl_arm_shared_virtual_memory cl_khr_command_buffer
cl_khr_command_buffer_mutable_dispatch cl_khr_command_buffer_multi_device
cl_khr_semaphore cl_khr_external_semaphore cl_khr_external_semaphore_opaque_fd cl_khr_external_semaphore_sync_fd
cl_ext_image_requirements_info cl_ext_cxx_for_opencl cl_ext_image_from_buffer cl_khr_initialize_memory cl_khr_priority_hints cl_khr_throttle_hints
cl_ext_immutable_memory_objects cl_khr_unified_svm cl_nv_device_attribute_query
""".split()

BASE_TYPES = {
    "void": "c_void", "char": "c_char", "int": "c_int", "unsigned char": "u8",
    "unsigned int": "c_uint", "intptr_t": "isize", "size_t": "usize", "float": "f32",
    "double": "f64", **{f"{u}int{n}_t": f"{'u' if u else 'i'}{n}" for u in ("", "u") for n in (8, 16, 32, 64)},
}


def c_type(text):
    """A C type as Rust writes it: pointers as raw pointers."""
    text = text.replace("struct ", "").strip()
    if text.endswith("*"):
        inner = text[:-1].strip()
        const = inner.startswith("const ") and not inner.endswith("*")
        if const:
            inner = inner[len("const "):]
        return f"*{'const' if const else 'mut'} {c_type(inner)}"
    return BASE_TYPES.get(text, text)


def parameter_type(text):
    """The type of an entry point's parameter: typed pointers become In or Out."""
    const = text.startswith("const ")
    rust = c_type(text)
    if rust in ("*mut c_void", "*const c_void") or not text.endswith("*"):
        return rust
    target = rust.split(" ", 1)[1]
    # `const char**`, `void* list[]`: pointers to lists of pointers are read.
    return f"{'In' if const or target.startswith('*') else 'Out'}<{target}>"


def parameter(param):
    text = " ".join("".join(param.itertext()).split())
    callback = re.match(r"void \(CL_CALLBACK\s*\*\s*(\w+)\)\((.*)\)$", text)
    if callback:
        name, arguments = callback.groups()
        if name == "user_func":
            arguments = "void *"
        types = []
        for argument in arguments.split(","):
            argument = argument.strip()
            if argument.endswith("[]"):
                argument = re.sub(r"\*\s*\w+\[\]$", "* *", argument)
            elif not argument.endswith("*"):
                argument = re.sub(r"\w+$", "", argument)
            types.append(c_type(re.sub(r"\s*\*\s*", "*", argument).strip()))
        return name, f"Option<extern \"C\" fn({', '.join(types)})>"
    name = param.find("name").text
    text = text.replace(" ", " ")
    if text.endswith("[]"):
        text = re.sub(r"\s*\w+\[\]$", "*", text)
    else:
        text = re.sub(r"\s*\b%s$" % name, "", text)
    rust = parameter_type(re.sub(r"\s*\*", "*", text))
    # Lists that are read, though they are not const.
    return name, rust.replace("Out<", "In<") if name in ("queues", "reimport_props") else rust


def snake(name):
    name = name.replace("IDs", "Ids").replace("GLsync", "GlSync")
    name = re.sub(r"([23])D", r"_\1d", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return name.lower()


def entry_points(root):
    commands = {c.find("proto/name").text: c for c in root.find("commands")}
    used, lines = set(), []
    kind = "core"
    for word in (DISPATCH_ORDER + BEYOND_TABLE).split():
        if word in KINDS:
            kind = word
            continue
        if kind == "null":
            lines.append(f"    null cl{word} = none();")
            continue
        command = commands["cl" + word]
        parameters = [parameter(p) for p in command.findall("param") if "".join(p.itertext()).strip() != "void"]
        result = c_type(" ".join("".join(t for t in command.find("proto").itertext()).split()[:-1]))
        error = ""
        if parameters and parameters[-1][0] == "errcode_ret":
            parameters.pop()
            error = "; errcode_ret"
        list_ = ", ".join(f"{n}: {t}" for n, t in parameters)
        used.update(re.findall(r"\w+", list_ + " " + result))
        arrow = "" if result == "c_void" else f" -> {result}"
        inner = "none" if kind == "absent" else snake(word.removesuffix("KHR").removesuffix("ARM"))
        if command_type := NAMED_COMMANDS.match(word):
            inner += "<CL_COMMAND_SVM_" + "_".join(filter(None, command_type.groups())).upper() + ">"
        row = f"    {kind} cl{word} = {inner}({list_}{error}){arrow};"
        if len(row) > 100:
            # A type stays on one line.
            whole = textwrap.fill(list_.replace(": ", ":").replace(" ", "~").replace(",~", ", ") + error.replace("; ", "; "), 90)
            body = textwrap.indent(whole.replace("~", " "), "        ").replace(":", ": ")
            row = f"    {kind} cl{word} = {inner}(\n{body}\n    ){arrow};"
        lines.append(row)
        # A leading word holds for its line in the lists above.
        if kind == "tagged":
            kind = "core"
    text = HEADER.format(what="Every entry point, in the order of the ICD dispatch table, then what lies beyond it.")
    text += "use super::constants::*;\nuse super::types::*;\nuse crate::api::entry::entry_points;\nuse crate::api::pointer::{In, Out};\n"
    text += "use std::ffi::{c_char, c_int, c_void};\n\nentry_points! {\n" + "\n".join(lines) + "\n}\n"
    return text, used


def of_core(root):
    return [r for s in root.findall("feature") for r in s.findall("require")]


def of_extensions(root):
    sections = [e for e in root.find("extensions") if e.get("name") in EXTENSIONS]
    return [r for s in sections for r in s.findall("require")]


def types(root, used):
    definitions = {}
    for t in root.find("types"):
        name = t.get("name") or (t.find("name").text if t.find("name") is not None else None)
        if name and t.get("category") in ("define", "struct"):
            definitions[name] = t
    names = {t.get("name") for r in of_core(root) + of_extensions(root) for t in r.findall("type")} | used
    names |= {"cl_uchar", "cl_properties", "cl_device_fp_atomic_capabilities_ext"}
    opaque, aliases, structs = [], [], []
    for name, t in definitions.items():
        if name not in names:
            continue
        text = " ".join("".join(t.itertext()).split())
        if t.get("category") == "struct":
            structs.append((name, t))
        elif m := re.match(r"typedef struct (\w+) ?\* ?\w+;", text):
            opaque.append((m.group(1), name))
        elif m := re.match(r"typedef (.+?)(\*?) ?%s\b" % name, text):
            aliases.append((name, c_type(m.group(1).strip() + m.group(2))))
    out = HEADER.format(what="Types of the OpenCL C API, named as there.")
    out += "#![allow(non_camel_case_types)]\n\n"
    out += "use std::ffi::{c_char, c_int, c_uint, c_void};\n\n"
    for struct, name in opaque:
        out += f"#[repr(C)]\npub struct {struct} {{\n    _private: [u8; 0],\n}}\npub type {name} = *mut {struct};\n\n"
    for name, target in aliases:
        out += f"pub type {name} = {target};\n"
    for name, t in structs:
        out += "\n#[repr(C)]\n#[derive(Clone, Copy)]\n" + f"pub struct {name} {{\n"
        for m in t.findall("member"):
            text = " ".join("".join(m.itertext()).split())
            if text.startswith("union"):
                # cl_image_desc: both members are a cl_mem.
                out += "    pub mem_object: cl_mem,\n"
                continue
            field = m.find("name").text
            array = re.search(r"\[(\w+)\]$", text)
            base = c_type(re.sub(r"\s*\*", "*", re.sub(r"\b%s\b(\[.*)?$" % field, "", text).strip()))
            if array:
                size = root.find(f".//enum[@name='{array.group(1)}'][@value]").get("value")
                base = f"[{base}; {size}]"
            out += f"    pub {field}: {base},\n"
        out += "}\n"
    return out, {n for n, _ in aliases}


def constants(root, known):
    """The texts of constants.rs and extension_constants.rs."""
    values = {}
    for group in root.findall("enums"):
        for e in group.findall("enum"):
            value = e.get("value")
            values[e.get("name")] = value if value is not None else f"1 << {e.get('bitpos')}"
    seen = set()
    core = sections(of_core(root), values, known, seen)
    extensions = sections(of_extensions(root), values, known, seen)
    allow = "#![allow(non_upper_case_globals)]\n\n"
    out = HEADER.format(what="Constants of the OpenCL C API, by type.") + allow
    out += "pub use super::extension_constants::*;\nuse super::types::*;\n" + core
    out += "\n/// Marks a dispatch table of cl_khr_icd 2.0 (slots clGetPlatformIDs and clUnloadCompiler).\n"
    tags = re.findall(r"\(\(intptr_t\)(0x\w+)\)", "".join(root.find(".//type[@name='CL_ICD2_TAG_KHR']").itertext()))
    out += f"pub const CL_ICD2_TAG_KHR: usize = if size_of::<usize>() == 4 {{\n    {tags[0]}\n}} else {{\n    {tags[1]}u64 as usize\n}};\n"
    others = HEADER.format(what="Constants of extensions of the OpenCL C API, by type.") + allow
    return out, others + "use super::types::*;\n" + extensions


def sections(requires, values, known, seen):
    """The constants that are not among those seen, which they then are."""
    sections = {}
    for r in requires:
        comment = r.get("comment") or ""
        if comment == "Constants":
            continue
        match = re.search(r"cl_\w+", comment)
        type_ = match.group(0) if match else None
        for e in r.findall("enum"):
            name = e.get("name")
            value = values[name].replace("CL_TRUE", "1")
            if name in seen:
                continue
            seen.add(name)
            if comment.startswith(("Error codes", "command execution")) or value.startswith("-"):
                section, rust = "cl_int", "cl_int"
            elif value == "SIZE_MAX":
                section, rust, value = "sizes", "usize", "usize::MAX"
            elif type_ in known:
                section = rust = type_
            else:
                section, rust = "miscellaneous", "cl_uint"
            value = re.sub(r"(?<=\d)U?L*$", "", re.sub(r"^\((.*)\)$", r"\1", value))
            sections.setdefault(section, []).append(f"pub const {name}: {rust} = {value};")
    return "".join(f"\n// {section}\n" + "\n".join(sections[section]) + "\n" for section in sections)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = ET.parse(sys.argv[1]).getroot()
    entries, used = entry_points(root)
    types_text, known = types(root, used)
    core, extensions = constants(root, known)
    texts = {
        "entry_points.rs": entries,
        "types.rs": types_text,
        "constants.rs": core,
        "extension_constants.rs": extensions,
    }
    OUT.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (OUT / name).write_text(text)
        subprocess.run(["rustfmt", "--edition=2024", OUT / name], check=True)


main()
