/** Sheets inside of sheets go no deeper than that: so often something can be left without anything that has it. */
const ROUNDS = 4

const UNUSED = `SELECT id FROM replay_assets
  WHERE NOT EXISTS (SELECT 1 FROM replay_asset_uses u WHERE u.asset_id = replay_assets.id)
    AND NOT EXISTS (SELECT 1 FROM replay_asset_parts p WHERE p.part_id = replay_assets.id)`
const HOLDERS = `SELECT 'replay asset ' || unused.id FROM (${UNUSED}) AS unused`

/**
 * Style sheets are parts only of those that lie less deep. Before that was so they could keep one another in a ring, for
 * ever; what is left without a replay and a sheet goes, with its bytes.
 */
export const ringsOfSheets = (): readonly string[] => [
  `DELETE FROM replay_asset_parts WHERE EXISTS (
    SELECT 1 FROM replay_assets part, replay_assets sheet
    WHERE part.id = replay_asset_parts.part_id AND sheet.id = replay_asset_parts.asset_id
      AND part.type = 'text/css' AND part.depth <= sheet.depth
  )`,
  ...Array.from({ length: ROUNDS }, () => [
    `INSERT INTO blob_releases (key) SELECT DISTINCT key FROM blob_holders WHERE holder IN (${HOLDERS}) ON CONFLICT DO NOTHING`,
    `DELETE FROM blob_holders WHERE holder IN (${HOLDERS})`,
    `DELETE FROM replay_assets WHERE id IN (${UNUSED})`,
    `DELETE FROM replay_asset_parts WHERE asset_id NOT IN (SELECT id FROM replay_assets)`,
  ]).flat(),
]
