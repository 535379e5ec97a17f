-- The newest day that the operator imported. Estimates are left out, so the look-up is cheap without imports too.
CREATE INDEX "daily_statistics_imported_day" ON "daily_statistics"("day") WHERE NOT "is_estimated";
