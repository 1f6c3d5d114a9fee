//! Handles: what the C API calls `cl_context`, `cl_mem` and so on.
//!
//! A handle is the address of a [`Header`], which is all that the ICD loader reads. What
//! it stands for is kept in a table per type, keyed by that address, so a handle is
//! never dereferenced here: null, freed or foreign ones, and handles of another type, are
//! simply not found, and the type tells the error code.
//!
//! A handle has OpenCL's reference count; while that is above 0 the table owns the object.
//! Objects that others can name (a queue names its context) stay reachable by their old
//! handle as long as anything holds them, as the specification has it: a context is
//! deleted when its count is 0 and all objects attached to it are released.
//!
//! Loaders do read the header, also of a handle that an application releases once too often. So
//! headers are never given back, and a freed one is taken again only after many others: such a call
//! arrives here and gets its error.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, LazyLock, Mutex, RwLock, Weak};

use super::raw::types::*;
use super::{DISPATCH, IcdDispatch};
use crate::os::sync::Unpoisoned;
use crate::runtime::support::callback;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::runtime::support::hash::ByNumber;

/// The start of every object as cl_khr_icd 2.0 has it; loaders that know only version
/// 1 read the first field.
#[repr(C)]
struct Header {
    dispatch: &'static IcdDispatch,
    dispatch_data: AtomicPtr<c_void>,
}

/// The header of a live handle.
struct Slot<T: Object>(&'static Header, PhantomData<T>);

impl<T: Object> Slot<T> {
    fn take() -> Slot<T> {
        let mut free = T::table().free.lock().unpoisoned();
        let rested = free.len() > RESTING;
        let header = rested.then(|| free.pop_front()).flatten();
        let header = header.unwrap_or_else(|| {
            let [first, others @ ..] = Box::leak(Box::new([(); SLAB].map(|()| Header::new())));
            free.extend(others.iter());
            first
        });
        let data = DISPATCH_DATA.load(Ordering::Relaxed);
        header.dispatch_data.store(data, Ordering::Relaxed);
        Slot(header, PhantomData)
    }

    fn handle(&self) -> usize {
        std::ptr::from_ref(self.0) as usize
    }
}

impl<T: Object> Drop for Slot<T> {
    fn drop(&mut self) {
        T::table().free.lock().unpoisoned().push_back(self.0);
    }
}

/// At least this many freed headers of a type are not reused.
const RESTING: usize = 256;
/// The number of headers that are allocated together.
const SLAB: usize = 64;

/// What the loader set with clIcdSetPlatformDispatchDataKHR, for the objects to come.
static DISPATCH_DATA: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

impl Header {
    fn new() -> Header {
        Header {
            dispatch: &DISPATCH,
            dispatch_data: AtomicPtr::default(),
        }
    }
}

/// An object that a handle stands for.
pub trait Object: Send + Sync + Sized + 'static {
    /// `struct _cl_context` and so on.
    type Tag: Tag<Object = Self>;
    /// The error for a value that is no handle of this type.
    const INVALID: ClError;
    /// Other objects can name this one (module header).
    const NAMED: bool;
    /// Where the object keeps its handle, if others can name it.
    fn name(&self) -> Option<&Handle>;
    fn table() -> &'static Table<Self>;
}

/// The struct that a handle type points to in C, from which its object type follows.
pub trait Tag: Sized + 'static {
    type Object: Object<Tag = Self>;
}

macro_rules! handles {
    ($($tag:ident: $object:ty, $invalid:ident $(, named by $name:ident)?;)*) => {
        $(
            impl Tag for $tag {
                type Object = $object;
            }
            impl Object for $object {
                type Tag = $tag;
                const INVALID: ClError = ClError::$invalid;
                const NAMED: bool = {
                    let names: &[&str] = &[$(stringify!($name))?];
                    !names.is_empty()
                };
                fn name(&self) -> Option<&Handle> {
                    let names: &[&Handle] = &[$(&self.$name)?];
                    names.first().copied()
                }
                fn table() -> &'static Table<Self> {
                    static TABLE: LazyLock<Table<$object>> = LazyLock::new(Table::default);
                    &TABLE
                }
            }
        )*

        /// Called when the platform's dispatch data changes: changes the headers of all objects, too.
        fn update_headers(data: *mut c_void) {
            $(<$object>::table().update_headers(data);)*
        }
    };
}

handles! {
    _cl_platform_id: crate::runtime::platform::Platform, INVALID_PLATFORM, named by handle;
    _cl_device_id: crate::runtime::gpu::device::Device, INVALID_DEVICE, named by handle;
    _cl_context: crate::runtime::context::Context, INVALID_CONTEXT, named by handle;
    _cl_program: crate::runtime::program::Program, INVALID_PROGRAM, named by handle;
    _cl_kernel: crate::runtime::program::kernel::Kernel, INVALID_KERNEL, named by handle;
    _cl_mem: super::memory::Memory, INVALID_MEM_OBJECT, named by handle;
    _cl_command_queue: super::queue::CommandQueue, INVALID_COMMAND_QUEUE, named by handle;
    _cl_event: super::event::ApiEvent, INVALID_EVENT;
    _cl_sampler: super::sampler::Sampler, INVALID_SAMPLER;
    _cl_command_buffer_khr: super::command_buffer::CommandBuffer, INVALID_COMMAND_BUFFER_KHR, named by handle;
    _cl_semaphore_khr: super::semaphore::Semaphore, INVALID_SEMAPHORE_KHR;
    _cl_mutable_command_khr: super::mutable_command::MutableCommand, INVALID_MUTABLE_COMMAND_KHR;
}

struct Entry<T: Object> {
    slot: Slot<T>,
    /// OpenCL's reference count.
    references: u32,
    /// Set while `references` is above 0.
    owner: Option<Arc<T>>,
    object: Weak<T>,
}

impl<T: Object> Entry<T> {
    fn is_dead(&self) -> bool {
        self.object.strong_count() == 0
    }
}

type Shard<T> = RwLock<ByNumber<usize, Entry<T>>>;

const SHARDS: usize = 16;

/// The live handles of one type.
pub struct Table<T: Object> {
    shards: [Shard<T>; SHARDS],
    /// Headers without a handle, the longest freed first.
    free: Mutex<VecDeque<&'static Header>>,
}

impl<T: Object> Default for Table<T> {
    fn default() -> Self {
        Table {
            shards: Default::default(),
            free: Default::default(),
        }
    }
}

// Each change of the tables is one step, so they are consistent even if a panic has poisoned the lock.
impl<T: Object> Table<T> {
    fn shard(&self, handle: usize) -> &Shard<T> {
        // Headers are at least 16 bytes apart.
        &self.shards[(handle >> 4) % SHARDS]
    }

    fn insert(&self, object: Arc<T>) -> usize {
        let slot = Slot::take();
        let handle = slot.handle();
        if let Some(name) = object.name() {
            name.set(handle);
        }
        let entry = Entry {
            slot,
            references: 1,
            object: Arc::downgrade(&object),
            owner: Some(object),
        };
        let mut shard = self.shard(handle).write().unpoisoned();
        // Removes named objects that have died with the last object that names them.
        if T::NAMED && shard.len() == shard.capacity() {
            shard.retain(|_, e| !e.is_dead());
        }
        shard.insert(handle, entry);
        handle
    }

    fn get(&self, handle: usize) -> Option<Arc<T>> {
        let shard = self.shard(handle).read().unpoisoned();
        let entry = shard.get(&handle)?;
        match &entry.owner {
            Some(object) => Some(object.clone()),
            None => entry.object.upgrade(),
        }
    }

    fn retain(&self, handle: usize) -> Option<()> {
        let mut shard = self.shard(handle).write().unpoisoned();
        let entry = shard.get_mut(&handle)?;
        if entry.owner.is_none() {
            entry.owner = Some(entry.object.upgrade()?);
        }
        entry.references += 1;
        Some(())
    }

    fn release(&self, handle: usize) -> Option<()> {
        let owner = {
            let mut shard = self.shard(handle).write().unpoisoned();
            let entry = shard.get_mut(&handle)?;
            // There is an owner exactly while the count is above 0.
            entry.owner.as_ref()?;
            entry.references -= 1;
            if entry.references > 0 {
                return Some(());
            }
            let owner = entry.owner.take();
            if !T::NAMED {
                shard.remove(&handle);
            }
            owner
        };
        // The object is dropped without the lock, because callbacks for its end may need it.
        drop(owner);
        callback::ENDS.settle();
        if T::NAMED {
            let mut shard = self.shard(handle).write().unpoisoned();
            if shard.get(&handle).is_some_and(Entry::is_dead) {
                shard.remove(&handle);
            }
        }
        Some(())
    }

    fn update_headers(&self, data: *mut c_void) {
        for shard in &self.shards {
            for entry in shard.read().unpoisoned().values() {
                entry.slot.0.dispatch_data.store(data, Ordering::Relaxed);
            }
        }
    }
}

/// The object behind a handle. If there is none, the error code of the type.
pub fn get<G: Tag>(handle: *mut G) -> ClResult<Arc<G::Object>> {
    let object = G::Object::table().get(handle as usize);
    object.ok_or(G::Object::INVALID)
}

/// The objects behind handles.
pub fn get_all<G: Tag>(handles: &[*mut G]) -> ClResult<Vec<Arc<G::Object>>> {
    handles.iter().map(|&handle| get(handle)).collect()
}

/// A new handle, with reference count 1.
pub fn new<T: Object>(object: Arc<T>) -> *mut T::Tag {
    T::table().insert(object) as *mut T::Tag
}

/// The handle of an object that can be named; null if it has none.
pub fn of<T: Object>(object: &Arc<T>) -> *mut T::Tag {
    object.name().map_or(0, Handle::get) as *mut T::Tag
}

pub fn retain<G: Tag>(handle: *mut G) -> ClResult {
    let done = G::Object::table().retain(handle as usize);
    done.ok_or(G::Object::INVALID)
}

pub fn release<G: Tag>(handle: *mut G) -> ClResult {
    let done = G::Object::table().release(handle as usize);
    done.ok_or(G::Object::INVALID)
}

/// CL_*_REFERENCE_COUNT.
pub fn reference_count<G: Tag>(handle: *mut G) -> ClResult<u32> {
    let table = G::Object::table();
    let shard = table.shard(handle as usize).read().unpoisoned();
    let entry = shard.get(&(handle as usize));
    entry.map(|e| e.references).ok_or(G::Object::INVALID)
}

/// clIcdSetPlatformDispatchDataKHR.
pub fn set_dispatch_data(data: *mut c_void) {
    DISPATCH_DATA.store(data, Ordering::Relaxed);
    update_headers(data);
}
