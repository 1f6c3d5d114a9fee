deeper __INCLUDE_LEVEL__
#include "../dir.h"
