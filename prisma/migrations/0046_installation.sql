-- The id of this installation, which its file store has, too: a store of another installation is not used, and nothing in it removed.
INSERT INTO "service_state" ("name", "value", "modified") VALUES ('installation', to_jsonb(gen_random_uuid()), now());
