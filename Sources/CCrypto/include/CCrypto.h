// The four operations that open an encrypted backup, by the system's own cryptographic library.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum cc_hash { CC_HASH_SHA1, CC_HASH_SHA256 };

// Loads the library. NULL when it is there, otherwise why it is not.
// Must have succeeded before any of the others is called, except cc_wipe.
const char *cc_load(void);

// The functions below return 1 for success and 0 for failure.

// PBKDF2 with HMAC (RFC 8018).
int cc_pbkdf2(enum cc_hash hash, const void *password, size_t password_size, const void *salt,
              size_t salt_size, uint32_t rounds, void *key, size_t key_size);

// Takes the wrapping of RFC 3394 off; `key` has room for `size` - 8 bytes.
// 0 where the integrity check fails.
int cc_unwrap(const void *wrapping_key, size_t wrapping_key_size, const void *wrapped, size_t size,
              void *key);

// AES-256 in CBC mode without padding, in place; `size` is a multiple of 16.
int cc_decrypt_cbc(const void *key, const void *vector, void *bytes, size_t size);

// Writes zeros that no optimiser leaves out.
void cc_wipe(void *bytes, size_t size);
