//! A viewer: an image that OpenCL computes is shown in a window. The image lies in memory of
//! Vulkan's, which OpenCL imports (cl_khr_external_memory) and the device copies to the window: the
//! host never sees it. Where semaphores have descriptors, too (cl_khr_external_semaphore), it does not wait either: OpenCL and
//! Vulkan wait for each other on the device.
//!
//!     cargo test --test viewer -- --ignored show     shows it until the window is closed

mod cl;
#[path = "../common/mod.rs"]
mod common;
mod exchange;
mod gpu;
mod window;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::driver::{skipped, swiftshader};
use common::process::run;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 200;

/// A pixel of the picture at a time, red, green and blue in 0 to 1: a disc over two ramps. The kernel
/// computes the same.
fn picture(x: u32, y: u32, time: f32) -> [f32; 3] {
    let (u, v) = (
        x as f32 / (WIDTH - 1) as f32,
        y as f32 / (HEIGHT - 1) as f32,
    );
    let from_centre = (u - time).hypot(v - 0.5);
    [u, v, if from_centre < 0.25 { 1.0 } else { 0.0 }]
}

const SOURCE: &str = "
kernel void picture(write_only image2d_t to, float time) {
    int2 c = (int2)(get_global_id(0), get_global_id(1));
    float2 p = convert_float2(c) / convert_float2(get_image_dim(to) - 1);
    float disc = hypot(p.x - time, p.y - 0.5f) < 0.25f ? 1.0f : 0.0f;
    write_imagef(to, c, (float4)(p, disc, 1.0f));
}
";

/// What computes the picture and what shows it. Parts are dropped from the first to the last.
struct Viewer {
    picture: cl::Picture,
    screen: gpu::Screen,
    window: window::Window,
}

impl Viewer {
    /// `display` is an X display, or the default one. An error says what is missing.
    fn new(display: Option<&str>) -> Result<Viewer, String> {
        let window = window::Window::open(display, "Caldera", WIDTH, HEIGHT)?;
        let platform = cl::Device::first()?;
        let screen = gpu::Screen::new(&window, &platform.uuid, WIDTH, HEIGHT)?;
        let handles = screen.handles();
        let picture = cl::Picture::new(platform, SOURCE, handles, WIDTH, HEIGHT)?;
        Ok(Viewer {
            picture,
            screen,
            window,
        })
    }

    fn draw(&mut self, time: f32) -> Result<(), String> {
        self.picture.compute(time)?;
        self.screen.present()
    }
}

/// A display without a screen, ended when dropped.
struct Xvfb {
    process: Child,
    display: String,
}

impl Xvfb {
    fn start() -> std::io::Result<Xvfb> {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "640x480x24"])
            .args(["-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut number = String::new();
        let out = process.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut number)?;
        Ok(Xvfb {
            process,
            display: format!(":{}", number.trim()),
        })
    }
}

impl Drop for Xvfb {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The window, on a display without a screen, has the picture's pixels, twice.
#[test]
fn a_window_shows_what_opencl_computes() {
    let Ok(xvfb) = Xvfb::start() else {
        return skipped("the viewer: no Xvfb (tests/setup.sh test installs it)");
    };
    let mut viewer = match Viewer::new(Some(&xvfb.display)) {
        Ok(viewer) => viewer,
        Err(why) => return skipped(&format!("the viewer: {why}")),
    };
    for time in [0.25, 0.75] {
        viewer.draw(time).expect("a frame");
        // Presenting ends some time after the call; a window may be drawn twice at first.
        let start = Instant::now();
        loop {
            let pixels = viewer.window.screenshot().expect("a screenshot");
            let wrong = difference(&pixels, time);
            if wrong <= 8 {
                break;
            }
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{wrong} pixels differ"
            );
            std::thread::sleep(Duration::from_millis(50));
            viewer.draw(time).expect("a frame");
        }
    }
}

/// Pixels that are not those of the picture, rounded either way. The disc's edge may be elsewhere in a
/// few.
fn difference(pixels: &[[u8; 3]], time: f32) -> usize {
    let wrong = |(i, pixel): &(usize, &[u8; 3])| {
        let wanted = picture(*i as u32 % WIDTH, *i as u32 / WIDTH, time);
        (0..3).any(|c| (f32::from(pixel[c]) - 255.0 * wanted[c]).abs() > 1.0)
    };
    pixels.iter().enumerate().filter(wrong).count()
}

/// Frames that OpenCL draws and Vulkan copies in turns, in the same memory, while the host only enqueues. On SwiftShader, whose
/// semaphores have descriptors; no driver for CPUs has these and windows.
#[test]
fn frames_need_no_host() {
    let Some(driver) = swiftshader() else {
        return skipped("no SwiftShader");
    };
    let mut command = driver.command(&std::env::current_exe().expect("this program"));
    command.env("CALDERA_VALIDATION", "1");
    command.args(["--exact", "film", "--ignored", "--nocapture"]);
    let outcome = run(&mut command, 300);
    let quiet = !outcome.stderr.contains("validation:");
    assert!(
        outcome.code() == Some(0) && quiet && outcome.stdout.contains("30 frames"),
        "{}",
        outcome.text()
    );
}

#[test]
#[ignore = "frames_need_no_host runs it on a driver that can"]
fn film() {
    const FRAMES: usize = 30;
    let time = |frame: usize| frame as f32 / FRAMES as f32;
    let device = cl::Device::first().expect("a device that imports memory");
    let mut film = gpu::Film::new(&device.uuid, WIDTH, HEIGHT, FRAMES).expect("turns");
    let handles = film.handles();
    let mut picture =
        cl::Picture::new(device, SOURCE, handles, WIDTH, HEIGHT).expect("an imported image");
    for frame in 0..FRAMES {
        picture.compute(time(frame)).expect("a picture");
        film.take().expect("a copy");
    }
    let pixels = film.develop().expect("the film");
    for (frame, pixels) in pixels.chunks(4 * (WIDTH * HEIGHT) as usize).enumerate() {
        let pixels: Vec<_> = (pixels.as_chunks::<4>().0.iter())
            .map(|&[b, g, r, _]| [r, g, b])
            .collect();
        let wrong = difference(&pixels, time(frame));
        assert!(wrong <= 8, "frame {frame}: {wrong} pixels differ");
    }
    println!("{FRAMES} frames");
}

#[test]
#[ignore = "shows a window until it is closed"]
fn show() {
    let mut viewer = Viewer::new(None).expect("a window");
    let start = Instant::now();
    while !viewer.window.is_closed() {
        let time = start.elapsed().as_secs_f32();
        viewer.draw(0.5 + 0.5 * time.sin()).expect("a frame");
    }
}
