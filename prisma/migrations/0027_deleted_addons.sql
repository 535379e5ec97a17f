-- For anti-joins with deleted add-ons, which are few.
CREATE INDEX addon_deleted ON addon (id) WHERE deleted_at IS NOT NULL;
