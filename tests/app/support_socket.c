/* The same client by hand as the tests of net use. */
#include "net/support_socket.c"
