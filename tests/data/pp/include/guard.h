#ifndef GUARD
#define GUARD
guarded
#endif
