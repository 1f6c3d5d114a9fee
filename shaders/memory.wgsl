// Kernels that the runtime launches by itself: copies and fills of boxes of memory, where
// Vulkan's commands cannot do them or are slow. build.rs compiles this file; docs/runtime.md
// says when each is used.
//
// A box is `slices` slices (a work-group each) of `rows` rows of `row` units. All numbers are units
// of the entry point: 16 bytes, 4 bytes or 1 byte.

struct Box {
    dst: u32,
    dst_row: u32,
    dst_slice: u32,
    src: u32,
    src_row: u32,
    src_slice: u32,
    row: u32,
    rows: u32,
    // What is filled with, repeated to 16 bytes.
    bits: vec4<u32>,
}

var<immediate> area: Box;

@group(0) @binding(0) var<storage, read_write> dst16: array<vec4<u32>>;
@group(0) @binding(0) var<storage, read_write> dst4: array<u32>;
@group(0) @binding(0) var<storage, read_write> dst1: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> src16: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> src4: array<u32>;
// What `tile16` fills with, repeated to 128 bytes. Of all fills `area.src` is where in the pattern a row
// starts.
@group(0) @binding(2) var<uniform> pattern: array<vec4<u32>, 8>;

// A work-item has so many units of a row, a group's width apart.
const STEPS = 4u;
const WIDTH = 64u;
// Rows of a work-group. build.rs writes another number for devices with small work-groups.
const HEIGHT = 4u;

fn first(group: vec3<u32>, local: vec3<u32>) -> vec3<u32> {
    return vec3<u32>(group.x * WIDTH * STEPS + local.x, group.y * HEIGHT + local.y, group.z);
}

// Units from an item's first that are inside, a group's width apart.
fn end(id: vec3<u32>) -> u32 {
    return select(0u, min(area.row, id.x + WIDTH * STEPS), id.y < area.rows);
}

fn dst(id: vec3<u32>) -> u32 {
    return area.dst + id.z * area.dst_slice + id.y * area.dst_row;
}

fn src(id: vec3<u32>) -> u32 {
    return area.src + id.z * area.src_slice + id.y * area.src_row;
}

@compute @workgroup_size(64, HEIGHT)
fn copy16(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let id = first(group, local);
    for (var x = id.x; x < end(id); x += WIDTH) {
        dst16[dst(id) + x] = src16[src(id) + x];
    }
}

@compute @workgroup_size(64, HEIGHT)
fn copy4(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let id = first(group, local);
    for (var x = id.x; x < end(id); x += WIDTH) {
        dst4[dst(id) + x] = src4[src(id) + x];
    }
}

@compute @workgroup_size(64, HEIGHT)
fn fill16(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let id = first(group, local);
    for (var x = id.x; x < end(id); x += WIDTH) {
        dst16[dst(id) + x] = area.bits;
    }
}

// A group's width is a multiple of any pattern.
@compute @workgroup_size(64, HEIGHT)
fn tile16(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let id = first(group, local);
    let bits = pattern[(src(id) + id.x) & 7];
    for (var x = id.x; x < end(id); x += WIDTH) {
        dst16[dst(id) + x] = bits;
    }
}

@compute @workgroup_size(64, HEIGHT)
fn fill4(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let id = first(group, local);
    let bits = area.bits[(src(id) + id.x) & 3];
    for (var x = id.x; x < end(id); x += WIDTH) {
        dst4[dst(id) + x] = bits;
    }
}

// Patterns of 1 or 2 bytes: every word of memory gets the same bits. An invocation has a word,
// whose other bytes others may be writing meanwhile.
@compute @workgroup_size(64, HEIGHT)
fn fill1(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.y >= area.rows {
        return;
    }
    let start = area.dst + id.z * area.dst_slice + id.y * area.dst_row;
    let end = start + area.row;
    let word = (start >> 2) + id.x;
    let first = max(start, word << 2);
    let last = min(end, (word << 2) + 4);
    if first >= last {
        return;
    }
    let bits = area.bits.x;
    if last - first == 4 {
        atomicStore(&dst1[word], bits);
    } else {
        let mask = ((1u << ((last - first) << 3)) - 1) << ((first & 3) << 3);
        atomicAnd(&dst1[word], ~mask);
        atomicOr(&dst1[word], bits & mask);
    }
}
