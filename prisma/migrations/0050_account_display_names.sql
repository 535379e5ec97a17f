-- Pages find add-ons by the display name of an author.
CREATE INDEX account_display_name ON account (lower(display_name)) WHERE display_name IS NOT NULL;
