//! How a pipe lies in memory; docs/pipes.md has the whole, shaders/pipe.cl the operations.

/// CL_DEVICE_PIPE_MAX_PACKET_SIZE.
pub const MAX_PACKET_SIZE: u32 = 4096;
/// CL_DEVICE_MAX_PIPE_ARGS.
pub const MAX_PIPE_ARGS: u32 = 16;
/// CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS.
pub const MAX_ACTIVE_RESERVATIONS: u32 = 1024;

/// Bytes before the marks.
const HEADER: u64 = 256;
/// What the packets are aligned to: as much as the largest type.
const PACKET_ALIGN: u64 = 128;
/// Positions are below this, so that marks, which are twice as large, fit 32 bits.
const POSITIONS: u32 = (1 << 31) - 1;

/// A pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pipe {
    /// Bytes.
    pub packet_size: u32,
    pub max_packets: u32,
}

impl Pipe {
    /// Bytes before the packets. What [`Pipe::header`] does not fill is zero.
    pub fn state_size(self) -> u64 {
        (HEADER + 4 * u64::from(self.max_packets)).next_multiple_of(PACKET_ALIGN)
    }

    /// Bytes of it all; `None` if it has more packets than positions can number twice.
    pub fn size(self) -> Option<u64> {
        let packets = u64::from(self.packet_size) * u64::from(self.max_packets);
        (self.max_packets <= POSITIONS / 2).then_some(self.state_size() + packets)
    }

    /// The first words of an empty pipe: capacity, bytes of a packet, positions.
    pub fn header(self) -> [u32; 3] {
        let capacity = self.max_packets.max(1);
        let positions = POSITIONS / capacity * capacity;
        [self.max_packets, self.packet_size, positions]
    }
}
