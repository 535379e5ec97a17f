-- What moderators have decided about a rating, newest first.
CREATE INDEX activity_rating_decisions ON activity (((details->>'ratingId')::int), id) WHERE action = 'rating-decided';
