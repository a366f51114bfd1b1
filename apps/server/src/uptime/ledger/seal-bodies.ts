import type { Ledger } from '../../storage/index.ts'
import type { UptimeCheck } from '../check.ts'
import type { SealedCheck, Secrets } from '../secrets.ts'

/** Checks that are read and written together. */
const BATCH = 100

/** Seals the bodies that were stored in clear, before bodies were sealed. Where all of them are, it changes nothing. */
export const sealBodies = async ({ db }: Ledger, seal: Secrets['seal']): Promise<void> => {
  let behind = 0
  for (;;) {
    const rows = await db
      .selectFrom('uptime_checks')
      .select(['id', 'organization_id', 'asked'])
      .where('id', '>', behind)
      // In a text of somebody it has backslashes.
      .where('asked', 'not like', '%"sealedBody":%')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    for (const { asked, id, organization_id: organizationId } of rows) {
      await db
        .updateTable('uptime_checks')
        .set({ asked: sealed(asked, (body) => seal(organizationId, body)) })
        .where('id', '=', id)
        // Somebody may have changed it at another server.
        .where('asked', '=', asked)
        .execute()
      behind = id
    }
    if (rows.length < BATCH) return
  }
}

const sealed = (asked: string, seal: (body: string) => string): string => {
  const { body, ...rest } = JSON.parse(asked) as UptimeCheck
  const kept: SealedCheck = { ...rest, sealedBody: body === '' ? '' : seal(body) }
  return JSON.stringify(kept)
}
