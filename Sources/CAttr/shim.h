#pragma once
#include <sys/types.h>
#include <sys/xattr.h>
#include <attr/attributes.h>
#include <attr/error_context.h>
#include <attr/libattr.h>
