-- The objects of a store that is a bucket, so that sizes and ages need no request to it. A store that is a folder has no rows.
CREATE TABLE stored_object (
    sha256 text PRIMARY KEY,
    -- A part of the name of the object. No name is used again once a removal has begun, however late a request for one is carried out.
    generation integer NOT NULL DEFAULT 0,
    size bigint NOT NULL,
    -- When it was stored last: no collection removes it for some time.
    stored timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Whether the bucket has confirmed it.
    is_complete boolean NOT NULL DEFAULT false,
    -- The mark of a collection: from here on the object counts as removed.
    removing timestamptz(3),
    -- When the bucket confirmed that.
    removed timestamptz(3)
);
