-- Marks the search rows of add-ons without a file that today's clients can install: the bit 16384 in the mask of platforms. Personas (type 5)
-- never have a file and do not get the bit. Processes of the previous release ignore it; rows that they write get it with their next change.

CREATE TEMPORARY TABLE not_installable ON COMMIT DROP AS
SELECT l.addon_id
FROM search_listing l JOIN addon_document d USING (addon_id)
WHERE l.type <> 5 AND NOT EXISTS (
    SELECT FROM json_array_elements(CASE json_typeof(d.body #> '{currentVersion,files}')
        WHEN 'array' THEN d.body #> '{currentVersion,files}' ELSE '[]' END) AS f
    WHERE (f ->> 'isStored')::boolean AND (f ->> 'isWebextension')::boolean
);

WITH changed AS (
    UPDATE search_listing l SET platforms = platforms | 16384
    FROM not_installable n WHERE n.addon_id = l.addon_id AND platforms & 16384 = 0
    RETURNING l.*
)
INSERT INTO search_facet (type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min,
    mail_max, n)
SELECT type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min, mail_max, count(*)
FROM changed GROUP BY type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min, mail_max
UNION ALL
SELECT type, apps, platforms & ~16384, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min, mail_max, -count(*)
FROM changed GROUP BY type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min, mail_max;

UPDATE addon_search s SET platforms = platforms | 16384
FROM not_installable n WHERE n.addon_id = s.addon_id AND platforms & 16384 = 0;

-- Copies of a run that replaces the rows have the old masks; the run copies them again.
TRUNCATE search_next.addon_search;
