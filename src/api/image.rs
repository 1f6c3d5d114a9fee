//! Images: creation and queries. An image is memory with a format and a shape
//! (docs/images.md), so there is nothing here that only some devices can do.

use std::ffi::c_void;
use std::sync::Arc;

use super::external::{self, Properties};
use super::handle;
use super::info::{Info, Written};
use super::memory::{
    Memory, check_contents, check_flags, check_host_ptr, shared_flags, used_host_ptr,
    with_default_access,
};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::context::Context;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::image::{Format, Image, Kind, Shape, limits};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;

const KINDS: [(cl_mem_object_type, Kind); 6] = [
    (CL_MEM_OBJECT_IMAGE1D, Kind::D1),
    (CL_MEM_OBJECT_IMAGE1D_BUFFER, Kind::Buffer),
    (CL_MEM_OBJECT_IMAGE1D_ARRAY, Kind::Array1D),
    (CL_MEM_OBJECT_IMAGE2D, Kind::D2),
    (CL_MEM_OBJECT_IMAGE2D_ARRAY, Kind::Array2D),
    (CL_MEM_OBJECT_IMAGE3D, Kind::D3),
];

fn kind_of(image_type: cl_mem_object_type) -> Option<Kind> {
    let row = KINDS.iter().find(|row| row.0 == image_type);
    row.map(|row| row.1)
}

/// CL_MEM_TYPE of an image.
pub fn image_type(kind: Kind) -> cl_mem_object_type {
    let row = KINDS.iter().find(|row| row.1 == kind);
    row.map_or(CL_MEM_OBJECT_IMAGE2D, |row| row.0)
}

pub fn create_image(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: In<cl_image_format>,
    image_desc: In<cl_image_desc>,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    create_image_with_properties(context, In::NULL, flags, image_format, image_desc, host_ptr)
}

pub fn create_image_with_properties(
    context: cl_context,
    properties: In<cl_mem_properties>,
    flags: cl_mem_flags,
    image_format: In<cl_image_format>,
    image_desc: In<cl_image_desc>,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    let given = Properties::new(&context, properties)?;
    // CL_INVALID_PROPERTY if a property is not one of images.
    if given.addressed {
        return Err(ClError::INVALID_PROPERTY);
    }
    let desc = image_desc.get();
    let memory = new_image(context, &given, flags, image_format, desc, host_ptr)?;
    Ok(handle::new(Arc::new(Memory {
        handle: Handle::default(),
        properties: external::property_list(properties),
        ..memory
    })))
}

pub fn create_image_2d(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: In<cl_image_format>,
    image_width: usize,
    image_height: usize,
    image_row_pitch: usize,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    let desc = cl_image_desc {
        image_type: CL_MEM_OBJECT_IMAGE2D,
        image_width,
        image_height,
        image_row_pitch,
        ..NO_IMAGE
    };
    new_image_of_1_0(context, flags, image_format, desc, host_ptr)
}

pub fn create_image_3d(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: In<cl_image_format>,
    image_width: usize,
    image_height: usize,
    image_depth: usize,
    image_row_pitch: usize,
    image_slice_pitch: usize,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    let desc = cl_image_desc {
        image_type: CL_MEM_OBJECT_IMAGE3D,
        image_width,
        image_height,
        // CL_INVALID_IMAGE_SIZE if image_depth is less than or equal to 1.
        image_depth: if image_depth == 1 { 0 } else { image_depth },
        image_row_pitch,
        image_slice_pitch,
        ..NO_IMAGE
    };
    new_image_of_1_0(context, flags, image_format, desc, host_ptr)
}

const NO_IMAGE: cl_image_desc = cl_image_desc {
    image_type: 0,
    image_width: 0,
    image_height: 0,
    image_depth: 0,
    image_array_size: 0,
    image_row_pitch: 0,
    image_slice_pitch: 0,
    num_mip_levels: 0,
    num_samples: 0,
    mem_object: std::ptr::null_mut(),
};

/// clCreateImage2D and 3D have CL_INVALID_IMAGE_SIZE for pitches that are not valid.
fn new_image_of_1_0(
    context: cl_context,
    flags: cl_mem_flags,
    image_format: In<cl_image_format>,
    desc: cl_image_desc,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    let context = handle::get(context)?;
    let none = Properties::default();
    match new_image(context, &none, flags, image_format, Some(desc), host_ptr) {
        Ok(memory) => Ok(handle::new(Arc::new(memory))),
        Err(ClError::INVALID_IMAGE_DESCRIPTOR) => Err(ClError::INVALID_IMAGE_SIZE),
        Err(error) => Err(error),
    }
}

fn new_image(
    context: Arc<Context>,
    properties: &Properties,
    flags: cl_mem_flags,
    format: In<cl_image_format>,
    desc: Option<cl_image_desc>,
    host_ptr: *mut c_void,
) -> ClResult<Memory> {
    let parent = desc.map_or(std::ptr::null_mut(), |desc| desc.mem_object);
    let parent = (!parent.is_null()).then(|| handle::get(parent));
    // CL_INVALID_VALUE if flags are not valid, or do not go with those of the memory object.
    let flags = match &parent {
        Some(Ok(parent)) => {
            // CL_INVALID_VALUE if the image of an immutable object is not to be one.
            if parent.flags & !flags & CL_MEM_IMMUTABLE_EXT != 0 {
                return Err(ClError::INVALID_VALUE);
            }
            shared_flags(parent.flags, flags)?
        }
        _ => {
            check_flags(flags)?;
            check_contents(flags, properties.external.is_some()).map(|()| flags)?
        }
    };
    // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if image_format is NULL or its values are not valid.
    let format = format
        .get()
        .ok_or(ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
    let format = Format::new(format.image_channel_order, format.image_channel_data_type)?;
    // CL_INVALID_IMAGE_DESCRIPTOR if image_desc is NULL or its values are not valid.
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    let desc = desc.ok_or(invalid)?;
    let kind = kind_of(desc.image_type).ok_or(invalid)?;
    if desc.num_samples != 0 {
        return Err(invalid);
    }
    let parent = parent.transpose().map_err(|_| invalid)?;
    let flat = |image: &Arc<Image>| image.shape.kind == kind && image.shape.levels == 1;
    let fits = match (&parent, kind) {
        (Some(parent), Kind::D2) if parent.image.is_some() => parent.image.iter().all(flat),
        (Some(parent), _) => parent.check_buffer().is_ok(),
        (None, kind) => kind != Kind::Buffer,
    };
    if !fits {
        return Err(invalid);
    }
    if let Some(parent) = &parent
        && !Arc::ptr_eq(&parent.context, &context)
    {
        return Err(ClError::INVALID_CONTEXT);
    }
    let pitched = !host_ptr.is_null() || properties.external.is_some();
    let largest = context.largest_allocation();
    let mut shape = shape(&desc, kind, format, parent.as_deref(), largest, pitched)?;
    shape.levels = desc.num_mip_levels.max(1);
    // Mipmapped images are not over buffers or other images, of depth or raw, or with a host pointer.
    if shape.levels > 1 {
        let plain = parent.is_none() && kind != Kind::Buffer && format.has_levels();
        if !plain || shape.levels > limits::MIP_LEVELS {
            return Err(invalid);
        }
        if !host_ptr.is_null() {
            return Err(ClError::INVALID_HOST_PTR);
        }
    }
    let too_large = ClError::MEM_OBJECT_ALLOCATION_FAILURE;
    let size = shape.bytes().ok_or(too_large)?;
    // CL_INVALID_IMAGE_SIZE if the buffer is too small.
    if parent.as_ref().is_some_and(|p| size > p.buffer.size()) {
        return Err(ClError::INVALID_IMAGE_SIZE);
    }
    if parent.is_none() || !host_ptr.is_null() {
        check_host_ptr(flags, host_ptr)?;
    }
    // CL_IMAGE_FORMAT_NOT_SUPPORTED if no devices in context support it.
    if !format.fits(kind) {
        return Err(ClError::IMAGE_FORMAT_NOT_SUPPORTED);
    }
    let buffer = match &parent {
        Some(parent) => Buffer::sub_buffer(&parent.buffer, 0, size),
        None => match properties.allocate(&context, flags, size as usize, host_ptr) {
            Err(ClError::INVALID_BUFFER_SIZE) => return Err(too_large),
            buffer => buffer?,
        },
    };
    let image = Image {
        format,
        shape,
        buffer: buffer.clone(),
    };
    Ok(Memory {
        handle: Handle::default(),
        context,
        buffer,
        image: Some(Arc::new(image)),
        pipe: None,
        external: properties.external.is_some(),
        addressed: false,
        flags: with_default_access(flags),
        host_ptr: match &parent {
            Some(parent) => parent.host_ptr,
            None => used_host_ptr(flags, host_ptr),
        },
        properties: Vec::new(),
        parent: parent.map(|parent| (parent, 0)),
    })
}

/// `largest`: the context's largest allocation. `pitched`: the image may have pitches, as one over a buffer. CL_INVALID_IMAGE_SIZE if sizes are 0 or beyond the limits;
/// CL_INVALID_IMAGE_DESCRIPTOR, of an image over a buffer CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, if pitches are not valid or its
/// host pointer is not aligned.
fn shape(
    desc: &cl_image_desc,
    kind: Kind,
    format: Format,
    parent: Option<&Memory>,
    largest: u64,
    pitched: bool,
) -> ClResult<Shape> {
    let sizes = [
        (desc.image_width, true),
        (desc.image_height, kind.has_height()),
        (desc.image_depth, kind == Kind::D3),
        (desc.image_array_size, kind.is_array()),
    ];
    let sizes = sizes.map(|(size, used)| if used { size } else { 1 });
    let mut limited = sizes.iter().zip(kind.limits(largest));
    if limited.any(|(&size, limit)| size == 0 || size > limit) {
        return Err(ClError::INVALID_IMAGE_SIZE);
    }
    let [width, height, depth, array_size] = sizes.map(|n| n as u64);
    let alignment = format.alignment();
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    let (given_row, given_slice) = (desc.image_row_pitch as u64, desc.image_slice_pitch as u64);
    // The width of a raw format is a multiple of the texels that share bytes.
    let mut row_pitch = format.row_size(width).ok_or(invalid)?;
    let shared = parent.and_then(|parent| parent.image.as_deref());
    if let Some(shared) = shared {
        // A view of an image has its shape.
        let of = shared.shape;
        let pitch = given_row == 0 || given_row == of.row_pitch;
        if !pitch || given_slice != 0 || (width, height) != (of.width, of.height) {
            return Err(invalid);
        }
        // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if the formats are not compatible.
        return match format.is_view_of(shared.format) {
            true => Ok(of),
            false => Err(ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR),
        };
    }
    // CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT is a texel: it is about the host's pointer, which is 0 without one.
    let misaligned = |parent: &Memory| !(parent.host_ptr as u64).is_multiple_of(alignment);
    let over_buffer = parent.is_some();
    let wrong_pitch = match over_buffer && kind != Kind::Buffer {
        true => ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR,
        false => invalid,
    };
    if parent.is_some_and(misaligned) {
        return Err(ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    // Of a 1D image over a buffer, too, a pitch means nothing but is given by applications.
    if (given_row, given_slice) != (0, 0) && !pitched && !over_buffer {
        return Err(invalid);
    }
    if given_row != 0 {
        if given_row < row_pitch || !given_row.is_multiple_of(alignment) {
            return Err(wrong_pitch);
        }
        row_pitch = given_row;
    }
    let mut slice_pitch = row_pitch.checked_mul(height).ok_or(invalid)?;
    if given_slice != 0 && kind.has_slices() {
        if given_slice < slice_pitch || !given_slice.is_multiple_of(row_pitch) {
            return Err(wrong_pitch);
        }
        slice_pitch = given_slice;
    }
    Ok(Shape {
        kind,
        width,
        height,
        depth,
        array_size,
        row_pitch,
        slice_pitch,
        levels: 1,
    })
}

/// A format of the largest texels, to whose size all images may be aligned.
const LARGEST: Format = Format {
    order: CL_RGBA,
    data_type: CL_FLOAT,
};

pub fn get_image_requirements_info_ext(
    context: cl_context,
    properties: In<cl_mem_properties>,
    flags: cl_mem_flags,
    image_format: In<cl_image_format>,
    image_desc: In<cl_image_desc>,
    param_name: cl_image_requirements_info_ext,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    let context = handle::get(context)?;
    Properties::new(&context, properties)?;
    check_flags(flags & !CL_MEM_KERNEL_READ_AND_WRITE)?;
    let format = image_format.get();
    let format = format.map(|f| Format::new(f.image_channel_order, f.image_channel_data_type));
    let format = format.transpose()?;
    // CL_INVALID_IMAGE_DESCRIPTOR if a value is not valid. Queries of a largest size take 0 for any kind and any size.
    let invalid = ClError::INVALID_IMAGE_DESCRIPTOR;
    let desc = image_desc.get();
    if desc.is_some_and(|desc| desc.num_samples != 0) {
        return Err(invalid);
    }
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let largest = context.largest_allocation();
    // The smallest of the limits of all kinds that have the size.
    let most = |size: usize, has: fn(Kind) -> bool| {
        let image_type = desc.map_or(0, |desc| desc.image_type);
        let asked = |row: &&(_, Kind)| has(row.1) && (image_type == 0 || row.0 == image_type);
        let limits = KINDS
            .iter()
            .filter(asked)
            .map(|row| row.1.limits(largest)[size] as cl_uint);
        limits.min().ok_or(invalid)
    };
    let whole = || {
        let desc = desc.ok_or(ClError::INVALID_VALUE)?;
        let kind = kind_of(desc.image_type).ok_or(invalid)?;
        let format = format.unwrap_or(LARGEST);
        let mut shape = shape(&desc, kind, format, None, largest, true).map_err(|_| invalid)?;
        shape.levels = desc.num_mip_levels.max(1);
        shape.bytes().ok_or(invalid)
    };
    let written = match param_name {
        // An image begins, and its rows and slices do, at any texel.
        CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT
        | CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT
        | CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT => {
            if desc.is_some() {
                whole()?;
            }
            out.value(format.unwrap_or(LARGEST).alignment() as usize)
        }
        // CL_INVALID_VALUE without format or descriptor.
        CL_IMAGE_REQUIREMENTS_SIZE_EXT => match format {
            Some(_) => out.value(whole()? as usize),
            None => Err(ClError::INVALID_VALUE),
        },
        CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT => out.value(most(0, |_| true)?),
        CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT => out.value(most(1, Kind::has_height)?),
        CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT => out.value(most(2, |kind| kind == Kind::D3)?),
        CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT => out.value(most(3, Kind::is_array)?),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

pub fn get_supported_image_formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_mem_object_type,
    num_entries: cl_uint,
    image_formats: Out<cl_image_format>,
    num_image_formats: Out<cl_uint>,
) -> ClResult {
    // CL_INVALID_CONTEXT if context is not valid.
    handle::get(context)?;
    // CL_INVALID_VALUE if flags or image_type are not valid, or num_entries is 0 and
    // image_formats is not NULL.
    check_flags(flags & !CL_MEM_KERNEL_READ_AND_WRITE)?;
    let kind = kind_of(image_type).ok_or(ClError::INVALID_VALUE)?;
    if num_entries == 0 && !image_formats.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // Raw formats are listed for what kernels only read, as from a camera: programs that take any format count on texels of a
    // whole number of bytes.
    let raw = flags & CL_MEM_READ_ONLY != 0;
    let formats = Format::all(kind).filter(|f| raw || !f.is_raw());
    let formats: Vec<cl_image_format> = formats.map(api_format).collect();
    image_formats.set_all(&formats[..formats.len().min(num_entries as usize)]);
    num_image_formats.set(formats.len() as cl_uint);
    Ok(())
}

fn api_format(format: Format) -> cl_image_format {
    cl_image_format {
        image_channel_order: format.order,
        image_channel_data_type: format.data_type,
    }
}

pub fn get_image_info(
    image: cl_mem,
    param_name: cl_image_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_MEM_OBJECT if image is not a valid image object.
    let memory = handle::get(image)?;
    let image = memory.image.as_ref().ok_or(ClError::INVALID_MEM_OBJECT)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    image_info(&memory, image, param_name, out).map(Written::done)
}

fn image_info(memory: &Memory, image: &Image, name: cl_image_info, out: Info) -> ClResult<Written> {
    let shape = &image.shape;
    let kind = shape.kind;
    // What the kind does not have is 0.
    let if_has = |has: bool, value: u64| if has { value as usize } else { 0 };
    match name {
        CL_IMAGE_FORMAT => out.value(api_format(image.format)),
        CL_IMAGE_ELEMENT_SIZE => out.value(image.format.texel_size() as usize),
        CL_IMAGE_ROW_PITCH => out.value(shape.row_pitch as usize),
        CL_IMAGE_SLICE_PITCH => out.value(if_has(kind.has_slices(), shape.slice_pitch)),
        CL_IMAGE_WIDTH => out.value(shape.width as usize),
        CL_IMAGE_HEIGHT => out.value(if_has(kind.has_height(), shape.height)),
        CL_IMAGE_DEPTH => out.value(if_has(kind == Kind::D3, shape.depth)),
        CL_IMAGE_ARRAY_SIZE => out.value(if_has(kind.is_array(), shape.array_size)),
        CL_IMAGE_BUFFER => {
            let buffer = memory.parent.as_ref().filter(|p| p.0.image.is_none());
            out.value(buffer.map_or(std::ptr::null_mut(), |(buffer, _)| handle::of(buffer)))
        }
        CL_IMAGE_NUM_MIP_LEVELS => out.value(if shape.levels > 1 { shape.levels } else { 0 }),
        CL_IMAGE_NUM_SAMPLES => out.value::<cl_uint>(0),
        _ => Err(ClError::INVALID_VALUE),
    }
}
