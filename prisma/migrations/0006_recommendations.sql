-- What the reference recommender found last: for each public add-on the ids of those that go with it, the best first. It is
-- made anew as a whole, so rows may name add-ons that have left the catalogue since.
CREATE TABLE "recommendation" (
    "addon_id" INTEGER NOT NULL,
    "recommended" INTEGER[],

    CONSTRAINT "recommendation_pkey" PRIMARY KEY ("addon_id")
);

ALTER TABLE "recommendation" ADD CONSTRAINT "recommendation_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;
