# A cache in Varnish 7 or newer, for SHARED_MAX_AGE; docs/caching.md. TLS ends in front of it, and the web processes need TRUSTED_PROXIES with
# the addresses of both.
vcl 4.1;

# A web process, or a proxy of this folder that balances several.
backend web {
    .host = "127.0.0.1";
    .port = "8001";
    # The service limits slow bodies itself. Event streams send a line at least every 15 s.
    .first_byte_timeout = 310s;
    .between_bytes_timeout = 310s;
}

sub vcl_recv {
    unset req.http.X-Check;
    # Requests of people and programs that sign in are never kept, and never served from what is kept.
    if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization || req.http.Cookie) {
        return (pass);
    }
    # Event streams, and files of which a client may request a part.
    if (req.url ~ "^/(?:graphql|downloads|validation)(?:[/?]|$)") {
        return (pass);
    }
    # An update check depends on four parameters; the others are for statistics. The service takes the last of repeated parameters, their
    # names in this case, and decodes names. With such queries, a client could store a response under the key of another check, so their key
    # is the whole address.
    if (req.url ~ "^/update(?:/|/VersionCheck\.php)?\?"
        && req.url !~ "(?i)[?&](id|appID|appVersion|compatMode)=.*&\1="
        && req.url !~ "[?&](?!(?:id|appID|appVersion|compatMode)=)(?i:id|appID|appVersion|compatMode)(?:[=&]|$)"
        && req.url !~ "[?&]compatMode=(?:&|$)"
        && req.url !~ "[?&][^=&]*[%+]"
        && req.url !~ "[#?].*[#?]") {
        set req.http.X-Check = regsub(req.url, "^.*[?&]id=([^&]*).*$", "\1")
            + "&" + regsub(req.url, "^.*[?&]appID=([^&]*).*$", "\1")
            + "&" + regsub(req.url, "^.*[?&]appVersion=([^&]*).*$", "\1")
            + "&" + regsub(req.url, "^.*[?&]compatMode=([^&]*).*$", "\1");
    }
}

sub vcl_hash {
    hash_data(req.http.Host);
    if (req.http.X-Check) {
        hash_data("update " + req.http.X-Check);
    } else {
        hash_data(req.url);
    }
    return (lookup);
}

sub vcl_backend_fetch {
    unset bereq.http.X-Check;
}

sub vcl_backend_response {
    # Without an age, Varnish would keep a response for two minutes.
    if (beresp.http.Cache-Control !~ "(?:s-maxage|max-age)=") {
        set beresp.ttl = 0s;
    }
    # Stale responses as long as `stale-while-revalidate` says.
    if (beresp.http.Cache-Control !~ "stale-while-revalidate=") {
        set beresp.grace = 0s;
    }
    # For requests with If-None-Match.
    set beresp.keep = 1h;
}

sub vcl_deliver {
    if (obj.uncacheable) {
        set resp.http.X-Cache = "BYPASS";
    } else if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}
