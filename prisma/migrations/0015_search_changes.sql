-- To count the matches of a usual word takes most of the time of a search, and the number stays the same until a row changes.
-- Processes remember numbers of matches beside the sum of all marks: every statement that writes search rows leaves one, of a
-- row of its own, so that nobody waits for a counter. They are random, so that no other state ever has the same sum, not even
-- that of a restored database; a job folds them together, which leaves the sum as it is.
CREATE TABLE search_change (
    mark NUMERIC NOT NULL
);
INSERT INTO search_change (mark) VALUES (trunc(random() * 9007199254740991) + 1);
