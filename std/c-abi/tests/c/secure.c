/*
 * To be preloaded: the program seems to have more rights than its caller, as a set-user-ID program has, which is not to
 * be made without root and a file system that takes such programs.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>

unsigned long getauxval(unsigned long type)
{
    unsigned long (*next)(unsigned long);
    if (type == AT_SECURE)
        return 1;
    *(void **)&next = dlsym(RTLD_NEXT, "getauxval");
    return next ? next(type) : 0;
}
