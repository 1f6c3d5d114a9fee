//! A window of X11, of a fixed size.

use std::ffi::{CString, c_char, c_int, c_ulong};
use std::mem::zeroed;
use std::ptr::{NonNull, null};

use raw_window_handle::{RawDisplayHandle, RawWindowHandle, XlibDisplayHandle, XlibWindowHandle};
use x11_dl::xlib::{
    ButtonPressMask, ClientMessage, Display, PMaxSize, PMinSize, XEvent, XSizeHints, Xlib, ZPixmap,
};

pub struct Window {
    x: Xlib,
    display: NonNull<Display>,
    window: c_ulong,
    /// What a message says when the window is to be closed.
    close: c_ulong,
    size: [u32; 2],
}

impl Window {
    /// On a display, or the default one.
    pub fn open(display: Option<&str>, title: &str, w: u32, h: u32) -> Result<Window, String> {
        let x = Xlib::open().map_err(|e| e.to_string())?;
        let name = display.map(|name| CString::new(name).expect("a name"));
        let title = CString::new(title).expect("a title");
        let protocol = c"WM_DELETE_WINDOW";
        // SAFETY: strings end with 0; the display is checked, and then the window's.
        unsafe {
            let name = name.as_ref().map_or(null(), |name| name.as_ptr());
            let display = NonNull::new((x.XOpenDisplay)(name)).ok_or("no X display")?;
            let d = display.as_ptr();
            let root = (x.XDefaultRootWindow)(d);
            let window = (x.XCreateSimpleWindow)(d, root, 0, 0, w, h, 0, 0, 0);
            (x.XStoreName)(d, window, title.as_ptr());
            let mut close = (x.XInternAtom)(d, protocol.as_ptr().cast::<c_char>(), 0);
            (x.XSetWMProtocols)(d, window, &mut close, 1);
            let mut hints: XSizeHints = zeroed();
            hints.flags = PMinSize | PMaxSize;
            (hints.min_width, hints.min_height) = (w as c_int, h as c_int);
            (hints.max_width, hints.max_height) = (w as c_int, h as c_int);
            (x.XSetWMNormalHints)(d, window, &mut hints);
            (x.XSelectInput)(d, window, ButtonPressMask);
            (x.XMapRaised)(d, window);
            (x.XSync)(d, 0);
            Ok(Window {
                x,
                display,
                window,
                close,
                size: [w, h],
            })
        }
    }

    pub fn handles(&self) -> (RawDisplayHandle, RawWindowHandle) {
        let display = XlibDisplayHandle::new(Some(self.display.cast()), 0);
        let window = XlibWindowHandle::new(self.window);
        (display.into(), window.into())
    }

    /// The user has closed it, or clicked into it.
    pub fn is_closed(&mut self) -> bool {
        let d = self.display.as_ptr();
        // SAFETY: the display is open; an event's type says which of the union's members it is.
        unsafe {
            while (self.x.XPending)(d) > 0 {
                let mut event: XEvent = zeroed();
                (self.x.XNextEvent)(d, &mut event);
                let message = event.get_type() == ClientMessage;
                if !message || event.client_message.data.get_long(0) as c_ulong == self.close {
                    return true;
                }
            }
        }
        false
    }

    /// What the screen shows where the window is without a window manager, its corner: red, green and
    /// blue of each pixel.
    pub fn screenshot(&self) -> Result<Vec<[u8; 3]>, String> {
        let (d, [w, h]) = (self.display.as_ptr(), self.size);
        // SAFETY: the display is open; pixels are asked for inside the image, which is destroyed once.
        unsafe {
            (self.x.XSync)(d, 0);
            let root = (self.x.XDefaultRootWindow)(d);
            let image = (self.x.XGetImage)(d, root, 0, 0, w, h, !0, ZPixmap);
            if image.is_null() {
                return Err("no image of the screen".into());
            }
            let pixel = |i: u32| {
                let at = ((i % w) as c_int, (i / w) as c_int);
                let [b, g, r, _] = ((self.x.XGetPixel)(image, at.0, at.1) as u32).to_le_bytes();
                [r, g, b]
            };
            let pixels = (0..w * h).map(pixel).collect();
            (self.x.XDestroyImage)(image);
            Ok(pixels)
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: nothing else uses the display.
        unsafe { (self.x.XCloseDisplay)(self.display.as_ptr()) };
    }
}
