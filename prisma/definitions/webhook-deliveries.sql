-- Each row of the activity log queues a delivery for every webhook that gets its action, with the facts of that moment, and a job that
-- sends them. Comments, reasons and actors are left out: owners read them as they may. A bulk load sets `addons.bulk_load`; it reports
-- what happened long ago.
CREATE OR REPLACE FUNCTION queue_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('addons.bulk_load', true) = 'on' OR NOT EXISTS (SELECT FROM webhook WHERE is_enabled) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_delivery (webhook_id, action, data)
  SELECT w.id, n.action, jsonb_build_object(
    'addon', jsonb_build_object('id', a.id, 'guid', a.guid, 'slug', a.slug, 'status', a.status),
    'version', CASE WHEN v.id IS NOT NULL
      THEN jsonb_build_object('id', v.id, 'number', v.version, 'channel', v.channel, 'stage', v.stage) END)
  FROM new_rows n
  JOIN webhook w ON w.is_enabled AND n.action = ANY (w.actions) AND (w.addon_id IS NULL OR w.addon_id = n.addon_id)
  JOIN addon a ON a.id = n.addon_id
  LEFT JOIN version v ON v.id = n.version_id
  ORDER BY n.id, w.id;
  IF FOUND THEN
    PERFORM graphile_worker.add_job('deliver-webhooks', queue_name => 'webhooks', max_attempts => 25, flags => ARRAY['user-change']);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER queue_webhook_deliveries AFTER INSERT ON activity REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION queue_webhook_deliveries();
