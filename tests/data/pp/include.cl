// test: pp
// options: -I include
// oracle: gcc
#include "include/beside.h"
#include <dir.h>
#define NAME "dir.h"
#include NAME
#define SYSTEM <dir.h>
#include SYSTEM
#include "include/once.h"
#include "include/once.h"
#include "include/guard.h"
#include "include/guard.h"
after __INCLUDE_LEVEL__
function_of_header
(1)
