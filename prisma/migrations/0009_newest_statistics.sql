-- Weeks are counted from the newest day that there are any statistics for, which is looked up often.
CREATE INDEX "daily_statistics_day_idx" ON "daily_statistics"("day");
