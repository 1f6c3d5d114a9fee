#include "sub/deeper.h"
beside __INCLUDE_LEVEL__
#define function_of_header(x) got x
