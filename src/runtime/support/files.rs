//! Files in places where others may have put something else. Opening does not block; only regular files are read, and never
//! beyond a limit. Also files and folders that only the user may access.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::compiler::source::{Loaded, MAX_INCLUDED};
use crate::os::file::{self, is_open_to_others, is_own, private_folders};

const SPECIAL: &str = "is not a regular file";

/// Opens a file that was a regular one according to `looked`. Devices are not opened, since that can have effects. If the path is
/// a device or pipe by now, opening it does not block.
fn open(path: &Path, looked: &Metadata) -> io::Result<(File, Metadata)> {
    let special = || io::Error::other(SPECIAL);
    if !looked.is_file() {
        return Err(special());
    }
    let mut options = File::options();
    let file = file::at_once(options.read(true)).open(path)?;
    let data = file.metadata()?;
    match data.is_file() {
        true => Ok((file, data)),
        false => Err(special()),
    }
}

/// The contents of a file of at most `limit` bytes. The file's length is only a hint: files grow, and those of /proc have length 0.
fn read(file: &File, data: &Metadata, limit: u64) -> io::Result<Vec<u8>> {
    let large = || io::Error::other(format!("is larger than {limit} bytes"));
    if data.len() > limit {
        return Err(large());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve(data.len() as usize + 1)?;
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= limit {
        true => Ok(bytes),
        false => Err(large()),
    }
}

/// Reads a file for `#include`, as `Sources::load` does.
pub fn load(path: &str) -> Loaded {
    let path = Path::new(path);
    let looked = fs::metadata(path).ok()?;
    // A folder is no header, so the search goes on.
    if looked.is_dir() {
        return None;
    }
    let bytes = match open(path, &looked) {
        Ok((file, data)) => read(&file, &data, MAX_INCLUDED as u64),
        Err(error) if error.kind() == io::ErrorKind::Other => Err(error),
        // The file counts as missing.
        Err(_) => return None,
    };
    let text = |bytes| {
        String::from_utf8(bytes)
            .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
    };
    Some(bytes.map(text).map_err(|error| error.to_string()))
}

/// Opens a regular file, not a symbolic link, that only the user can have written.
pub fn open_own(path: &Path) -> io::Result<(File, Metadata)> {
    let (file, data) = open(path, &fs::symlink_metadata(path)?)?;
    match is_own(&data) && !is_open_to_others(&data) {
        true => Ok((file, data)),
        false => Err(io::Error::other("may have been written by another user")),
    }
}

/// Reads such a file of at most `limit` bytes.
pub fn read_own(path: &Path, limit: u64) -> io::Result<(File, Vec<u8>)> {
    let (file, data) = open_own(path)?;
    let bytes = read(&file, &data, limit)?;
    Ok((file, bytes))
}

/// An error unless a folder belongs to the user.
pub fn check_own_folder(path: &Path) -> io::Result<()> {
    let data = fs::metadata(path)?;
    match data.is_dir() && is_own(&data) {
        true => Ok(()),
        false => Err(io::Error::other("is not a folder of this user")),
    }
}

/// The same for a folder, which is created if it is missing, with its parents. Other users cannot enter a created folder.
pub fn own_folder(path: &Path) -> io::Result<()> {
    match check_own_folder(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            private_folders().recursive(true).create(path)?;
            check_own_folder(path)
        }
        checked => checked,
    }
}

/// Creates a folder that other users cannot enter. An error if the name exists.
pub fn create_folder(path: &Path) -> io::Result<()> {
    private_folders().create(path)
}

/// Creates a file that other users cannot read, and opens it for reading and writing. An error if the name exists.
pub fn create_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    file::private(&mut options).open(path)
}
