/* Plain HTTP: the viewer and what the application answers, all from memory. */
#include <net/net_internal.h>
#include <stdio.h>
#include <string.h>

/* Scripts, styles and workers from our own files only; the WebSocket may be elsewhere,
 * since a viewer can be pointed at another server. */
static const char security_headers[] =
    "Content-Security-Policy: default-src 'self'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "connect-src 'self' ws: wss:; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-cache\r\n";

static const char *status_text(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 426:
        return "Upgrade Required";
    case 503:
        return "Service Unavailable";
    default:
        return "Error";
    }
}

void http_refuse(struct net_connection *connection, int status, const char *headers, const char *sentence) {
    unsigned char text[LWS_PRE + 2048];
    int length =
        snprintf((char *)text + LWS_PRE, sizeof text - LWS_PRE,
                 "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
                 "Connection: close\r\n%s%s\r\n%s\n",
                 status, status_text(status), strlen(sentence) + 1, security_headers, headers, sentence);
    if (length < 0 || (size_t)length >= sizeof text - LWS_PRE) return;
    /* A failed write is a closed socket, which the caller is about to close anyway. */
    int written = lws_write(connection->wsi, text + LWS_PRE, (size_t)length, LWS_WRITE_HTTP_HEADERS);
    (void)written;
}

/* Ends the answer: the result of the callback. */
static int complete(struct net_connection *connection) {
    if (!connection->keep_alive) return -1;
    return lws_http_transaction_completed(connection->wsi) ? -1 : 0;
}

/* Starts an answer; the reference moves. */
static int answer(struct net_connection *connection, int status, const char *type, struct buffer *body,
                  bool head) {
    unsigned char text[LWS_PRE + 1024];
    int length = snprintf((char *)text + LWS_PRE, sizeof text - LWS_PRE,
                          "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s\r\n", status,
                          status_text(status), type, body->length,
                          connection->keep_alive ? "" : "Connection: close\r\n", security_headers);
    if (length < 0 || (size_t)length >= sizeof text - LWS_PRE ||
        lws_write(connection->wsi, text + LWS_PRE, (size_t)length, LWS_WRITE_HTTP_HEADERS) != length) {
        buffer_unref(body);
        return -1;
    }
    if (head || body->length == 0) {
        buffer_unref(body);
        return complete(connection);
    }
    buffer_unref(connection->body);
    connection->body = body;
    connection->body_sent = 0;
    lws_callback_on_writable(connection->wsi);
    return 0;
}

static bool wants_keep_alive(struct lws *wsi) {
    char text[64];
    if (lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP) <= 0 || strcmp(text, "HTTP/1.1") != 0)
        return false;
    int length = lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_CONNECTION);
    return length == 0 || (length > 0 && strcasecmp(text, "keep-alive") == 0);
}

int http_request(struct net_connection *connection, const char *path) {
    struct net *net = connection->net;
    char *uri;
    int uri_length;
    if (!admit_request(connection, path)) return -1;
    int method = lws_http_get_uri_and_method(connection->wsi, &uri, &uri_length);
    if (method != LWSHUMETH_GET && method != LWSHUMETH_HEAD) {
        http_refuse(connection, 405, "Allow: GET, HEAD\r\n", "Only GET and HEAD are served here.");
        return -1;
    }
    bool head = method == LWSHUMETH_HEAD;
    connection->keep_alive = wants_keep_alive(connection->wsi);
    if (strcmp(path, "/ws") == 0) {
        http_refuse(connection, 426, "Upgrade: websocket\r\n",
                    "This is the WebSocket: connect with ws:// and the subprotocol clothd.v1.");
        return -1;
    }
    struct net_http_reply reply = net->config.callbacks.http(net->config.callbacks.context, path);
    if (reply.body) return answer(connection, reply.status, reply.content_type, reply.body, head);
    const struct site_file *file = site_find(&net->site, path);
    if (!file) {
        http_refuse(connection, 404, "", "There is no such page; the viewer is at /.");
        return -1;
    }
    return answer(connection, 200, file->content_type, buffer_ref(file->body), head);
}

int http_writeable(struct net_connection *connection) {
    struct buffer *body = connection->body;
    if (!body) return 0;
    size_t left = body->length - connection->body_sent;
    size_t length = left < NET_BODY_PIECE_BYTES ? left : NET_BODY_PIECE_BYTES;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, NET_STALL_MS / 1000);
    /* No header goes before a piece of a body: the shared bytes stay as they are. */
    int written = lws_write(connection->wsi, body->data + connection->body_sent, length,
                            length == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
    if (written < 0) return -1;
    connection->body_sent += length;
    if (length < left) {
        lws_callback_on_writable(connection->wsi);
        return 0;
    }
    buffer_unref(body);
    connection->body = NULL;
    return complete(connection);
}
