//! Images: formats, shapes, and how their texels lie in a buffer (docs/images.md).

use std::sync::Arc;

use crate::compiler::ir::half;
use crate::compiler::kernel::ImageRecord;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::texels::{self, Table, Texels};

/// Limits of images, in texels, layers and arguments of a kernel.
pub mod limits {
    pub const SIZE_3D: usize = 16384;
    pub const ARRAY_SIZE: usize = 2048;
    /// The most levels of a mipmapped image. Levels smaller than one texel count.
    pub const MIP_LEVELS: u32 = 16;
    pub const READ_ARGS: u32 = 256;
    pub const WRITE_ARGS: u32 = 64;
    pub const SAMPLERS: u32 = 32;

    /// Width and height where the largest allocation has `largest` bytes: a square of four bytes a texel fits, unless the
    /// full profile asks for more.
    pub fn size_2d(largest: u64) -> usize {
        match largest >> 32 {
            0 => 16384,
            _ => 32768,
        }
    }

    /// Texels of an image over a buffer: of one byte they fit.
    pub fn buffer_size(largest: u64) -> usize {
        largest.min(1 << 28) as usize
    }
}

/// How a channel is stored; widths in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Channel {
    Snorm(u32),
    Unorm(u32),
    Signed(u32),
    Unsigned(u32),
    Half,
    Float,
    /// In the high bits of 16, of which the others are written as 0 and ignored.
    HighUnorm(u32),
    HighUnsigned(u32),
    /// The high 8 bits in bytes of their own, the others, as many, behind those of as many texels as one more byte has room for.
    Raw(u32),
    /// All channels are in one word of `bytes`; lowest bit and width of each.
    Packed {
        bytes: u32,
        fields: &'static [(u32, u32)],
    },
}

/// Channel data types: the numbers of cl_channel_type.
const TYPES: [(u32, Channel); 25] = [
    (SNORM_INT8, Channel::Snorm(8)),
    (SNORM_INT16, Channel::Snorm(16)),
    (UNORM_INT8, Channel::Unorm(8)),
    (UNORM_INT16, Channel::Unorm(16)),
    (UNORM_SHORT_565, packed(2, &[(11, 5), (5, 6), (0, 5)])),
    (UNORM_SHORT_555, packed(2, &[(10, 5), (5, 5), (0, 5)])),
    (UNORM_INT_101010, packed(4, &[(20, 10), (10, 10), (0, 10)])),
    (SIGNED_INT8, Channel::Signed(8)),
    (SIGNED_INT16, Channel::Signed(16)),
    (SIGNED_INT32, Channel::Signed(32)),
    (UNSIGNED_INT8, Channel::Unsigned(8)),
    (UNSIGNED_INT16, Channel::Unsigned(16)),
    (UNSIGNED_INT32, Channel::Unsigned(32)),
    (HALF_FLOAT, Channel::Half),
    (FLOAT, Channel::Float),
    (
        UNORM_INT_101010_2,
        packed(4, &[(22, 10), (12, 10), (2, 10), (0, 2)]),
    ),
    (
        UNORM_INT_2_101010,
        packed(4, &[(30, 2), (20, 10), (10, 10), (0, 10)]),
    ),
    (UNORM_INT10X6, Channel::HighUnorm(10)),
    (UNORM_INT12X4, Channel::HighUnorm(12)),
    (UNORM_INT14X2, Channel::HighUnorm(14)),
    (UNSIGNED_INT10X6, Channel::HighUnsigned(10)),
    (UNSIGNED_INT12X4, Channel::HighUnsigned(12)),
    (UNSIGNED_INT14X2, Channel::HighUnsigned(14)),
    (UNSIGNED_INT_RAW10, Channel::Raw(2)),
    (UNSIGNED_INT_RAW12, Channel::Raw(4)),
];

const fn packed(bytes: u32, fields: &'static [(u32, u32)]) -> Channel {
    Channel::Packed { bytes, fields }
}

const SNORM_INT8: u32 = 0x10D0;
const SNORM_INT16: u32 = 0x10D1;
const UNORM_INT8: u32 = 0x10D2;
const UNORM_INT16: u32 = 0x10D3;
const UNORM_SHORT_565: u32 = 0x10D4;
const UNORM_SHORT_555: u32 = 0x10D5;
const UNORM_INT_101010: u32 = 0x10D6;
const SIGNED_INT8: u32 = 0x10D7;
const SIGNED_INT16: u32 = 0x10D8;
const SIGNED_INT32: u32 = 0x10D9;
const UNSIGNED_INT8: u32 = 0x10DA;
const UNSIGNED_INT16: u32 = 0x10DB;
const UNSIGNED_INT32: u32 = 0x10DC;
const HALF_FLOAT: u32 = 0x10DD;
const FLOAT: u32 = 0x10DE;
const UNORM_INT_101010_2: u32 = 0x10E0;
const UNORM_INT10X6: u32 = 0x10E1;
const UNSIGNED_INT_RAW10: u32 = 0x10E3;
const UNSIGNED_INT_RAW12: u32 = 0x10E4;
const UNORM_INT_2_101010: u32 = 0x10E5;
const UNSIGNED_INT10X6: u32 = 0x10E6;
const UNSIGNED_INT12X4: u32 = 0x10E7;
const UNSIGNED_INT14X2: u32 = 0x10E8;
const UNORM_INT12X4: u32 = 0x10E9;
const UNORM_INT14X2: u32 = 0x10EA;

/// A channel order (a cl_channel_order): which of r, g, b and a it stores, in order, and its data types.
struct Order {
    value: u32,
    stored: &'static [usize],
    types: &'static [u32],
}

const fn order(value: u32, stored: &'static [usize], types: &'static [u32]) -> Order {
    Order {
        value,
        stored,
        types,
    }
}

/// Data types with one word for each channel.
const PLAIN: &[u32] = &[
    UNORM_INT8,
    UNORM_INT16,
    SNORM_INT8,
    SNORM_INT16,
    SIGNED_INT8,
    SIGNED_INT16,
    SIGNED_INT32,
    UNSIGNED_INT8,
    UNSIGNED_INT16,
    UNSIGNED_INT32,
    HALF_FLOAT,
    FLOAT,
];
const BYTES: &[u32] = &[UNORM_INT8, SNORM_INT8, SIGNED_INT8, UNSIGNED_INT8];
const REAL: &[u32] = &[
    UNORM_INT8,
    UNORM_INT16,
    SNORM_INT8,
    SNORM_INT16,
    HALF_FLOAT,
    FLOAT,
];
const HIGH: &[u32] = &[
    UNORM_INT10X6,
    UNORM_INT12X4,
    UNORM_INT14X2,
    UNSIGNED_INT10X6,
    UNSIGNED_INT12X4,
    UNSIGNED_INT14X2,
];
const RAW: &[u32] = &[UNSIGNED_INT_RAW10, UNSIGNED_INT_RAW12];
const PACKED: &[u32] = &[UNORM_SHORT_565, UNORM_SHORT_555, UNORM_INT_101010];

const DEPTH: u32 = 0x10BD;
const SRGBA: u32 = 0x10C1;
const SBGRA: u32 = 0x10C2;

/// The supported formats.
const ORDERS: [Order; 20] = [
    order(0x10B0, &[0], PLAIN), // R
    order(0x10B0, &[0], HIGH),
    order(0x10B0, &[0], RAW),
    order(0x10B1, &[3], PLAIN),    // A
    order(0x10B2, &[0, 1], PLAIN), // RG
    order(0x10B2, &[0, 1], HIGH),
    order(0x10B3, &[0, 3], PLAIN),       // RA
    order(0x10B4, &[0, 1, 2], PACKED),   // RGB
    order(0x10B5, &[0, 1, 2, 3], PLAIN), // RGBA
    order(0x10B5, &[0, 1, 2, 3], HIGH),
    order(0x10B5, &[0, 1, 2, 3], &[UNORM_INT_101010_2]),
    order(0x10B6, &[2, 1, 0, 3], BYTES), // BGRA
    order(0x10B7, &[3, 0, 1, 2], BYTES), // ARGB
    order(0x10B8, &[0], REAL),           // INTENSITY
    order(0x10B9, &[0], REAL),           // LUMINANCE
    order(DEPTH, &[0], &[UNORM_INT16, FLOAT]),
    order(SRGBA, &[0, 1, 2, 3], &[UNORM_INT8]),
    order(SBGRA, &[2, 1, 0, 3], &[UNORM_INT8]),
    order(0x10C3, &[3, 2, 1, 0], BYTES), // ABGR
    order(0x10C3, &[3, 2, 1, 0], &[UNORM_INT_2_101010]),
];

/// Channel orders that are not supported: Rx, RGx, RGBx (the conformance suite expects another border than the
/// specification), sRGB, sRGBx, DEPTH_STENCIL.
const NOT_OFFERED: [u32; 6] = [0x10BA, 0x10BB, 0x10BC, 0x10BF, 0x10C0, 0x10BE];

/// A format of [`ORDERS`]: channel order and data type as numbers of cl_image_format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    pub order: u32,
    pub data_type: u32,
}

/// The colour of clEnqueueFillImage: four numbers, or one for a depth image.
pub type Color = [u32; 4];

impl Format {
    /// INVALID_IMAGE_FORMAT_DESCRIPTOR if a number or the combination is not valid; IMAGE_FORMAT_NOT_SUPPORTED if it is valid but
    /// not supported.
    pub fn new(order: u32, data_type: u32) -> ClResult<Format> {
        if NOT_OFFERED.contains(&order) {
            return Err(ClError::IMAGE_FORMAT_NOT_SUPPORTED);
        }
        let mut rows = ORDERS.iter().filter(|row| row.value == order);
        match rows.any(|row| row.types.contains(&data_type)) {
            true => Ok(Format { order, data_type }),
            false => Err(ClError::INVALID_IMAGE_FORMAT_DESCRIPTOR),
        }
    }

    /// All formats of images of a kind. Kernels can read and write all of them.
    pub fn all(kind: Kind) -> impl Iterator<Item = Format> {
        let of = |row: &'static Order| {
            row.types.iter().map(|&data_type| Format {
                order: row.value,
                data_type,
            })
        };
        let all = ORDERS.iter().flat_map(of);
        all.filter(move |f| f.fits(kind))
    }

    /// Whether images of this kind can have the format: depth is for 2D images and arrays of them, raw formats for 2D images.
    pub fn fits(self, kind: Kind) -> bool {
        match (self.is_raw(), self.is_depth()) {
            (true, _) => kind == Kind::D2,
            (_, true) => matches!(kind, Kind::D2 | Kind::Array2D),
            _ => true,
        }
    }

    /// Whether an image of the format can have mipmaps.
    pub fn has_levels(self) -> bool {
        !self.is_depth() && !self.is_raw()
    }

    /// Whether texels share bytes.
    pub fn is_raw(self) -> bool {
        matches!(self.channel(), Channel::Raw(_))
    }

    pub fn is_depth(self) -> bool {
        self.order == DEPTH
    }

    fn is_srgb(self) -> bool {
        matches!(self.order, SRGBA | SBGRA)
    }

    /// Whether an image of format `self` can view one of format `other`.
    pub fn is_view_of(self, other: Format) -> bool {
        /// RGBA and sRGBA view each other, BGRA and sBGRA too, and depth views R.
        const VIEWS: [(u32, u32); 5] = [
            (SRGBA, 0x10B5),
            (0x10B5, SRGBA),
            (SBGRA, 0x10B6),
            (0x10B6, SBGRA),
            (DEPTH, 0x10B0),
        ];
        self.data_type == other.data_type
            && (self.order == other.order || VIEWS.contains(&(self.order, other.order)))
    }

    /// The value of an image argument's specialization constant.
    pub fn constant(self) -> u32 {
        self.order << 16 | self.data_type
    }

    /// The Vulkan format of a texel buffer with the channels that are stored, in order, as kernels see them; unsigned for signed
    /// integers. Normalised channels only if the device converts them exactly (`exact`): the result of a read must not depend on
    /// whether it uses the texel buffer.
    fn of_texels(self, exact: bool) -> Option<texels::Format> {
        let row = TEXELS.iter().find(|row| row.0 == self.data_type)?;
        if matches!(self.channel(), Channel::Unorm(_) | Channel::Snorm(_)) && !exact {
            return None;
        }
        match (self.is_srgb(), self.stored().len()) {
            (false, 1) => Some(row.1),
            (false, 2) => Some(row.2),
            (false, 4) => Some(row.3),
            _ => None,
        }
    }

    fn stored(self) -> &'static [usize] {
        let row = ORDERS.iter().find(|row| row.value == self.order);
        row.map_or(&[], |row| row.stored)
    }

    fn channel(self) -> Channel {
        let row = TYPES.iter().find(|row| row.0 == self.data_type);
        row.map_or(Channel::Float, |row| row.1)
    }

    /// Texels of a row that share bytes, and these bytes.
    fn block(self) -> (u64, u64) {
        match self.channel() {
            Channel::Raw(bits) => (u64::from(8 / bits), u64::from(8 / bits + 1)),
            _ => (1, self.texel_size()),
        }
    }

    /// Bytes of so many texels of a row; `None` if they are no whole number of those that share bytes.
    pub fn row_size(self, texels: u64) -> Option<u64> {
        let (block, bytes) = self.block();
        match texels.is_multiple_of(block) {
            true => (texels / block).checked_mul(bytes),
            false => None,
        }
    }

    /// What a row, an image and its pitches begin at a multiple of, bytes.
    pub fn alignment(self) -> u64 {
        match self.is_raw() {
            true => 1,
            false => self.texel_size(),
        }
    }

    /// Bytes of a texel: 1, 2, 4, 8 or 16. Of one that shares a byte with others it is 2.
    pub fn texel_size(self) -> u64 {
        let bits = match self.channel() {
            Channel::Packed { bytes, .. } => return u64::from(bytes),
            Channel::Raw(_) => 16,
            Channel::Snorm(n) | Channel::Unorm(n) | Channel::Signed(n) | Channel::Unsigned(n) => n,
            Channel::Half | Channel::HighUnorm(_) | Channel::HighUnsigned(_) => 16,
            Channel::Float => 32,
        };
        self.stored().len() as u64 * u64::from(bits / 8)
    }

    /// A colour as a texel, or as all texels that share bytes: floats, ints or unsigned ints by the data type, converted as
    /// write_image does. A depth is `color[0]`.
    pub fn texel(self, color: Color) -> Vec<u8> {
        let real = |i: usize| {
            let value = f32::from_bits(color[i]);
            match self.is_srgb() && i < 3 {
                true => srgb(value),
                false => f64::from(value),
            }
        };
        let unorm = |i, bits: u32| {
            let scale = f64::from((1u32 << bits) - 1);
            (real(i) * scale).round_ties_even().clamp(0.0, scale) as u32
        };
        let stored = self.stored();
        if let Channel::Packed { bytes, fields } = self.channel() {
            let channels = stored.iter().zip(fields);
            let word = channels.fold(0, |word, (&i, &(at, bits))| word | unorm(i, bits) << at);
            return word.to_le_bytes()[..bytes as usize].to_vec();
        }
        if let Channel::Raw(bits) = self.channel() {
            let value = color[0].min((256 << bits) - 1);
            let low = value & ((1 << bits) - 1);
            let texels = 8 / bits;
            let mut block = vec![(value >> bits) as u8; texels as usize];
            block.push((0..texels).fold(0, |byte, i| byte | low << (i * bits)) as u8);
            return block;
        }
        let channel = |&i: &usize| {
            let (bits, value) = match self.channel() {
                Channel::Unorm(bits) => (bits, unorm(i, bits)),
                Channel::Snorm(bits) => {
                    let scale = f64::from((1i32 << (bits - 1)) - 1);
                    let value = (real(i) * scale).round_ties_even();
                    (bits, value.clamp(-scale - 1.0, scale) as i32 as u32)
                }
                Channel::Signed(bits) => {
                    let (value, high) = (color[i] as i32, i32::MAX >> (32 - bits));
                    (bits, value.clamp(-high - 1, high) as u32)
                }
                Channel::Unsigned(bits) => (bits, color[i].min(u32::MAX >> (32 - bits))),
                Channel::HighUnorm(bits) => (16, unorm(i, bits) << (16 - bits)),
                Channel::HighUnsigned(bits) => {
                    let value = color[i].min(u32::MAX >> (32 - bits));
                    (16, value << (16 - bits))
                }
                Channel::Half => (16, u32::from(half::from_f32(f32::from_bits(color[i])))),
                Channel::Float | Channel::Packed { .. } | Channel::Raw(_) => (32, color[i]),
            };
            value.to_le_bytes()[..bits as usize / 8].to_vec()
        };
        stored.iter().flat_map(channel).collect()
    }
}

/// The transfer function of sRGB (IEC 61966-2-1) from linear.
fn srgb(linear: f32) -> f64 {
    let linear = f64::from(linear);
    match linear {
        // NaN becomes 0.
        x if x.is_nan() || x <= 0.0 => 0.0,
        x if x >= 1.0 => 1.0,
        x if x < 0.0031308 => 12.92 * x,
        x => 1.055 * x.powf(1.0 / 2.4) - 0.055,
    }
}

/// Vulkan formats of texel buffers by data type, for one, two and four channels. Channels of 32 bits are missing: they need
/// no conversion, and loads are faster.
const TEXELS: [(u32, texels::Format, texels::Format, texels::Format); 9] = {
    use texels::Format as F;
    [
        (UNORM_INT8, F::R8_UNORM, F::R8G8_UNORM, F::R8G8B8A8_UNORM),
        (
            UNORM_INT16,
            F::R16_UNORM,
            F::R16G16_UNORM,
            F::R16G16B16A16_UNORM,
        ),
        (SNORM_INT8, F::R8_SNORM, F::R8G8_SNORM, F::R8G8B8A8_SNORM),
        (
            SNORM_INT16,
            F::R16_SNORM,
            F::R16G16_SNORM,
            F::R16G16B16A16_SNORM,
        ),
        (SIGNED_INT8, F::R8_UINT, F::R8G8_UINT, F::R8G8B8A8_UINT),
        (
            SIGNED_INT16,
            F::R16_UINT,
            F::R16G16_UINT,
            F::R16G16B16A16_UINT,
        ),
        (UNSIGNED_INT8, F::R8_UINT, F::R8G8_UINT, F::R8G8B8A8_UINT),
        (
            UNSIGNED_INT16,
            F::R16_UINT,
            F::R16G16_UINT,
            F::R16G16B16A16_UINT,
        ),
        (
            HALF_FLOAT,
            F::R16_SFLOAT,
            F::R16G16_SFLOAT,
            F::R16G16B16A16_SFLOAT,
        ),
    ]
};

/// The types of image arguments: name, kind, depth.
const ARGUMENT_TYPES: [(&str, Kind, bool); 8] = [
    ("image1d_t", Kind::D1, false),
    ("image1d_buffer_t", Kind::Buffer, false),
    ("image1d_array_t", Kind::Array1D, false),
    ("image2d_t", Kind::D2, false),
    ("image2d_array_t", Kind::Array2D, false),
    ("image2d_depth_t", Kind::D2, true),
    ("image2d_array_depth_t", Kind::Array2D, true),
    ("image3d_t", Kind::D3, false),
];

/// The kinds of images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    D1,
    /// A one-dimensional image over a buffer.
    Buffer,
    Array1D,
    D2,
    Array2D,
    D3,
}

impl Kind {
    pub fn has_height(self) -> bool {
        matches!(self, Kind::D2 | Kind::Array2D | Kind::D3)
    }

    pub fn is_array(self) -> bool {
        matches!(self, Kind::Array1D | Kind::Array2D)
    }

    /// Whether images of this kind have a slice pitch.
    pub fn has_slices(self) -> bool {
        self.is_array() || self == Kind::D3
    }

    /// The largest width, height, depth and array size where the largest allocation has `largest` bytes; 1 for a size that
    /// the kind does not have.
    pub fn limits(self, largest: u64) -> [usize; 4] {
        use limits::{ARRAY_SIZE, SIZE_3D};
        let size = limits::size_2d(largest);
        match self {
            Kind::D1 => [size, 1, 1, 1],
            Kind::Buffer => [limits::buffer_size(largest), 1, 1, 1],
            Kind::Array1D => [size, 1, 1, ARRAY_SIZE],
            Kind::D2 => [size, size, 1, 1],
            Kind::Array2D => [size, size, 1, ARRAY_SIZE],
            Kind::D3 => [SIZE_3D, SIZE_3D, SIZE_3D, 1],
        }
    }
}

/// Sizes in texels and layers, 1 if the kind does not have them; pitches in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub kind: Kind,
    pub width: u64,
    pub height: u64,
    pub depth: u64,
    pub array_size: u64,
    pub row_pitch: u64,
    pub slice_pitch: u64,
    /// Levels of a mipmapped image, else 1. Levels are packed one behind the other. The pitches are those of the first.
    pub levels: u32,
}

impl Shape {
    /// A level as an image of its own, and its offset in bytes.
    pub fn level(&self, level: u32) -> (Shape, u64) {
        let texel_size = self.row_pitch / self.width;
        let at = |level: u32| {
            let [width, height, depth] =
                [self.width, self.height, self.depth].map(|size| (size >> level).max(1));
            Shape {
                width,
                height,
                depth,
                row_pitch: width * texel_size,
                slice_pitch: width * texel_size * height,
                levels: 1,
                ..*self
            }
        };
        if level == 0 {
            return (Shape { levels: 1, ..*self }, 0);
        }
        let before = (0..level).map(|i| at(i).slice_pitch * at(i).depth * self.array_size);
        (at(level), before.sum())
    }

    /// Bytes of memory; `None` if that is more than an image can have.
    pub fn bytes(&self) -> Option<u64> {
        if self.levels > 1 {
            let (last, at) = self.level(self.levels - 1);
            Shape { levels: 1, ..*self }.bytes()?;
            return at.checked_add(last.bytes()?);
        }
        // Kernels get the pitch in 32 bits.
        u32::try_from(self.row_pitch).ok()?;
        if !self.kind.has_slices() {
            return self.row_pitch.checked_mul(self.height);
        }
        self.slice_pitch.checked_mul(self.depth * self.array_size)
    }

    /// The whole image as a region, in texels. The layers of a 1D array are its rows.
    pub fn extent(&self) -> Extent {
        match self.kind {
            Kind::Array1D => [self.width, self.array_size, 1],
            _ => [self.width, self.height, self.depth * self.array_size],
        }
    }

    /// The row and slice pitch of such a region, in bytes.
    pub fn pitches(&self) -> (u64, u64) {
        match self.kind {
            Kind::Array1D => (self.slice_pitch, self.slice_pitch * self.array_size),
            _ => (self.row_pitch, self.slice_pitch),
        }
    }
}

/// An image in a buffer.
pub struct Image {
    pub format: Format,
    pub shape: Shape,
    pub buffer: Arc<Buffer>,
}

impl Image {
    /// The layout in the buffer of a level's region at `origin` (in texels, as in [`Shape::extent`]); `None` if it begins at a
    /// texel that shares a byte with the one before it.
    pub fn layout(&self, level: u32, origin: Extent) -> Option<Layout> {
        let (shape, start) = self.shape.level(level);
        let (row_pitch, slice_pitch) = shape.pitches();
        let [x, y, z] = origin;
        Some(Layout {
            offset: start + self.format.row_size(x)? + y * row_pitch + z * slice_pitch,
            row_pitch,
            slice_pitch,
        })
    }

    /// Whether an argument of the type with this name accepts the image. A name that is no image type, such as a typedef's,
    /// accepts all.
    pub fn fits_argument(&self, type_name: &str) -> bool {
        let row = ARGUMENT_TYPES.iter().find(|row| row.0 == type_name);
        row.is_none_or(|row| (row.1, row.2) == (self.shape.kind, self.format.is_depth()))
    }

    /// The texel buffer through which kernels read the image, if it has one.
    pub(in crate::runtime) fn texels(
        &self,
        device: &Arc<Device>,
        table: &Arc<Table>,
    ) -> Option<&Texels> {
        let format = self.format.of_texels(device.target().exact_texels)?;
        // The functions that read levels use addresses.
        if self.shape.levels > 1 {
            return None;
        }
        self.buffer
            .texels(device, table, format, self.format.texel_size())
    }

    /// The record of the image that a kernel gets. `slot` is its texel buffer's slot, if the kernel uses that.
    pub(in crate::runtime) fn record(
        &self,
        device: &Arc<Device>,
        slot: Option<u32>,
    ) -> ClResult<ImageRecord> {
        let shape = &self.shape;
        let unit = slot.map_or(1, |_| self.format.texel_size());
        // The specification requires the slice pitch to be a multiple of the row pitch.
        let slice_rows = match shape.kind.has_slices() {
            true => shape.slice_pitch / shape.row_pitch,
            false => 0,
        };
        Ok(ImageRecord {
            address: self.buffer.address(device)?,
            width: shape.width as u32,
            height: shape.height as u32,
            depth: shape.depth as u32,
            array_size: shape.array_size as u32,
            row_pitch: (shape.row_pitch / unit) as u32,
            slice_rows: slice_rows as u32,
            slot: slot.unwrap_or(0),
            levels: shape.levels,
        })
    }
}
