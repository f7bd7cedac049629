/* Reads the headers of a request and applies the rules of auth.h to them. Every
 * refusal is a whole HTTP answer that says what to do about it, sent before a session
 * exists. */
#include <net/net_internal.h>
#include <base/log.h>
#include <stdio.h>
#include <string.h>

/* -1 = absent, −2 = too long or given twice; else the length. */
static int read_header(struct lws *wsi, enum lws_token_indexes header, char *text, int size) {
    int length = lws_hdr_copy_fragment(wsi, text, size, header, 0);
    if (length < 0) return lws_hdr_fragment_length(wsi, header, 0) > 0 ? -2 : -1;
    char second[4];
    bool twice = lws_hdr_fragment_length(wsi, header, 1) > 0 ||
                 lws_hdr_copy_fragment(wsi, second, sizeof second, header, 1) >= 0;
    return twice ? -2 : length;
}

static bool is_health(const char *path) {
    return strcmp(path, "/healthz") == 0 || strcmp(path, "/readyz") == 0;
}

/* Whether header, a list, names token (which is in lower case). */
static bool list_has(const char *list, const char *token) {
    size_t length = strlen(token);
    for (const char *at = list; *at;) {
        at += strspn(at, " \t,");
        size_t item = strcspn(at, " \t,");
        if (item == length && strncasecmp(at, token, length) == 0) return true;
        at += item;
    }
    return false;
}

static void note(struct net_connection *connection, uint64_t *counter, const char *cause) {
    ++*counter;
    if (net_may_log(connection->net)) {
        log_line(LOG_INFO, "refused cause=%s address=%s", cause, connection->address);
    }
}

/* Host and Origin: true = both pass. */
static bool check_names(struct net_connection *connection) {
    struct net *net = connection->net;
    struct net_metrics *metrics = &net->metrics;
    char host[300], origin[600];
    int host_length = read_header(connection->wsi, WSI_TOKEN_HOST, host, sizeof host);
    if (host_length < 0) {
        note(connection, &metrics->refused_host, "host");
        http_refuse(connection, 400, "", "A request must have exactly one Host header.");
        return false;
    }
    if (!auth_host_allowed(host, net->config.allow_hosts, net->config.allow_host_count)) {
        note(connection, &metrics->refused_host, "host");
        http_refuse(connection, 403, "",
                    "The Host header names neither an IP address nor localhost; start clothd with "
                    "--allow-host NAME to serve under this name.");
        return false;
    }
    int origin_length = read_header(connection->wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    bool passes = origin_length == -1 ||
                  (origin_length > 0 && auth_origin_allowed(origin, host, net->config.allow_origins,
                                                            net->config.allow_origin_count));
    if (!passes) {
        note(connection, &metrics->refused_origin, "origin");
        http_refuse(connection, 403, "",
                    "The Origin is another site than this server; start clothd with --allow-origin "
                    "http://NAME:PORT to let that site in.");
        return false;
    }
    return true;
}

/* The token of the request, from the header or else from the subprotocol. */
static bool check_token(struct net_connection *connection, const struct auth_protocols *protocols) {
    struct net *net = connection->net;
    connection->role = NET_ROLE_CONTROL;
    connection->token = -1;
    if (net->config.token_count == 0) return true;
    char header[160], token[65] = "";
    int length = read_header(connection->wsi, WSI_TOKEN_HTTP_AUTHORIZATION, header, sizeof header);
    bool given = length != -1;
    if (length > 0) {
        auth_read_bearer(header, token);
    } else if (!given && protocols && protocols->has_token) {
        given = true;
        memcpy(token, protocols->token, sizeof token);
    }
    const struct net_token *found = auth_find_token(net->config.tokens, net->config.token_count, token);
    if (found) {
        connection->role = found->role;
        connection->token = (int)(found - net->config.tokens);
        return true;
    }
    note(connection, &net->metrics.refused_token, "token");
    http_refuse(
        connection, 401, "WWW-Authenticate: Bearer realm=\"clothd\"\r\n",
        given
            ? "The token is not one of this server's (see --token-file, or the link it printed at its start)."
            : "A token is needed: send Authorization: Bearer TOKEN, or offer the subprotocol "
              "clothd.bearer.BASE64URL beside clothd.v1 (see --token-file, or the link the server printed "
              "at its start).");
    return false;
}

bool admit_request(struct net_connection *connection, const char *path) {
    if (is_health(path)) return true;
    if (!check_names(connection)) return false;
    bool guarded = strcmp(path, "/metrics") == 0 || strcmp(path, "/version") == 0;
    return !guarded || check_token(connection, NULL);
}

/* The parts of a WebSocket handshake; NULL = fine, else what is wrong. */
static const char *check_handshake(struct net_connection *connection) {
    struct lws *wsi = connection->wsi;
    char text[200], *uri;
    int uri_length;
    if (lws_http_get_uri_and_method(wsi, &uri, &uri_length) != LWSHUMETH_GET)
        return "A WebSocket starts with GET.";
    if (read_header(wsi, WSI_TOKEN_UPGRADE, text, sizeof text) <= 0 || strcasecmp(text, "websocket") != 0) {
        return "The only Upgrade served here is websocket; leave the header out for plain HTTP/1.1.";
    }
    if (lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_CONNECTION) <= 0 || !list_has(text, "upgrade")) {
        return "A WebSocket handshake needs Connection: Upgrade.";
    }
    if (read_header(wsi, WSI_TOKEN_KEY, text, sizeof text) != 24) {
        return "A WebSocket handshake needs one Sec-WebSocket-Key of 24 characters.";
    }
    return NULL;
}

/* Chooses the subprotocol; false = answered. */
static bool check_protocols(struct net_connection *connection, struct auth_protocols *protocols) {
    struct net *net = connection->net;
    char list[600];
    *protocols = (struct auth_protocols){0};
    int length = lws_hdr_copy(connection->wsi, list, sizeof list, WSI_TOKEN_PROTOCOL);
    enum auth_offer offer = AUTH_OFFER_LATE;
    /* The library itself reads no more than 126 characters of the list. */
    if (length >= 0 && length < 127) offer = auth_read_protocols(length ? list : NULL, protocols);
    switch (offer) {
    case AUTH_OFFER_NONE:
    case AUTH_OFFER_V1:
        return true;
    case AUTH_OFFER_UNKNOWN:
        connection->version_refused = true;
        ++net->metrics.refused_version;
        memcpy(net->refused_version, protocols->name, sizeof net->refused_version);
        return true;
    case AUTH_OFFER_FOREIGN:
        note(connection, &net->metrics.refused_protocol, "subprotocol");
        http_refuse(connection, 400, "", "None of the offered subprotocols is known: offer clothd.v1.");
        return false;
    case AUTH_OFFER_LATE:
        break;
    }
    note(connection, &net->metrics.refused_protocol, "subprotocol");
    http_refuse(
        connection, 400, "",
        "The list of subprotocols is too long: offer clothd.v1 first, then clothd.bearer.BASE64URL of a token "
        "of at most 64 characters.");
    return false;
}

int admit_upgrade(struct net_connection *connection) {
    struct net *net = connection->net;
    struct lws *wsi = connection->wsi;
    /* The library may call us after it has given up the headers: then there is nothing to say. */
    if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) == 0) return -1;

    strcpy(net->refused_version, "-"); /* no client can offer that */
    if (!check_names(connection)) return -1;
    const char *wrong = check_handshake(connection);
    if (wrong) {
        http_refuse(connection, 400, "", wrong);
        return -1;
    }
    char text[8], *uri;
    int uri_length;
    if (read_header(wsi, WSI_TOKEN_VERSION, text, sizeof text) != 2 || strcmp(text, "13") != 0) {
        http_refuse(connection, 426, "Sec-WebSocket-Version: 13\r\n",
                    "Only version 13 of the WebSocket is spoken.");
        return -1;
    }
    if (lws_http_get_uri_and_method(wsi, &uri, &uri_length) < 0 || uri_length != 3 ||
        memcmp(uri, "/ws", 3) != 0) {
        http_refuse(connection, 404, "", "The WebSocket is at /ws.");
        return -1;
    }
    struct auth_protocols protocols;
    if (!check_protocols(connection, &protocols)) return -1;
    if (!check_token(connection, &protocols)) return -1;
    if (net->draining) {
        note(connection, &net->metrics.refused_draining, "draining");
        http_refuse(connection, 503, "Retry-After: 2\r\n",
                    "The server is shutting down; try again in 2 seconds.");
        return -1;
    }
    if (net->client_count >= net->max_clients) {
        char sentence[160];
        snprintf(
            sentence, sizeof sentence,
            "All %u places are taken; try again in 5 seconds, or start clothd with a larger --max-clients.",
            net->max_clients);
        note(connection, &net->metrics.refused_full, "full");
        http_refuse(connection, 503, "Retry-After: 5\r\n", sentence);
        return -1;
    }
    connection->admitted = true;
    return 0;
}
