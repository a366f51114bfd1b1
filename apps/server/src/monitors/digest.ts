import { readJson } from '../event/index.ts'
import { drop, type ItemKind } from '../ingest/index.ts'
import { err, ok } from '../lib/result.ts'
import { readCheckIn, type CheckIn } from './check-in.ts'
import { applyCheckIns } from './ledger/apply-check-ins.ts'

/** Name of the kind, by which its news are known. */
export const CHECK_IN_ITEMS = 'check-ins'

/** Check-ins: what runs on a schedule says that it began, and how it ended. */
export const createCheckInItems = (): ItemKind<CheckIn, undefined, null> => ({
  name: CHECK_IN_ITEMS,
  takes: ['check_in'],
  expand: (item) => {
    const json = readJson(item.item.payload)
    if (!json.ok) return json
    const checkIn = readCheckIn(json.value.value)
    return checkIn === null
      ? err(drop('invalid', 'invalid_check_in', 'The check-in names no monitor, or is no JSON object.'))
      : ok(checkIn)
  },
  apply: async (work, entries) => {
    const verdicts = await applyCheckIns(
      work,
      entries.map(({ id, item: { receivedAt, sender }, value }) => ({
        ...value,
        id: id(),
        organizationId: sender.organizationId,
        projectId: sender.projectId,
        receivedAt,
      })),
    )
    return verdicts.map((outcome) =>
      outcome === null ? { isStored: true, stored: null } : { isStored: false, outcome },
    )
  },
  announce: (stored) =>
    [...Map.groupBy(stored, ({ entry }) => entry.item.sender.projectId)].flatMap(([projectId, [first]]) =>
      first === undefined ? [] : [{ organizationId: first.entry.item.sender.organizationId, projectId, data: null }],
    ),
})
