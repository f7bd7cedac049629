/* The file's mode is part of the contract: a token that others can read is none. */
#include <app/tokens.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_MAX_LENGTH = 64, LINE_MAX_LENGTH = 512, RANDOM_BYTES = 24 };

const char *tokens_role_name(enum net_role role) {
    return role == NET_ROLE_CONTROL ? "control" : "view";
}

/* NULL = fine (count may have grown), else what is wrong with the line. */
static const char *read_line(char *line, struct net_token *tokens, int *count) {
    char *rest;
    line[strcspn(line, "#\r\n")] = '\0';
    const char *role = strtok_r(line, " \t", &rest);
    if (!role) return NULL;
    const char *token = strtok_r(NULL, " \t", &rest);
    bool control = strcmp(role, "control") == 0;
    if (!control && strcmp(role, "view") != 0) return "must begin with control or view";
    if (!token || strtok_r(NULL, " \t", &rest)) return "must be a role and one token";
    size_t length = strlen(token);
    if (length > TOKEN_MAX_LENGTH) return "has a token of more than 64 characters";
    for (size_t i = 0; i < length; ++i) {
        if (token[i] < 0x21 || token[i] > 0x7e)
            return "has a token with a character that is not printable ASCII";
    }
    if (*count == TOKENS_MAX) return "is one too many: at most 256 tokens are read";
    tokens[*count].role = control ? NET_ROLE_CONTROL : NET_ROLE_VIEW;
    strcpy(tokens[*count].text, token);
    ++*count;
    return NULL;
}

int tokens_read(const char *path, struct net_token tokens[TOKENS_MAX], char *message, size_t message_size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC), count = 0, number = 0;
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        snprintf(message, message_size, "--token-file %s cannot be read: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    if (!S_ISREG(status.st_mode) || (status.st_mode & 077) != 0) {
        snprintf(message, message_size,
                 "--token-file %s has mode %04o, it must be a file of mode 0600 (chmod 600)", path,
                 (unsigned)(status.st_mode & 07777));
        close(fd);
        return -1;
    }
    FILE *file = fdopen(fd, "r");
    if (!file) {
        close(fd);
        snprintf(message, message_size, "--token-file %s cannot be read: %s", path, strerror(errno));
        return -1;
    }
    char line[LINE_MAX_LENGTH];
    const char *wrong = NULL;
    while (!wrong && fgets(line, sizeof line, file)) {
        ++number;
        bool whole = strchr(line, '\n') != NULL || feof(file);
        wrong = whole ? read_line(line, tokens, &count) : "is longer than 510 characters";
    }
    fclose(file);
    if (wrong) {
        snprintf(message, message_size, "--token-file %s line %d %s", path, number, wrong);
        return -1;
    }
    if (count == 0) {
        snprintf(message, message_size, "--token-file %s holds no token", path);
        return -1;
    }
    return count;
}

int tokens_make(struct net_token tokens[TOKENS_MAX]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    static const enum net_role roles[TOKENS_MADE] = {NET_ROLE_CONTROL, NET_ROLE_VIEW};
    for (int i = 0; i < TOKENS_MADE; ++i) {
        unsigned char random[RANDOM_BYTES];
        if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return -1;
        char *out = tokens[i].text;
        for (int k = 0; k < RANDOM_BYTES; k += 3) {
            unsigned bits = (unsigned)random[k] << 16 | (unsigned)random[k + 1] << 8 | random[k + 2];
            for (int shift = 18; shift >= 0; shift -= 6)
                *out++ = digits[bits >> shift & 63];
        }
        *out = '\0';
        tokens[i].role = roles[i];
    }
    return TOKENS_MADE;
}
