-- Ratings and replies that a moderator has hidden, newest first.
CREATE INDEX rating_hidden ON rating (created, id) WHERE deleted_at IS NULL AND hold_reason = 'moderator';
-- What a moderator has decided about ratings.
CREATE INDEX activity_rating_decided ON activity (account_id, ((details->>'ratingId')::int)) WHERE action = 'rating-decided';
