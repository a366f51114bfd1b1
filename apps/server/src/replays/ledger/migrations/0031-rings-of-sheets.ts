/** Sheets inside of sheets go no deeper than that: so often something can be left without anything that has it. */
const ROUNDS = 4

const UNUSED = `SELECT id FROM replay_assets
  WHERE NOT EXISTS (SELECT 1 FROM replay_asset_uses u WHERE u.asset_id = replay_assets.id)
    AND NOT EXISTS (SELECT 1 FROM replay_asset_parts p WHERE p.part_id = replay_assets.id)`
const HOLDERS = `SELECT 'replay asset ' || unused.id FROM (${UNUSED}) AS unused`

/**
 * Whether a part may close a ring: it is a sheet that lies no deeper than the one that has it, and has or may get a sheet
 * itself. One that has none is in no ring, and gets none any more.
 */
const mayCloseRing = (edge: string): string => `EXISTS (
    SELECT 1 FROM replay_assets part, replay_assets sheet
    WHERE part.id = ${edge}.part_id AND sheet.id = ${edge}.asset_id
      AND part.type = 'text/css' AND part.depth <= sheet.depth
      AND EXISTS (
        SELECT 1 FROM replay_asset_parts own, replay_assets next
        WHERE own.asset_id = part.id AND next.id = own.part_id AND (next.type = 'text/css' OR next.state = 'waiting')
      )
  )`

/** Whoever has a part that has itself does not miss it: that one is there as it is. */
const MISSED = `SELECT edge.asset_id FROM replay_asset_parts edge
  WHERE ${mayCloseRing('edge')}
    AND NOT EXISTS (SELECT 1 FROM replay_asset_parts back WHERE back.asset_id = edge.part_id AND back.part_id = edge.asset_id)`

/**
 * Style sheets are parts only of those that lie less deep. Before that was so they could keep one another in a ring, for
 * ever; what is left without a replay and a sheet goes, with its bytes and (by its foreign key) its own parts.
 */
export const ringsOfSheets = (): readonly string[] => [
  `UPDATE replay_assets SET left_out = left_out + (SELECT count(*) FROM (${MISSED}) AS missed WHERE missed.asset_id = replay_assets.id)
  WHERE id IN (${MISSED})`,
  `DELETE FROM replay_asset_parts WHERE ${mayCloseRing('replay_asset_parts')}`,
  ...Array.from({ length: ROUNDS }, () => [
    `INSERT INTO blob_releases (key) SELECT DISTINCT key FROM blob_holders WHERE holder IN (${HOLDERS}) ON CONFLICT DO NOTHING`,
    `DELETE FROM blob_holders WHERE holder IN (${HOLDERS})`,
    `DELETE FROM replay_assets WHERE id IN (${UNUSED})`,
  ]).flat(),
]
