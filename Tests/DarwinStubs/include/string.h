// Shadows the C library of Linux, so that C libraries are seen as on a Mac.
#include <Darwin.h>
