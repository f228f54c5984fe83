// libarchive, loaded when the first archive is read.
#pragma once

// Loads libarchive. NULL when it is there, otherwise why it is not.
// Must have succeeded before any function of libarchive is called.
const char *ca_load(void);
