//! Files that may be in the cache's folder, and users who may have written them.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use super::*;

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("caldera-cache-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    dir
}

fn key(name: &str) -> Key {
    Key::new(Kind::Program, name.as_bytes())
}

fn path(dir: &Path, key: &Key) -> PathBuf {
    dir.join(key.to_string())
}

/// A cache in a fresh folder, a key and the path of its entry, which is there.
fn with_entry(name: &str) -> (PathBuf, Cache, Key, PathBuf) {
    let dir = scratch(name);
    let cache = Cache::new(Some(dir.clone()), LIMIT);
    let key = key("k");
    assert_eq!(cache.load(&key), None);
    cache.store(&key, &[1, 2, 3]);
    assert_eq!(cache.load(&key), Some(vec![1, 2, 3]));
    let path = path(&dir, &key);
    (dir, cache, key, path)
}

#[test]
fn entries_come_back_and_damaged_ones_do_not() {
    let (dir, cache, key, path) = with_entry("basic");
    let whole = fs::read(&path).unwrap();
    let mut damages: Vec<Vec<u8>> = (0..whole.len()).map(|len| whole[..len].to_vec()).collect();
    damages.extend((0..whole.len() * 8).map(|bit| {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        damaged
    }));
    damages.push([&whole[..], &[0]].concat());
    for damaged in damages {
        fs::write(&path, damaged).unwrap();
        assert_eq!(cache.load(&key), None);
    }
    cache.store(&key, &[4]);
    assert_eq!(cache.load(&key), Some(vec![4]));
    fs::remove_dir_all(dir).unwrap();
}

/// An entry under another name is not read, because it contains its own name.
#[test]
fn entries_under_other_names_are_not_taken() {
    let (dir, cache, key, entry) = with_entry("renamed");
    let others = [
        super::Key::new(Kind::Program, b"other"),
        super::Key::new(Kind::Object, b"k"),
        super::Key::new(Kind::Pipelines, b"k"),
    ];
    for other in others {
        fs::copy(&entry, path(&dir, &other)).unwrap();
        assert_eq!(cache.load(&other), None, "{other}");
        cache.store(&other, &[5]);
        assert_eq!(cache.load(&other), Some(vec![5]));
    }
    assert_eq!(cache.load(&key), Some(vec![1, 2, 3]));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn useless_directories_do_no_harm() {
    let file = scratch("file");
    fs::write(&file, "x").unwrap();
    for dir in [None, Some(file.clone()), Some("/proc/caldera".into())] {
        let cache = Cache::new(dir, LIMIT);
        cache.store(&key("k"), &[1]);
        assert_eq!(cache.load(&key("k")), None);
    }
    fs::remove_file(file).unwrap();
}

/// An entry's path may be no regular file: it is neither waited for nor read without end, and a new entry replaces it.
#[test]
fn special_files_are_not_read() {
    let (dir, cache, key, entry) = with_entry("special");
    let elsewhere = dir.join("elsewhere");
    fs::copy(&entry, &elsewhere).unwrap();
    let make: [(&str, &dyn Fn()); 6] = [
        ("pipe", &|| {
            let made = Command::new("mkfifo").arg(&entry).status();
            assert!(made.unwrap().success());
        }),
        ("socket", &|| drop(UnixListener::bind(&entry).unwrap())),
        ("device", &|| symlink("/dev/zero", &entry).unwrap()),
        ("link", &|| symlink(&elsewhere, &entry).unwrap()),
        ("circle", &|| symlink(&entry, &entry).unwrap()),
        ("folder", &|| fs::create_dir(&entry).unwrap()),
    ];
    for (what, make) in make {
        fs::remove_file(&entry).unwrap();
        make();
        assert_eq!(cache.load(&key), None, "{what}");
        cache.store(&key, &[6]);
        if what == "folder" {
            fs::remove_dir(&entry).unwrap();
            cache.store(&key, &[6]);
        }
        assert_eq!(cache.load(&key), Some(vec![6]), "{what}");
    }
    fs::remove_dir_all(dir).unwrap();
}

/// Folder and entries are the user's alone; what others may have written is not read.
#[test]
fn what_others_may_have_written_is_not_read() {
    let (dir, cache, key, entry) = with_entry("others");
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    let modes = [&dir, &dir.join(UNFINISHED), &entry].map(|path| mode(path));
    assert_eq!(modes, [0o700, 0o700, 0o600]);
    for open in [0o620, 0o602, 0o666] {
        fs::set_permissions(&entry, fs::Permissions::from_mode(open)).unwrap();
        assert_eq!(cache.load(&key), None, "{open:o}");
    }
    cache.store(&key, &[7]);
    assert_eq!((cache.load(&key), mode(&entry)), (Some(vec![7]), 0o600));
    // Changing a file's owner needs a privilege.
    let other = file::user() + 1;
    if chown(&entry, Some(other), None).is_err() {
        eprintln!("SKIPPED: files of other users cannot be made");
        return fs::remove_dir_all(dir).unwrap();
    }
    assert_eq!(cache.load(&key), None, "another user's entry");
    cache.store(&key, &[8]);
    assert_eq!(cache.load(&key), Some(vec![8]));
    for folder in [dir.join(UNFINISHED), dir.clone()] {
        chown(&folder, Some(other), None).unwrap();
        let before = fs::read(&entry).unwrap();
        cache.store(&key, &[9]);
        assert_eq!(
            fs::read(&entry).unwrap(),
            before,
            "written in another user's folder"
        );
    }
    assert_eq!(cache.load(&key), None, "another user's folder");
    fs::remove_dir_all(dir).unwrap();
}

/// A file that a dead process left is removed. A file that is being written stays, and so do other files in a folder of that name.
#[test]
fn leftovers_go() {
    let (dir, _, key, _) = with_entry("leftovers");
    let unfinished = dir.join(UNFINISHED);
    let (left, file) = begin(&unfinished, &key).unwrap();
    drop(file);
    let (written, _locked) = begin(&unfinished, &key).unwrap();
    let foreign = unfinished.join("notes.txt");
    fs::write(&foreign, "").unwrap();
    // This is the first write of another process.
    Cache::new(Some(dir.clone()), LIMIT).store(&key, &[1]);
    assert_eq!(
        [&left, &written, &foreign].map(|path| path.exists()),
        [false, true, true]
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn the_oldest_entries_go() {
    let dir = scratch("evict");
    let cache = Cache::new(Some(dir.clone()), 4 * 2000);
    let hour = Duration::from_secs(3600);
    let keys = [0, 1, 2, 3, 4, 5].map(|i: u32| key(&format!("k{i}")));
    let age = |path: &Path, hours: u32| {
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - hour * hours).unwrap();
    };
    for (i, key) in (0..).zip(&keys) {
        cache.store(key, &[0; 1800]);
        age(&path(&dir, key), 6 - i);
    }
    // Files of others, in a folder that is not the cache's alone.
    let foreign = [
        "notes",
        "program-notes",
        "sha256-0123456789abcdef0123456789abcdef",
    ];
    for name in foreign {
        fs::write(dir.join(name), "").unwrap();
        age(&dir.join(name), 9);
    }
    assert!(
        cache.load(&keys[0]).is_some(),
        "a use makes it the youngest"
    );
    cache.evict(&dir);
    let left = keys.map(|key| path(&dir, &key).exists());
    assert_eq!(left, [true, false, false, false, true, true]);
    assert!(foreign.iter().all(|name| dir.join(name).exists()));
    // Such an entry is neither written nor read.
    let large = key("large");
    cache.store(&large, &[0; 2001]);
    assert!(!path(&dir, &large).exists());
    Cache::new(Some(dir.clone()), LIMIT).store(&large, &[0; 2001]);
    assert_eq!(cache.load(&large), None);
    fs::remove_dir_all(dir).unwrap();
}

/// Several threads write and read: each read gets a complete entry, and no unfinished file is left.
#[test]
fn concurrent_use_is_safe() {
    let dir = scratch("threads");
    std::thread::scope(|scope| {
        for n in 1..5u8 {
            let dir = dir.clone();
            scope.spawn(move || {
                let cache = Cache::new(Some(dir), LIMIT);
                for _ in 0..50 {
                    cache.store(&key("k"), &[n; 5000]);
                    let bytes = cache.load(&key("k")).expect("some writer's");
                    assert!(bytes.len() == 5000 && bytes.iter().all(|b| *b == bytes[0]));
                }
            });
        }
    });
    assert_eq!(fs::read_dir(dir.join(UNFINISHED)).unwrap().count(), 0);
    fs::remove_dir_all(dir).unwrap();
}
